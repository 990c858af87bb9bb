"""The tables of the history, and opening its file whatever state it is in."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evaltui.disk import damage
from evaltui.disk.history.query_limit import EndlessError

FILE = "history.sqlite3"
VERSION = 14
KEPT = 50
"""Results kept of each case: the length of the ring `past`."""
BUSY_S = 5.0
"""How long one process waits for another's transaction: a large run takes about one to record."""
BUSY_STILL_S = 0.2
"""The same where it waited in vain just now."""


class LaterVersionError(sqlite3.Error):
    """It is not ours to change, nor damaged."""


class ForeignError(sqlite3.DatabaseError):
    """Something in the file was not made by us; none of its tables may be read."""


TABLES = (
    "runs",
    "cases",
    "inputs",
    "latest",
    "past",
    "evidence",
    "discounted",
    "told",
    "mutes",
    "saved",
    "weighed",
    "unfinished",
    "judged",
    "files",
    "counters",
)

_SINCE_3 = """
CREATE TABLE evidence(
  "case" INTEGER NOT NULL, inputs TEXT NOT NULL, passed INTEGER NOT NULL, failed INTEGER NOT NULL,
  finished_at REAL NOT NULL, PRIMARY KEY("case", inputs)) WITHOUT ROWID;
CREATE INDEX latest_status ON latest(status);
CREATE INDEX latest_at ON latest(finished_at);
CREATE INDEX latest_unasserted ON latest(status) WHERE assertions_run=0;
"""
_SINCE_4 = """
CREATE TABLE told(run INTEGER PRIMARY KEY, counts TEXT NOT NULL);
"""
_SINCE_5 = """
ALTER TABLE past ADD COLUMN told TEXT NOT NULL DEFAULT '';
"""
_SINCE_6 = """
ALTER TABLE past ADD COLUMN calls TEXT NOT NULL DEFAULT '';
ALTER TABLE past ADD COLUMN asserted INTEGER;
CREATE TABLE mutes(run INTEGER PRIMARY KEY, names TEXT NOT NULL);
"""
_SINCE_7 = """
ALTER TABLE past ADD COLUMN metrics TEXT;
"""
_SINCE_8 = """
CREATE TABLE saved(run INTEGER PRIMARY KEY, files TEXT NOT NULL);
"""
_SINCE_9 = """
ALTER TABLE past ADD COLUMN rejudged INTEGER NOT NULL DEFAULT 0;
"""
_SINCE_10 = """
CREATE TABLE IF NOT EXISTS discounted(
  agent TEXT NOT NULL, suite TEXT NOT NULL, name TEXT NOT NULL, inputs TEXT NOT NULL,
  pinned_at REAL NOT NULL, passed INTEGER NOT NULL, failed INTEGER NOT NULL,
  PRIMARY KEY(agent, suite, name, inputs, pinned_at)) WITHOUT ROWID;
"""
_SINCE_11 = """
CREATE TABLE IF NOT EXISTS weighed(run INTEGER PRIMARY KEY, proofs TEXT NOT NULL);
"""
_SINCE_12 = """
ALTER TABLE past ADD COLUMN made_passes INTEGER;
ALTER TABLE past ADD COLUMN made_failures INTEGER;
ALTER TABLE discounted ADD COLUMN seen_until REAL;
CREATE TABLE IF NOT EXISTS unfinished(run INTEGER PRIMARY KEY);
"""
_SINCE_13 = """
CREATE TABLE IF NOT EXISTS judged(
  "case" INTEGER NOT NULL, inputs TEXT NOT NULL, answered INTEGER NOT NULL,
  passed INTEGER NOT NULL, failed INTEGER NOT NULL, PRIMARY KEY("case", inputs)) WITHOUT ROWID;
"""
_SINCE_14 = """
ALTER TABLE past ADD COLUMN planned TEXT NOT NULL DEFAULT '';
"""
_FROM_8 = """
UPDATE past SET rejudged=1
  WHERE run IN (SELECT run FROM told WHERE json_extract(counts, '$."judged again"')=1);
"""
"""What a run told said already whether it asked nobody."""
SCHEMA = (
    """
CREATE TABLE runs(
  id INTEGER PRIMARY KEY, run_id TEXT NOT NULL UNIQUE, number INTEGER NOT NULL,
  agent TEXT NOT NULL, reason TEXT NOT NULL, ended TEXT NOT NULL,
  started_at REAL NOT NULL, finished_at REAL NOT NULL);
CREATE TABLE cases(
  id INTEGER PRIMARY KEY, agent TEXT NOT NULL, suite TEXT NOT NULL, name TEXT NOT NULL,
  UNIQUE(agent, suite, name));
CREATE TABLE inputs(id INTEGER PRIMARY KEY, json TEXT NOT NULL UNIQUE);
CREATE TABLE latest(
  "case" INTEGER PRIMARY KEY, seq INTEGER NOT NULL, run INTEGER NOT NULL, status TEXT NOT NULL,
  strip TEXT NOT NULL, typical_ms REAL NOT NULL, duration_ms REAL NOT NULL,
  assertions_run INTEGER NOT NULL, description TEXT NOT NULL, error TEXT NOT NULL,
  fingerprint TEXT NOT NULL, inputs INTEGER NOT NULL, finished_at REAL NOT NULL, more TEXT);
CREATE TABLE past(
  "case" INTEGER NOT NULL, slot INTEGER NOT NULL, seq INTEGER NOT NULL, run INTEGER NOT NULL,
  status TEXT NOT NULL, duration_ms REAL NOT NULL, finished_at REAL NOT NULL,
  error TEXT NOT NULL, passes INTEGER NOT NULL, trials INTEGER NOT NULL, same TEXT NOT NULL,
  PRIMARY KEY("case", slot)) WITHOUT ROWID;
CREATE TABLE files(
  agent TEXT NOT NULL, suite TEXT NOT NULL, path TEXT NOT NULL, PRIMARY KEY(agent, suite));
CREATE TABLE counters(name TEXT PRIMARY KEY, value INTEGER NOT NULL);
INSERT INTO counters VALUES('run', 0);
"""
    + _SINCE_3
    + _SINCE_4
    + _SINCE_5
    + _SINCE_6
    + _SINCE_7
    + _SINCE_8
    + _SINCE_9
    + _SINCE_10
    + _SINCE_11
    + _SINCE_12
    + _SINCE_13
    + _SINCE_14
)
"""`past` is a ring: `slot` is `seq` modulo its length, so that the file stops growing.
`past.told` is what its run told of a result, one letter: small where it was muted then, nothing
where it told nothing. `told.counts` is JSON of how many cases a run said to be worse, better …: not
all of what they were held against is kept.
`past.calls` tells its calls by their fingerprints, `past.asserted` how much was held against the
answer, null where an earlier version wrote it; `past.metrics` is JSON of what was measured, empty
for nothing, null where an earlier version wrote it; `past.rejudged` is 1 where nobody was asked:
the answer is that of the result before; `past.made_passes` and `past.made_failures` are how the
result counts in `evidence`, null where an earlier version wrote it; `past.planned` is JSON of what
was planned of its attempts, empty where all were.
`mutes.names` is JSON of the cases muted at a run's end, `saved.files` of the files whose saving led
to it: journals, which say so too, are kept for fewer runs.
`weighed.proofs` is JSON of what trials proved of the marked cases at a run's end, of the last runs.
`evidence` has a row for each combination of inputs, as in `past.same`, and is never pruned.
`unfinished` has the runs of which attempts at cases that they did not finish are counted there.
`judged` is how the last answer that was judged again counts there, by the inputs that it was judged
with, and the run that gave it: in `past` it may be overwritten by what judged it since.
`discounted` is what of it was known when a pin of these inputs was made: a result was pinned
because of how it looked, so that what was seen before says nothing. A case has a row for
each of its last pins, and where these have a time limit one for what that limit ended.
`discounted.seen_until` is when the last of what was seen finished: at the pin's moment, or that of
an earlier one whose counts it took over; null where an earlier version wrote it. What finished by
then and is recorded later, as of a run that was on, is added to the row of its inputs.
`latest.more` is JSON of what most results do not have: reading 20,000 rows is half as long."""

