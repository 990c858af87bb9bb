"""A dialog that shows the change of a file before it is made."""

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Label, Static

from evaltui.core.file_edit import FileEdit, TextChange
from evaltui.core.text_diff import Piece, mark_words
from evaltui.tui.render.sanitize import one_line
from evaltui.tui.screens.dialog import ESC_CANCELS, Dialog, KeyWords


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

    def __init__(self, edit: FileEdit, root: Path) -> None:
        super().__init__(edit.title, (KeyWords("Enter or y writes it", "accept"), ESC_CANCELS))
        self._edit, self._root = edit, root

    def parts(self) -> Iterable[Widget]:
        file = self._edit.file
        is_below = file.is_relative_to(self._root)
        shown = file.relative_to(self._root).as_posix() if is_below else str(file)
        yield Label(one_line(shown), classes="quiet", markup=False)
        lines = [_colored(line) for line in self._edit.diff] or [Content("Nothing changes.")]
        if self._edit.text is not None:
            lines = [*_text_lines(self._edit.text), Content(""), *lines]
        if said := (*self._edit.left_out, *self._edit.still_fails):
            notes = [Content.styled(one_line(one), "$quiet") for one in said]
            lines = [*notes, Content(""), *lines]
        yield VerticalScroll(Static(Content("\n").join(lines), markup=False))

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def action_accept(self) -> None:
        self.dismiss(True)


def _colored(line: str) -> Content:
    line = line.rstrip("\r\n")
    kind = line[:1]
    style = {"+": "$diff-added", "-": "$diff-removed", "@": "$quiet"}.get(kind, "")
    return Content.styled(one_line(line), style) if style else Content(one_line(line))


def _text_lines(text: TextChange) -> list[Content]:
    """What was said then and is said now; the words that differ stand out."""
    heading = Content.styled(text.name, "bold")
    if text.before is None:
        said = "Its wording when the evals were written is not known. It now says:"
        return [heading, Content.styled(said, "$quiet"), Content(_lines(text.after))]
    before, after = mark_words(text.before, text.after)
    return [
        heading,
        _side("- ", before, "$diff-removed"),
        _side("+ ", after, "$diff-added"),
    ]


def _side(sign: str, pieces: Iterable[Piece], color: str) -> Content:
    words = (
        (_lines(text), f"bold reverse {color}" if changed else color) for text, changed in pieces
    )
    return Content.assemble((sign, color), *words)


def _lines(text: str) -> str:
    """Control characters made visible; line ends stay."""
    return "\n".join(one_line(line) for line in text.split("\n"))
