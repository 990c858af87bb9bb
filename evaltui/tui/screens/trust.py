"""A dialog that lists what the project's settings run, send and reach, and asks for agreement."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Label, Static

from evaltui.core.permit import Grant
from evaltui.tui.render.sanitize import one_line
from evaltui.tui.screens.dialog import ESC_CANCELS, ESC_CLOSES, Dialog, KeyWords


class Trust(Dialog[bool]):
    """Answers True on `y`; long lines wrap, nothing is cut."""

    DEFAULT_CSS = "Trust VerticalScroll { height: auto; max-height: 60vh; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "accept", "Agree", show=False),
        Binding("n,q,enter", "close", "Leave it", show=False),
    ]

    def __init__(self, grants: Sequence[Grant], *, is_agreed: bool) -> None:
        title = "You agreed to this" if is_agreed else "Do you trust this project?"
        asking = (KeyWords("y agrees", "accept"), ESC_CANCELS)
        super().__init__(title, (ESC_CLOSES,) if is_agreed else asking)
        self._grants, self._is_agreed = grants, is_agreed

    def parts(self) -> Iterable[Widget]:
        if not self._is_agreed:
            yield Label("Its settings want to do this. None of it has happened yet:", markup=False)
        lines = [Content(f"  {one_line(str(grant))}") for grant in self._grants]
        yield VerticalScroll(Static(Content("\n").join(lines), markup=False))
        if any(grant.kind == "run" for grant in self._grants):
            yield Label("Programs get your environment.", classes="quiet", markup=False)
        said = "You are asked again when one of these changes."
        yield Label(said, classes="quiet", markup=False)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def action_accept(self) -> None:
        if not self._is_agreed:
            self.dismiss(True)
