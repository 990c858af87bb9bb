"""A short menu: one key opens it, a letter chooses, and nothing is typed to find."""

from typing import ClassVar

from textual import events

from evaltui.tui.screens.picker import Picker


class Menu(Picker):
    """Each choice names its letter as `key`; the arrows and Enter choose as well."""

    is_searched: ClassVar[bool] = False
    keys_line: ClassVar[str] = "a letter or Enter chooses · Esc closes"

    def on_key(self, event: events.Key) -> None:
        letter = event.character
        choice = next((one for one in self.choices if one.key and one.key == letter), None)
        if choice is None:
            return  # Textual asks the picker next, which moves the cursor
        event.stop()
        event.prevent_default()
        if not choice.why_not:
            self.dismiss(choice.id)
