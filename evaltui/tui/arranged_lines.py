"""The lines of the cases pane as they stand: what is where among them, and below which heading."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from evaltui.core.case import CaseKey
from evaltui.store.row import Row
from evaltui.tui.order import NEWS, Line, SaveGroup
from evaltui.tui.suite_parts import SuitePart, part_ids


class ArrangedLines:
    """Cases, with headings where they are grouped; who arranges them keeps the index of each."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.is_grouped = False
        """By suites, while they have no pane of their own."""
        self.is_by_save = False
        """By what the last save did, while that is fresh; it goes before suites."""
        self._of: Mapping[CaseKey, Row] = {}
        """The rows of the board that these are."""
        self._index: dict[int, int] = {}
        """Of a case, by the id of its row: keys take several times as long, and all are noted."""
        self._heading_index: dict[str, int] = {}
        self._below_folded: Mapping[str, int] = {}
        """How many cases have no line since their heading is folded, by its id."""

    @property
    def has_headings(self) -> bool:
        return self.is_grouped or self.is_by_save

    @property
    def keys(self) -> tuple[CaseKey, ...]:
        """Of the cases, in the order of their lines."""
        return tuple(line.key for line in self.lines if isinstance(line, Row))

    @property
    def first_case(self) -> int:
        """The line of the first case: below its heading where there is one."""
        return 1 if self.has_headings and len(self.lines) > 1 else 0

    def keys_between(self, one: int, other: int) -> tuple[CaseKey, ...]:
        """The cases from one line to another, both included, whichever is the first."""
        low, high = sorted((one, other))
        return tuple(line.key for line in self.lines[low : high + 1] if isinstance(line, Row))

    @property
    def problems(self) -> tuple[CaseKey, ...]:
        """The cases that failed, also below folded headings, in the order of their lines."""
        return tuple(key for line in self.lines for key in self._failed_at(line, 1))

    def next_problem(self, index: int, step: int) -> CaseKey | None:
        """The next (1) or previous (-1) case that failed, going round from the line `index`; also
        one below a folded heading, which comes after the line of that."""
        total = len(self.lines)
        others = (self.lines[(index + step * distance) % total] for distance in range(1, total))
        here = self.lines[index : index + 1]
        is_ahead = step > 0 and not any(isinstance(line, Row) for line in here)
        lines = chain(here, others) if is_ahead else chain(others, here)
        return next((key for line in lines for key in self._failed_at(line, step)), None)

    def _failed_at(self, line: Line, step: int) -> Iterator[CaseKey]:
        """What failed of that line, or is folded below it, in this direction."""
        rows: Iterable[Row] = ()
        if isinstance(line, Row):
            rows = (line,)
        elif line.id in self._below_folded:
            rows = (self._of[key] for key in line.keys[::step] if key in self._of)
        return (row.key for row in rows if row.is_failing)

    def at(self, index: int) -> Line | None:
        return self.lines[index] if 0 <= index < len(self.lines) else None

    def index_of(self, name: CaseKey | str) -> int:
        """Line of a case, or of the heading with an id; -1 when it has none."""
        if isinstance(name, str):
            return self._heading_index.get(name, -1)
        row = self._of.get(name)
        return -1 if row is None else self._index.get(id(row), -1)

    def indexes_of(self, suites: Iterable[str]) -> Iterator[int]:
        """Lines of the headings of these suites."""
        ids = (id_ for suite in suites for id_ in part_ids(suite))
        return (self._heading_index[id_] for id_ in ids if id_ in self._heading_index)

    def place_of(self, line: Line) -> int:
        """Where a line of before is now; in place of a suite's heading that is gone the other one
        of the suite; -1 where there is none."""
        index = self.index_of(name_of(line))
        if index < 0 and isinstance(line, SuitePart):
            return next(self.indexes_of((line.suite.id,)), -1)
        return index

    @property
    def is_news_first(self) -> bool:
        """Whether the first heading says that the last save changed something."""
        first = self.at(0)
        return isinstance(first, SaveGroup) and first.name in NEWS

    def beside_news(self, index: int, height: int) -> int:
        """A line that is in sight together with the first heading, or below that: `index` itself
        where `height` lines reach so far, else the first case."""
        first, line = self.at(0), self.at(index)
        is_below = isinstance(first, SaveGroup) and isinstance(line, Row) and line.key in first.keys
        return index if index < height or is_below else self.first_case

    def heading_of(self, key: CaseKey) -> SaveGroup | None:
        """The group of a case, where they are grouped by the last save."""
        groups = (line for line in self.lines if isinstance(line, SaveGroup))
        return next((group for group in groups if key in group.keys), None)

    def keys_of(self, line: Line) -> tuple[CaseKey, ...]:
        """The case, or those that belong below the heading, whether or not it is folded."""
        return (line.key,) if isinstance(line, Row) else line.keys

    def _heading_lines(self) -> Iterator[SuitePart | SaveGroup]:
        if self.has_headings:
            yield from (line for line in self.lines if not isinstance(line, Row))


def name_of(line: Line) -> CaseKey | str:
    """The key of a case, or the id of a heading."""
    return line.key if isinstance(line, Row) else line.id
