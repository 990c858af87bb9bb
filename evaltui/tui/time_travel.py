"""Stepping the board through the runs of the past, and back to now."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING

from evaltui.core.errors import EvaltuiError

if TYPE_CHECKING:
    from textual.worker import Worker

    from evaltui.core.result import CaseResult
    from evaltui.disk.history_timeline import TimelinePoint
    from evaltui.tui.controller import DashboardController
    from evaltui.tui.session_protocol import SessionProtocol


class TimeTravel:
    """What is shown in place of now. Nothing is read before it is asked for, and all in threads."""

    def __init__(self, controller: DashboardController) -> None:
        self._controller = controller
        self._now: SessionProtocol | None = None
        """The session in force while another is shown."""
        self._points: Sequence[TimelinePoint] = ()
        """Newest first."""
        self._position = self._position_of_now = 0
        """In `points`; now is at -1 while it holds results that no point has."""
        self._steps = 0
        self._worker: Worker[None] | None = None

    @property
    def is_past(self) -> bool:
        """Whether the board of an earlier run is shown."""
        return self._now is not None

    @property
    def now(self) -> SessionProtocol:
        """The session in force, whatever is shown."""
        return self._now or self._controller.session

    def step(self, back: int) -> None:
        """So many runs back, or on when negative; keys pressed faster than runs can be read add
        up."""
        self._steps += back
        if self._worker is None or self._worker.is_finished:
            self._start(self._step)

    def read(self, then: Callable[[Sequence[TimelinePoint]], None]) -> None:
        """Read the timeline of the agent that is shown, and hand it over."""

        async def load() -> None:
            await self._load()
            then(self._points)

        self._start(load)

    def go(self, point: TimelinePoint, since: TimelinePoint | None = None) -> None:
        """Show the board of a point, held against the one `since` or just before its run."""
        self._start(lambda: self._show(point, since))

    def back_to_now(self) -> None:
        """Show what is known now."""
        if self._worker is not None:
            self._worker.cancel()
        self._steps = 0
        now, self._now = self._now, None
        if now is not None:
            self._controller.show_board(now, self._controller.agent)

    async def _step(self) -> None:
        while self._steps:
            if not self.is_past:
                await self._load()
                self._position = self._position_of_now
            steps, self._steps = self._steps, 0
            wanted = self._position + steps
            if wanted <= self._position_of_now:
                self.back_to_now()
                return
            if wanted >= len(self._points):
                self._controller.say("There is no earlier run whose results are kept.")
                wanted = max(self._position, len(self._points) - 1)
            if wanted != self._position:
                await self._show(self._points[wanted])

    async def _load(self) -> None:
        newest = _newest(self._controller)
        self._points = await asyncio.to_thread(self.now.timeline, self._controller.agent)
        if not self.is_past:
            is_known = newest is None or (
                bool(self._points) and self._points[0].run_id == newest.run_id
            )
            self._position_of_now = 0 if is_known else -1

    async def _show(self, point: TimelinePoint, since: TimelinePoint | None = None) -> None:
        from evaltui.tui.past_session import PastSession

        now, agent = self.now, self._controller.agent
        found = await asyncio.to_thread(now.results_between, agent, since, point)
        shown = PastSession(now, agent, point, found, since)
        self._now, self._position = now, self._points.index(point)
        self._controller.show_board(shown, agent)

    def _start(self, work: Callable[[], Coroutine[None, None, None]]) -> None:
        async def guarded() -> None:
            try:
                await work()
            except EvaltuiError as error:
                self._steps = 0
                self._controller.warn(str(error))

        self._worker = self._controller.app.run_worker(guarded(), name="timeline")


def _newest(controller: DashboardController) -> CaseResult | None:
    """The youngest result on the board."""
    results = (row.result for row in controller.board.rows.values() if row.result is not None)
    return max(results, key=lambda result: result.finished_at, default=None)
