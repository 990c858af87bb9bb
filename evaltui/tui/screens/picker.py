"""A dialog for choosing one of several things, filtered as you type."""

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from msgspec import Struct
from textual import events
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Label, OptionList
from textual.widgets.option_list import Option

from evaltui.tui.render.clip import clip, width_of
from evaltui.tui.render.look import Look
from evaltui.tui.render.sanitize import one_line, sanitize
from evaltui.tui.render.sentence import sentence
from evaltui.tui.screens.dialog import ESC_CLOSES, Dialog, KeyWords
from evaltui.tui.screens.text_line import TextLine
from evaltui.tui.themes import look_of


class Choice(Struct, frozen=True):
    """One line; with `why_not` it is greyed and cannot be chosen."""

    id: str
    label: str
    key: str = ""
    note: str = ""
    why_not: str = ""
    heading: str = ""
    """Written above the first choice of a group."""
    is_text: bool = False
    """Only to be read and found."""


class Picker(Dialog[str]):
    """Answers with the id of the choice."""

    is_searched: ClassVar[bool] = True
    """Whether more choices than are seen at a glance come with a line to find one."""
    keys_line: ClassVar[Sequence[KeyWords]] = (KeyWords("Enter chooses", "choose"), ESC_CLOSES)

    def __init__(self, title: str, choices: Sequence[Choice], *, first: str = "") -> None:
        super().__init__(title, self.keys_line)
        self.choices = choices
        self._shown: list[Choice] = []
        self._first = first

    def parts(self) -> Iterable[Widget]:
        if self.is_searched and len(self.choices) > 8:
            yield TextLine(placeholder="type to find", compact=True)
        yield Label("", classes="quiet", id="none", markup=False)
        yield OptionList(compact=True, markup=False)

    def on_mount(self) -> None:
        self.query_one("#none").display = False

    def on_resize(self) -> None:
        self.call_after_refresh(self._refill)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._fill(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_choose()

    def action_choose(self) -> None:
        """Take what is under the cursor."""
        self._list.action_select()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option_id)

    def on_key(self, event: events.Key) -> None:
        moves: dict[str, Callable[[], None]] = {
            "down": self._down,
            "up": self._list.action_cursor_up,
            "pagedown": self._page_down,
            "pageup": self._list.action_page_up,
        }
        if not self.query(Input):
            moves |= {"j": self._down, "k": self._list.action_cursor_up}
        if event.key in moves:
            event.stop()
            moves[event.key]()

    def _down(self) -> None:
        """To the next choice; beyond the last one to what is only to be read."""
        if not self._scrolls_beyond(1):
            self._list.action_cursor_down()

    def _page_down(self) -> None:
        if not self._scrolls_beyond(self._list.size.height - 1):
            page: Callable[[], None] = self._list.action_page_down
            page()

    def _scrolls_beyond(self, lines: int) -> bool:
        """Scroll where the cursor is on the last choice and lines below it are not in sight."""
        last = max((i for i, one in enumerate(self._list.options) if not one.disabled), default=-1)
        if self._list.highlighted != last or self._list.scroll_y >= self._list.max_scroll_y:
            return False
        self._list.scroll_relative(y=lines, animate=False)
        return True

    @property
    def _list(self) -> OptionList:
        return self.query_one(OptionList)

    def _refill(self) -> None:
        """The same choices in another width; the cursor stays on its own."""
        here = self._list.highlighted_option
        self._first = (here.id if here is not None else None) or self._first
        self._fill(next((found.value for found in self.query(Input)), ""))

    def _fill(self, text: str) -> None:
        found = _ranked(self.choices, text)
        width = max(20, self._list.size.width - 2)
        options: list[Option | None] = []
        heading = ""
        self._shown = []
        for choice in found:
            if choice.heading and choice.heading != heading and not text:
                heading = choice.heading
                options.append(Option(Content.styled(heading, "bold $primary"), disabled=True))
            options.append(
                Option(
                    self._line(choice, width),
                    id=choice.id,
                    disabled=bool(choice.why_not) or choice.is_text,
                )
            )
            self._shown.append(choice)
        self._list.clear_options()
        self._list.add_options(options)
        none = self.query_one("#none", Label)
        none.display = not found
        none.update(sentence(f"Nothing matches `{text}`.", look_of(self.app)))
        if self._first and not text and self._first in {choice.id for choice in found}:
            self._list.highlighted = self._list.get_option_index(self._first)
        else:
            self._list.action_first()

    def _line(self, choice: Choice, width: int) -> Content:
        """Many are read along a column, of which each line is one choice."""
        return _on_one_line(choice, width, self._key_width, look_of(self.app))

    @property
    def _key_width(self) -> int:
        return max((width_of(choice.key) for choice in self.choices), default=0)


def parts_of(choice: Choice, key_width: int, look: Look) -> tuple[Content, Content, Content]:
    """Key, label, then the reason why it cannot be, or the note."""
    key = choice.key.ljust(key_width) + "  " if key_width else ""
    aside = f"not now: {choice.why_not}" if choice.why_not else choice.note
    return (
        Content.styled(key, "bold $strong" if not choice.why_not else "$quiet"),
        sentence(sanitize(one_line(choice.label), look.is_ascii), look),
        sentence(sanitize(one_line(aside), look.is_ascii), look, "$quiet"),
    )


def _on_one_line(choice: Choice, width: int, key_width: int, look: Look) -> Content:
    """Clipped to the width."""
    key, label, note = parts_of(choice, key_width, look)
    room = width - width_of(key.plain) - width_of(label.plain) - 2
    said = _clipped(note, room, look) if room > 6 else Content("")
    return Content.assemble(
        key,
        _clipped(label, width - width_of(key.plain), look),
        ("  " if said.plain else "", "$quiet"),
        said,
    )


def _clipped(content: Content, room: int, look: Look) -> Content:
    """Cells beyond `room` give way to a mark, and the styles of the rest stay."""
    whole = content.plain
    if width_of(whole) <= room:
        return content
    cut = clip(whole, room, look.symbols.cut)
    kept = len(cut) - len(look.symbols.cut)
    return content[:kept] + Content(cut[kept:])


def _ranked(choices: Sequence[Choice], text: str) -> list[Choice]:
    """Those that hold every word, best first: label begins, label holds, anything else holds."""
    words = text.lower().split()
    if not words:
        return list(choices)
    ranked: list[tuple[int, int, Choice]] = []
    for index, choice in enumerate(choices):
        label = choice.label.lower()
        whole = f"{label} {choice.note.lower()} {choice.id.lower()} {choice.key.lower()}"
        if choice.key == text.strip():
            ranked.append((-1, index, choice))
        elif all(word in whole for word in words):
            rank = 0 if label.startswith(words[0]) else 1 if words[0] in label else 2
            ranked.append((rank, index, choice))
    return [choice for _, _, choice in sorted(ranked, key=lambda entry: entry[:2])]
