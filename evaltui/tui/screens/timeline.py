"""The timeline: a line for each save or run, newest first."""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace
from textual import events
from textual.widgets import OptionList

from evaltui.core.comparison import CHANGED, Effect
from evaltui.core.effect_words import in_words, ran_in_words
from evaltui.disk.history.history_timeline import TimelinePoint
from evaltui.settings.keymap import Keymap, key_of
from evaltui.tui.render.clip import clip, width_of
from evaltui.tui.render.headline import files_named
from evaltui.tui.render.sanitize import one_line
from evaltui.tui.render.words import ENDED, moment_of
from evaltui.tui.screens.dialog import KeyWords
from evaltui.tui.screens.picker import Choice, Picker
from evaltui.tui.themes import look_of

_LONGEST_FILE = 30
MARK, PIN = "cases.choose", "baseline.pin"
"""The commands whose keys mark and pin a line."""
NARROW = 100
"""Cells of a line below which what a run did comes before how much of it there was."""
_NARROW_NOTE = 30
"""Cells of a narrow line that are not for its file."""
_SHORTEST_FILE = 8


class TimelineScreen(Picker):
    """Answers with the id of the run that is to be shown."""

    DEFAULT_CSS = "TimelineScreen > #box { width: 150; }"
    is_searched: ClassVar[bool] = False

    def __init__(self, points: Sequence[TimelinePoint], keymap: Keymap, *, first: str = "") -> None:
        """`first`: id of the run on which the cursor stands at the start."""
        self._keymap = keymap
        self.marked = ""
        """Id of the run with which the answer is to be compared; empty for none."""
        self.is_to_pin = False
        """Whether its results are to be pinned as well."""
        self.points = points
        super().__init__("Timeline", choices(points), first=first)
        self.keys = (
            KeyWords("Enter shows it", "choose"),
            *self._said(MARK, "marks one to compare with", "mark"),
            *self._said(PIN, "pins", "pin"),
        )

    def _said(self, command: str, does: str, action: str) -> Iterator[KeyWords]:
        if key := self._keymap.shown(command):
            yield KeyWords(f"{key} {does}", action)

    def renew(self, points: Sequence[TimelinePoint]) -> None:
        """Other points are known by now, or more of them."""
        self.points = points
        self.on_resize()

    def on_resize(self) -> None:
        """Each width has lines of its own."""
        index = self._list.highlighted
        if index is not None and self._shown:
            self._first = self._shown[index].id
        self._fill("")

    def _fill(self, text: str) -> None:
        sign = look_of(self.app).symbols.chosen
        self.choices = [
            replace(one, key=f"{sign}{one.key}") if one.id == self.marked else one
            for one in choices(self.points, self._list.size.width - 2)
        ]
        super()._fill(text)

    def on_key(self, event: events.Key) -> None:
        key = key_of(event.key, event.character)
        actions = {"enter": self.action_choose} | {
            one: action
            for command, action in ((MARK, self.action_mark), (PIN, self.action_pin))
            for one in self._keymap.keys.get(command, ())
        }
        if key in actions:
            event.stop()
            event.prevent_default()  # else the picker is asked next
            actions[key]()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click puts the cursor there, as on the board: the line may be marked or pinned."""
        event.stop()
        event.prevent_default()  # else the picker answers with it

    def on_click(self, event: events.Click) -> None:
        if event.widget is not self._list:
            return
        if event.ctrl:
            self.action_mark()
        elif event.chain == 2:
            self.action_choose()

    def action_choose(self) -> None:
        if self._list.highlighted is not None:
            self.dismiss(self._shown[self._list.highlighted].id)

    def action_pin(self) -> None:
        self.is_to_pin = True
        self.action_choose()

    def action_mark(self) -> None:
        """Mark the line under the cursor, or unmark it; of all lines one at most is marked."""
        index = self._list.highlighted
        if index is None:
            return
        chosen = self._shown[index].id
        self.marked = "" if self.marked == chosen else chosen
        self._first = chosen
        self._fill("")


def choices(points: Sequence[TimelinePoint], width: int = 0) -> list[Choice]:
    """A line for each; `width`: its cells, 0 where there are as many as it needs."""
    now, is_narrow = time.time(), 0 < width < NARROW
    moments = [moment_of(point.at, now) for point in points]
    longest = _LONGEST_FILE
    if is_narrow:
        numbers = max(width_of(str(point.number)) for point in points) + 4
        room = width - numbers - max(map(width_of, moments)) - 2 - _NARROW_NOTE
        longest = max(_SHORTEST_FILE, min(longest, room))
    files = [clip(_file(point, longest), longest) for point in points]
    wide, wider = max(map(width_of, moments)), max(map(width_of, files))
    return [
        Choice(
            point.run_id,
            f"{_right(moment, wide)}  {_left(file, wider)}",
            f"#{point.number}" if point.number else "",
            _summary(point, is_narrow=is_narrow),
        )
        for point, moment, file in zip(points, moments, files, strict=True)
    ]


def _file(point: TimelinePoint, longest: int) -> str:
    """What was saved, each file where they have room, or why it ran where nothing was."""
    if not point.trigger:
        return one_line(point.reason)
    named = [one_line(files_named(point.trigger, "…", most)) for most in (3, 2, 1)]
    return next((said for said in named if width_of(said) <= longest), named[-1])


def _summary(point: TimelinePoint, *, is_narrow: bool = False) -> str:
    """`12 ran · 1 worse · 0 better · move_event.description changed`: what the header said; narrow
    `1 worse · 0 better · 12 ran`, of which more is cut."""
    ran = ran_in_words(point.ran, point.ran if point.is_rejudging else 0)
    compared = in_words(point.effects, point.muted, point.new_failed, point.at_times)
    reason = (one_line(point.reason),) if point.trigger else ()
    first = {
        one: words
        for one, words in compared.items()
        if is_narrow and (one in CHANGED or (one is Effect.NEW and point.new_failed))
    }
    others = (words for one, words in compared.items() if one not in first)
    said = (*first.values(), *ran, _ended(point), *others, _begun(point), *reason)
    return " · ".join(part for part in said if part)


def _ended(point: TimelinePoint) -> str:
    """`cancelled 4/15`, or that it is still on; empty where it ran to its end."""
    if point.is_on:
        return "still on"
    of = f" {point.ran:,}/{point.cases:,}" if point.cases else ""
    return ENDED[point.end] and f"{ENDED[point.end]}{of}"


def _begun(point: TimelinePoint) -> str:
    """`goes on with #2`, where both are one in the header, and the figures here are without those
    of that line. Where these do not add up, `3 of them again: together 9 ran · 1 worse` besides; of
    a resumed run `together` always, as there may be others in between."""
    of = point.goes_on
    if of is None:
        return ""
    begun = f"goes on with #{of.number}"
    if not of.again and not of.is_resumed:
        return begun
    if of.again:
        begun += f", {of.again:,} of them again"
    if of.ran == point.ran and _some(of.effects) == _some(point.effects):
        return begun
    said = in_words(of.effects).items()
    made = (words for effect, words in said if effect in CHANGED)
    return f"{begun}: together {' · '.join((*ran_in_words(of.ran, of.rejudged), *made))}"


def _some(effects: Mapping[Effect, int]) -> dict[Effect, int]:
    return {effect: number for effect, number in effects.items() if number}


def _left(text: str, width: int) -> str:
    return text + " " * (width - width_of(text))


def _right(text: str, width: int) -> str:
    return " " * (width - width_of(text)) + text
