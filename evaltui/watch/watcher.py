"""The stream of changes: collected, filtered, and without gaps when the watched set moves."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from evaltui.core.config import WatchConfig
from evaltui.watch.polling import PATIENCE_S, Poller
from evaltui.watch.scope import Scope
from evaltui.watch.settling import Settling

if TYPE_CHECKING:
    from watchfiles import Change

STEP_MS = 8
"""How often the system's news are collected; a save is reported after one quiet step."""
_MOST_MS = 100
"""What is written without a pause is reported after this."""
_PATIENCE_MS = int(PATIENCE_S * 1000)
_RECENT_S = 60.0


def load_watchfiles() -> None:
    """Load what watching takes, from a thread: with a cold disk it takes up to a second."""
    import watchfiles  # noqa: F401


class Notifier:
    """The system's news about some folders. Asked on a thread, by one call at a time."""

    def __init__(self, folders: Iterable[str], stopped: Event) -> None:
        self.begun = asyncio.Event()
        """Set once nothing is missed any more, or it failed."""
        self.failure: OSError | None = None
        self._has_begun = False
        self._loop = asyncio.get_running_loop()
        self._stopped = stopped
        self._folders = tuple(folders)
        self._watching: Iterator[set[tuple[Change, str]]] | None = None

    def is_set(self) -> bool:
        """Asked by watchfiles again and again, and first when it has begun to watch."""
        self._begin()
        return self._stopped.is_set()

    def news(self) -> set[str]:
        """Changed real paths; none after a while without any, and with `failure`."""
        try:
            if self._watching is None:
                self._watching = self._watch()
            return {path for _, path in next(self._watching, ())}
        except OSError as error:
            self.failure = error
            return set()
        finally:
            self._begin()

    def _watch(self) -> "Iterator[set[tuple[Change, str]]]":
        from watchfiles import watch  # on the thread: it may not be loaded yet

        return watch(
            *self._folders,
            watch_filter=None,
            debounce=_MOST_MS,
            step=STEP_MS,
            stop_event=self,
            rust_timeout=_PATIENCE_MS,
            yield_on_timeout=True,
            debug=False,
            raise_interrupt=False,
            force_polling=False,
            recursive=False,
            ignore_permission_denied=True,
        )

    def _begin(self) -> None:
        if not self._has_begun:
            self._has_begun = True
            self._loop.call_soon_threadsafe(self.begun.set)


class Watcher:
    """Watches the files and folders given to `update`; yields sets of absolute paths.

    Folders are watched for what is made, removed or changed directly in them. Paths that lie
    outside the root are fine. Whether the content differs is for the reader to see. One that goes
    is told of a moment later than others, see `Settling`.
    """

    def __init__(self, root: Path, config: WatchConfig | None = None) -> None:
        self._root = root
        self._config = config or WatchConfig()
        self._scope = Scope(root, ())
        self._moved = asyncio.Event()
        self._stopped = Event()
        self._reported: set[Path] = set()
        self._settling = Settling()
        self._calls: dict[asyncio.Task[set[str]], tuple[Notifier | Poller, bool]] = {}
        """By call: who is asked, and whether it is asked for the last time."""
        self._current: Notifier | Poller | None = None
        self._has_news = False
        self.is_catching_up = False
        """Whether the last set was of files that may have been read after they were saved."""

    @property
    def has_news(self) -> bool:
        """Whether changes came in that `changes` did not tell yet."""
        return self._has_news or self._settling.is_holding

    def update(self, wanted: Iterable[Path]) -> None:
        """Watch these paths from now on; no save is missed on the way."""
        wanted = frozenset(wanted)
        if wanted != self._scope.wanted:
            self._scope = Scope(self._root, wanted)
            self._moved.set()

    def report(self, path: Path) -> None:
        """Let the stream say that `path` changed, for what is no file of this system."""
        self._reported.add(path)
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
            if self._reported:
                self._moved.set()
            recent = self._scope.changed_within(_RECENT_S, time.time())
            if recent:
                self.is_catching_up = True
                yield frozenset(recent)
                self.is_catching_up = False
            loop, settling = asyncio.get_running_loop(), self._settling
            while not self._stopped.is_set():
                news = await self._news(settling.wait_s(loop.time()))
                if self._stopped.is_set():
                    return
                paths = {path for real in news for path in self._scope.translate(real)}
                again = {real for real in news if self._scope.is_folder(real)}
                if self._moved.is_set() or again:
                    self._moved.clear()
                    if again:  # made again, it is another folder to the system
                        self._scope = Scope(self._root, self._scope.wanted)
                    before, folders = folders, self._scope.real_folders
                    if again or folders - before:
                        await self._open()
                    for real in (folders - before) | again:
                        paths |= self._scope.below(real)
                reported, self._reported = self._reported, set()
                settling.add(paths | reported, loop.time())
                if told := settling.take(self._scope.wanted, loop.time()):
                    yield told
        finally:
            self._stopped.set()
            if self._calls:
                await asyncio.wait(self._calls)
            self._calls.clear()
            self._current = None
            self._settling = Settling()  # nobody tells any more what it held

    async def _open(self) -> frozenset[str]:
        """Start watching the scope; the watch before goes on until it has reported all."""
        folders = self._scope.real_folders
        self._current = None
        is_polling = self._config.poll
        while existing := await asyncio.to_thread(_existing, folders):
            if is_polling:
                poller = await asyncio.to_thread(Poller, existing, self._stopped)
                self._listen(poller)
                break
            notifier = Notifier(existing, self._stopped)
            call = self._listen(notifier)
            await notifier.begun.wait()
            if notifier.failure is None:
                break
            del self._calls[call]
            # Its watches are used up or not to be had, or a folder has just gone.
            is_polling = not isinstance(notifier.failure, FileNotFoundError)
        return folders

    def _listen(
        self, notifier: Notifier | Poller, *, is_last: bool = False
    ) -> asyncio.Task[set[str]]:
        if not is_last:
            self._current = notifier
        call = asyncio.create_task(asyncio.to_thread(self._wait, notifier))
        self._calls[call] = (notifier, is_last)
        return call

    def _wait(self, notifier: Notifier | Poller) -> set[str]:
        news = notifier.news()
        # Noted here, on the thread: the event loop may be busy and learn of it later.
        self._has_news = self._has_news or bool(news)
        return news

    async def _news(self, wait_s: float | None) -> set[str]:
        """Real paths with news; empty after a timeout or when the watched set moved."""
        moved = asyncio.create_task(self._moved.wait())
        try:
            done, _ = await asyncio.wait(
                {moved, *self._calls}, timeout=wait_s, return_when="FIRST_COMPLETED"
            )
        finally:
            moved.cancel()
        news: set[str] = set()
        self._has_news = False
        for call in list(self._calls):
            if call not in done:
                continue
            notifier, is_last = self._calls.pop(call)
            news |= call.result()
            if isinstance(notifier, Notifier) and notifier.failure is not None:
                raise notifier.failure
            if not (is_last or self._stopped.is_set()):
                # One that was replaced is asked once more: it may have heard of a save after
                # this call ended and before the next one listened.
                self._listen(notifier, is_last=notifier is not self._current)
        return news


def _existing(folders: Iterable[str]) -> list[str]:
    return [folder for folder in sorted(folders) if Path(folder).is_dir()]
