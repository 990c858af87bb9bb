"""Children that say what an entry has; who has said it may go on to judge.

A save waits for that. So one interpreter is started beforehand: it has loaded nothing of the
project, and does so when it is told what.
"""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from evaltui.child.lines import Ended, LineChild, LineTooLong
from evaltui.disk.codec import parse
from evaltui.evaluators.evaluator_child import LOAD_S, end_by_itself, first_line
from evaltui.evaluators.plugin_entry import PluginEntry
from evaltui.files import read_file
from evaltui.net.secret_mask import SecretMask


class Described(Struct, frozen=True, eq=False):
    """What an entry says it has, or why that cannot be found out."""

    said: Mapping[str, Any]
    """`fault` and `why` in it when it cannot."""
    source: bytes | None = None
    """What was read of a file and ran."""
    child: LineChild | None = None
    """Who said it, where it stays to judge."""


class Describer:
    """Belongs to one event loop, but for describing without any that stays."""

    def __init__(self, mask: SecretMask) -> None:
        self._mask = mask
        self._spare: LineChild | None = None
        self._spare_of: tuple[tuple[str, ...], Path] | None = None
        """Words and folder that it was started with."""
        self.starting: asyncio.Task[None] | None = None
        """The start of that one; it ends when there is one, or none can be started."""
        self._staying: set[LineChild] = set()
        """Those that said what they have and were not handed on yet."""
        self._is_closed = False

    @property
    def has_spare(self) -> bool:
        return self._spare is not None and self._spare.is_alive

    async def describe(self, entry: PluginEntry, *, stays: bool) -> Described:
        """Bad input becomes a fault. `stays`: who says it is kept, to judge."""
        source: bytes | None = None
        if entry.path is not None:
            try:
                source = read_file(entry.path)
            except (FileNotFoundError, NotADirectoryError):
                return Described({"fault": "not-found"})
            except OSError as error:
                return _fault(error.strerror or type(error).__name__)
            if not entry.is_javascript and entry.path.suffix != ".py":
                return _fault("it is neither Python nor JavaScript", "export", source)
        try:
            if stays and (spare := self._take_spare(entry)) is not None:
                found = await self._ask(spare, entry, source, stays=True)
                if "fault" not in found.said:
                    return found
                # It may be told of something that was installed since this one was started.
            try:
                child = await LineChild.start(entry.argv, cwd=entry.root)
            except (OSError, ValueError) as error:
                why = getattr(error, "strerror", None) or str(error)
                return _fault(why, "start", source)
            return await self._ask(child, entry, source, stays=stays)
        except TimeoutError:
            return _fault(f"it was not loaded within {LOAD_S:g} s", source=source)

    def hand_on(self, child: LineChild) -> None:
        """Somebody else ends it from now on."""
        self._staying.discard(child)

    def drop(self, child: LineChild) -> None:
        """It is not to judge."""
        child.kill()
        self._staying.discard(child)

    def have_spare(self, entry: PluginEntry | None) -> None:
        """Keep one that entries of this kind can be described by; none without."""
        wanted = None if entry is None else (entry.argv, entry.root)
        if self._is_closed or (wanted == self._spare_of and self.has_spare):
            return
        self._spare_of = wanted
        if self.starting is None or self.starting.done():
            self.starting = asyncio.create_task(self._exchange(), name="spare evaluator child")

    async def close(self) -> None:
        """End what nobody took over, and start nothing any more."""
        self._is_closed = True
        self._spare_of = None
        if self.starting is not None:
            await asyncio.gather(self.starting, return_exceptions=True)
        spare, self._spare = self._spare, None
        children = [*self._staying, *([] if spare is None else [spare])]
        self._staying.clear()
        await asyncio.gather(*(child.end() for child in children))

    async def _exchange(self) -> None:
        """Have one of the kind that is wanted, also where that changes meanwhile."""
        child = self._spare
        self._spare = None
        while True:
            if child is not None:
                await end_by_itself(child)
            wanted = self._spare_of
            if wanted is None:
                return
            argv, root = wanted
            try:
                child = await LineChild.start(argv, cwd=root)
            except (OSError, ValueError):
                return  # told when it is needed
            if wanted == self._spare_of:
                self._spare = child
                return

    def _take_spare(self, entry: PluginEntry) -> LineChild | None:
        spare = self._spare
        if spare is None or self._spare_of != (entry.argv, entry.root):
            return None
        self._spare = None
        if spare.is_alive and not spare.has_unread:
            return spare
        spare.kill()
        return None

    async def _ask(
        self, child: LineChild, entry: PluginEntry, source: bytes | None, *, stays: bool
    ) -> Described:
        """Raises TimeoutError; the child has ended then."""
        stays = stays and not entry.is_one_shot
        self._staying.add(child)
        is_told = False
        try:
            child.say(first_line(entry, source or b""))
            if entry.is_one_shot and child.child is not None:
                child.child.end_input()
            async with asyncio.timeout(LOAD_S):
                said = parse(self._mask.hide_body(await child.line()))
            is_told = isinstance(said, Mapping) and isinstance(said.get("evaluators"), list)
        except Ended:
            ending, end = await child.epitaph()
            end = self._mask.hide(end[-300:])
            return _fault(f"its process {ending}{f': {end}' if end else ''}", source=source)
        except (LineTooLong, ValueError, RecursionError):
            why = "it wrote something else than a line of JSON to stdout"
            return _fault(why, source=source)
        finally:
            if not (is_told and stays) or self._is_closed:
                self._staying.discard(child)
                await end_by_itself(child)
        if not isinstance(said, Mapping):
            return _fault("it wrote something else than an object of JSON", source=source)
        return Described(said, source, child if child in self._staying else None)


def _fault(why: str, fault: str = "load", source: bytes | None = None) -> Described:
    return Described({"fault": fault, "why": why}, source)
