"""The one place that runs git: of the repository that we found, nothing that it names, within a
limit, and never left behind."""

import os
import time
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING

from msgspec import Struct

from evaltui.disk.git_repository import top_of, why_not_plain

if TYPE_CHECKING:
    import subprocess

PATIENCE_S = 5.0
"""For all that git is asked in a row: once it did not answer, it is not asked again for a while."""
_AGAIN_S = 60.0
_SOON_S = 0.2
"""By when git has nearly always answered. One that has not is ended even if we are killed."""
_LOCAL_ONLY = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0"}
"""A repository may say that missing objects are to be fetched, and with what program."""
_OF_ANOTHER = frozenset(
    {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"}
)
"""What git tells the programs that it starts, as hooks: the repository is that of the folder."""
_NOTHING_STARTED = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")


_ENDED = "whoever asked git has ended"


class GitError(Exception):
    """There is no git, or it did not answer; in words."""


class GitSilentError(GitError):
    """It did not answer in time, as where a pipe stands in place of a file of the repository."""


class GitUnaskedError(GitError):
    """It would read other files than those of the repository, and nobody agreed to that."""


class GitEndedError(GitError):
    """Whoever asked is gone: there is an answer no more, and that is none of git's."""


class GitRuns:
    """Those of one owner, as a session, which end with it; safe to call from any thread."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[bytes]] = set()
        self._is_ended = False
        self._lock = Lock()
        self._silent: dict[Path, float] = {}
        """When git gave no answer in a folder, on the steady clock."""

    def ask(
        self,
        folder: Path,
        asked: Sequence[str],
        given: bytes = b"",
        fine: Container[int] = (0,),
        *,
        is_agreed: bool = False,
    ) -> bytes | None:
        """What it prints of the repository that the folder lies in; `None` when it refuses: there
        is none, or it ends otherwise than is `fine`.

        Raises GitError when there is no answer: GitUnaskedError where git would read other files
        too, unless somebody `is_agreed` with what the project does, and GitEndedError after `end`.
        """
        root, top = Path(os.path.realpath(folder)), top_of(folder)
        if top is None:
            return None
        if not is_agreed and (why := why_not_plain(top, root)):
            raise GitUnaskedError(f"git was not asked, as {why}")
        if time.monotonic() - self._silent.get(root, -_AGAIN_S) < _AGAIN_S:
            raise GitSilentError(f"git did not answer within {PATIENCE_S:g} seconds")
        start = _Start(partial(self._start, root, top, asked))
        try:
            process = start.process()
            answer = self._answer(process, given)
        except TimeoutError:
            self._silent[root] = time.monotonic()
            raise GitSilentError(f"git did not answer within {PATIENCE_S:g} seconds") from None
        finally:
            if (started := start.whatever_it_came_to()) is not None:
                self._end(started)
        if self._is_ended:
            raise GitEndedError(_ENDED)
        return answer if process.returncode in fine else None

    def end(self) -> None:
        """End those that run and start no more: nobody waits for their answers."""
        with self._lock:
            self._is_ended = True
            for process in self._running:
                _kill(process)

    def _start(self, root: Path, top: Path, asked: Sequence[str]) -> "subprocess.Popen[bytes]":
        import subprocess

        where = ("-C", str(root), f"--git-dir={top / '.git'}", f"--work-tree={top}")
        with self._lock:  # so that none is started that `end` does not see
            if self._is_ended:
                raise GitEndedError(_ENDED)
            try:
                process = subprocess.Popen(
                    ["git", *where, *_NOTHING_STARTED, *asked],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env={key: os.environ[key] for key in os.environ.keys() - _OF_ANOTHER}
                    | _LOCAL_ONLY,
                    start_new_session=True,
                )
            except (OSError, ValueError) as error:
                raise GitError("git cannot be started; is it installed?") from error
            self._running.add(process)
        return process

    def _answer(self, process: "subprocess.Popen[bytes]", given: bytes) -> bytes:
        """Raises TimeoutError."""
        from subprocess import TimeoutExpired

        with suppress(TimeoutExpired):
            return process.communicate(given, _SOON_S)[0]
        from evaltui.child.watchdog import WATCHDOG

        WATCHDOG.watch(process.pid)
        try:
            return process.communicate(timeout=PATIENCE_S - _SOON_S)[0]
        except TimeoutExpired:
            raise TimeoutError from None
        finally:
            _kill(process)
            WATCHDOG.forget(process.pid)

    def _end(self, process: "subprocess.Popen[bytes]") -> None:
        """Also where a signal or Ctrl+C ends the wait for it."""
        with self._lock:
            self._running.discard(process)
            _kill(process)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):  # it took not all that it was given
                    pipe.close()


class _Start:
    """Of one git, by another thread: a signal that ends the wait for it raises in the main one, and
    would do so before anybody knew of the process."""

    def __init__(self, start: "Callable[[], subprocess.Popen[bytes]]") -> None:
        self._made: list[subprocess.Popen[bytes] | GitError] = []
        self._thread = Thread(target=self._run, args=(start,))

    def process(self) -> "subprocess.Popen[bytes]":
        """Raises GitError."""
        self._thread.start()
        self._thread.join()
        made = self._made[0]
        if isinstance(made, GitError):
            raise made
        return made

    def whatever_it_came_to(self) -> "subprocess.Popen[bytes] | None":
        """Once it is over, also where nobody waited for that."""
        if self._thread.ident is not None:
            self._thread.join()
        return next((one for one in self._made if not isinstance(one, GitError)), None)

    def _run(self, start: "Callable[[], subprocess.Popen[bytes]]") -> None:
        try:
            self._made.append(start())
        except GitError as error:
            self._made.append(error)


class Git(Struct, frozen=True):
    """Git as somebody may ask it."""

    runs: GitRuns
    is_agreed: bool = False
    """Whether somebody agreed to what the project does: else only of a plain repository."""

    def ask(
        self, folder: Path, asked: Sequence[str], given: bytes = b"", fine: Container[int] = (0,)
    ) -> bytes | None:
        """As `GitRuns.ask`. Raises GitError."""
        return self.runs.ask(folder, asked, given, fine, is_agreed=self.is_agreed)


GIT = GitRuns()
"""Of whoever lives as long as the process."""
UNAGREED = Git(GIT)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """It and what it started, as long as nobody was told of its end: its number is its own."""
    if process.returncode is None:
        from evaltui.child.process import kill_group

        kill_group(process.pid)
