"""Textual's driver for a terminal whose modes others change, and whose size nobody can believe."""

from contextlib import suppress
from typing import Any

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver

MOST_COLUMNS, MOST_ROWS = 1_000, 500
"""More than displays have; each cell is painted, and `LINES` may hold any number."""


class TerminalDriver(LinuxDriver):
    """Sets the terminal's modes again after a stop, and leaves it as it was at the very start."""

    def __init__(self, app: App[Any], **options: Any) -> None:
        super().__init__(app, **options)
        self._size = self._size or self._get_terminal_size()
        self._is_on = False
        self._attributes_at_start: list[Any] | None = None

    def start_application_mode(self) -> None:
        super().start_application_mode()  # type: ignore[no-untyped-call]
        self._is_on = True
        # What stands there after a stop may be what a shell needs to edit a line.
        self._attributes_at_start = self._attributes_at_start or self.attrs_before
        self.attrs_before = self._attributes_at_start

    def stop_application_mode(self) -> None:
        self._is_on = False
        super().stop_application_mode()

    def _sigcont_application(self, *_: object) -> None:
        """SIGSTOP cannot be heard, so that nothing was switched off before: Textual would start a
        second thread beside each that it has."""
        if self._must_signal_resume:  # it heard SIGTSTP
            super()._sigcont_application()
            return
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._start_again)

    def _start_again(self) -> None:
        if self._is_on and self._auto_restart:
            self.suspend_application_mode()
            self.resume_application_mode()
            self._app.refresh(layout=True)

    def _get_terminal_size(self) -> tuple[int, int]:
        width, height = super()._get_terminal_size()
        return min(width, MOST_COLUMNS), min(height, MOST_ROWS)
