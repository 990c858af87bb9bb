"""Switches off the terminal modes that the dashboard set, without the dashboard's help.

Textual does it when it ends; this is for the moment in which nobody waits for that.
"""

import os
import select
import sys
from collections.abc import Callable
from contextlib import suppress
from io import TextIOBase, TextIOWrapper
from threading import RLock
from time import monotonic
from typing import TextIO, cast

_OFF = (
    "\x1b[?2004l\x1b[?7h\x1b[?2048l"  # pasted text unmarked, long lines wrap, no sizes are reported
    "\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1004l"  # neither mouse nor focus
    "\x1b[<u\x1b[?1049l\x1b[?25h\x1b[0m"  # usual keys, the screen from before, cursor, colours
)


LONGEST_LAST_WORDS_S = 0.5


def terminal_restorer() -> Callable[[], None]:
    """Notes how the terminal is now; what it returns puts it back so for good, and never raises.

    A terminal that takes nothing any more is not waited for.
    """
    try:
        import termios
    except ImportError:  # Windows
        return lambda: None
    try:
        terminal = sys.__stdin__.fileno() if sys.__stdin__ else 0
        before = termios.tcgetattr(terminal)
        last_words = _opened_again(terminal)
    except (OSError, ValueError, termios.error):
        return lambda: None
    gate = TerminalGate(_painted_on())
    sys.__stderr__ = cast(TextIOWrapper, gate)  # type: ignore[misc]  # where Textual paints

    def restore() -> None:
        until = monotonic() + LONGEST_LAST_WORDS_S
        gate.shut(LONGEST_LAST_WORDS_S / 2)
        silence()
        with suppress(OSError, termios.error):
            termios.tcsetattr(terminal, termios.TCSANOW, before)
        with suppress(OSError):
            _write_until(until, last_words, _OFF.encode())

    return restore


def _painted_on() -> TextIO:
    """Standard output where errors go to a file: who keeps those wants to see the dashboard too."""
    errors = cast(TextIO, sys.__stderr__)
    output = sys.__stdout__
    return errors if output is None or errors.isatty() or not output.isatty() else output


def opened_without_waiting(terminal: int) -> int:
    """The same terminal, for writes that do not wait: what is open already may be the shell's too.

    Raises OSError.
    """
    flags = os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    return os.open(os.ttyname(terminal), flags)


def _opened_again(terminal: int) -> int:
    try:
        return opened_without_waiting(terminal)
    except OSError:  # it belongs to somebody else, as after `su`
        return os.dup(terminal)


def _write_until(until: float, file: int, data: bytes) -> None:
    takes = select.poll()
    takes.register(file, select.POLLOUT)
    # At least once, however late: on a busy machine the time is over before the first.
    while data and takes.poll(max(0.0, until - monotonic()) * 1000):
        with suppress(BlockingIOError):
            data = data[os.write(file, data) :]


def silence() -> None:
    """Whatever is painted from now on goes nowhere: a thread of Textual's may be at it still, and
    would switch on again what is switched off."""
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for painted in (1, 2):
            if os.isatty(painted):
                os.dup2(nowhere, painted)


class TerminalGate(TextIOBase):
    """A text file for whoever paints; what it says of itself is said by the file behind it."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._writing = RLock()
        self._is_shut = False

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._file.encoding

    def fileno(self) -> int:
        return self._file.fileno()

    def isatty(self) -> bool:
        return self._file.isatty()

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        """As much as is told to be written; nothing is once the gate is shut."""
        with self._writing:
            return len(text) if self._is_shut else self._file.write(text)

    def flush(self) -> None:
        with self._writing:
            if not self._is_shut:
                self._file.flush()

    def shut(self, longest_s: float) -> None:
        """Wait for a write that has begun, but not for one that the terminal does not take."""
        has_ended = self._writing.acquire(timeout=longest_s)
        self._is_shut = True
        if has_ended:
            self._writing.release()
