"""Which lines the cases pane has: filtered, in order, folded."""

from collections.abc import Collection, Iterable, Sequence

from evaltui.core.case import CaseKey
from evaltui.store.board import Board
from evaltui.store.counts import Counts
from evaltui.store.row import Row
from evaltui.tui.arranged_lines import ArrangedLines
from evaltui.tui.column_needs import ColumnNeeds
from evaltui.tui.filter import Filter
from evaltui.tui.order import (
    AS_BEFORE_ID,
    FOLDED_AT_FIRST,
    NOT_TOUCHED,
    Line,
    Order,
    SaveGroup,
    arrange,
    group_id,
    in_order,
    narrowed_rows,
)
from evaltui.tui.render import glyphs
from evaltui.tui.render.case_columns import Needs
from evaltui.tui.render.look import Look
from evaltui.tui.suite_parts import first_part, part_id
from evaltui.tui.view import View


class Arrangement(ArrangedLines):
    """Lines are put in order by `sort`; those that come while a run is on are appended."""

    def __init__(self) -> None:
        super().__init__()
        self.suite = ""
        self.compared = ""
        """The two points that are held against each other, `#2 to #3`; empty where it is a save."""
        self.order = Order.WORST
        self._view, self._filter = View.ALL, Filter()
        self.is_of_key = False
        """Whether that was no save: a key had the cases run."""
        self._folded: set[str] = set(FOLDED_AT_FIRST)
        self._folded_matches: set[str] = set()
        """Of the cases that a filter or view leaves: a heading hides none of them at first."""
        self.needs = Needs()
        self._ordered: list[Row] = []
        """Every case, as they were last put in order."""
        self._first = 0
        """So many of them failed then: grouped by suites they stand before all others."""
        self._failing: frozenset[int] = frozenset()
        """The ids of their rows."""
        self._headings: dict[CaseKey, str] | None = None
        """Of the last save, above the cases that it touched; `None` until somebody asks."""
        self._outdated_groups: set[str] = set()
        """Of the last save, of which the heading says that they are."""
        self._down_groups: set[str] = set()
        """Of the last save, for all of which the agent was down when they were put in order."""
        self._columns = ColumnNeeds()

    @property
    def view(self) -> View:
        return self._view

    @view.setter
    def view(self, view: View) -> None:
        self._view = view
        self._folded_matches.clear()

    @property
    def filter(self) -> Filter:
        return self._filter

    @filter.setter
    def filter(self, narrowed: Filter) -> None:
        self._filter = narrowed
        self._folded_matches.clear()

    @property
    def folded(self) -> set[str]:
        """Ids of headings, whether or not there are cases below them."""
        is_matching = bool(self.filter.tests) or self.view is not View.ALL
        return self._folded_matches if is_matching else self._folded

    @property
    def is_narrowed(self) -> bool:
        """Whether cases are left out, other than below a folded heading."""
        return bool(self.suite or self.filter.tests or self.view is not View.ALL)

    @property
    def is_parted(self) -> bool:
        """Whether below headings of suites what fails of all stands before everything else."""
        return self.order is Order.WORST

    @property
    def asks_others(self) -> bool:
        """Whether results of agents that are not shown decide which lines there are."""
        return self.view is View.DIFFERS or self.filter.asks_others

    @property
    def view_name(self) -> str:
        """As title and footer say it."""
        return self.compared if self.compared and self.view is View.SAVE else str(self.view)

    def title(self, counts: Counts) -> str:
        """How many of all cases the filter and view leave, the view, and how many of these are
        folded: `12/48 problems, 2 folded`."""
        total = counts.total
        shown = self._shown(total)
        if self.is_by_save and not self.is_narrowed:
            return f"{total:,} · this {'run' if self.is_of_key else 'save'} {counts.ran:,}"
        text = f"{shown:,}" if shown == total else f"{shown:,}/{total:,}"
        text += "" if self.view is View.ALL else f" {self.view_name}"
        folded = 0 if self.is_by_save else sum(self._below_folded.values())
        return f"{text}, {folded:,} folded" if folded else text

    def position(self, index: int, total: int) -> str:
        """`17/2,002`: which of the cases shown has the line; empty for a heading. Of a board that
        is read yet not all of the `total` have one."""
        if not isinstance(self.at(index), Row):
            return ""
        before = self.lines[:index] if self.has_headings else ()
        headings = [line.id for line in before if not isinstance(line, Row)]
        place = index + 1 - len(headings)
        place += sum(self._below_folded.get(id_, 0) for id_ in headings)
        return f"{place:,}/{self._shown(total):,}"

    def _shown(self, total: int) -> int:
        """Cases that the title counts, also what is folded."""
        return len(self.keys) + sum(self._below_folded.values()) if self.is_narrowed else total

    def sort(
        self, board: Board, differing: Collection[CaseKey], *, keeps_order: bool = False
    ) -> None:
        """Put everything in order again; with `keeps_order` only choose anew which cases have a
        line, and leave those in the order in which they were."""
        if keeps_order:
            ordered = self._as_before(board)
        else:
            ordered = in_order(board, self.order)
            self._first = first_part(ordered) if self.is_parted else 0
        self._failing = frozenset(map(id, ordered[: self._first]))
        self._ordered, self._of, self._headings = ordered, board.rows, None
        rows = narrowed_rows(
            ordered,
            suite=self.suite,
            view=self.view,
            differing=differing,
            narrowed=self.filter,
        )
        self.lines = arrange(
            rows,
            is_grouped=self.is_grouped,
            is_by_save=self.is_by_save,
            folded=self.folded,
            failing=self._failing,
        )
        self._index = dict(zip(map(id, self.lines), range(len(self.lines)), strict=True))
        headings = [*self._heading_lines()]
        folded = (line for line in headings if line.id in self.folded)
        self._below_folded = {line.id: len(line.keys) for line in folded}
        self._heading_index = {line.id: self._index[id(line)] for line in headings}
        groups = [line for line in headings if isinstance(line, SaveGroup)]
        self._outdated_groups = {group.id for group in groups if group.is_outdated}
        self._down_groups = {one.id for one in groups if board.faults.is_down_for_all(one.keys)}
        is_suite_shown = bool(self.suite) or (self.is_grouped and not self.is_by_save)
        self.needs = self._columns.of(self._rows, board, is_suite_shown=is_suite_shown)

    def is_misplaced(self, board: Board, keys: Iterable[CaseKey]) -> bool:
        """Whether the last save's heading above one of these cases is not its own any more."""
        if not self.is_by_save:
            return False
        if self._headings is None:
            groups = (line for line in self.lines if isinstance(line, SaveGroup))
            self._headings = {
                key: group.id
                for group in groups
                if self.is_narrowed or group.name != NOT_TOUCHED
                for key in group.keys
            }
        # Of a large board most were not touched: those are not gone through for a few that were.
        others = "" if self.is_narrowed else SaveGroup(NOT_TOUCHED, ()).id
        for row in (board.rows[key] for key in keys if key in board.rows):
            heading = self._headings.get(row.key, others)
            if heading and group_id(row) != heading:
                return True
        return False

    def is_outgrown(self, keys: Iterable[CaseKey]) -> bool:
        """Whether the line of one of these has more past verdicts than the column was made for."""
        rows = (self._of[key] for key in keys if self.index_of(key) >= 0)
        return any(len(row.recent) > max(1, self.needs.recent) for row in rows)

    def _as_before(self, board: Board) -> list[Row]:
        """The rows in the order in which they were, those that came meanwhile last."""
        rows = board.rows
        if rows is self._of:
            return self._ordered
        self._first = sum(row.key in rows for row in self._ordered[: self._first])
        known = {row.key: rows[row.key] for row in self._ordered if row.key in rows}
        came = rows.keys() - known.keys() if len(known) < len(rows) else ()
        return [*known.values(), *(row for key, row in rows.items() if key in came)]

    def append(self, board: Board, differing: Collection[CaseKey], keys: Iterable[CaseKey]) -> bool:
        """Give cases without a line one at the end, if they are to be shown; False if none is."""
        before = len(self.lines)
        for key in keys:
            row = board.rows.get(key)
            if row is None or self.has_headings or id(row) in self._index:
                continue
            if (
                (not self.suite or key.suite == self.suite)
                and self.view.shows(row, differing)
                and self.filter.matches(row)
            ):
                self._index[id(row)] = len(self.lines)
                self.lines.append(row)
        return len(self.lines) > before

    def fold(self, line: Line, is_folded: bool) -> str:
        """Fold or unfold what is below the heading of a line. Returns the id of that heading,
        empty when there is nothing to fold. The next `sort` shows it."""
        heading = self.heading_id(line)
        if not heading or (heading in self.folded) == is_folded:
            return ""
        (self.folded.add if is_folded else self.folded.discard)(heading)
        return heading

    def heading_id(self, line: Line) -> str:
        """Of the heading that a line is, or stands below; empty without headings."""
        if not self.has_headings:
            return ""
        if not isinstance(line, Row):
            return line.id
        group = self.heading_of(line.key) if self.is_by_save else None
        return group.id if group is not None else self._part_id(line)

    def _part_id(self, row: Row) -> str:
        return part_id(row.key.suite, is_failing=id(row) in self._failing)

    def unfold(self, name: CaseKey | str, board: Board) -> bool:
        """Unfold what a case stands below since it was put there; False when it is not folded."""
        row = board.rows.get(name) if isinstance(name, CaseKey) else None
        if row is None or not self.has_headings:
            return False
        heading = group_id(row) if self.is_by_save else self._part_id(row)
        if heading not in self.folded:
            return False
        self.folded.discard(heading)
        return True

    def fold_as_before(self) -> None:
        """Take `unfold_as_before` back. The next `sort` shows it."""
        self._folded.add(AS_BEFORE_ID)

    def unfold_as_before(self) -> bool:
        """Unfold what came out as before where the last save leaves no other case in sight; False
        when it does not. The next `sort` shows it."""
        is_folded = AS_BEFORE_ID in self.folded and self.index_of(AS_BEFORE_ID) >= 0
        if not self.is_by_save or self.keys or not is_folded:
            return False
        self._folded.discard(AS_BEFORE_ID)
        return True

    def outdated_word(self, row: Row, look: Look) -> str:
        """What says at the end of a row that its suite is outdated, where it is: nothing below a
        heading that says so of all its cases, the glyph where the suite has a line of its own."""
        if self.is_by_save and group_id(row) in self._outdated_groups:
            return ""
        if self.is_by_save and self.is_grouped:
            return glyphs.OUTDATED.word
        return look.symbol(glyphs.OUTDATED)

    def is_down_said(self, line: Row | SaveGroup, board: Board) -> bool:
        """Whether the heading of a group says that the agent is down, so that no row below does."""
        if not (self.is_by_save and self._down_groups and board.faults.is_down):
            return False
        return (group_id(line) if isinstance(line, Row) else line.id) in self._down_groups

    def drop_narrowing(self) -> None:
        """Leave out no case any more, other than below a folded heading. The next `sort` shows
        it."""
        self.suite, self.view, self.filter = "", View.ALL, Filter()

    @property
    def _rows(self) -> Sequence[Row]:
        """Those of the cases that have a line."""
        if not self.has_headings and len(self.lines) == len(self._ordered):
            return self._ordered
        return [line for line in self.lines if isinstance(line, Row)]
