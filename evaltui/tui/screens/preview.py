"""A dialog that shows the change of a file before it is made."""

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Label, Static

from evaltui.tui.render.clip import one_line
from evaltui.tui.screens.dialog import Dialog
from evaltui.tui.session_protocol import Edit


class Preview(Dialog[bool]):
    """Answers True on Enter or `y`. Long lines wrap, nothing is cut."""

    is_tall = True
    # As high as the change, so that the board stays in sight; a long one scrolls.
    DEFAULT_CSS = """
    Preview.-tall > #box { height: auto; }
    Preview.-tall VerticalScroll { height: auto; max-height: 70vh; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,y", "accept", "Write it", show=False),
        Binding("n,q", "close", "Leave it", show=False),
    ]

    def __init__(self, edit: Edit, root: Path) -> None:
        super().__init__(edit.title, "Enter or y writes it · Esc does not")
        self._edit, self._root = edit, root

    def parts(self) -> Iterable[Widget]:
        file = self._edit.file
        is_below = file.is_relative_to(self._root)
        shown = file.relative_to(self._root).as_posix() if is_below else str(file)
        yield Label(one_line(shown), classes="quiet", markup=False)
        content = Content("\n").join(_colored(line) for line in self._edit.diff)
        yield VerticalScroll(Static(content or Content("Nothing changes."), markup=False))

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def action_accept(self) -> None:
        self.dismiss(True)


def _colored(line: str) -> Content:
    line = line.rstrip("\r\n")
    kind = line[:1]
    style = {"+": "$diff-added", "-": "$diff-removed", "@": "$quiet"}.get(kind, "")
    return Content.styled(one_line(line), style) if style else Content(one_line(line))
