"""The queries on the history's tables."""

import sqlite3
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.inputs import Inputs
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.disk.codec import parse, read
from evaltui.disk.history.history_values import more_of, require_numbers
from evaltui.disk.history.status_letters import STATUSES


class HistoryEntry(Struct, frozen=True):
    """One earlier result of a case; `finished_at` in seconds since the epoch."""

    run_id: str
    number: int
    """0 when the run is known by its id only."""
    status: CaseStatus
    duration_ms: float | None
    """`None` where a trace tells no time, which only its case knows: 0.0 is kept."""
    finished_at: float
    error: str
    """First line; empty for a passed case."""
    passes: int
    trials: int
    metrics: Mapping[str, float] | None = None
    """What was measured; `None` where an earlier version kept none."""
    is_rejudging: bool = False
    """Whether nobody was asked: the answer of the entry before was judged again."""
    is_nothing_asserted: bool = False
    """Also of `CaseResult`; False where an earlier version did not keep it."""


def agents(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Names of the agents that results are known of, the one that ran last first."""
    rows = connection.execute("SELECT agent FROM runs GROUP BY agent ORDER BY max(id) DESC")
    return tuple(agent for (agent,) in rows)


def last_results(
    connection: sqlite3.Connection, agent: str, only: Collection[int] | None = None
) -> tuple[tuple[CaseResult, ...], tuple[tuple[CaseStatus, ...], ...]]:
    """Light results and strips of all cases of an agent in the order first heard of.

    With `only` those of these rows of `cases`.
    """
    shared: dict[int, Inputs] = {}
    seen: dict[str, tuple[CaseStatus, ...]] = {}
    results: list[CaseResult] = []
    strips: list[tuple[CaseStatus, ...]] = []
    runs: dict[int, str] = {}
    rare: dict[tuple[str | None, str], Mapping[str, Any]] = {}
    suites: dict[str, str] = {}
    # The order of the join makes SQLite read both tables in the order of their rows, unsorted.
    fields = (
        "SELECT suite, name, run, status, strip, duration_ms, typical_ms, assertions_run,"
        " description, error, fingerprint, inputs, finished_at, more"
        ' FROM latest CROSS JOIN cases ON id="case"'
    )
    ids = "" if only is None else f' AND "case" IN ({", ".join(map(str, only))})'
    rows = connection.execute(f'{fields} WHERE agent=?{ids} ORDER BY "case"', (agent,))
    for (
        suite, name, run, status, strip, duration_ms, typical_ms, assertions_run, description,
        error, fingerprint, inputs, finished_at, more,
    ) in rows:  # fmt: skip
        require_numbers(duration_ms, typical_ms, finished_at)
        same = shared.get(inputs)
        if same is None:
            same = shared[inputs] = _inputs(connection, inputs)
        run_id = runs.get(run)
        if run_id is None:
            run_id = runs[run] = _run_id(connection, run)
        others = rare.get((more, status))
        if others is None:
            others = rare[more, status] = _rare(more, STATUSES[status])
        recent = seen.get(strip)
        if recent is None:
            recent = seen[strip] = tuple(STATUSES[letter] for letter in strip)
        case, answer, calls, shown = (*fingerprint.split(" "), "", "", "")[:4]
        strips.append(recent)
        results.append(
            CaseResult(
                CaseKey(suites.setdefault(suite, suite), name),
                run_id,
                agent,
                STATUSES[status],
                description,
                duration_ms,
                assertions_run,
                error=error,
                calls=calls,
                typical_ms=typical_ms,
                inputs=replace(same, case=case, answer=answer, shown=shown[:-1] if shown else None),
                finished_at=finished_at,
                **others,
            )
        )
    return tuple(results), tuple(strips)


def rows_of(connection: sqlite3.Connection, agent: str, keys: Iterable[CaseKey]) -> set[int]:
    """Rows of `cases`, of those that were ever heard of."""
    question = "SELECT id FROM cases WHERE agent=? AND suite=? AND name=?"
    found = (connection.execute(question, (agent, *key)).fetchone() for key in keys)
    return {row[0] for row in found if row}


def entries(
    connection: sqlite3.Connection, key: CaseKey, agent: str, limit: int
) -> list[HistoryEntry]:
    """Newest first."""
    rows = connection.execute(
        "SELECT runs.run_id, number, status, duration_ms, past.finished_at, error, passes, trials,"
        " metrics, rejudged, asserted FROM cases"
        ' JOIN past ON past."case"=cases.id JOIN runs ON runs.id=past.run'
        " WHERE cases.agent=? AND suite=? AND name=? ORDER BY seq DESC LIMIT ?",
        (agent, key.suite, key.case, limit),
    )
    found: list[HistoryEntry] = []
    for (
        run_id, number, letter, duration, at, error, passes, trials, written, rejudged, asserted,
    ) in rows:  # fmt: skip
        require_numbers(duration, at, passes, trials)
        status = STATUSES[letter]
        much = 1 if asserted is None else asserted
        light = CaseResult(key, run_id, agent, status, assertions_run=much)
        found.append(
            HistoryEntry(
                run_id, number, status, duration, at, error, passes, trials,
                _metrics(written), bool(rejudged), light.is_nothing_asserted,
            )
        )  # fmt: skip
    return found


def keys(connection: sqlite3.Connection, agent: str) -> list[CaseKey]:
    """Of all cases that results of an agent are known of, in the order first heard of."""
    rows = connection.execute(
        'SELECT suite, name FROM cases JOIN latest ON "case"=id WHERE agent=? ORDER BY id', (agent,)
    )
    return [CaseKey(*row) for row in rows]


def newest_at(connection: sqlite3.Connection) -> float:
    """Of all agents."""
    (found,) = connection.execute("SELECT max(finished_at) FROM latest").fetchone()
    return found or 0.0


def last_number(connection: sqlite3.Connection) -> int:
    """Number of the last run in this folder; 0 before the first."""
    row = connection.execute("SELECT value FROM counters WHERE name='run'").fetchone()
    return int(row[0])


def runs_of(connection: sqlite3.Connection, agent: str, limit: int) -> list[str]:
    """Ids of the agent's last runs, the last one first."""
    rows = connection.execute(
        "SELECT run_id FROM runs WHERE agent=? AND number>0 ORDER BY number DESC LIMIT ?",
        (agent, limit),
    )
    return [str(run_id) for (run_id,) in rows]


def pointer(connection: sqlite3.Connection, key: CaseKey, agent: str) -> tuple[str, str] | None:
    """Run id of a case's last result, and the newest result file of its suite or empty."""
    found = connection.execute(
        "SELECT runs.run_id, files.path FROM cases"
        ' JOIN latest ON latest."case"=cases.id JOIN runs ON runs.id=latest.run'
        " LEFT JOIN files ON files.agent=cases.agent AND files.suite=cases.suite"
        " WHERE cases.agent=? AND cases.suite=? AND cases.name=?",
        (agent, key.suite, key.case),
    ).fetchone()
    return (found[0], found[1] or "") if found else None


def files_in_use(connection: sqlite3.Connection) -> set[str]:
    """The result files that hold what is known of each suite, as `file_of_suite` has them."""
    return {str(path) for (path,) in connection.execute("SELECT path FROM files")}


def file_of_suite(connection: sqlite3.Connection, agent: str, suite: str) -> str:
    """The newest result file of a suite, below the results folder or absolute; or empty."""
    found = connection.execute(
        "SELECT path FROM files WHERE agent=? AND suite=?", (agent, suite)
    ).fetchone()
    return found[0] if found else ""


def _rare(more: str | None, status: CaseStatus) -> Mapping[str, Any]:
    """Fields that few results have; what another version wrote is passed over."""
    return {"passes": int(status is CaseStatus.PASSED)} | (more_of(more) if more else {})


def _metrics(written: str | None) -> Mapping[str, float] | None:
    if not written:
        return None if written is None else {}
    found = parse(written)
    return {name: value for name, value in found.items() if isinstance(value, int | float)}


def _run_id(connection: sqlite3.Connection, row: int) -> str:
    found = connection.execute("SELECT run_id FROM runs WHERE id=?", (row,)).fetchone()
    return str(found[0]) if found else ""


def _inputs(connection: sqlite3.Connection, row: int) -> Inputs:
    found = connection.execute("SELECT json FROM inputs WHERE id=?", (row,)).fetchone()
    try:
        return read(Inputs, found[0]) if found else Inputs()
    except ValueError:
        return Inputs()
