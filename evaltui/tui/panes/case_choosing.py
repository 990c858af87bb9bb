"""Where the cursor of the cases pane stands, and which cases are chosen."""

from collections.abc import Mapping

from textual import events

from evaltui.core.case import CaseKey
from evaltui.store.row import Row
from evaltui.tui.arrangement import keys_of
from evaltui.tui.order import Line
from evaltui.tui.panes.case_list import CaseList
from evaltui.tui.view import PROBLEMS


class CaseChoosing(CaseList):
    """What commands are about: the chosen cases, or the line under the cursor."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._is_touched = False
        """Whether the cursor was put somewhere, so that it stays on its case."""

    @property
    def chosen(self) -> Mapping[CaseKey, None]:
        """Cases chosen one by one, in that order."""
        return self._choice.keys

    @property
    def line(self) -> Line | None:
        """What is under the cursor."""
        return self.arrangement.at(self.cursor)

    @property
    def row(self) -> Row | None:
        """The case under the cursor."""
        line = self.line
        return line if isinstance(line, Row) else None

    @property
    def selection(self) -> tuple[CaseKey, ...]:
        """Chosen cases, else the one under the cursor, else those under the heading."""
        rows, line = self.board.rows, self.line
        if self.chosen:
            return tuple(key for key in self.chosen if key in rows)
        if isinstance(line, Row):
            return (line.key,)
        return tuple(key for key in keys_of(line) if key in rows) if line is not None else ()

    def next_problem(self, step: int) -> bool:
        """Go to the next (1) or previous (-1) row that failed, going round; False if none did."""
        total = self.line_count
        for distance in range(1, total + 1):
            index = (self.cursor + step * distance) % total
            line = self.arrangement.at(index)
            if isinstance(line, Row) and line.status in PROBLEMS:
                self.go(index)
                return True
        return False

    def choose(self, step: int = 1) -> None:
        """Take the case under the cursor into the selection, or out of it, and go on by `step`."""
        line = self.line
        if line is None:
            return
        self._choice.toggle(keys_of(line))
        self.refresh()
        self.move(step)

    def choose_to(self, index: int) -> None:
        """Choose every line from the last one chosen to this one."""
        anchor = self._choice.anchor
        low, high = sorted((anchor, max(0, min(index, self.line_count - 1))))
        between = self.arrangement.lines[low : high + 1]
        self._choice.span(line.key for line in between if isinstance(line, Row))
        self._put(index)
        self.refresh()

    def choose_none(self) -> None:
        self._choice.clear()
        self.refresh()

    def go(self, index: int) -> None:
        self._put(index)
        self._choice.rest(self.cursor)

    def on_picked(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if event.shift and offset is not None:
            self.choose_to(offset.y - self.head_rows + self.scroll_offset.y)
        elif event.ctrl:
            self.choose(0)

    def _put(self, index: int) -> None:
        self._is_touched = True
        super().go(index)
