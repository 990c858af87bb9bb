"""A recorded run, played with the timing it had."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

from evaltui.core.errors import Problem, UserError
from evaltui.core.events import (
    CaseFinished,
    Event,
    ProblemFound,
    ProjectRead,
    RunFinished,
    RunStarted,
)
from evaltui.tui.session_protocol import SessionProtocol

LONGEST_S = 2.0
"""Nobody wants to wait longer than this for the next thing to happen."""


async def play(path: Path, session: SessionProtocol) -> None:
    """Feed the store and everyone who listens. Lines that are no events are one problem."""
    before = 0.0
    for event in read_events(path):
        at = time_of(event)
        if at and before:
            await asyncio.sleep(min(LONGEST_S, max(0.0, at - before)))
        before = at or before
        session.emit(event)
        await asyncio.sleep(0)


def read_events(path: Path) -> Iterator[Event]:
    """Events of a `.jsonl` file in their order. Raises UserError when it cannot be read."""
    from evaltui.disk.codec import decode_event

    bad: list[int] = []
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                try:
                    yield decode_event(line)
                except ValueError:
                    bad.append(number)
    except OSError as error:
        raise UserError(
            f"`{path}` cannot be read: {error.strerror}.", "Choose another file."
        ) from error
    if bad:
        lines = f"line {bad[0]}" if len(bad) == 1 else f"{len(bad)} lines, first line {bad[0]},"
        what = f"{lines} of the recording cannot be understood"
        yield ProblemFound(Problem(str(path), what, "The rest was played.", line=bad[0]))


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
