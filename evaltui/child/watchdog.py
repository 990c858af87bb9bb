"""Has the process groups that we started ended when we are killed and cannot do it ourselves.

The watchdog is a process that holds one end of a pipe; we hold the other, and the system closes it
however we end.
"""

import atexit
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from secrets import token_hex
from threading import Thread

from evaltui.child.watchdog_child import MARK

LONGEST_END_S = 1.0
_SHORTEST_LIFE_S = 0.1


class Watchdog:
    """Starts with the first thing that it is told; from any thread."""

    def __init__(self) -> None:
        self._running: subprocess.Popen[bytes] | None = None
        self._begin()

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, None] = {}
        """What it knows: `+` and a group, `?` and the mark of a program that is being started."""
        self._name = token_hex(8)
        self._numbers = count(1)

    def begin_in_fork(self) -> None:
        """In a process that was just forked: what ours watches is not for this one to end, and as
        long as both hold the pipe it would not hear of our end."""
        inherited, self._running = self._running, None
        if inherited is not None:
            inherited.returncode = 0  # no child of this process, which need not wait for it
            if inherited.stdin is not None:
                inherited.stdin.close()
        self._begin()  # with another lock, which a thread of ours may have held

    @property
    def pid(self) -> int | None:
        """Its own; `None` as long as there is none."""
        return None if self._running is None else self._running.pid

    @property
    def groups(self) -> frozenset[int]:
        """Those that it watches."""
        with self._lock:
            return frozenset(int(each[1:]) for each in self._known if each.startswith("+"))

    @contextmanager
    def start_of(self, env: Mapping[str, str] | None) -> Iterator[dict[str, str]]:
        """The environment for one program that is started meanwhile and led to `watch`.

        Its mark is how it is found if we are killed before we know its number, and what it starts
        when we end, in whichever group or session that is.
        """
        mark = f"{self._name}-{next(self._numbers)}"
        self._learn(f"?{mark}")
        try:
            yield {**(os.environ if env is None else env), MARK: mark}
        finally:
            self._unlearn(f"?{mark}", f"!{mark}")

    def watch(self, group: int) -> None:
        """Have this process group killed when we are gone, until it is forgotten."""
        self._learn(f"+{group}")

    def forget(self, group: int) -> None:
        """It has ended: its number may soon be somebody else's."""
        self._unlearn(f"+{group}", f"-{group}")

    def close(self) -> None:
        """What is still watched is killed, and the watchdog ends."""
        with self._lock:
            self._known.clear()
            self._end()

    def _learn(self, what: str) -> None:
        with self._lock:
            self._known[what] = None
            if not self._say(what):
                self._begin_again()

    def _unlearn(self, what: str, line: str) -> None:
        with self._lock:
            if what in self._known:
                del self._known[what]
                self._say(line)

    def _say(self, *lines: str) -> bool:
        """Whether there is a watchdog that may hear it."""
        if self._running is None or self._running.stdin is None:
            return False
        try:
            self._running.stdin.write("".join(f"{line}\n" for line in lines).encode())
        except OSError:
            return False
        return True

    def _start(self) -> None:
        if sys.platform == "win32" or not sys.executable:
            return  # there are no groups, or nothing to watch with
        script = Path(__file__).with_name("watchdog_child.py")
        with suppress(OSError):
            self._running = subprocess.Popen(
                [sys.executable, "-I", "-S", str(script), self._name],
                bufsize=0,
                stdin=subprocess.PIPE,
                # Whoever reads what we print waits for nobody but us.
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                start_new_session=True,
            )
            Thread(
                target=self._follow, args=(self._running,), name="evaltui-watchdog", daemon=True
            ).start()

    def _follow(self, process: subprocess.Popen[bytes]) -> None:
        """Have another take its place when it ends before us, as one that was killed does."""
        began = time.monotonic()
        process.wait()
        if time.monotonic() - began < _SHORTEST_LIFE_S:
            return  # it cannot live here: the next start tries again
        with self._lock:
            if self._running is process:
                self._begin_again()

    def _begin_again(self) -> None:
        self._end()
        self._start()
        self._say(*self._known)

    def _end(self) -> None:
        process, self._running = self._running, None
        if process is not None and process.stdin is not None:
            process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                process.wait(LONGEST_END_S)


WATCHDOG = Watchdog()
"""The one of this process."""
atexit.register(WATCHDOG.close)
if sys.platform != "win32":
    os.register_at_fork(after_in_child=WATCHDOG.begin_in_fork)
