"""Holds output back until it is in the journal, so that what was printed is always recorded."""

from collections.abc import Callable
from typing import TextIO, cast


class RecordedFirst:
    """A text stream that has everything recorded before each write."""

    def __init__(self, out: TextIO, record: Callable[[], None]) -> None:
        self._out = out
        self._record = record

    def write(self, text: str) -> int:
        self._record()
        return self._out.write(text)

    def flush(self) -> None:
        self._out.flush()

    def isatty(self) -> bool:
        return self._out.isatty()


def recorded_first(out: TextIO, record: Callable[[], None]) -> TextIO:
    """`out` for a reporter: reporters write, flush and ask whether it is a terminal."""
    return cast("TextIO", RecordedFirst(out, record))
