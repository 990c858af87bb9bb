"""A short menu: one key opens it, a letter selects, and there is nothing to type."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.widgets import OptionList

from evaltui.tui.screens.dialog import ESC_CLOSES, KeyWords
from evaltui.tui.screens.picker import Choice, Picker


class Menu(Picker):
    """Each choice names its letter as `key`; the arrows and Enter choose as well."""

    is_searched: ClassVar[bool] = False
    keys_line: ClassVar[Sequence[KeyWords]] = (
        KeyWords("a letter or Enter chooses", "choose"),
        ESC_CLOSES,
    )

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice],
        *,
        first: str = "",
        again: Mapping[str, str] | None = None,
    ) -> None:
        """`again`: the id of a choice by key, mostly what opened the menu, pressed once more."""
        super().__init__(title, choices, first=first)
        self._again = again or {}

    def renew(self, choices: Sequence[Choice]) -> None:
        """The same choices say something else by now; the cursor stays on its own."""
        if choices == self.choices:
            return
        self.choices = choices
        for options in self.query(OptionList):  # else they are not laid out yet
            here = options.highlighted_option
            self._first = (here.id if here is not None else None) or self._first
            self._fill("")

    def on_key(self, event: events.Key) -> None:
        name = event.character if event.is_printable and event.character else event.key
        wanted = self._again.get(name)
        found = (one for one in self.choices if (one.id == wanted if wanted else one.key == name))
        choice = next(found, None)
        if choice is None:
            return  # Textual asks the picker next, which moves the cursor
        event.stop()
        event.prevent_default()
        if not choice.why_not:
            self.dismiss(choice.id)
