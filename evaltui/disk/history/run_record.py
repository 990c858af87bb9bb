"""What the history keeps of a run, and writing it."""

import sqlite3

from msgspec import Struct

from evaltui.core.comparison import GoesOn, RunChanges
from evaltui.core.events import RunFinished, RunStarted
from evaltui.core.proof import Proof
from evaltui.disk.codec import decode, encode
from evaltui.disk.history.history_schema import KEPT, clean

CASES = "cases"
MUTED = "muted"
REJUDGED = "judged again"
GOES_ON = "goes on"
NEW_FAILED = "new and failed"
FAILED_AT_TIMES, FAIL_AT_TIMES = "failed at times", "fail at times"
"""Beside the effects in what a run told: how many cases it was about, how many of those that ran
were muted, 1 where it asked nobody, what it goes on with, how many of the new ones failed, and
how many failed at times before, and now."""


_WEIGHED_RUNS = 10 * KEPT
"""Runs of all agents of which proofs are kept: these take more room than all else of a run."""


class RunRecord(Struct, frozen=True):
    """What the history keeps of a run."""

    run_id: str
    number: int
    agent: str
    reason: str = ""
    ended: str = "completed"
    started_at: float = 0.0
    finished_at: float = 0.0
    changes: RunChanges = RunChanges()
    """As it was told at the end; empty where that is not known."""
    is_rejudging: bool = False
    cases: int = 0
    """How many it was about; 0 where that is not known."""
    muted: tuple[str, ...] | None = None
    """The cases muted at its end, as `suite::case`; `None` where that is not known."""
    goes_on: GoesOn | None = None
    proofs: tuple[Proof, ...] = ()
    """What trials proved at its end of the cases that were marked."""
    trigger: tuple[str, ...] | None = None
    """The files whose saving led to it, or made due what it runs; `None` where that is not
    known."""

    @classmethod
    def of(
        cls,
        started: RunStarted,
        finished: RunFinished | None,
        muted: tuple[str, ...] | None = None,
        goes_on: GoesOn | None = None,
        proofs: tuple[Proof, ...] = (),
    ) -> "RunRecord":
        """`finished` is `None` for a run that was killed."""
        return cls(
            started.run_id,
            started.number,
            started.agent,
            started.reason,
            finished.end.value if finished else "killed",
            started.started_at,
            finished.finished_at if finished else 0.0,
            finished.changes if finished else RunChanges(),
            started.is_rejudging,
            len(started.cases) - len(started.never_asked),
            muted,
            goes_on,
            proofs,
            started.saved,
        )


def insert_run(connection: sqlite3.Connection, run: RunRecord) -> int:
    """Row id of the run, new or known."""
    connection.execute(
        "INSERT INTO runs(run_id, number, agent, reason, ended, started_at, finished_at)"
        " VALUES(?,?,?,?,?,?,?) ON CONFLICT(run_id) DO UPDATE SET ended=excluded.ended,"
        " finished_at=excluded.finished_at WHERE excluded.finished_at>finished_at",
        (run.run_id, run.number, run.agent, run.reason, run.ended, run.started_at, run.finished_at),
    )
    connection.execute("UPDATE counters SET value=max(value, ?) WHERE name='run'", (run.number,))
    row = connection.execute("SELECT id FROM runs WHERE run_id=?", (run.run_id,)).fetchone()
    numbers: dict[str, int | GoesOn | None] = {
        effect.value: number for effect, number in run.changes.counts.items()
    }
    numbers |= {MUTED: run.changes.muted, NEW_FAILED: run.changes.new_failed}
    at_times = run.changes.at_times
    numbers |= {FAILED_AT_TIMES: at_times.before, FAIL_AT_TIMES: at_times.now}
    if any(numbers.values()):
        numbers |= {REJUDGED: int(run.is_rejudging), CASES: run.cases, GOES_ON: run.goes_on}
        counts = encode({name: said for name, said in numbers.items() if said}).decode()
        connection.execute("INSERT OR REPLACE INTO told VALUES(?,?)", (row[0], counts))
    if run.muted is not None:
        names = encode([clean(name) for name in run.muted]).decode()
        connection.execute("INSERT OR REPLACE INTO mutes VALUES(?,?)", (row[0], names))
    if run.trigger is not None:
        files = encode([clean(name) for name in run.trigger]).decode()
        connection.execute("INSERT OR REPLACE INTO saved VALUES(?,?)", (row[0], files))
    if run.proofs:
        proofs = encode(run.proofs).decode()
        connection.execute("INSERT OR REPLACE INTO weighed VALUES(?,?)", (row[0], proofs))
        connection.execute("DELETE FROM weighed WHERE run<=?", (row[0] - _WEIGHED_RUNS,))
    return int(row[0])


def proofs_of(connection: sqlite3.Connection, run: int) -> tuple[Proof, ...]:
    """Nothing where the run told none, or is one of long ago; `run` is its row."""
    found = connection.execute("SELECT proofs FROM weighed WHERE run=?", (run,)).fetchone()
    return decode(tuple[Proof, ...], found[0]) if found else ()
