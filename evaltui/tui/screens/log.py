"""What happened since the start, newest last."""

import time
from collections.abc import Iterable

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from evaltui.tui.log import EventLog
from evaltui.tui.render.clip import one_line
from evaltui.tui.screens.dialog import Dialog


class LogScreen(Dialog[None]):
    """Follows while it is open; errors and problems are in here as well."""

    is_tall = True

    def __init__(self, log: EventLog) -> None:
        super().__init__("Log")
        self._log = log
        self._length = -1

    def parts(self) -> Iterable[Widget]:
        yield VerticalScroll(Static("", markup=False))

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()
        self._update()
        self.set_interval(0.5, self._update)

    def _update(self) -> None:
        lines = tuple(self._log.lines)
        newest = hash(lines[-1]) if lines else 0
        if newest == self._length:
            return
        self._length = newest
        text = Content("\n").join(
            Content.assemble(
                (time.strftime("%H:%M:%S  ", time.localtime(at)), "$quiet"), one_line(line)
            )
            for at, line in lines
        )
        self.query_one(Static).update(text if lines else Content("Nothing happened yet."))
        self.call_after_refresh(self.query_one(VerticalScroll).scroll_end, animate=False)
