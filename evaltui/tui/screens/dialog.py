"""The frame of every dialog: Esc and a click beside it close it without an answer."""

from collections.abc import Iterable
from typing import ClassVar, Generic, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widget import Widget

T = TypeVar("T")


class Dialog(ModalScreen[T], Generic[T]):
    """Subclasses give `title`, `keys` for the lower border, and `parts`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+c", "close", "Close", show=False, priority=True)
    ]
    is_tall: ClassVar[bool] = False

    def __init__(self, title: str, keys: str = "Esc closes") -> None:
        super().__init__(classes="-tall" if self.is_tall else "")
        self.heading, self.keys = title, keys

    def parts(self) -> Iterable[Widget]:
        return ()

    def compose(self) -> ComposeResult:
        box = Vertical(*self.parts(), id="box")
        box.border_title, box.border_subtitle = _plain(self.heading), _plain(self.keys)
        yield box

    def action_close(self) -> None:
        self.closed()
        self.dismiss(None)

    def closed(self) -> None:
        """Left without an answer: take back what was only tried."""

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.action_close()


def _plain(text: str) -> str:
    return text.replace("[", "\\[")
