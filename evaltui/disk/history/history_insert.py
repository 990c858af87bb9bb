"""Writing the results of a run into the history's tables."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any, TypeAlias

from evaltui.core.called import calls_fingerprint
from evaltui.core.comparison import Effect, ReportedEffect
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.usual_time import with_new
from evaltui.disk.codec import encode
from evaltui.disk.history.history_evidence import add, added
from evaltui.disk.history.history_late import late_seq, make_room
from evaltui.disk.history.history_schema import KEPT, clean
from evaltui.disk.history.run_record import RunRecord, insert_run
from evaltui.disk.history.shared_inputs import SharedInputs
from evaltui.disk.history.status_letters import LETTERS
from evaltui.store.row import STRIP_LENGTH

_LONGEST_ERROR = 2_000

EFFECTS = {
    Effect.WORSE: "W",
    Effect.BETTER: "B",
    Effect.ERROR: "E",
    Effect.CALLS_DIFFER: "C",
    Effect.AS_BEFORE: "A",
    Effect.NEW: "N",
}

RARE: dict[str, object] = {
    "assertions_skipped": 0,
    "category": "",
    "score": None,
    "metrics": {},
    "queued_ms": 0.0,
    "trial": 0,
    "trials": 1,
    "erred": 0,
    "planned": None,
    "was_counted": False,
    "was_judged_again": False,
}
"""Fields that few results have, with their defaults; `passes` is one when it has another number
than the verdict alone would tell, and so are what its answer cost and the tools that overlap."""
_rarer = attrgetter(*RARE)
_USUAL = tuple(RARE.values())
_AT_ONCE = 200
"""Names in one question: SQLite takes 999 values at least."""

_LATEST = """
INSERT INTO latest VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)
ON CONFLICT("case") DO UPDATE SET
  seq=excluded.seq, run=excluded.run, status=excluded.status, strip=excluded.strip,
  typical_ms=excluded.typical_ms, duration_ms=excluded.duration_ms,
  assertions_run=excluded.assertions_run, description=excluded.description,
  error=excluded.error, fingerprint=excluded.fingerprint, inputs=excluded.inputs,
  finished_at=excluded.finished_at, more=excluded.more
