"""One child process in a group of its own: its output, how it ended, and ending it for certain."""

import asyncio
import os
import shlex
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from evaltui.child.watchdog import WATCHDOG

if sys.platform == "linux":
    import resource

TAIL_BYTES = 4096
"""How much of stderr is remembered: its end, where the reason usually stands."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a process ended; `code` is negative for a signal, as in `subprocess`."""

    code: int

    def __str__(self) -> str:
        if self.code >= 0:
            return f"exit code {self.code}"
        try:
            return f"signal {signal.Signals(-self.code).name}"
        except ValueError:
            return f"signal {-self.code}"


class WholeStart(asyncio.Task[Any]):
    """The start of a process; whoever waits for it and is cancelled hears of that at its end.

    Broken off half-way, asyncio kills the process alone, whose number we do not know yet, and
    waits for pipes that are held open by what that process had started.
    """

    def cancel(self, msg: object = None) -> bool:  # noqa: ARG002
        return False


class Child(asyncio.SubprocessProtocol):
    """A running program; `on_output` gets its stdout piece by piece.

    It leads a process group, so that `kill` reaches what it started too, and so does the watchdog
    when we are killed. Its end is noticed even when a program that it left behind holds its pipes
    open.
    """

    def __init__(self, on_output: Callable[[bytes], None]) -> None:
        loop = asyncio.get_running_loop()
        self.exited: asyncio.Future[Ending] = loop.create_future()
        self.silent: asyncio.Future[None] = loop.create_future()
        """Done when stdout is closed."""
        self._on_output = on_output
        self._tail = bytearray()
        self._is_cut = False
        """Whether there is no more of what it wrote before that."""
        self._pid = 0
        self._is_killed = False
        self._most_memory: int | None = None
        self._transport: asyncio.SubprocessTransport | None = None

    @classmethod
    async def start(
        cls,
        argv: Sequence[str],
        on_output: Callable[[bytes], None],
        *,
        cwd: Path,
        env: Mapping[str, str] | None = None,
        most_memory: int | None = None,
    ) -> "Child":
        """Raises OSError when the program cannot be started, ValueError for a NUL in its words.
        `most_memory`: bytes that it may use, and as many each program that it starts."""
        loop = asyncio.get_running_loop()
        child = cls(on_output)
        child._most_memory = most_memory
        try:
            with WATCHDOG.start_of(env) as marked:
                await WholeStart(
                    loop.subprocess_exec(
                        lambda: child, *argv, cwd=cwd, env=marked, start_new_session=True
                    )
                )
        except BaseException:
            if child._transport is not None:  # else there is nothing whose end could come
                await child.end()
            raise
        return child

    @property
    def is_alive(self) -> bool:
        return not self.exited.done()

    @property
    def said(self) -> str:
        """The end of its stderr, behind a `…` where that is not all: whoever hides secrets in it
        must know that it may begin with half of one."""
        tail = bytes(self._tail)
        if not self._is_cut:
            return tail.decode("utf-8", "replace").strip()
        first = next((at for at, byte in enumerate(tail[:4]) if byte & 0xC0 != 0x80), 0)
        said = tail[first:].decode("utf-8", "replace").strip()
        return f"…{said}" if said else ""

    def forget_said(self) -> None:
        """What it wrote to its stderr until now is no reason for what comes."""
        self._is_cut = bool(self._tail) and not self._tail.endswith(b"\n")
        self._tail.clear()

    def write(self, data: bytes) -> None:
        """Queue `data` for its stdin; a closed stdin swallows it."""
        pipe = self._stdin()
        if pipe is not None and not pipe.is_closing():
            pipe.write(data)

    def end_input(self) -> None:
        """Close its stdin once everything is written."""
        pipe = self._stdin()
        if pipe is not None and not pipe.is_closing():
            pipe.close() if not pipe.can_write_eof() else pipe.write_eof()

    def kill(self) -> None:
        """End it and all it started in its group, at once."""
        self._is_killed = True
        if self._pid:
            kill_group(self._pid)
            self._let_go()
        self._close()

    async def end(self, patience_s: float = 2.0) -> None:
        """Kill it and wait until the system has let go of it."""
        self.kill()
        await asyncio.wait({self.exited}, timeout=patience_s)
        await asyncio.sleep(0)  # lets the transport release its pipes

    async def ended(self, grace_s: float = 0.25) -> Ending:
        """Wait for its end and for what it still had to say; leaves nothing of it running."""
        ending = await asyncio.shield(self.exited)
        await asyncio.wait({self.silent}, timeout=grace_s)
        self.kill()
        return ending

    def _let_go(self) -> None:
        """Once it has ended and its group was killed, the number may soon be somebody else's."""
        if self._pid and self._is_killed and not self.is_alive:
            WATCHDOG.forget(self._pid)
            self._pid = 0

    def _close(self) -> None:
        """Let go of its pipes, and of the rest once its end was noticed.

        A transport that is closed before that looks for the end itself, and takes the exit code
        from asyncio's own look, which then complains of an unknown process.
        """
        if self._transport is None:
            return
        if not self.is_alive:
            self._transport.close()
            return
        for number in range(3):
            pipe = self._transport.get_pipe_transport(number)
            if pipe is not None:
                pipe.close()

    def _stdin(self) -> asyncio.WriteTransport | None:
        if self._transport is None:
            return None
        return cast("asyncio.WriteTransport | None", self._transport.get_pipe_transport(0))

    # asyncio.SubprocessProtocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)
        self._pid = self._transport.get_pid()
        WATCHDOG.watch(self._pid)
        if self._most_memory is not None:
            limit_memory(self._pid, self._most_memory)
        if self._is_killed:  # given up while it was started
            self.kill()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 1:
            self._on_output(data)
            return
        self._tail += data
        if len(self._tail) > 4 * TAIL_BYTES:
            del self._tail[:-TAIL_BYTES]
            self._is_cut = True

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002
        if fd == 1 and not self.silent.done():
            self.silent.set_result(None)

    def process_exited(self) -> None:
        code = self._transport.get_returncode() if self._transport is not None else None
        if not self.exited.done():
            self.exited.set_result(Ending(-1 if code is None else code))
        self._let_go()
        if self._is_killed:
            self._close()


def command_words(command: str | Sequence[str]) -> list[str]:
    """Program and arguments; a text is split as a shell would, and no shell sees it.

    Raises ValueError for a quote that is never closed.
    """
    return shlex.split(command) if isinstance(command, str) else list(command)


def limit_memory(pid: int, most: int) -> None:
    """Of its data only, which are refused beyond that: a program that reserves addresses without
    using them, as Node does, may go on to. Only Linux sets limits of another process."""
    if sys.platform != "linux":
        return
    with suppress(OSError, ValueError):  # it has ended, or is another user's by now
        soft, hard = resource.prlimit(pid, resource.RLIMIT_DATA)
        limits = [most, *(one for one in (soft, hard) if one != resource.RLIM_INFINITY)]
        resource.prlimit(pid, resource.RLIMIT_DATA, (min(limits), hard))


def kill_group(pid: int) -> None:
    """Kill whatever is in the group that this process led."""
    try:
        if sys.platform == "win32":
            os.kill(pid, signal.SIGTERM)
        else:
            os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
