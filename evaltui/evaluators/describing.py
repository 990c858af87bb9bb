"""Child processes that describe an entry's evaluators, and may then go on to judge.

A save waits for that. So one interpreter is started beforehand: it has loaded nothing of the
project, and does so when it is told what.
"""

import asyncio
from pathlib import Path

from msgspec.structs import replace

from evaltui.child.lines import LineChild
from evaltui.evaluators.handshake import SLOW, Described, end_by_itself, fault, greet, start_child
from evaltui.evaluators.loading_problems import EXPORT
from evaltui.evaluators.plugin_entry import MOST_MEMORY, PluginEntry
from evaltui.files import read_file
from evaltui.net.secret_mask import SecretMask


def _no_language(suffix: str) -> str:
    if suffix in (".ts", ".mts", ".cts", ".tsx"):
        return "it is TypeScript: build it, and name the JavaScript file that it produces"
    return "it is neither Python nor JavaScript"


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
        """Those that are asked what they have, or said it and were not handed on yet."""
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
                return fault(error.strerror or type(error).__name__)
            if not entry.is_javascript and entry.path.suffix != ".py":
                return fault(_no_language(entry.path.suffix), EXPORT, source)
        if stays and (spare := self._take_spare(entry)) is not None:
            found = await greet(spare, entry, source, self._mask, self._staying)
            if found.said.get("fault") in (None, SLOW):
                return await self._kept(found, stays=True)
            # It may be told of something that was installed since this one was started.
        found = await start_child(entry, source, self._mask, self._staying)
        return await self._kept(found, stays=stays)

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
                child = await LineChild.start(argv, cwd=root, most_memory=MOST_MEMORY)
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

    async def _kept(self, found: Described, *, stays: bool) -> Described:
        """With its child where that is to judge."""
        if found.child is None or (stays and not self._is_closed):
            return found
        self._staying.discard(found.child)
        await end_by_itself(found.child)
        return replace(found, child=None)
