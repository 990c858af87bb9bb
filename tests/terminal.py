"""A real pseudo-terminal with a screen that can be read: programs run in it as for a person."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pyte

EVALTUI = (sys.executable, "-m", "evaltui")
MODES = re.compile(rb"\x1b\[\?([\d;]+)([hl])")
LONGEST_MODES = 40
"""Bytes that such a sequence has at most."""
# Protocols that the emulator does not know and would print: kitty keys, terminal names.
UNKNOWN = re.compile(rb"\x1b\[[<>=][\d;:]*[a-zA-Z]|\x1b\[\?\d+\$p|\x1bP.*?\x1b\\", re.DOTALL)


class Terminal:
    """One program in a terminal; `screen` is what a person sees."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        size: tuple[int, int] = (160, 45),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        columns, rows = size
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self._lines: list[str] | None = None
        self.modes: dict[int, bool] = {}
        """Private modes as last set: 25 cursor, 1049 alternate screen, 1000 mouse."""
        self.written = bytearray()
        self.after_dashboard = bytearray()
        """What was written since the alternate screen was left."""
        self.read_at = 0.0
        """`time.perf_counter` of the last piece of output."""
        known = {**plain_environment(), **(environment or {})}
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.chdir(folder)
            os.execvpe(command[0], list(command), known)
        # Else the program in the next terminal would hold this one open.
        os.set_inheritable(self._fd, False)
        self.status: int | None = None

    def press(self, text: str) -> None:
        """Type; escape sequences are keys."""
        os.write(self._fd, text.encode())

    def read(self, wait_s: float = 0.05) -> bytes:
        """Take in what was written, waiting at most so long for a first piece."""
        if self._fd < 0:
            time.sleep(wait_s)
            return b""
        ready, _, _ = select.select([self._fd], [], [], wait_s)
        if not ready:
            return b""
        try:
            piece = os.read(self._fd, 1 << 16)
        except OSError:  # the program has ended
            return b""
        self.read_at = time.perf_counter()
        self._take(piece)
        return piece

    def record(self, quiet_s: float, limit_s: float = 5.0) -> Iterator[float]:
        """Collect what is written until nothing comes for so long, then show it piece by piece.

        Yields the time at which each piece had come: the emulator is slow and must not count.
        """
        pieces: list[tuple[float, bytes]] = []
        end = time.perf_counter() + limit_s
        while time.perf_counter() < end:
            ready, _, _ = select.select([self._fd], [], [], quiet_s if pieces else limit_s)
            if not ready:
                break
            pieces.append((time.perf_counter(), os.read(self._fd, 1 << 16)))
        for at, piece in pieces:
            self._take(piece)
            yield at

    def _take(self, piece: bytes) -> None:
        self.written += piece
        # With the end of what came before: a sequence may come in two pieces.
        for found in MODES.finditer(self.written[-len(piece) - LONGEST_MODES :]):
            for mode in found[1].split(b";"):
                self.modes[int(mode)] = found[2] == b"h"
        left = piece.rfind(b"\x1b[?1049l")
        if left >= 0 or self.after_dashboard:
            self.after_dashboard += piece[max(0, left) :]
        self._stream.feed(UNKNOWN.sub(b"", piece))
        self._lines = None

    @property
    def lines(self) -> list[str]:
        if self._lines is None:
            self._lines = [line.rstrip() for line in self.screen.display]
        return self._lines

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def until(self, condition: Callable[[], bool], limit_s: float = 20.0) -> None:
        """Read on until it holds; fails with the screen."""
        end = time.monotonic() + limit_s
        while not condition():
            assert time.monotonic() < end, f"it never happened:\n{self.text}"
            self.read()

    def shows(self, *texts: str, limit_s: float = 20.0) -> None:
        self.until(lambda: all(text in self.text for text in texts), limit_s)

    def row(self, text: str) -> str:
        """The first line with a text, below the header and the panes' titles."""
        return next((line for line in self.lines[2:] if text in line), "")

    def ends(self, limit_s: float = 10.0) -> int:
        """Wait for the program's end; returns its exit code, negative for a signal."""
        end = time.monotonic() + limit_s
        while self.status is None:
            self.read(0.02)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
            assert time.monotonic() < end, f"it did not end:\n{self.text}"
        while self.read(0.05):
            pass
        return self.status

    def hang_up(self) -> None:
        """Be gone, as a window that is closed, while the program is there."""
        os.close(self._fd)
        self._fd = -1  # the next file that is opened may have its number

    def kill(self) -> None:
        """End it at once, as a crash of the machine would."""
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def close(self) -> None:
        self.kill()
        if self._fd >= 0:
            self.hang_up()


def plain_environment() -> dict[str, str]:
    """As in a terminal that nobody has adjusted: it has a size and colours of its own."""
    dropped = ("NO_COLOR", "COLUMNS", "LINES", "TEXTUAL")
    kept = {name: text for name, text in os.environ.items() if not name.startswith(dropped)}
    return {**kept, "TERM": "xterm-256color", "COLORTERM": "truecolor"}


@contextlib.contextmanager
def terminal(
    folder: Path, *arguments: str, size: tuple[int, int] = (160, 45)
) -> Iterator[Terminal]:
    """The dashboard in a terminal of its own."""
    shown = Terminal([*EVALTUI, *arguments], folder, size)
    try:
        yield shown
    finally:
        shown.close()
