"""The results as they stood at a point in time, and those that are others at a later one."""

import sqlite3
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from evaltui.core.case import CaseKey
from evaltui.core.comparison import ReportedEffect
from evaltui.core.proof import Proof
from evaltui.core.result import CaseResult, CaseStatus, status_that_counts
from evaltui.disk.codec import decode
from evaltui.disk.history.history_insert import reported_effect_of
from evaltui.disk.history.history_queries import last_results
from evaltui.disk.history.history_schema import KEPT
from evaltui.disk.history.history_timeline import TimelinePoint
from evaltui.disk.history.history_values import planned_of
from evaltui.disk.history.run_record import proofs_of
from evaltui.disk.history.status_letters import STATUSES
from evaltui.store.row import STRIP_LENGTH


class PastResults(Struct, frozen=True):
    """Light results (no verdicts, no response) of all cases before, and of those that ran since."""

    before: tuple[CaseResult, ...]
    strips: tuple[tuple[CaseStatus, ...], ...]
    """Recent verdicts in step with `before`, oldest first."""
    since: tuple[CaseResult, ...]
    reported: Mapping[CaseKey, ReportedEffect] = {}
    """What was told of the results that stood at the end, each by its own run, as far as that is
    known: what a case came to, and whether it was muted then."""
    muted: frozenset[str] | None = None
    """The cases muted at the end, as `suite::case`; `None` where that is not known."""
    proofs: tuple[Proof, ...] = ()
    """What trials proved at the end of the cases that were marked, where its run told that."""
    strips_since: tuple[tuple[CaseStatus, ...], ...] = ()
    """Recent verdicts at the end in step with `since`: other runs may lie between."""


def results_between(
    connection: sqlite3.Connection, agent: str, before: TimelinePoint | None, at: TimelinePoint
) -> PastResults:
    """The results at one point, and those that are others at a later one.

    Without `before` it is the moment just before the run: `since` is what the run itself found.
    """
    kept = {result.key: result for result in last_results(connection, agent)[0]}
    earlier = _Moment(agent, before or at, is_before_run=before is None)
    then = _standing(connection, earlier, kept)
    now = _standing(connection, _Moment(agent, at), kept)
    recent = zip(now.values(), _strips(connection, _Moment(agent, at), kept), strict=True)
    ran = [
        (result, strip)
        for result, strip in recent
        if result.key not in then or then[result.key].run_id != result.run_id
    ]
    since, strips_since = tuple(one for one, _ in ran), tuple(strip for _, strip in ran)
    reported = _reported(connection, _Moment(agent, at))
    strips = _strips(connection, earlier, kept)
    muted, proofs = _muted(connection, at), proofs_of(connection, at.row)
    before_it = tuple(then.values())
    return PastResults(before_it, strips, since, reported, muted, proofs, strips_since)


def runs_of_suites(connection: sqlite3.Connection, agent: str, at: TimelinePoint) -> dict[str, str]:
    """The id of the run that each suite had last at a point."""
    rows = connection.execute(
        "SELECT suite, run_id, max(past.finished_at) AS ended, run FROM cases"
        ' JOIN past ON past."case"=cases.id JOIN runs ON runs.id=past.run'
        " WHERE cases.agent=? AND (past.finished_at, run)<=(?, ?)"
        " GROUP BY suite, run ORDER BY ended, run",
        (agent, at.at, at.row),
    )
    return {suite: run_id for suite, run_id, _, _ in rows}


class _Moment(Struct, frozen=True):
    agent: str
    point: TimelinePoint
    is_before_run: bool = False
    """Whether results of the point's own run are not there yet."""

    @property
    def values(self) -> dict[str, Any]:
        """Of the names in the questions."""
        return {
            "agent": self.agent,
            "at": self.point.at,
            "row": self.point.row,
            "before": self.is_before_run,
            "kept": KEPT,
            "strip": STRIP_LENGTH,
        }


_STANDING = (
    'WITH standing AS (SELECT past."case" AS id, max(seq) AS last FROM past'
    ' JOIN cases ON cases.id=past."case"'
    " WHERE agent=:agent AND (finished_at, run)<=(:at, :row) AND NOT (:before AND run=:row)"
    ' GROUP BY past."case") '
)
"""The last result of each case at a moment."""


def _standing(
    connection: sqlite3.Connection, moment: _Moment, kept: Mapping[CaseKey, CaseResult]
) -> dict[CaseKey, CaseResult]:
    """The last result of each case; `kept`: those of now, with more details than earlier ones."""
    results: dict[CaseKey, CaseResult] = {}
    for (
        suite, name, run_id, status, duration, at, error, passes, trials, calls, asserted, planned,
    ) in connection.execute(
        f"{_STANDING} SELECT suite, cases.name, run_id, status, duration_ms, past.finished_at,"
        " error, passes, trials, past.calls, asserted, planned FROM standing"
        " JOIN cases ON cases.id=standing.id"
        ' JOIN past ON past."case"=standing.id AND slot=last%:kept AND seq=last'
        " JOIN runs ON runs.id=past.run ORDER BY standing.id",
        moment.values,
    ):  # fmt: skip
        key = CaseKey(suite, name)
        latest = kept.get(key)
        if latest is not None and latest.run_id == run_id:
            results[key] = latest
            continue
        if asserted is None:
            asserted = _as_much_as_now(latest)
        results[key] = CaseResult(
            key, run_id, moment.agent, STATUSES[status],
            latest.description if latest is not None else "",
            duration, assertions_run=asserted, error=error, finished_at=at,
            trials=trials, passes=passes, calls=calls, planned=planned_of(planned),
        )  # fmt: skip
    return results


def _reported(connection: sqlite3.Connection, moment: _Moment) -> dict[CaseKey, ReportedEffect]:
    rows = connection.execute(
        f"{_STANDING} SELECT suite, cases.name, told FROM standing"
        " JOIN cases ON cases.id=standing.id"
        ' JOIN past ON past."case"=standing.id AND slot=last%:kept AND seq=last'
        " WHERE length(told)",
        moment.values,
    )
    found = ((CaseKey(suite, name), reported_effect_of(letter)) for suite, name, letter in rows)
    return {key: effect for key, effect in found if effect is not None}


def _as_much_as_now(latest: CaseResult | None) -> int:
    """How much was asserted where that is not kept."""
    return 0 if latest is not None and latest.is_nothing_asserted else 1


def _strips(
    connection: sqlite3.Connection, moment: _Moment, kept: Mapping[CaseKey, CaseResult]
) -> tuple[tuple[CaseStatus, ...], ...]:
    """Recent verdicts as a strip shows them, oldest first, in step with `_standing`."""
    strips: dict[CaseKey, list[CaseStatus]] = {}
    for suite, name, letter, asserted in connection.execute(
        f"{_STANDING} SELECT suite, cases.name, status, asserted FROM standing"
        " JOIN cases ON cases.id=standing.id"
        ' JOIN past ON past."case"=standing.id AND seq<=last AND seq>last-:strip'
        " ORDER BY standing.id, seq",
        moment.values,
    ):
        key = CaseKey(suite, name)
        much = _as_much_as_now(kept.get(key)) if asserted is None else asserted
        strips.setdefault(key, []).append(status_that_counts(STATUSES[letter], much))
    return tuple(tuple(strip) for strip in strips.values())


def _muted(connection: sqlite3.Connection, at: TimelinePoint) -> frozenset[str] | None:
    found = connection.execute("SELECT names FROM mutes WHERE run=?", (at.row,)).fetchone()
    return frozenset(decode(list[str], found[0])) if found else None
