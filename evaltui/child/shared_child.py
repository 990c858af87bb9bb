"""A child that answers many questions at once, told apart by their ids."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from evaltui.child.lines import Ended, LineChild, LineTooLong

_LOOK_S = 1.0
_SILENT_S = 4.0
"""A child that does not say for so long that its event loop turns blocks it."""


class SharedChild:
    """Each open question hears its own lines; all hear of the end.

    A child that blocks its event loop is ended: whoever waits would wait for another's question.
    """

    def __init__(self, child: LineChild, parse: Callable[[bytes], dict[str, Any]]) -> None:
        self.child = child
        self.is_blocking = False
        self._parse = parse
        self._open: dict[int, asyncio.Queue[dict[str, Any] | None]] = {}
        self._heard = asyncio.get_running_loop().time()
        self._reader = asyncio.create_task(self._read())
        self._watcher = asyncio.create_task(self._watch())

    @property
    def is_alive(self) -> bool:
        return self.child.is_alive and not self._reader.done()

    def ask(self, id_: int, question: bytes) -> None:
        self._open[id_] = asyncio.Queue()
        if len(self._open) == 1:
            self._heard = asyncio.get_running_loop().time()
        self.child.say(question)

    async def line(self, id_: int) -> dict[str, Any]:
        """The next line about a question. Raises Ended when there will be none."""
        said = await self._open[id_].get()
        if said is None:
            raise Ended
        return said

    def forget(self, id_: int, *, is_answered: bool) -> None:
        """Hear no more of a question; one without an answer is broken off."""
        self._open.pop(id_, None)
        if not is_answered and self.is_alive:
            self.child.say(json.dumps({"cancel": id_}).encode())

    async def end(self) -> None:
        self._watcher.cancel()
        self._reader.cancel()
        await self.child.end()

    async def _read(self) -> None:
        try:
            while True:
                said = self._parse(await self.child.line())
                self._heard = asyncio.get_running_loop().time()
                if (waiting := self._open.get(said.get("id", -1))) is not None:
                    waiting.put_nowait(said)
        except (Ended, LineTooLong, ValueError):
            self.child.kill()
        finally:
            for waiting in self._open.values():
                waiting.put_nowait(None)

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        while self.is_alive:
            asked = loop.time()
            if self._open:
                self.child.say(b'{"turns": true}')
            await asyncio.sleep(_LOOK_S)
            late_s = loop.time() - asked - _LOOK_S
            # What kept us from hearing is no silence of the child.
            self._heard = min(loop.time(), self._heard + max(0.0, late_s))
            if self._open and loop.time() - self._heard > _SILENT_S:
                self.is_blocking = True
                self.child.kill()
