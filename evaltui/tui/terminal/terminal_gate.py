"""A gate before the terminal: when it closes, a write in progress ends and none begins.

Textual paints from a thread of its own. The kernel may hold a write of it that was begun just
before the last words, and would put what it switches on behind what they switch off.
"""

from io import TextIOBase
from threading import RLock
from typing import TextIO


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
