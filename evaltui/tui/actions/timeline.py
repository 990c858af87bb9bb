"""The timeline: every run as a point in time, and the board as it stood then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaltui.core.watch_state import WatchState

if TYPE_CHECKING:
    from evaltui.disk.history_timeline import TimelinePoint
    from evaltui.tui.controller import DashboardController


def open(controller: DashboardController) -> None:
    """Show all points; one that is chosen is shown on the board."""
    from evaltui.tui.screens.timeline import TimelineScreen

    def show(points: Sequence[TimelinePoint]) -> None:
        if not points:
            controller.say("There is no finished run yet.")
            return

        def go(chosen: str) -> None:
            travel = controller.time_travel
            travel.go(next(one for one in points if one.run_id == chosen))

        controller.ask(TimelineScreen(points), go)

    controller.time_travel.read(show)


def back(controller: DashboardController) -> None:
    controller.time_travel.step(1)


def forward(controller: DashboardController) -> None:
    controller.time_travel.step(-1)


def not_read(controller: DashboardController) -> str | None:
    if controller.session.state is WatchState.REPLAY:
        return "this is a recorded run; open the project with `evaltui` to see earlier ones"
    return None if controller.session.store.read_at else "the project is still being read"


def not_past(controller: DashboardController) -> str | None:
    return None if controller.time_travel.is_past else "the board is that of now"
