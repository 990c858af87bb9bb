"""The way to the terminal, which can be shut: a write that has begun ends first, none begins later.

Textual paints from a thread of its own. The kernel may hold a write of it that was begun just
before the last words, and would put what it switches on behind what they switch off.
"""

from threading import RLock
from typing import Any, TextIO


class TerminalGate:
    """A text file for whoever paints; all but writing is that of the file behind it."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._writing = RLock()
        self._is_shut = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

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
