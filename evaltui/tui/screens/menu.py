"""A short menu: one key opens it, a letter selects, and there is nothing to type."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.content import Content
from textual.widgets import OptionList

from evaltui.tui.render.clip import width_of
from evaltui.tui.render.wrapping import breaks
from evaltui.tui.screens.dialog import ESC_CLOSES, KeyWords
from evaltui.tui.screens.picker import Choice, Picker, parts_of
from evaltui.tui.themes import look_of

_USUAL = 76
_FRAME = 6
"""Cells of border, air and scrollbar beside a line."""
_APART = 2
"""Cells between a label and its note."""


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
        if self.query(OptionList):  # else they are not laid out yet
            self._refill()

    def on_mount(self) -> None:
        """As wide as its longest line, where there is room; it may say what somebody agrees to."""
        look, said = look_of(self.app), [width_of(self.heading) + _FRAME]
        for choice in self.choices:
            parts = parts_of(choice, self._key_width, look)
            said.append(sum(width_of(part.plain) for part in parts) + _FRAME + _APART)
            said.append(width_of(choice.heading) + _FRAME)
        self.query_one("#box").styles.width = max(_USUAL, *said)

    def _line(self, choice: Choice, width: int) -> Content:
        """Whole at every width."""
        key, label, note = parts_of(choice, self._key_width, look_of(self.app))
        indent = width_of(key.plain)
        room = max(1, width - indent)
        lines = [label[start:end] for start, end in breaks(label.plain, room)]
        if note.plain:
            is_beside = width_of(lines[-1].plain) + _APART + width_of(note.plain) <= room
            more = [note[start:end] for start, end in breaks(note.plain, room)]
            if is_beside:
                lines[-1] = Content.assemble(lines[-1], " " * _APART, note)
            else:
                lines += more
        return key + Content("\n" + " " * indent).join(lines)

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
