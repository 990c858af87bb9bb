"""The stream of changes: debounced, filtered, and without gaps when the watched set moves."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, TypeAlias

from evaltui.core.config import WatchConfig
from evaltui.watch.polling import Poller
from evaltui.watch.scope import Scope

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

STEP_MS = 8
"""How often the system's news are collected; a save is told after one quiet step."""
_PATIENCE_MS = 1_000
_LAST_MS = 50
"""For news that are there already."""
_RECENT_S = 60.0

_News: TypeAlias = "set[tuple[int, str]] | str"


class Watcher:
    """Watches the files and folders given to `update`; yields sets of absolute paths.

    Folders are watched for what is made, removed or changed directly in them. Paths that lie
    outside the root are fine. Whether the content differs is for the reader to see.
    """

    def __init__(self, root: Path, config: WatchConfig | None = None) -> None:
        self._root = root
        self._config = config or WatchConfig()
        self._scope = Scope(root, ())
        self._moved = asyncio.Event()
        self._stopped = Event()
        self._told: set[Path] = set()
        self._calls: dict[asyncio.Task[_News], tuple[RustNotify | Poller, bool]] = {}
        """By call: who is asked, and whether it is asked for the last time."""
        self._current: RustNotify | Poller | None = None
        self._is_told = False

    @property
    def has_news(self) -> bool:
        """Whether changes came in that `changes` did not look at yet."""
        return self._is_told

    def update(self, wanted: Iterable[Path]) -> None:
        """Watch these paths from now on; no save is missed on the way."""
        wanted = frozenset(wanted)
        if wanted != self._scope.wanted:
            self._scope = Scope(self._root, wanted)
            self._moved.set()

    def tell(self, path: Path) -> None:
        """Let the stream say that `path` changed, for what is no file of this system."""
        self._told.add(path)
        self._moved.set()

    def stop(self) -> None:
        """End the stream."""
        self._stopped.set()
        self._moved.set()

    async def changes(self) -> AsyncIterator[frozenset[Path]]:
        """Sets of paths that were saved, made or removed, until `stop`.

        Begins with the files that were changed within the last minute, because they may have
        been read before they were watched.
        """
        try:
            folders = await self._open()
            self._moved.clear()
            if self._told:
                self._moved.set()
            recent = self._scope.changed_within(_RECENT_S, time.time())
            if recent:
                yield frozenset(recent)
            while not self._stopped.is_set():
                news = await self._news()
                if self._stopped.is_set():
                    return
                paths = {path for real in news for path in self._scope.translate(real)}
                again = {real for real in news if self._scope.is_folder(real)}
                if self._moved.is_set() or again:
                    self._moved.clear()
                    if again:  # made anew, it is another folder to the system
                        self._scope = Scope(self._root, self._scope.wanted)
                    before, folders = folders, self._scope.real_folders
                    if again or folders - before:
                        await self._open()
                    for real in (folders - before) | again:
                        paths |= self._scope.below(real)
                told, self._told = self._told, set()
                if paths or told:
                    yield frozenset(paths | told)
        finally:
            self._stopped.set()
            if self._calls:
                await asyncio.wait(self._calls)
            self._calls.clear()
            self._current = None

    async def _open(self) -> frozenset[str]:
        """Start watching the scope; the watch before goes on until it has told what it knows."""
        folders = self._scope.real_folders
        notify = await asyncio.to_thread(_notify, sorted(folders), self._config.poll)
        self._current = notify
        if notify is not None:
            self._listen(notify)
        return folders

    def _listen(self, notify: "RustNotify | Poller", *, is_last: bool = False) -> None:
        patience = _LAST_MS if is_last else _PATIENCE_MS
        call = asyncio.create_task(asyncio.to_thread(self._wait, notify, patience))
        self._calls[call] = (notify, is_last)

    def _wait(self, notify: "RustNotify | Poller", patience_ms: int) -> _News:
        news = notify.watch(self._config.debounce_ms, STEP_MS, patience_ms, self._stopped)
        # Noted here, on the thread: the event loop may be busy and hear of it later.
        self._is_told = self._is_told or not isinstance(news, str)
        return news

    async def _news(self) -> set[str]:
        """Real paths with news; empty after a timeout or when the watched set moved."""
        moved = asyncio.create_task(self._moved.wait())
        try:
            done, _ = await asyncio.wait({moved, *self._calls}, return_when="FIRST_COMPLETED")
        finally:
            moved.cancel()
        news: set[str] = set()
        self._is_told = False
        for call in list(self._calls):
            if call not in done:
                continue
            notify, is_last = self._calls.pop(call)
            result = call.result()
            if not isinstance(result, str):
                news |= {path for _, path in result}
            if is_last or self._stopped.is_set():
                notify.close()
            else:
                # One that was replaced is asked once more: it may have heard of a save after
                # this call ended and before the next one listened.
                self._listen(notify, is_last=notify is not self._current)
        return news


def _notify(folders: list[str], poll: bool) -> "RustNotify | Poller | None":
    """Start watching; by polling where the system's watches are used up or not to be had."""
    existing = [folder for folder in folders if Path(folder).is_dir()]
    if not existing:
        return None
    if poll:
        return Poller(existing)
    from watchfiles._rust_notify import RustNotify

    try:
        return RustNotify(existing, False, False, 0, False, True)
    except FileNotFoundError:  # gone since it was looked at
        return _notify(existing, poll)
    except OSError:
        return Poller(existing)
