"""One line above the footer for typing a filter or search, applied as you type."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input, Label

from evaltui.tui.layout import focus_of
from evaltui.tui.screens.text_line import TextLine

if TYPE_CHECKING:
    from evaltui.tui.controller import DashboardController


class FilterBar(Horizontal):
    """Enter keeps what was typed and understood, Esc takes it back, ↓ goes into the list; Ctrl+C
    clears it, and leaves where there is nothing to clear."""

    DEFAULT_CSS = """
    FilterBar { height: 1; width: 100%; background: $surface; layout: horizontal; }
    FilterBar Label { width: auto; color: $quiet; padding: 0 1; }
    FilterBar Input {
        width: 1fr; height: 1; border: none; padding: 0; background: $surface; color: $strong;
    }
    FilterBar #filter-said {
        width: auto; max-width: 60%; color: $case-stale;
        text-wrap: nowrap; text-overflow: ellipsis;
    }
    """

    def __init__(
        self, controller: DashboardController, word: str, text: str, apply: Callable[[str], str]
    ) -> None:
        super().__init__(id="filter-bar")
        self._controller, self._word, self._apply = controller, word, apply
        self._before = text
        self._here = controller.layout.current

    @classmethod
    def open(
        cls, controller: DashboardController, word: str, text: str, apply: Callable[[str], str]
    ) -> None:
        """Show it; `apply` gets the text after every key and returns what there is to say."""
        for bar in controller.layout.screen.query(cls):
            bar.query_one(Input).focus()
            return
        controller.layout.screen.mount(
            cls(controller, word, text, apply), before=controller.layout.footer
        )

    def compose(self) -> ComposeResult:
        yield Label(f"{self._word}:", markup=False)
        yield TextLine(self._before, compact=True, placeholder=_EXAMPLES.get(self._word, ""))
        yield Label("", id="filter-said", markup=False)

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        down = "Down" if self._controller.layout.footer.look.is_ascii else "↓"
        into = "into the list" if self._word == "filter" else "into the text"
        keys = (("Enter", "keep"), ("Esc", "take back"), (down, into), ("Ctrl+C", "clear"))
        self._controller.layout.footer.begin_typing(keys)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        from evaltui.tui.render.sentence import sentence

        look = self._controller.layout.footer.look
        said = sentence(self._apply(event.value), look)
        self.query_one("#filter-said", Label).update(said)
        self._controller.pump.wake()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        mistake = self._apply(event.value) if self._word == "filter" else ""
        if mistake:  # kept, it would show cases that it says it leaves out
            self._controller.warn(f"{mistake}. Correct it, or take it back with `Esc`.")
        else:
            self._close()

    def on_key(self, event: events.Key) -> None:
        # Other keys go on to the bindings of the input.
        if event.key in ("escape", "down", "ctrl+c"):
            event.stop()
        if event.key == "escape":
            self._apply(self._before if self._word == "filter" else "")
            self._close()
        elif event.key == "down":
            self._close()
        elif event.key == "ctrl+c":
            line = self.query_one(Input)
            if not line.value:
                self._close()
            line.value = ""

    def _close(self) -> None:
        # `focus()` would be done later than `remove`, which gives the focus to any neighbour.
        self._controller.layout.footer.end_typing()
        self.screen.set_focus(focus_of(self._here))
        self._controller.pump.wake()
        self.remove()


_EXAMPLES = {"filter": "status:failed tool:get_weather !tag any text"}
