"""An output that is written beside the run: a reader that pauses holds up no answer."""

from io import RawIOBase
from queue import SimpleQueue
from select import select
from threading import Thread
from typing import TextIO


class WrittenBeside:
    """A text stream that takes everything at once and writes it on a thread of its own.

    While nobody reads a pipe, a write to it does not return. Answers that come meanwhile would lie
    unread: not in the journal, and too late by the time they are looked at.
    """

    def __init__(self, out: TextIO) -> None:
        self._out = out
        out.flush()
        # No buffer is locked while a write waits: the interpreter could not end.
        self._raw: RawIOBase | None = getattr(getattr(out, "buffer", None), "raw", None)
        self._texts = SimpleQueue[str | None]()
        self._fault: OSError | ValueError | None = None
        self._thread = Thread(target=self._write_all, name="output", daemon=True)
        self._thread.start()

    def write(self, text: str) -> int:
        """Raises what an earlier one met: OSError, and ValueError of a stream that is closed."""
        self._raise_fault()
        self._texts.put(text)
        return len(text)

    def flush(self) -> None:
        """Each text is flushed when it is written."""

    def isatty(self) -> bool:
        return self._out.isatty()

    def close(self) -> None:
        """Returns when all is written. Raises like `write`."""
        self._texts.put(None)
        self._thread.join()
        self._raise_fault()

    def _write_all(self) -> None:
        while (text := self._texts.get()) is not None:
            if self._fault is not None:
                continue
            try:
                self._send(text)
            except (OSError, ValueError) as error:
                self._fault = error

    def _send(self, text: str) -> None:
        if self._raw is None:
            self._out.write(text)
            self._out.flush()
            return
        left = memoryview(text.encode(self._out.encoding, self._out.errors or "strict"))
        while left:
            written = self._raw.write(left)
            if written is None:  # it takes no more now, and does not wait: another made it so
                select([], [self._raw], [])
            else:
                left = left[written:]

    def _raise_fault(self) -> None:
        if self._fault is not None:
            raise self._fault
