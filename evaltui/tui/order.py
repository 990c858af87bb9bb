"""Which lines the cases pane has, and in what order."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from operator import attrgetter
from typing import TypeAlias

from msgspec import Struct

from evaltui.core.case import CaseKey
from evaltui.core.comparison import Effect
from evaltui.core.result import CaseStatus
from evaltui.store.board import Board
from evaltui.store.row import Row
from evaltui.store.row_status import RowStatus
from evaltui.tui.filter import Filter
from evaltui.tui.suite_parts import SuitePart, by_suite
from evaltui.tui.view import View


class SaveGroup(Struct, frozen=True):
    """The heading of the cases that the last save did the same to."""

    name: str
    keys: tuple[CaseKey, ...]
    also: str = ""
    """Said behind their number."""
    is_outdated: bool = False
    """Whether the suites of all of them are, and they are several: it is said here once."""

    @property
    def id(self) -> str:
        """No suite is called so."""
        return f"save:{self.name}"


Line: TypeAlias = Row | SuitePart | SaveGroup
"""A case, or a heading."""


class Order(StrEnum):
    """What the rows can be put in order by; file order among equals."""

    WORST = "worst first"
    FILE = "file order"
    NAME = "name"
    TIME = "latest result first"
    DURATION = "slowest first"

    @property
    def letter(self) -> str:
        """Chooses it in the menu."""
        return _LETTERS[self]


def in_order(board: Board, order: Order = Order.WORST) -> list[Row]:
    """All rows; what has no result comes last where results decide."""
    rows = [*board.rows.values()]
    if order is Order.WORST:
        rows.sort(key=_RANK)
    elif order is not Order.FILE:
        rows.sort(key=_KEYS[order])
    return rows


def by_save(rows: Iterable[Row], folded: Collection[str]) -> list[Line]:
    """Grouped by what the last save did to each case; every case is in exactly one group."""
    groups: dict[str, list[Row]] = {name: [] for name in SAVE_GROUPS}
    not_touched = groups[NOT_TOUCHED]
    for row in rows:
        if row.changed is None and row.due is None and not row.ran_besides:  # most of a large board
            not_touched.append(row)
        else:
            groups[_save_group(row)].append(row)
    lines: list[Line] = []
    for name, members in groups.items():
        if members:
            also = _also(name, groups)
            is_outdated = len(members) > 1 and all(row.is_outdated for row in members)
            heading = SaveGroup(name, tuple([row.key for row in members]), also, is_outdated)
            lines.append(heading)
            if heading.id not in folded:
                lines += members
    return lines


def _also(name: str, groups: Mapping[str, Sequence[Row]]) -> str:
    """What makes the headings add up to the header: of the groups of cases that came out as
    before, of cases that the save ran and that came to something else since, and of cases that are
    due below one of those that are folded at first."""
    if name in _FAILING_AS_BEFORE:
        return "as before"
    if name == RAN_BESIDES:
        too = sum(row.is_of_save for row in groups[name])
        return f"{too:,} of them ran in the save too" if too else ""
    if name != _AS_BEFORE:
        return ""
    failing = sum(len(groups[one]) for one in _FAILING_AS_BEFORE)
    due = sum(row.is_due for row in groups[name])
    said = (
        f"{len(groups[name]) + failing:,} with those still failing" if failing else "",
        f"{due:,} due again" if due else "",
    )
    return ", ".join(part for part in said if part)


def group_id(row: Row) -> str:
    """Of the heading that the row stands below, where rows are grouped by the last save."""
    return SaveGroup(_save_group(row), ()).id


def _save_group(row: Row) -> str:
    made = row.still_changed  # asked once: each painting asks of every row
    if made is None:
        if row.is_due:
            return DUE
        return RAN_BESIDES if row.ran_besides else NOT_TOUCHED
    if row.muted:
        return MUTED
    if made is Effect.AS_BEFORE and row.is_proven:
        return REGRESSED
    if made is Effect.AS_BEFORE and row.status is RowStatus.FAILED:
        is_usual = row.result is not None and row.result.usual is CaseStatus.PASSED
        return FAILING_AT_TIMES if is_usual else STILL_FAILING
    return made.upper()


NOT_TOUCHED, STILL_FAILING, MUTED = "NOT TOUCHED", "STILL FAILING", "MUTED"
REGRESSED = "REGRESSED"
"""As before, and proven to be worse, whether or not it passed this time: above what is worse in the
last save and may be chance."""
FAILING_AT_TIMES = "FAILING AT TIMES"
"""Of their trials most passed, and did so before."""
DUE = "DUE"
"""It did not run, as when the run was cancelled: never below a heading that is folded at first."""
RAN_BESIDES = "RAN BESIDES"
"""It ran since the save, and not because of it, as the rest of what a key had begun before."""
_AS_BEFORE = Effect.AS_BEFORE.upper()
_FAILING_AS_BEFORE = (REGRESSED, STILL_FAILING, FAILING_AT_TIMES)
SAVE_GROUPS = (
    REGRESSED,
    *(effect.upper() for effect in (Effect.WORSE, Effect.BETTER, Effect.ERROR)),
    Effect.CALLS_DIFFER.upper(),
    Effect.NEW.upper(),
    STILL_FAILING,
    FAILING_AT_TIMES,
    DUE,
    _AS_BEFORE,
    RAN_BESIDES,
    MUTED,
    NOT_TOUCHED,
)
NEWS = frozenset(effect.upper() for effect in Effect if effect is not Effect.AS_BEFORE) | {
    REGRESSED
}
"""Something is otherwise than before the save, or proven."""
BLAMED = frozenset(effect.upper() for effect in (Effect.WORSE, Effect.BETTER, Effect.CALLS_DIFFER))
"""Above those it is said which words the save changed."""
AS_BEFORE_ID = f"save:{_AS_BEFORE}"
FOLDED_AT_FIRST = frozenset({AS_BEFORE_ID, f"save:{NOT_TOUCHED}"})


def narrowed_rows(
    ordered: Iterable[Row],
    *,
    suite: str = "",
    view: View = View.ALL,
    differing: Collection[CaseKey] = (),
    narrowed: Filter | None = None,
) -> list[Row]:
    """Those that are to be shown, in the order given."""
    rows = [row for row in ordered if not suite or row.key.suite == suite]
    if view is not View.ALL:
        rows = [row for row in rows if view.shows(row, differing)]
    if narrowed is not None and narrowed.tests:
        rows = [row for row in rows if narrowed.matches(row)]
    return rows


def arrange(
    rows: Sequence[Row],
    *,
    is_grouped: bool = False,
    is_by_save: bool = False,
    folded: Collection[str] = (),
    failing: Collection[int] = (),
) -> list[Line]:
    """In the order given; grouped: the same within each suite, those whose ids are `failing` before
    all others, or `is_by_save` by what the last save did to them. Of a folded heading there is
    nothing but itself."""
    if is_by_save:
        return by_save(rows, folded)
    return [*by_suite(rows, failing, folded)] if is_grouped else [*rows]


_LETTERS = {
    Order.WORST: "w",
    Order.FILE: "f",
    Order.NAME: "n",
    Order.TIME: "t",
    Order.DURATION: "d",
}
_NEVER = float("-inf")
_RANK = attrgetter("rank")
_KEYS: dict[Order, Callable[[Row], str | float]] = {
    Order.NAME: lambda row: row.key.case.lower(),
    Order.TIME: lambda row: -(row.result.finished_at if row.result else _NEVER),
    Order.DURATION: lambda row: -(row.result.duration_ms if row.result else _NEVER),
}
