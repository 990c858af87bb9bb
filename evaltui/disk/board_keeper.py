"""Keeps the last board on disk: a moment after a run, and at the end."""

import asyncio
from contextlib import suppress
from pathlib import Path

from evaltui.core.events import (
    BaselinePinned,
    CaseMuted,
    CasesStale,
    Event,
    ResultsLoaded,
    RunFinished,
)
from evaltui.disk.last_board import write_last_boards
from evaltui.store.store import Store

DELAY_S = 1.0
"""Runs that follow each other faster than this are written once."""


class BoardKeeper:
    """A sink. What it writes is a copy: a folder that cannot be written costs only the copy."""

    hears = frozenset({RunFinished, CasesStale, BaselinePinned, CaseMuted, ResultsLoaded})

    def __init__(self, folder: Path, store: Store) -> None:
        self._folder, self._store = folder, store
        self._is_due = False
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Future[None] | None = None

    def handle(self, event: Event) -> None:
        self._is_due = True
        if isinstance(event, RunFinished) and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(DELAY_S, self._begin)

    async def close(self) -> None:
        """Write what changed since the last time."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._writing is not None:
            await self._writing
        if self._is_due:
            self._is_due = False
            await asyncio.to_thread(self._write)

    def _begin(self) -> None:
        self._timer = None
        if self._is_due and (self._writing is None or self._writing.done()):
            self._is_due = False
            # Looking through 20,000 rows takes longer than a frame; `rows` is replaced, never
            # changed in its keys, so a thread may walk it.
            self._writing = asyncio.get_running_loop().run_in_executor(None, self._write)

    def _write(self) -> None:
        boards = [board for board in self._store.boards.values() if board.rows]
        if boards:
            with suppress(OSError):
                write_last_boards(self._folder, boards)
