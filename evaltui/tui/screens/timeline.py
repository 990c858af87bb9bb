"""The timeline: a line for each save or run, newest first."""

import time
from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace
from textual import events

from evaltui.core.comparison import CHANGED, in_words, ran_in_words
from evaltui.disk.history_timeline import TimelinePoint
from evaltui.tui.render.clip import clip, one_line, width_of
from evaltui.tui.render.words import ENDED, moment_of
from evaltui.tui.screens.picker import Choice, Picker
from evaltui.tui.themes import look_of

_LONGEST_FILE = 30


class TimelineScreen(Picker):
    """Answers with the id of the run that is to be shown."""

    DEFAULT_CSS = "TimelineScreen > #box { width: 150; }"
    is_searched: ClassVar[bool] = False
    keys_line: ClassVar[str] = "Enter shows it · Space marks one to compare with · b pins"

    def __init__(self, points: Sequence[TimelinePoint], *, first: str = "") -> None:
        """`first`: id of the run on which the cursor stands at the start."""
        self.marked = ""
        """Id of the run with which the answer is to be compared; empty for none."""
        self.is_to_pin = False
        """Whether its results are to be pinned as well."""
        self._lines = _choices(points)
        super().__init__("Timeline", self._lines, first=first)

    def on_key(self, event: events.Key) -> None:
        keys = {"space": self._mark, "b": self._pin}
        if event.key in keys:
            event.stop()
            event.prevent_default()  # else the picker is asked next
            keys[event.key]()

    def _pin(self) -> None:
        self.is_to_pin = True
        self._list.action_select()

    def _mark(self) -> None:
        """Mark the line under the cursor, or unmark it; of all lines one at most is marked."""
        index = self._list.highlighted
        if index is None:
            return
        chosen = self._shown[index].id
        self.marked = "" if self.marked == chosen else chosen
        sign = look_of(self.app).symbols.chosen
        self.choices = [
            replace(one, key=f"{sign}{one.key}") if one.id == self.marked else one
            for one in self._lines
        ]
        self._first = chosen
        self._fill("")


def _choices(points: Sequence[TimelinePoint]) -> list[Choice]:
    now = time.time()
    moments = [moment_of(point.at, now) for point in points]
    files = [clip(_file(point), _LONGEST_FILE) for point in points]
    wide, wider = max(map(width_of, moments)), max(map(width_of, files))
    return [
        Choice(
            point.run_id,
            f"{_right(moment, wide)}  {_left(file, wider)}",
            f"#{point.number}" if point.number else "",
            _told(point),
        )
        for point, moment, file in zip(points, moments, files, strict=True)
    ]


def _file(point: TimelinePoint) -> str:
    """What was saved, or why it ran where nothing was."""
    if not point.trigger:
        return one_line(point.reason)
    more = f" +{len(point.trigger) - 1}" if len(point.trigger) > 1 else ""
    return one_line(point.trigger[0].rsplit("/", 1)[-1]) + more


def _told(point: TimelinePoint) -> str:
    """`12 ran · 1 worse · 0 better · move_event.description changed`: what the header said."""
    ran = ran_in_words(point.ran, point.ran if point.is_rejudging else 0)
    compared = in_words(point.effects, point.muted).values()
    reason = (one_line(point.reason),) if point.trigger else ()
    said = (*ran, _ended(point), *compared, _begun(point), *reason)
    return " · ".join(part for part in said if part)


def _ended(point: TimelinePoint) -> str:
    """`cancelled 4/15`; empty where it ran to its end."""
    of = f" {point.ran:,}/{point.cases:,}" if point.cases else ""
    return ENDED[point.end] and f"{ENDED[point.end]}{of}"


def _begun(point: TimelinePoint) -> str:
    """`goes on with #2`, where both are one in the header, and the figures here are without those
    of that line. Where these do not add up, `3 of them again: together 9 ran · 1 worse` besides."""
    of = point.goes_on
    if of is None:
        return ""
    begun = f"goes on with #{of.number}"
    if not of.again:
        return begun
    begun += f", {of.again:,} of them again"
    if of.ran == point.ran:  # nothing but what stands here
        return begun
    said = in_words(of.effects).items()
    made = (words for effect, words in said if effect in CHANGED)
    return f"{begun}: together {' · '.join((*ran_in_words(of.ran, of.rejudged), *made))}"


def _left(text: str, width: int) -> str:
    return text + " " * (width - width_of(text))


def _right(text: str, width: int) -> str:
    return " " * (width - width_of(text)) + text