"""
_PAST = "INSERT OR REPLACE INTO past VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"


_WRITTEN_AT = 1_000
"""Results whose rows are held back."""
_Rows: TypeAlias = list[tuple[Any, ...]]
_Known: TypeAlias = tuple[int, int, str, float, float]
"""(seq, run, strip, typical ms, finished at); seq 0 when no result is known."""
_NOTHING: _Known = (0, 0, "", 0.0, 0.0)


def insert_results(
    connection: sqlite3.Connection,
    run: RunRecord,
    results: Iterable[CaseResult],
    reported: Callable[[CaseResult], ReportedEffect | None] = lambda _: None,
) -> None:
    """Add results; those carried over or recorded before change nothing, and one that is older
    than what is known of its case takes its place among the earlier ones.

    `reported` says what the run told of a result of its own.
    """
    run_row = insert_run(connection, run)
    rows = {run.run_id: run_row}
    shared = SharedInputs(connection)
    latest: _Rows = []
    past: _Rows = []
    evidence: _Rows = []
    for result, case, known in _to_add(connection, results):
        row = rows.get(result.run_id)
        if row is None:
            # Carried from a run whose own file is gone: known by its id only.
            row = rows[result.run_id] = insert_run(
                connection, RunRecord(result.run_id, 0, result.agent)
            )
        seq, run_before, _, _, finished_at = known
        if seq and run_before == row:
            continue
        place, is_late = seq + 1, seq > 0 and finished_at > result.finished_at
        if is_late:
            place = late_seq(connection, case, row, result.finished_at)
            if not place:
                continue
            make_room(connection, case, place, LETTERS[result.shown_status])
        inputs, shape = shared.row(result.inputs)
        calls = calls_fingerprint(result)
        if not is_late:
            latest.append((case, *_newest(result, row, known, inputs, calls)))
        found = added(connection, case, place, result, shape)
        evidence += found.rows
        letter = _letter(reported(result)) if result.run_id == run.run_id else ""
        known_of_it = _past(result, row, place, found.same, letter, calls)
        made = found.made.passes, found.made.failures
        planned = "" if result.planned is None else encode(result.planned).decode()
        past.append((case, *known_of_it, result.was_judged_again, *made, planned))
        if len(past) >= _WRITTEN_AT:  # the rows of all would be a tenth of what a large run takes
            _write(connection, latest, past, evidence)
    _write(connection, latest, past, evidence)


def _write(connection: sqlite3.Connection, latest: _Rows, past: _Rows, evidence: _Rows) -> None:
    connection.executemany(_LATEST, latest)
    connection.executemany(_PAST, past)
    add(connection, evidence)
    for rows in (latest, past, evidence):
        rows.clear()


def _newest(
    result: CaseResult, row: int, known: _Known, inputs: int, calls: str
) -> tuple[object, ...]:
    """Of `latest`, behind the case; `row` is that of the run, `inputs` that of the inputs, `calls`
    the fingerprint of the calls."""
    seq, _, strip, typical, _ = known
    duration = result.duration_ms
    return (
        seq + 1,
        row,
        LETTERS[result.status],
        (strip + LETTERS[result.shown_status])[-STRIP_LENGTH:],
        typical if result.was_judged_again and seq else with_new(typical, duration),
        duration,
        result.assertions_run,
        _trimmed(result.description),
        _trimmed(result.error),
        _fingerprints(result, calls),
        inputs,
        result.finished_at,
        _more(result),
    )


def _past(
    result: CaseResult, row: int, seq: int, same: str, letter: str, calls: str
) -> tuple[object, ...]:
    """Of `past`, behind the case."""
    return (
        seq % KEPT,
        seq,
        row,
        LETTERS[result.status],
        result.duration_ms,
        result.finished_at,
        _trimmed(result.error).partition("\n")[0],
        result.passes,
        result.trials,
        same,
        letter,
        calls,
        result.assertions_run,
        encode(result.metrics).decode() if result.metrics else "",
    )


def _letter(reported: ReportedEffect | None) -> str:
    if reported is None:
        return ""
    letter = EFFECTS[reported.effect]
    return letter.lower() if reported.is_muted else letter


def reported_effect_of(letter: str) -> ReportedEffect | None:
    """What `past.told` says; `None` for nothing, or a letter of a later version."""
    effect = _EFFECTS.get(letter.upper())
    return ReportedEffect(effect, letter.islower()) if effect is not None else None


_EFFECTS = {letter: effect for effect, letter in EFFECTS.items()}


def _fingerprints(result: CaseResult, calls: str) -> str:
    """Of the case, of what of it the agent was given, of the calls, and of the tools weighed.

    Behind the last stands a dash, so that none is not the same as unknown.
    """
    inputs = result.inputs
    shown = "" if inputs.shown is None else f"{inputs.shown}-"
    return f"{inputs.case} {inputs.answer} {calls} {shown}".rstrip()


def drop_unused_inputs(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM inputs WHERE id NOT IN (SELECT inputs FROM latest)")


def _to_add(
    connection: sqlite3.Connection, results: Iterable[CaseResult]
) -> Iterator[tuple[CaseResult, int, _Known]]:
    """Each case's last result with its row id and what was known."""
    suites: dict[tuple[str, str], dict[str, CaseResult]] = {}
    for result in results:
        of_suite = suites.setdefault((result.agent, clean(result.key.suite)), {})
        of_suite[clean(result.key.case)] = result
    for (agent, suite), named in suites.items():
        known = _known(connection, agent, suite, list(named))
        for name, result in named.items():
            found = known.get(name)
            if found is None:
                added = connection.execute(
                    "INSERT INTO cases(agent, suite, name) VALUES(?,?,?)", (agent, suite, name)
                )
                yield result, int(added.lastrowid or 0), _NOTHING
            elif found[1] is None:
                yield result, found[0], _NOTHING
            elif not result.carried_from:
                yield result, found[0], found[1:]


def _known(
    connection: sqlite3.Connection, agent: str, suite: str, names: list[str]
) -> dict[str, Any]:
    """Row id and the fields of `_Known` by case, those never finished with nulls."""
    known: dict[str, Any] = {}
    for start in range(0, len(names), _AT_ONCE):
        some = names[start : start + _AT_ONCE]
        rows = connection.execute(
            "SELECT name, id, seq, run, strip, typical_ms, finished_at FROM cases"
            ' LEFT JOIN latest ON "case"=id WHERE agent=? AND suite=?'
            f" AND name IN ({','.join('?' * len(some))})",
            (agent, suite, *some),
        )
        known |= {row[0]: row[1:] for row in rows}
    return known


def _more(result: CaseResult) -> str | None:
    """JSON of the rarer fields, `None` when they all have their defaults."""
    values = _rarer(result)
    is_usual = result.passes == (result.status is CaseStatus.PASSED)
    cost, overlaps = result.cost_usd, result.overlaps
    has_words = result.in_short or overlaps
    if is_usual and values == _USUAL and cost is None and not has_words:
        return None
    more = {name: value for name, value in zip(RARE, values, strict=True) if value != RARE[name]}
    if not is_usual:
        more["passes"] = result.passes
    if result.in_short:
        more["in_short"] = clean(result.in_short)
    if cost is not None:
        more["known_cost_usd"] = cost
    if overlaps:
        more["known_overlaps"] = [*map(_trimmed, overlaps)]
    return encode(more).decode()


def _trimmed(text: str) -> str:
    if not text:  # as most errors
        return ""
    return clean(text if len(text) <= _LONGEST_ERROR else text[:_LONGEST_ERROR] + "…")
