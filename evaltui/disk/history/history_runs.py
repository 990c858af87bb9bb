"""All runs of an agent that are still known, those too that ended before any case finished."""

import sqlite3
from operator import attrgetter

from evaltui.core.comparison import Effect
from evaltui.disk.history.history_schema import KEPT
from evaltui.disk.history.history_timeline import TimelinePoint, run_end, timeline


def runs(connection: sqlite3.Connection, agent: str) -> list[TimelinePoint]:
    """The points of the timeline, and as far back the runs without a result; newest first."""
    points = timeline(connection, agent)
    # A run from before all of these may be without results because newer ones took their places.
    first = min(point.row for point in points) if len(points) == KEPT else 0
    found = connection.execute(
        "SELECT id, run_id, number, reason, ended, started_at, finished_at FROM runs"
        " WHERE agent=? AND id>=? AND number>0 AND id NOT IN (SELECT run FROM past)"
        " ORDER BY id DESC LIMIT ?",
        (agent, first, KEPT),
    )
    none = dict.fromkeys(Effect, 0)
    empty = (
        TimelinePoint(row, run_id, number, reason, run_end(ended), started_at, at, none, ran=0)
        for row, run_id, number, reason, ended, started_at, at in found
    )
    return sorted((*points, *empty), key=attrgetter("at", "row"), reverse=True)
