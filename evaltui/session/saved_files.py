"""Saved files: whether they were written since they were read, whether a save changed anything,
and what live sources report."""

import asyncio
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.core.events import NothingChanged
from evaltui.files import Stamp, read_file, stamp
from evaltui.project import tool_files
from evaltui.session.agent_queues import AgentQueues
from evaltui.session.project_state import ProjectState

if TYPE_CHECKING:
    from evaltui.watch import Watcher


class SavedFiles:
    """Remembers the files as they were read. What an editor does to a file after that, such as
    setting its mode or removing its backup copy, is no save."""

    def __init__(self, state: ProjectState, queues: AgentQueues) -> None:
        self._state = state
        self._queues = queues
        self._stamps: dict[Path, Stamp] = {}
        """From when each was read."""
        self._before: dict[Path, Stamp] = {}
        """From just before: one that was written in between may have been read too early."""
        self._digests: dict[Path, bytes] = {}
        """SHA-256 of each file of tools, when it was last read here."""

    async def begin(self) -> None:
        """Note the content of the files of tools: saving the same again changes nothing."""
        project = self._state.project
        paths = tool_files(project.root, project.registry) & project.files_watched
        self._digests = await asyncio.to_thread(_digests_of, paths)

    async def note_contents(self, paths: Collection[Path]) -> bool:
        """Note what the files of tools among these hold now. Returns whether any of them changed
        since it was noted last. Eval files are left out: reading the project compares those."""
        project = self._state.project
        watched = project.files_watched - project.files.keys()
        of_tools = [one for one in paths if one in watched and project.tools_of(one)]
        if not of_tools:
            return False
        now = await asyncio.to_thread(_digests_of, of_tools)
        is_changed = any(self._digests.get(path) != digest for path, digest in now.items())
        self._digests.update(now)
        return is_changed

    def written_since_read(self, stamps: Mapping[Path, Stamp]) -> list[Path]:
        """Those of `stamps_of` that were written after they were last read, or are no files."""
        known = self._stamps
        return [path for path, now in stamps.items() if not any(now) or now != known.get(path)]

    def note_read(
        self, before: Mapping[Path, Stamp], after: Mapping[Path, Stamp] | None = None
    ) -> None:
        """These are the files that were read: written from then on, they are saved again. `after`:
        as they stood once they were read, where what was written in between is no other save."""
        self._before.update(before)
        self._stamps.update(before if after is None else after)

    def report_again(self, watcher: "Watcher", changed: Iterable[str]) -> bool:
        """Whether what would be run now was written while or since it was read, and the system is
        slow to report it. The watcher is told, so that it is read before anything runs."""
        root = self._state.config.root
        paths = {Path(root, name) for name in changed if "://" not in name}
        again = [path for path in paths & self._before.keys() if stamp(path) != self._before[path]]
        for path in again:
            watcher.report(path)
        return bool(again)

    async def tell_of_nothing(
        self, stamps: Mapping[Path, Stamp], *, is_changed: bool, leaves: bool
    ) -> None:
        """A save that changed no case, tool or setting is told of too. Where it changed no file
        either, what the save before did stays told. `is_changed`: something did that is not run
        yet; `leaves`: another process runs what is saved."""
        paths = self.written_since_read(stamps)
        is_same = not await self.note_contents(paths)
        project = self._state.project
        saved = tuple(sorted(project.shown(path) for path in paths if path in project.files))
        saved += tuple(
            sorted({project.shown(path) for path in paths if project.tools_of(path)} - {*saved})
        )
        if not saved:
            return
        is_aside = is_same or is_changed or self._queues.is_busy
        if not is_aside:
            for queue in self._queues.by_name.values():
                queue.begin_save(leaves=leaves)
        self._state.events.emit(NothingChanged(saved, is_aside))


def stamps_of(paths: Collection[Path]) -> dict[Path, Stamp]:
    """As the files stand now."""
    return {path: stamp(path) for path in paths}


def _digests_of(paths: Collection[Path]) -> dict[Path, bytes]:
    """SHA-256 of what each holds; empty where it cannot be read."""
    found = dict.fromkeys(paths, b"")
    for path in found:
        with suppress(OSError):
            found[path] = sha256(read_file(path)).digest()
    return found


def report_soon(loop: asyncio.AbstractEventLoop, watcher: "Watcher", place: str) -> None:
    """Pass on, from the thread of a live source, that it changed."""
    with suppress(RuntimeError):  # the loop has ended meanwhile
        loop.call_soon_threadsafe(watcher.report, Path(place))
