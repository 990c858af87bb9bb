"""A result that is recorded after a newer one of its case: another process was faster."""

import sqlite3

from evaltui.disk.history.history_schema import KEPT
from evaltui.store.row import STRIP_LENGTH


def late_seq(connection: sqlite3.Connection, case: int, run: int, finished_at: float) -> int:
    """The number that such a result takes among those of its case, which are in the order in which
    they finished; 0 where it is recorded already, or older than all that are kept."""
    kept = connection.execute(
        'SELECT seq, run, finished_at FROM past WHERE "case"=? ORDER BY seq DESC', (case,)
    ).fetchall()
    if any(other == run for _, other, _ in kept):
        return 0
    for seq, _, at in kept:
        if at <= finished_at:
            return int(seq) + 1
    return int(kept[-1][0]) if 0 < len(kept) < KEPT else 0


def make_room(connection: sqlite3.Connection, case: int, seq: int, letter: str) -> None:
    """Move the results from `seq` on by one, and put `letter` into the strip of verdicts there.

    `past` then lacks the row of `seq`. The oldest of a full ring goes, as with a new result.
    """
    later = connection.execute(
        'SELECT * FROM past WHERE "case"=? AND seq>=? ORDER BY seq', (case, seq)
    ).fetchall()
    connection.execute('DELETE FROM past WHERE "case"=? AND seq>=?', (case, seq))
    places = ",".join("?" * len(later[0]))
    connection.executemany(
        f"INSERT OR REPLACE INTO past VALUES({places})",
        [(row[0], (row[2] + 1) % KEPT, row[2] + 1, *row[3:]) for row in later],
    )
    (strip,) = connection.execute('SELECT strip FROM latest WHERE "case"=?', (case,)).fetchone()
    at = len(strip) - len(later)
    if at >= 0:
        strip = (strip[:at] + letter + strip[at:])[-STRIP_LENGTH:]
    connection.execute('UPDATE latest SET seq=seq+1, strip=? WHERE "case"=?', (strip, case))
