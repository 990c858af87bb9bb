"""A dialog that asks before something is done."""

from collections.abc import Iterable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Label

from evaltui.tui.render.sentence import sentence
from evaltui.tui.screens.dialog import Dialog
from evaltui.tui.themes import look_of


class Confirm(Dialog[bool]):
    """Answers True on Enter or `y`; anything else is no answer."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,y", "accept", "Do it", show=False),
        Binding("n,q", "close", "Leave it", show=False),
    ]

    def __init__(self, title: str, *sentences: str) -> None:
        super().__init__(title, "Enter or y does it · Esc does not")
        self._sentences = sentences

    def parts(self) -> Iterable[Widget]:
        for text in self._sentences:
            yield Label(sentence(text, look_of(self.app)))

    def action_accept(self) -> None:
        self.dismiss(True)
