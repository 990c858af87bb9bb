"""Textual's driver for terminals whose modes others change and whose size may be nonsense."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager, suppress
from typing import Any

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver

from evaltui.process import around_handler

MOST = {"COLUMNS": 1_000, "LINES": 500}
"""More than displays have; each cell is painted, and these variables may hold any number."""


def forget_impossible_size(variables: MutableMapping[str, str]) -> None:
    """What no display has: the terminal itself is asked then."""
    for name, most in MOST.items():
        said = variables.get(name, "")
        if said and not (said.isdecimal() and int(said[:9]) <= most):
            del variables[name]


class TerminalDriver(LinuxDriver):
    """Sets the terminal's modes again after a stop, and leaves it as it was at the very start."""

    def __init__(self, app: App[Any], **options: Any) -> None:
        forget_impossible_size(os.environ)
        super().__init__(app, **options)
        self.shown_app = app
        self.own_loop = asyncio.get_running_loop()
        self.is_on = False
        self.heard_stop = False
        self.attributes_at_start: list[Any] | None = None
        around_handler(signal.SIGTSTP, self._stop)
        around_handler(signal.SIGCONT, self._go_on)

    def start_application_mode(self) -> None:
        super().start_application_mode()  # type: ignore[no-untyped-call]
        self.is_on = True
        # What stands there after a stop may be what a shell needs to edit a line.
        self.attributes_at_start = self.attributes_at_start or self.attrs_before
        self.attrs_before = self.attributes_at_start

    def stop_application_mode(self) -> None:
        self.is_on = False
        super().stop_application_mode()

    @contextmanager
    def no_automatic_restart(self) -> Iterator[None]:
        was_on, self.is_on = self.is_on, False
        with super().no_automatic_restart():
            yield
        self.is_on = was_on

    def _stop(self, theirs: Callable[[], None]) -> None:
        self.heard_stop = True
        theirs()

    def _go_on(self, theirs: Callable[[], None]) -> None:
        """SIGSTOP cannot be heard, so that nothing was switched off before: Textual would start a
        second thread beside each that it has."""
        go_on = self._start_again
        if self.heard_stop:
            self.heard_stop = False
            theirs()
            go_on = self._paint_all  # theirs tells the size, which may paint nothing when unchanged
        with suppress(RuntimeError):  # the loop has ended
            self.own_loop.call_soon_threadsafe(go_on)

    def _start_again(self) -> None:
        if self.is_on:
            self.suspend_application_mode()
            self.resume_application_mode()
            self._paint_all()

    def _paint_all(self) -> None:
        if self.is_on:
            self.shown_app.refresh(layout=True)
