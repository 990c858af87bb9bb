"""Past runs as points in time, and what each changed."""

import sqlite3
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.comparison import NEVER, AtTimes, Effect, GoesOn, effect_of
from evaltui.core.errors import UserError
from evaltui.core.events import RunEnd, RunStarted
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.disk.atomic import safe_path
from evaltui.disk.codec import decode, encode
from evaltui.disk.history.history_schema import KEPT
from evaltui.disk.history.run_record import (
    CASES,
    FAIL_AT_TIMES,
    FAILED_AT_TIMES,
    GOES_ON,
    MUTED,
    NEW_FAILED,
    REJUDGED,
)
from evaltui.disk.history.status_letters import LETTERS, STATUSES
from evaltui.disk.journal.journal import SUFFIX
from evaltui.disk.journal.journal_reading import read_events

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


def run_end(ended: str) -> RunEnd:
    """Of a run whose process was killed the history says `killed`."""
    return RunEnd(ended) if ended in set(RunEnd) else RunEnd.LOST


def _effect(before: str | None, now: str) -> Effect:
    """Of two letters of a status, `None` for no result."""
    return effect_of(_of_letter(before) if before else None, _of_letter(now))


def _of_letter(letter: str) -> CaseResult:
    return CaseResult(CaseKey("", ""), "", "", STATUSES[letter], assertions_run=1)