_FROM_2 = (
    _SINCE_3
    + """
INSERT INTO evidence
  SELECT "case", same, sum(passes), sum(trials-passes), max(finished_at) FROM past
  WHERE status IN ('P','F') GROUP BY "case", same;
"""
)
"""0.1.0 wrote version 2, which knows the last results of each case only."""


def connect(path: Path) -> sqlite3.Connection:
    """Open the file for several threads and processes. Raises sqlite3.Error."""
    connection = sqlite3.connect(
        path, timeout=BUSY_S, isolation_level=None, check_same_thread=False
    )
    try:
        _journal_mode(connection)
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA trusted_schema=OFF")
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing. Raises sqlite3.Error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@contextmanager
def one_moment(connection: sqlite3.Connection) -> Iterator[None]:
    """Whatever is read meanwhile was there together: nothing is recorded in between."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def wait_for_others(connection: sqlite3.Connection, seconds: float) -> None:
    """From now on so long for another's transaction."""
    connection.execute(f"PRAGMA busy_timeout={seconds * 1000:.0f}")


def version_of(connection: sqlite3.Connection) -> int:
    """0 for a new file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def knows_a_run(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM runs").fetchone() is not None


def create(connection: sqlite3.Connection) -> None:
    """Make all tables, empty, inside the caller's transaction."""
    for table in TABLES:
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    _execute(connection, SCHEMA)


def upgrade(connection: sqlite3.Connection, version: int) -> None:
    """Make this version of version 2 or a later one, inside the caller's transaction."""
    from_2, from_3 = _FROM_2 if version == 2 else "", _SINCE_4 if version < 4 else ""
    from_4, from_5 = _SINCE_5 if version < 5 else "", _SINCE_6 if version < 6 else ""
    from_6, from_7 = _SINCE_7 if version < 7 else "", _SINCE_8 if version < 8 else ""
    from_8 = _SINCE_9 + _FROM_8 if version < 9 else ""
    since_3 = from_3 + from_4 + from_5 + from_6 + from_7 + from_8 + _SINCE_10
    since_3 += _SINCE_11 + (_SINCE_12 if version < 12 else "") + _SINCE_13 + _SINCE_14
    _execute(connection, from_2 + since_3)


def _execute(connection: sqlite3.Connection, script: str) -> None:
    for statement in script.split(";"):
        if statement.strip():
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version={VERSION}")


def is_damage(error: Exception) -> bool:
    """Whether the file itself is at fault, not a lock or a full disk."""
    if isinstance(error, ForeignError | EndlessError):
        return True
    if not isinstance(error, sqlite3.Error):
        return damage.is_damage(error)
    name = getattr(error, "sqlite_errorname", "") or ""
    return name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")) or any(
        sign in str(error) for sign in ("no such table", "no such column", "decode to UTF-8")
    )


def _journal_mode(connection: sqlite3.Connection) -> None:
    """Switch to write-ahead logging; the busy timeout does not cover this switch."""
    limit = time.monotonic() + BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > limit:
                raise
            time.sleep(0.01)


def clean(text: str) -> str:
    """Text that SQLite can store: a lone surrogate has no UTF-8."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
