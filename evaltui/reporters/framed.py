"""Writes lines that follow each other quickly together, once per frame."""

import asyncio
from contextlib import suppress
from typing import TextIO

from evaltui.core.frame import FRAME_S


class FramedOutput:
    """The first line after a pause is written at once, those after it no sooner than a frame later.

    A call each is a tenth of a fast run.
    """

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._unwritten: list[str] = []
        self._pause: asyncio.TimerHandle | None = None

    def add(self, text: str) -> None:
        """Hold `text` until `show` or `close`."""
        self._unwritten.append(text)

    def show(self) -> None:
        """Write what was added, now or with the frame. Raises OSError."""
        if self._pause is None:
            self._write()
            with suppress(RuntimeError):  # nobody to wake us: write at once the next time too
                self._pause = asyncio.get_running_loop().call_later(FRAME_S, self._catch_up)

    def close(self) -> None:
        """Write everything. Raises OSError."""
        if self._pause is not None:
            self._pause.cancel()
        self._write()

    def _catch_up(self) -> None:
        self._pause = None
        if self._unwritten:
            with suppress(OSError):  # raised again, and heard, at the next line
                self.show()

    def _write(self) -> None:
        text = "".join(self._unwritten)
        # Before it is written: that a journal cannot be is told by us too.
        self._unwritten.clear()
        self._out.write(text)
        self._out.flush()
