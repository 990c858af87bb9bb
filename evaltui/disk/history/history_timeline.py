"""Past runs as points in time: what each changed, and the results as they stood at one."""

import sqlite3
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.comparison import NEVER, AtTimes, Effect, GoesOn, ReportedEffect, effect_of
from evaltui.core.errors import UserError
from evaltui.core.events import RunEnd, RunStarted
from evaltui.core.proof import Proof
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.disk.atomic import safe_path
from evaltui.disk.codec import decode, encode
from evaltui.disk.history.history_insert import LETTERS, reported_effect_of
from evaltui.disk.history.history_queries import STATUSES, last_results
from evaltui.disk.history.history_schema import KEPT
from evaltui.disk.history.run_record import (
    CASES,
    FAIL_AT_TIMES,
    FAILED_AT_TIMES,
    GOES_ON,
    MUTED,
    NEW_FAILED,
    REJUDGED,
    proofs_of,
)
from evaltui.disk.journal.journal import SUFFIX
from evaltui.disk.journal.journal_reading import read_events
from evaltui.store.row import STRIP_LENGTH

_NOT_RUN = LETTERS[CaseStatus.SKIPPED]


class TimelinePoint(Struct, frozen=True):
    """One run of one agent whose results are all kept; times in seconds since the epoch."""

    row: int
    """Of the table `runs`."""
    run_id: str
    number: int
    """0 when the run is known by its id only."""
    reason: str
    end: RunEnd
    started_at: float
    at: float
    """When its last case finished."""
    effects: Mapping[Effect, int]
    """How many of its cases differ how from their results before, as the run itself told it.
    Where that is not known: by their verdicts alone, without the cases that are muted now."""
    ran: int
    trigger: tuple[str, ...] = ()
    """The files whose saving led to it; empty when it was a key, or is not known any more."""
    is_trigger_known: bool = True
    muted: int = 0
    """How many of those that ran the run told as muted; 0 where that is not known."""
    cases: int = 0
    """How many the run was about; 0 where that is not known."""
    is_rejudging: bool = False
    """Whether the run asked nobody, as far as that is known."""
    goes_on: GoesOn | None = None
    new_failed: int = 0
    """Of those that are new by `effects`; 0 where that is not known."""
    at_times: AtTimes = NEVER
    is_on: bool = False
    """Whether it is still on, so that nobody can say how it ends; the history does not know it."""


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


def timeline(
    connection: sqlite3.Connection, agent: str, muted: Collection[str] = ()
) -> list[TimelinePoint]:
    """The last points, newest first; `muted` as `suite::case`, for runs that did not tell of it.

    As many as results are kept of a case, so that of none of them a result is gone.
    """
    found = connection.execute(
        "SELECT runs.id, run_id, number, reason, ended, started_at, max(past.finished_at) AS at,"
        f" sum(past.status<>'{_NOT_RUN}')"
        ' FROM cases JOIN past ON past."case"=cases.id JOIN runs ON runs.id=past.run'
        " WHERE cases.agent=? GROUP BY runs.id ORDER BY at DESC, runs.id DESC LIMIT ?",
        (agent, KEPT),
    ).fetchall()
    effects: dict[int, dict[Effect, int]] = {row[0]: dict.fromkeys(Effect, 0) for row in found}
    for run, before, now, number in connection.execute(
        "SELECT past.run, before.status, past.status, count(*) FROM cases"
        ' JOIN past ON past."case"=cases.id'
        ' LEFT JOIN past before ON before."case"=past."case"'
        "  AND before.slot=(past.seq-1)%? AND before.seq=past.seq-1"
        " WHERE cases.agent=? AND past.run NOT IN (SELECT run FROM told)"
        " AND suite||'::'||cases.name NOT IN (SELECT value FROM json_each(?))"
        " GROUP BY 1, 2, 3",
        (KEPT, agent, encode(list(muted)).decode()),
    ):
        if run in effects and now != _NOT_RUN:
            effects[run][_effect(before, now)] += number
    apart: dict[int, int] = {}
    new_failed: dict[int, int] = {}
    at_times: dict[int, AtTimes] = {}
    rejudging: set[int] = set()
    cases: dict[int, int] = {}
    goes_on: dict[int, GoesOn] = {}
    for run, counts in connection.execute("SELECT run, counts FROM told"):
        if run in effects:
            said = decode(dict[str, int | GoesOn], counts)
            numbers = {name: one for name, one in said.items() if isinstance(one, int)}
            if isinstance(before := said.get(GOES_ON), GoesOn):
                goes_on[run] = before
            apart[run], new_failed[run] = numbers.pop(MUTED, 0), numbers.pop(NEW_FAILED, 0)
            rarely = (numbers.pop(name, 0) for name in (FAILED_AT_TIMES, FAIL_AT_TIMES))
            at_times[run] = AtTimes(*rarely)
            cases[run] = numbers.pop(CASES, 0)
            if numbers.pop(REJUDGED, 0):
                rejudging.add(run)
            effects[run] |= {Effect(name): number for name, number in numbers.items()}
    saved = {
        run: tuple(decode(list[str], files))
        for run, files in connection.execute("SELECT run, files FROM saved")
        if run in effects
    }
    return [
        TimelinePoint(
            run, run_id, number, reason, run_end(ended), started_at, at, effects[run], ran,
            saved.get(run, ()), is_trigger_known=run in saved,
            muted=apart.get(run, 0), cases=cases.get(run, 0),
            is_rejudging=run in rejudging, goes_on=goes_on.get(run),
            new_failed=new_failed.get(run, 0), at_times=at_times.get(run, NEVER),
        )
        for run, run_id, number, reason, ended, started_at, at, ran in found
    ]  # fmt: skip


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


def with_trigger(point: TimelinePoint, journals: Path) -> TimelinePoint:
    """With the files that its journal names, where the history does not: an earlier version wrote
    that."""
    if point.is_trigger_known:
        return point
    with suppress(UserError):
        for event in read_events(safe_path(journals, point.run_id, suffix=SUFFIX)):
            if isinstance(event, RunStarted):
                return replace(point, trigger=event.saved)
    return point


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
        suite, name, run_id, status, duration, at, error, passes, trials, calls, asserted,
    ) in connection.execute(
        f"{_STANDING} SELECT suite, cases.name, run_id, status, duration_ms, past.finished_at,"
        " error, passes, trials, past.calls, asserted FROM standing"
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
            trials=trials, passes=passes, calls=calls,
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
        strips.setdefault(key, []).append(_of_letter(letter, much).shown_status)
    return tuple(tuple(strip) for strip in strips.values())


def _muted(connection: sqlite3.Connection, at: TimelinePoint) -> frozenset[str] | None:
    found = connection.execute("SELECT names FROM mutes WHERE run=?", (at.row,)).fetchone()
    return frozenset(decode(list[str], found[0])) if found else None


def run_end(ended: str) -> RunEnd:
    """Of a run whose process was killed the history says `killed`."""
    return RunEnd(ended) if ended in set(RunEnd) else RunEnd.LOST


def _effect(before: str | None, now: str) -> Effect:
    """Of two letters of a status, `None` for no result."""
    return effect_of(_of_letter(before) if before else None, _of_letter(now))


def _of_letter(letter: str, asserted: int = 1) -> CaseResult:
    return CaseResult(CaseKey("", ""), "", "", STATUSES[letter], assertions_run=asserted)
