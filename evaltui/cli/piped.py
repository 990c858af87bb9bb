"""Standard output whose reader may close it before the run is over."""

import os
import sys
from contextlib import suppress

from evaltui.core.events import Event
from evaltui.reporters import Reporter


class Piped:
    """A reporter that falls silent when nobody reads on, as under `head`; the run goes on."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self._is_read = True
        if (hears := getattr(reporter, "hears", None)) is not None:
            self.hears = hears

    def handle(self, event: Event) -> None:
        if self._is_read:
            try:
                self._reporter.handle(event)
            except BrokenPipeError:
                self._fall_silent()

    def close(self) -> None:
        if self._is_read:
            try:
                self._reporter.close()
            except BrokenPipeError:
                self._fall_silent()

    def _fall_silent(self) -> None:
        self._is_read = False
        close_stdout()


def close_stdout() -> None:
    """Keep the interpreter from complaining when it flushes what nobody will read."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
