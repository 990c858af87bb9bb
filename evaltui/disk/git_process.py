"""The one place that runs git: nothing that a repository names, within a limit, and never left
behind."""

import os
import time
from collections.abc import Container, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from evaltui.files import is_file, is_there, read_file

if TYPE_CHECKING:
    import subprocess

PATIENCE_S = 5.0
"""For all that git is asked in a row: once it did not answer, it is not asked again for a while."""
_AGAIN_S = 60.0
_SOON_S = 0.2
"""By when git has nearly always answered. One that has not is ended even if we are killed."""
_CONFIG_LIMIT = 1 << 20
_LOCAL_ONLY = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0"}
"""A repository may say that missing objects are to be fetched, and with what program."""
_OF_ANOTHER = frozenset(
    {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"}
)
"""What git tells the programs that it starts, as hooks: the repository is that of the folder."""
_NOTHING_STARTED = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")


class GitError(Exception):
    """There is no git, or it did not answer; in words."""


class GitSilentError(GitError):
    """It did not answer in time, as where a pipe stands in place of a file of the repository."""


class GitRuns:
    """Those of this process; safe to call from any thread."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = Lock()
        self._silent: dict[Path, float] = {}
        """When git gave no answer in a folder, on the steady clock."""

    def ask(
        self, root: Path, asked: Sequence[str], given: bytes = b"", fine: Container[int] = (0,)
    ) -> bytes | None:
        """What it prints; `None` when it refuses: ends otherwise than is `fine`. Raises GitError
        when there is no answer."""
        if time.monotonic() - self._silent.get(root, -_AGAIN_S) < _AGAIN_S:
            raise GitSilentError(f"git did not answer within {PATIENCE_S:g} seconds")
        process = self._start(root, asked)
        try:
            answer = self._answer(process, given)
        except TimeoutError:
            self._silent[root] = time.monotonic()
            raise GitSilentError(f"git did not answer within {PATIENCE_S:g} seconds") from None
        finally:
            self._end(process)
        return answer if process.returncode in fine else None

    def end(self) -> None:
        """End those that run: nobody waits for their answers any more."""
        with self._lock:
            for process in self._running:
                _kill(process)

    def _start(self, root: Path, asked: Sequence[str]) -> "subprocess.Popen[bytes]":
        import subprocess

        try:
            process = subprocess.Popen(
                ["git", "-C", str(root), *_NOTHING_STARTED, *asked],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={key: os.environ[key] for key in os.environ.keys() - _OF_ANOTHER} | _LOCAL_ONLY,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise GitError("git cannot be started; is it installed?") from error
        with self._lock:
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


GIT = GitRuns()
"""The ones of this process."""


def reads_other_files(root: Path) -> bool:
    """Whether the repository's own settings name files that git would read with them, wherever
    these are: git has no way of being told not to. Also where they cannot be looked through. Those
    of a worktree or a submodule are not here, and not looked at."""
    folder = next((one / ".git" for one in (root, *root.parents) if is_there(one / ".git")), None)
    if folder is None or is_file(folder):
        return False
    for name in ("config", "config.worktree"):
        try:
            if b"[include" in read_file(folder / name, _CONFIG_LIMIT).lower():
                return True
        except FileNotFoundError:
            continue
        except OSError:
            return True
    return False


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """It and what it started, as long as nobody was told of its end: its number is its own."""
    if process.returncode is None:
        from evaltui.child.process import kill_group

        kill_group(process.pid)
