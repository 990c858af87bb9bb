"""The frame of every dialog: Esc and a click beside it close it without an answer."""

from collections.abc import Iterable, Sequence
from typing import ClassVar, Generic, TypeVar

from msgspec import Struct
from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Label

from evaltui.tui.render.clip import width_of
from evaltui.tui.render.look import Look
from evaltui.tui.render.sanitize import sanitize
from evaltui.tui.render.sentence import markup, sentence
from evaltui.tui.screens.fitting import Fitting
from evaltui.tui.themes import look_of

T = TypeVar("T")


class KeyWords(Struct, frozen=True):
    """What is said of a key; a click on the words does what the key does."""

    words: str
    action: str = ""
    """Of the dialog, as its bindings name it; empty where a click cannot stand for the key."""


ESC_CLOSES, ESC_CANCELS = KeyWords("Esc closes", "close"), KeyWords("Esc cancels", "close")


class Dialog(Fitting, ModalScreen[T], Generic[T]):
    """Subclasses give `title`, `keys` for the lower border, and `parts`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+c", "close", "Close", show=False, priority=True)
    ]
    DEFAULT_CSS = """
    Dialog { align: center middle; background: $background 60%; }
    Dialog > #box {
        width: 76; max-width: 96%; height: auto; max-height: 90%;
        background: $surface; border: solid $line-focused; border-title-color: $strong;
        border-title-style: bold; border-subtitle-color: $quiet; padding: 0 1;
    }
    Dialog.-tall > #box { width: 96; height: 90%; }
    Dialog.-ascii > #box { border: ascii $line-focused; }
    Dialog Label { width: 100%; height: auto; }
    Dialog #title { color: $strong; text-style: bold; display: none; }
    Dialog .quiet { color: $quiet; }
    Dialog .alert { color: $case-stale; }
    Dialog Input { height: 1; border: none; padding: 0 1; background: $panel; color: $strong; }
    Dialog OptionList {
        height: auto; max-height: 100%; background: $surface; border: none; padding: 0;
        color: $foreground; scrollbar-size-vertical: 1;
    }
    Dialog OptionList:focus { background-tint: $surface 0%; }
    Dialog.-tall OptionList { height: 1fr; }
    Dialog OptionList > .option-list--option-disabled { color: $quiet; }
    Dialog OptionList > .option-list--option-highlighted { background: $cursor; color: $strong; }
    Dialog VerticalScroll {
        height: auto; max-height: 100%; background: $surface; scrollbar-size-vertical: 1;
        scrollbar-gutter: stable;
    }
    Dialog.-tall VerticalScroll { height: 1fr; }
    """
    is_tall: ClassVar[bool] = False

    def __init__(self, title: str, keys: Sequence[KeyWords] = (ESC_CLOSES,)) -> None:
        super().__init__(classes="-tall" if self.is_tall else "")
        self.heading, self.keys = title, keys

    def parts(self) -> Iterable[Widget]:
        return ()

    def compose(self) -> ComposeResult:
        look = look_of(self.app)
        title = sentence(sanitize(self.heading, look.is_ascii), look)
        box = Vertical(Label(title, id="title"), *self.parts(), id="box")
        self.set_class(look.is_ascii, "-ascii")
        dot = sanitize(" · ", look.is_ascii)
        box.border_subtitle = dot.join(_clickable(one, look) for one in self.keys)
        yield box

    def on_resize(self) -> None:
        self.call_after_refresh(self._place_title)

    def _place_title(self) -> None:
        """In the border, or above the rest where it is too long for that: it may say a price."""
        box, look = self.query_one("#box"), look_of(self.app)
        title = sanitize(self.heading, look.is_ascii)
        is_short = width_of(sentence(title, look).plain) <= box.size.width
        box.border_title = markup(title, look) if is_short else ""
        self.query_one("#title").display = not is_short

    def on_screen_resume(self) -> None:
        if look_of(self.app).is_ascii:
            from evaltui.tui.screens.plain_bars import use_plain_bars

            use_plain_bars(self)

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        """Close it, once: what answers may come twice in one write of the terminal, and Textual
        would take the screen below instead."""
        return super().dismiss(result) if self._is_in_front else AwaitComplete()

    def action_close(self) -> None:
        if self._is_in_front:
            self.closed()
            self.dismiss(None)

    def action_press(self, action: str) -> None:
        """Do what a key does whose words were clicked. Later, as the screen's own doing: what a
        click on the box has others post goes no further than the box."""
        self.call_later(self.run_action, action)

    def closed(self) -> None:
        """Left without an answer: take back what was only tried."""

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.action_close()

    @property
    def _is_in_front(self) -> bool:
        return self.app.screen is self


def _clickable(one: KeyWords, look: Look) -> str:
    words = markup(sanitize(one.words, look.is_ascii), look)
    return f"[@click=screen.press('{one.action}')]{words}[/]" if one.action else words
