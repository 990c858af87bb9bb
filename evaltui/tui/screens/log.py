"""What happened since the start, newest last."""

import time
from collections.abc import Iterable

from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from evaltui.tui.log import EventLog
from evaltui.tui.render.sanitize import one_line
from evaltui.tui.render.text import as_text
from evaltui.tui.render.text_builder import TextBuilder
from evaltui.tui.screens.dialog import Dialog
from evaltui.tui.themes import look_of


class LogScreen(Dialog[None]):
    """Follows while it is open; errors and problems are in here as well."""

    is_tall = True

    def __init__(self, log: EventLog) -> None:
        super().__init__("Log")
        self._log = log
        self._written: tuple[int, int] | None = None
        """What the newest line was when the lines were written last, and for which width."""

    def parts(self) -> Iterable[Widget]:
        yield VerticalScroll(Static("", markup=False))

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()
        self._update()
        self.set_interval(0.5, self._update)

    def _update(self) -> None:
        lines = tuple(self._log.lines)
        scroll = self.query_one(VerticalScroll)
        width = scroll.scrollable_content_region.width
        written = (hash(lines[-1]) if lines else 0, width)
        if written == self._written:
            return
        self._written = written
        builder = TextBuilder(look_of(self.app), width or self.app.size.width)
        for at, line in lines:
            moment = time.strftime("%H:%M:%S  ", time.localtime(at))
            builder.write((moment, "quiet"), one_line(line), hang=len(moment))
        scroll.query_one(Static).update(as_text(builder) if lines else "Nothing has happened yet.")
        self.call_after_refresh(scroll.scroll_end, animate=False)

    def on_resize(self) -> None:
        self.call_after_refresh(self._update)
