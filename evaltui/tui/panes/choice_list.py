"""A list of cases: which one the cursor is on, and which of them are chosen."""

from textual import events

from evaltui.core.case import CaseKey
from evaltui.store.row import Row
from evaltui.tui.arranged_lines import ArrangedLines
from evaltui.tui.order import Line, SaveGroup
from evaltui.tui.panes.choice import Choice
from evaltui.tui.panes.line_list import LineList
from evaltui.tui.panes.line_source import LineSource
from evaltui.tui.suite_parts import SuitePart


class ChoiceList(LineList):
    """Cases are chosen one by one, or as a range from where the cursor last came to rest."""

    def __init__(
        self, lines: LineSource, arranged: ArrangedLines, choice: Choice, *, id: str
    ) -> None:
        super().__init__(lines, id=id)
        self.choice = choice
        self.is_held = False
        """Whether the cursor was put somewhere, so that it stays on its case."""
        self._arranged = arranged

    @property
    def line(self) -> Line | None:
        """What is under the cursor."""
        return self._arranged.at(self.cursor)

    @property
    def keys_below(self) -> tuple[CaseKey, ...]:
        """The case under the cursor, or those that belong below the heading there."""
        return self._arranged.keys_of(self.line) if self.line is not None else ()

    @property
    def row(self) -> Row | None:
        """The case under the cursor."""
        return self.line if isinstance(self.line, Row) else None

    @property
    def suite(self) -> str:
        """Id of the suite whose heading is under the cursor; empty for none."""
        return self.line.suite.id if isinstance(self.line, SuitePart) else ""

    @property
    def saved_group(self) -> SaveGroup | None:
        """What the last save did the same to, where the heading of that is under the cursor."""
        return self.line if isinstance(self.line, SaveGroup) else None

    def go(self, index: int) -> None:
        self._put(index)
        self.choice.rest(self.cursor)

    def go_to(self, key: CaseKey) -> bool:
        """Put the cursor on a case; False when the filter, view or suite hides it."""
        index = self._arranged.index_of(key)
        if index >= 0:
            self.go(index)
            self.on_moved()
        return index >= 0

    def _put(self, index: int) -> None:
        self.is_held = True
        super().go(index)

    def choose(self, step: int = 1) -> None:
        """Choose the case under the cursor, or choose it no more, and go on by `step`."""
        if self.line is not None:
            self.choice.toggle(self.keys_below)
            self.refresh()
            self.move(step)

    def choose_to(self, index: int) -> None:
        """Choose every case from the line where the cursor last came to rest to this one."""
        index = max(0, min(index, self.source.count - 1))
        self.choice.span(self._arranged.keys_between(self.choice.anchor, index))
        self._put(index)
        self.refresh()

    def choose_none(self) -> None:
        self.choice.clear()
        self.refresh()

    def on_picked(self, index: int, event: events.Click) -> None:
        if event.shift:
            self.choose_to(index)
        elif event.ctrl:
            self.choose(0)
