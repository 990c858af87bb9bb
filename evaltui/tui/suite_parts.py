"""Suites as headings among the cases: what fails of all of them stands before everything else."""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from operator import attrgetter

from msgspec import Struct

from evaltui.core.case import CaseKey
from evaltui.core.suite import Suite
from evaltui.store.board_counts import BoardCounts
from evaltui.store.row import Row
from evaltui.store.row_status import FIRST_RANK_OF_OTHERS


class SuitePart(Struct, frozen=True, eq=False):
    """The heading of the cases of a suite: of those that fail, or of its others."""

    suite: Suite
    rows: Sequence[Row]
    """Those below it, folded or not; until the lines are put in order again they stay, though one
    may fail no more, or by now."""
    is_failing: bool = False

    @property
    def id(self) -> str:
        return part_id(self.suite.id, is_failing=self.is_failing)

    @property
    def keys(self) -> tuple[CaseKey, ...]:
        return tuple(row.key for row in self.rows)


def part_id(suite: str, *, is_failing: bool) -> str:
    """Folding what passes folds no failure that comes later. No suite begins like this."""
    return f"failing:{suite}" if is_failing else suite


def part_ids(suite: str) -> tuple[str, str]:
    """Of both headings that a suite can have."""
    return part_id(suite, is_failing=True), part_id(suite, is_failing=False)


def first_part(ranked: Sequence[Row]) -> int:
    """How many of the rows, which stand in the order of their ranks, belong to the failing part."""
    return bisect_left(ranked, FIRST_RANK_OF_OTHERS, key=attrgetter("rank"))


def by_suite(
    rows: Sequence[Row], failing: Collection[int], folded: Collection[str]
) -> Iterator[Row | SuitePart]:
    """In the order given below the heading of its suite, first those whose ids are `failing`, then
    all others. Headings come in the order of their first case."""
    parts: tuple[dict[str, list[Row]], dict[str, list[Row]]] = {}, {}
    for row in rows:
        parts[id(row) not in failing].setdefault(row.key.suite, []).append(row)
    for part, is_failing in zip(parts, (True, False), strict=True):
        for members in part.values():
            heading = SuitePart(members[0].suite, members, is_failing)
            yield heading
            if heading.id not in folded:
                yield from members


def count_headings(counts: BoardCounts, *, is_parted: bool) -> int:
    """How many there are above all cases of a board of which no more than that is known;
    `is_parted`: what fails stands first."""
    suites = counts.suites
    failing = ((of.failed + of.errors, of.total) for of in suites.values())
    return len(suites) + is_parted * sum(0 < some < every for some, every in failing)
