"""What results add to the counts of trials, by the inputs that they were made with."""

import sqlite3
from collections.abc import Iterable
from typing import Any, TypeAlias

from msgspec import Struct

from evaltui.core.result import CaseResult
from evaltui.core.statistics.trials import Trials
from evaltui.disk.history.shared_inputs import late

_ADD = """
INSERT INTO evidence VALUES(?1,?2,max(0,?3),max(0,?4),?5)
ON CONFLICT("case", inputs) DO UPDATE SET passed=max(0, passed+?3),
  failed=max(0, failed+?4), finished_at=max(finished_at, excluded.finished_at)
"""
_IS_OLDER = 'SELECT 1 FROM past WHERE "case"=? AND seq>? AND NOT rejudged'
_JUDGEMENTS = """
SELECT same, status, passes, trials, made_passes, made_failures FROM past
WHERE "case"=?1 AND seq<?2 AND seq>=
  (SELECT coalesce(max(seq), 0) FROM past WHERE "case"=?1 AND seq<?2 AND NOT rejudged)
ORDER BY seq
"""
_ANSWERED = """
SELECT run FROM past WHERE "case"=? AND seq<? AND NOT rejudged ORDER BY seq DESC LIMIT 1
"""
_KNOWN = 'SELECT inputs, passed, failed FROM judged WHERE "case"=?'
_FORGET = 'DELETE FROM judged WHERE "case"=? AND answered<>?'
_JUDGED = "INSERT OR REPLACE INTO judged VALUES(?,?,?,?,?)"
_OVERTAKEN = """
SELECT 1 FROM past WHERE "case"=?1 AND same=?2 AND seq>?3 AND rejudged AND seq<
  (SELECT coalesce(min(seq), 1e18) FROM past WHERE "case"=?1 AND seq>?3 AND NOT rejudged)
"""
_DISCOUNT = """
UPDATE discounted SET passed=max(0, passed+?), failed=max(0, failed+?)
WHERE seen_until>=? AND inputs=? AND (agent, suite, name)=
  (SELECT agent, suite, name FROM cases WHERE id=?)
"""

Row: TypeAlias = tuple[Any, ...]
Counts: TypeAlias = tuple[int, int]
"""Passes and failures."""


class Added(Struct, frozen=True, gc=False):
    """What one result is, as evidence."""

    same: str
    """As in `past.same`."""
    made: Trials
    """How it counts; of an answer that was judged again, by its last verdict."""
    rows: tuple[Row, ...]
    """To be added to `evidence`."""


def added(
    connection: sqlite3.Connection, case: int, place: int, result: CaseResult, shape: str
) -> Added:
    """`case`: its row; `place`: the number of the result among those of its case; `shape`: of all
    of its inputs but the case. An answer counts once for each inputs, however often it is judged,
    by its last verdict, in whatever order processes record them.
    """
    answered = f"{result.inputs.case}:{shape}"
    too_late, made, made_late = late(answered, result.inputs), result.trials_made, result.made_late
    same, own, apart = answered, Trials(made.passes, made.failures - made_late), made_late
    if made_late and not result.tried:
        same, own, apart = too_late, made, 0
    has_counted = result.was_judged_again and not result.was_counted
    if has_counted and connection.execute(_OVERTAKEN, (case, same, place)).fetchone():
        return Added(same, made, ())
    before = _counted(connection, case, same, place, made) if has_counted else (0, 0)
    rows: list[Row] = []
    if own.count or any(before):
        more = own.passes - before[0], own.failures - before[1]
        rows.append((case, same, *more, result.finished_at))
    if apart:
        rows.append((case, too_late, 0, apart, result.finished_at))
    return Added(same, made, tuple(rows))


def add(connection: sqlite3.Connection, rows: Iterable[Row]) -> None:
    """Whoever pinned a case while its run was on had seen what is recorded of it now: that counts
    for the pin as little as if it had been recorded before."""
    rows = tuple(rows)
    connection.executemany(_ADD, rows)
    (last,) = connection.execute("SELECT max(seen_until) FROM discounted").fetchone()
    if last is not None:
        seen = ((*counts, at, same, case) for case, same, *counts, at in rows if at <= last)
        connection.executemany(_DISCOUNT, seen)


def _counted(
    connection: sqlite3.Connection, case: int, same: str, place: int, made: Trials
) -> Counts:
    """How the last answer of a case before `place` counts as evidence already; `made` is how it
    does from now on."""
    if connection.execute(_IS_OLDER, (case, place)).fetchone():
        return _in_past(connection, case, place).get(same, (0, 0))
    (answered,) = connection.execute(_ANSWERED, (case, place)).fetchone() or (0,)
    if answered:  # else it is none of those that are kept any more, and those there are of it
        connection.execute(_FORGET, (case, answered))
    known: dict[str, Counts] = {
        inputs: (passed, failed) for inputs, passed, failed in connection.execute(_KNOWN, (case,))
    }
    known = known or _in_past(connection, case, place)
    before = known.get(same, (0, 0))
    known[same] = made.passes, made.failures
    rows = [(case, inputs, answered, *counts) for inputs, counts in known.items()]
    connection.executemany(_JUDGED, rows)
    return before


def _in_past(connection: sqlite3.Connection, case: int, place: int) -> dict[str, Counts]:
    """The same of each inputs, as far as its judgements are kept."""
    found: dict[str, Counts] = {}
    for same, status, passes, trials, *made in connection.execute(_JUDGEMENTS, (case, place)):
        if made[0] is not None:
            found[same] = made[0], made[1]
        else:
            found[same] = (passes, trials - passes) if status in ("P", "F") else (0, 0)
    return found
