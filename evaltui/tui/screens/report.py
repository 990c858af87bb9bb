"""A dialog with a text to read and copy."""

from collections.abc import Iterable

from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from evaltui.tui.render.sanitize import one_line, sanitize
from evaltui.tui.screens.dialog import Dialog
from evaltui.tui.themes import look_of


class Report(Dialog[None]):
    """Long lines wrap, nothing is cut."""

    is_tall = True
    DEFAULT_CSS = """
    Report.-tall > #box { height: auto; }
    Report.-tall VerticalScroll { height: auto; max-height: 70vh; }
    """

    def __init__(self, title: str, lines: Iterable[str]) -> None:
        super().__init__(title)
        self._lines = tuple(lines)

    def parts(self) -> Iterable[Widget]:
        is_ascii = look_of(self.app).is_ascii
        text = "\n".join(sanitize(one_line(line), is_ascii) for line in self._lines)
        yield VerticalScroll(Static(text, markup=False))

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()
