"""A recorded run, played with the timing it had."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from evaltui.core.events import (
    CaseFinished,
    Event,
    ProblemFound,
    ProjectRead,
    RunFinished,
    RunStarted,
)
from evaltui.tui.sessions.session_protocol import SessionProtocol

LONGEST_S = 2.0
"""Nobody wants to wait longer than this for the next thing to happen."""


async def play(path: Path, session: SessionProtocol, show_time: Callable[[float], None]) -> None:
    """Feed the store and everyone who listens. Lines that are no events are one problem.

    `show_time` hears the time of each event: elapsed times and ages count from there.

    Raises UserError, with the problem, for what is no recorded run.
    """
    from evaltui.disk.journal.journal_reading import no_recorded_run, read_events

    before = 0.0
    for event in read_events(path):
        at = time_of(event)
        if at and before:
            await asyncio.sleep(min(LONGEST_S, max(0.0, at - before)))
        before = at or before
        if at:
            show_time(at)
        session.emit(event)
        await asyncio.sleep(0)
    if not (session.store.read_at or session.store.suites):
        raise no_recorded_run(path, "it does not say which cases there were")


def time_of(event: Event) -> float:
    """Seconds since the epoch at which it happened; 0.0 when it does not say."""
    match event:
        case ProjectRead() | ProblemFound():
            return event.at
        case RunStarted():
            return event.started_at
        case CaseFinished(_, result):
            return result.finished_at
        case RunFinished():
            return event.finished_at
    return 0.0
