"""Steps the board through past runs, and back to the present."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from evaltui.core.errors import EvaltuiError
from evaltui.tui.sessions.session_protocol import board_of
from evaltui.tui.view import View

if TYPE_CHECKING:
    from textual.worker import Worker

    from evaltui.core.case import CaseKey
    from evaltui.core.result import CaseResult
    from evaltui.disk.history.history_timeline import TimelinePoint
    from evaltui.store.board import Board
    from evaltui.tui.controller import DashboardController
    from evaltui.tui.sessions.session_protocol import SessionProtocol


class TimeTravel:
    """What is shown in place of now. Nothing is read before it is asked for, and all in threads."""

    def __init__(self, controller: DashboardController) -> None:
        self._controller = controller
        self._now: SessionProtocol | None = None
        """The session in force while another is shown."""
        self._points: Sequence[TimelinePoint] = ()
        """Newest first."""
        self._at: TimelinePoint | None = None
        """The point that is shown."""
        self._position_of_now = 0
        """In `points`; -1 while the board of now holds results that no point has."""
        self._steps = 0
        self._worker: Worker[None] | None = None
        self._view_before: View | None = None
        """While two points are compared: what was seen before."""

    @property
    def is_past(self) -> bool:
        """Whether the board of an earlier run is shown."""
        return self._now is not None

    @property
    def shown(self) -> str:
        """Id of the run whose board is shown; empty for now."""
        return self._at.run_id if self._at is not None else ""

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

    def go(
        self,
        point: TimelinePoint,
        since: TimelinePoint | None = None,
        then: Callable[[], None] = lambda: None,
    ) -> None:
        """Show the board of a point, held against the one `since` or just before its run."""

        async def show() -> None:
            await self._show(point, since)
            then()

        self._start(show)

    def pin(self, keys: Collection[CaseKey], name: str, then: Callable[[], None]) -> None:
        """Pin results of these cases as they are shown, under a name."""
        now, agent, at = self.now, self._controller.agent, self._at

        async def write() -> None:
            if at is not None:
                await now.baselines.pin_at(keys, agent, at, name)
                then()

        self._start(write)

    def back_to_now(self) -> None:
        """Show what is known now."""
        if self._worker is not None:
            self._worker.cancel()
        self._steps = 0
        now, self._now, self._at = self._now, None, None
        if now is not None:
            self._controller.layout.cases.arrangement.compared = ""
            self._controller.show_board(now, self._controller.agent)
            self._look_back()

    async def _step(self) -> None:
        while self._steps:
            if not self.is_past:
                await self._load()
            steps, self._steps = self._steps, 0
            position = self._position
            wanted = position + steps
            if wanted <= self._position_of_now:
                self.back_to_now()
                return
            if wanted >= len(self._points):
                self._controller.say("No earlier run has results that are still kept.")
                wanted = max(position, len(self._points) - 1)
            if wanted != position:
                await self._show(self._points[wanted])

    @property
    def _position(self) -> int:
        """In `points`, of what is shown."""
        if self._at is None:
            return self._position_of_now
        ids = [point.run_id for point in self._points]
        return ids.index(self._at.run_id) if self._at.run_id in ids else len(ids)

    async def _load(self) -> None:
        board = board_of(self.now, self._controller.agent)
        newest, run = _newest(board), board.runs.last if board.runs.is_on else None
        timeline, mutes = self.now.history.timeline, tuple(self.now.store.mutes)
        points = await asyncio.to_thread(timeline, self._controller.agent, mutes)
        # The history has the results of a run that is on, and not yet how it ended.
        on = run.run_id if run is not None else ""
        self._points = [replace(one, is_on=one.run_id == on) for one in points]
        last = self._points[0].run_id if self._points else ""
        self._position_of_now = 0 if newest is None or newest.run_id == last else -1

    async def _show(self, point: TimelinePoint, since: TimelinePoint | None = None) -> None:
        from evaltui.tui.sessions.past_session import PastSession

        now, agent = self.now, self._controller.agent
        shown = await asyncio.to_thread(PastSession, now, agent, point, since)
        self._now, self._at = now, point
        self._controller.layout.cases.arrangement.compared = shown.title if since else ""
        self._controller.show_board(shown, agent)
        if since is None:
            self._look_back()
        else:
            self._look_at_changes()
            if shown.whole is not None:
                self._controller.say("; ".join(shown.whole.lines()))

    def _look_at_changes(self) -> None:
        cases = self._controller.layout.cases
        if self._view_before is None:
            self._view_before = cases.arrangement.view
        cases.look_at(View.SAVE)

    def _look_back(self) -> None:
        view, self._view_before = self._view_before, None
        if view is not None:
            self._controller.layout.cases.look_at(view)

    def _start(self, work: Callable[[], Coroutine[None, None, None]]) -> None:
        async def guarded() -> None:
            try:
                await work()
            except (EvaltuiError, OSError) as error:
                self._steps = 0
                self._controller.warn(str(error))

        self._worker = self._controller.app.run_worker(guarded(), name="timeline")


def _newest(board: Board) -> CaseResult | None:
    """The youngest result on a board."""
    results = (row.result for row in board.rows.values() if row.result is not None)
    return max(results, key=lambda result: result.finished_at, default=None)
