"""Which lines the cases pane has: filtered, in order, folded; and the index of each."""

from collections.abc import Collection, Iterable

from evaltui.core.case import CaseKey
from evaltui.core.suite import Suite
from evaltui.store.board import Board
from evaltui.store.row import Row
from evaltui.tui.filter import Filter
from evaltui.tui.order import Line, Order, arrange, in_order
from evaltui.tui.render.clip import width_of
from evaltui.tui.view import PROBLEMS, View


class Arrangement:
    """Lines are put in order by `sort`; those that come while a run is on are appended."""

    def __init__(self) -> None:
        self.suite = ""
        self.view = View.ALL
        self.order = Order.WORST
        self.filter = Filter()
        self.is_grouped = False
        self.folded: set[str] = set()
        self.lines: list[Line] = []
        self.needs = (0, 0)
        """Cells of the longest id, and of the longest tool name where no heading shows it."""
        self._ordered: list[CaseKey] = []
        """Every case, as they were last put in order."""
        self._index: dict[CaseKey | str, int] = {}

    @property
    def is_everything(self) -> bool:
        """Whether no case is left out."""
        is_narrowed = self.suite or self.filter.tests or self.view is not View.ALL
        return not (is_narrowed or self.folded)

    @property
    def asks_others(self) -> bool:
        """Whether results of agents that are not shown decide which lines there are."""
        return self.view is View.DIFFERS or self.filter.asks_others

    @property
    def keys(self) -> tuple[CaseKey, ...]:
        """Of the cases, in the order of their lines."""
        return tuple(line.key for line in self.lines if isinstance(line, Row))

    @property
    def first_case(self) -> int:
        """The line of the first case: below its heading where there is one."""
        return 1 if self.is_grouped and len(self.lines) > 1 else 0

    def title(self, total: int) -> str:
        """How many cases of `total` have a line, and the view: `12/48 problems`."""
        shown = total if self.is_everything else len(self.keys)
        text = f"{shown:,}" if shown == total else f"{shown:,}/{total:,}"
        return text if self.view is View.ALL else f"{text} {self.view}"

    def position(self, index: int, total: int) -> str:
        """`17/2,002`: which of the cases shown has the line; empty for a heading. Of a board that
        is read yet not all of the `total` have one."""
        if not isinstance(self.at(index), Row):
            return ""
        headings = self.lines[:index] if self.is_grouped else ()
        place = index + 1 - sum(isinstance(line, Suite) for line in headings)
        shown = total if self.is_everything else len(self.keys)
        return f"{place:,}/{shown:,}"

    def keys_between(self, one: int, other: int) -> tuple[CaseKey, ...]:
        """The cases from one line to another, both included, whichever is the first."""
        low, high = sorted((one, other))
        return tuple(line.key for line in self.lines[low : high + 1] if isinstance(line, Row))

    def next_problem(self, index: int, step: int) -> int | None:
        """The next (1) or previous (-1) line of a case that failed, going round from `index`."""
        total = len(self.lines)
        for distance in range(1, total + 1):
            at = (index + step * distance) % total
            line = self.lines[at]
            if isinstance(line, Row) and line.status in PROBLEMS:
                return at
        return None

    def at(self, index: int) -> Line | None:
        return self.lines[index] if 0 <= index < len(self.lines) else None

    def index_of(self, name: CaseKey | str) -> int:
        """Line of a case or of a suite's heading; -1 when it has none."""
        return self._index.get(name, -1)

    def sort(
        self, board: Board, differing: Collection[CaseKey], *, keeps_order: bool = False
    ) -> None:
        """Put everything in order again; with `keeps_order` only choose anew which cases have a
        line, and leave those in the order in which they were."""
        if keeps_order:
            rows = board.rows
            known = [rows[key] for key in self._ordered if key in rows]
            came = rows.keys() - set(self._ordered) if len(known) < len(rows) else ()
            ordered = [*known, *(row for key, row in rows.items() if key in came)]
        else:
            ordered = in_order(board, self.order)
        self._ordered = [row.key for row in ordered]
        self.lines = arrange(
            ordered,
            suite=self.suite,
            view=self.view,
            differing=differing,
            narrowed=self.filter,
            is_grouped=self.is_grouped,
            folded=self.folded,
        )
        self._index = {name_of(line): index for index, line in enumerate(self.lines)}
        self.needs = self._measure()

    def append(self, board: Board, differing: Collection[CaseKey], keys: Iterable[CaseKey]) -> bool:
        """Give cases without a line one at the end, if they are to be shown; False if none is."""
        before = len(self.lines)
        for key in keys:
            row = board.rows.get(key)
            if row is None or self.is_grouped or key in self._index:
                continue
            if (
                (not self.suite or key.suite == self.suite)
                and self.view.shows(row, differing)
                and self.filter.matches(row)
            ):
                self._index[key] = len(self.lines)
                self.lines.append(row)
        return len(self.lines) > before

    def fold(self, suite: str, is_folded: bool) -> bool:
        """Fold or unfold a suite; False when it is so already. The next `sort` shows it."""
        if not self.is_grouped or (suite in self.folded) == is_folded:
            return False
        (self.folded.add if is_folded else self.folded.discard)(suite)
        return True

    def drop_narrowing(self, key: CaseKey) -> None:
        """Leave out no case any more and unfold this one's suite. The next `sort` shows it."""
        self.suite, self.view, self.filter = "", View.ALL, Filter()
        self.folded.discard(key.suite)

    def _measure(self) -> tuple[int, int]:
        rows = [line for line in self.lines if isinstance(line, Row)]
        tools = {row.suite.tool_name for row in rows}
        return (
            max((width_of(row.key.case) for row in rows), default=0),
            0 if self.suite or self.is_grouped else max(map(width_of, tools), default=0),
        )


def name_of(line: Line) -> CaseKey | str:
    """The key of a case, or the id of the suite whose heading it is."""
    return line.key if isinstance(line, Row) else line.id


def keys_of(line: Line) -> tuple[CaseKey, ...]:
    """The case, or those below the heading."""
    return (line.key,) if isinstance(line, Row) else tuple(case.key for case in line.cases)


def suite_of(line: Line) -> str:
    return line.id if isinstance(line, Suite) else line.key.suite
