"""Processes that try patterns, so that one that backtracks for ever can be killed."""

import asyncio
import atexit
import marshal
import select
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import IO, cast

PROCESSES = 2
"""At most so many at once: a slow pattern then holds up no other one."""
LONGEST_START_S = 30.0
"""What a busy machine may take to start a process; it is not the pattern's time."""


class PatternTimeout(Exception):
    """The pattern was still being tried when the limit passed; its process is gone."""


class PatternInvalid(Exception):
    """The pattern does not compile; the message is the engine's."""


class PatternCrash(Exception):
    """The process ended without an answer."""


class PatternProcess:
    """One child, started on first use and again after it ended. Not for use by two threads."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        self._is_ready = False
        """Whether the child has started and reads requests."""
        self._closed = False
        self._guard = threading.Lock()

    @property
    def pid(self) -> int | None:
        """Of the child, while there is one."""
        child = self._child
        return None if child is None else child.pid

    def test(self, pattern: str, text: str, limit_s: float, *, is_python: bool = False) -> bool:
        """Whether `pattern` is found in `text`; blocks. `is_python`: one of Python's `re`.

        Raises PatternTimeout, PatternInvalid, PatternCrash.
        """
        child = self._running()
        started = time.monotonic()
        try:
            if not self._is_ready:
                _reply(child, LONGEST_START_S)
                self._is_ready = True
                started = time.monotonic()
            reply = _ask(child, (pattern, text, limit_s, is_python))
        except (EOFError, OSError, ValueError, TypeError) as error:
            is_late = self._is_ready and time.monotonic() - started >= limit_s
            self._discard(child)
            if is_late and not self._closed:
                raise PatternTimeout from None
            raise PatternCrash(f"its process ended with code {child.returncode}") from error
        if isinstance(reply, str):
            raise PatternInvalid(reply)
        return bool(reply)

    def close(self) -> None:
        """Kill the child, from any thread; a test under way in another one raises."""
        with self._guard:
            self._closed = True
            child = self._child
        if child is not None:
            self._discard(child)

    def _running(self) -> "subprocess.Popen[bytes]":
        if self._child is not None and self._child.poll() is not None:
            self._discard(self._child)
        with self._guard:
            if self._closed:
                raise PatternCrash("evaltui is closing")
            if self._child is None:
                self._is_ready = False
                self._child = _start()
            return self._child

    def _discard(self, child: "subprocess.Popen[bytes]") -> None:
        with self._guard:
            if self._child is child:
                self._child = None
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            # A request that can no longer be written is flushed, in vain, by closing.
            with suppress(OSError):
                cast("IO[bytes]", pipe).close()


class PatternProcesses:
    """Shares a few processes between any number of tasks and event loops."""

    def __init__(self, processes: int = PROCESSES) -> None:
        self._threads = ThreadPoolExecutor(processes, thread_name_prefix="evaltui-pattern")
        self._all: list[PatternProcess] = []
        self._idle: list[PatternProcess] = []
        self._lock = threading.Lock()

    async def test(
        self, pattern: str, text: str, limit_s: float, *, is_python: bool = False
    ) -> bool:
        """Whether `pattern` is found in `text`; the limit counts from when its turn came.

        Raises PatternTimeout, PatternInvalid, PatternCrash.
        """
        loop = asyncio.get_running_loop()
        question = (pattern, text, limit_s, is_python)
        return await loop.run_in_executor(self._threads, self._test, *question)

    def close(self) -> None:
        """Kill every child; tests under way raise PatternCrash, waiting ones are cancelled."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in self._all:
            process.close()

    def _test(self, pattern: str, text: str, limit_s: float, is_python: bool) -> bool:
        with self._lock:
            if self._idle:
                process = self._idle.pop()
            else:
                process = PatternProcess()
                self._all.append(process)
        try:
            return process.test(pattern, text, limit_s, is_python=is_python)
        finally:
            with self._lock:
                self._idle.append(process)


@cache
def shared_processes() -> PatternProcesses:
    """The ones that all checks use; closed when the interpreter ends."""
    processes = PatternProcesses()
    atexit.register(processes.close)
    return processes


def _start() -> subprocess.Popen[bytes]:
    spec = find_spec("regress")
    if spec is None or spec.origin is None:
        raise PatternCrash("the package `regress` is not installed")
    child = Path(__file__).with_name("pattern_child.py")
    library = Path(spec.origin).parent.parent
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(child), str(library)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def _ask(child: "subprocess.Popen[bytes]", request: tuple[str, str, float, bool]) -> object:
    """One request and its reply. The child ends itself at the limit; one that cannot is killed."""
    requests = cast("IO[bytes]", child.stdin)
    marshal.dump(request, requests)
    requests.flush()
    return _reply(child, request[2] + 0.5)


def _reply(child: "subprocess.Popen[bytes]", limit_s: float) -> object:
    """The next thing that the child says. Raises EOFError when it is silent or gone."""
    replies = cast("IO[bytes]", child.stdout)
    if hasattr(select, "poll"):
        waiting = select.poll()
        waiting.register(replies, select.POLLIN)
        if not waiting.poll(limit_s * 1000):
            raise EOFError
    return marshal.load(replies)
