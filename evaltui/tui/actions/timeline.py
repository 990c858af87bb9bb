"""The timeline: every run as a point in time, and the board as it stood then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaltui.core.watch_state import WatchState

if TYPE_CHECKING:
    from evaltui.disk.history.history_timeline import TimelinePoint
    from evaltui.tui.controller import DashboardController
    from evaltui.tui.screens.timeline import TimelineScreen


def open(controller: DashboardController) -> None:
    """Show all points: one that is chosen is shown on the board, two are held against each
    other."""
    from evaltui.tui.screens.timeline import TimelineScreen

    def show(points: Sequence[TimelinePoint]) -> None:
        if not points:
            controller.say("There is no finished run yet.")
            return
        screen = TimelineScreen(points, first=controller.time_travel.shown)
        controller.ask(screen, lambda chosen: _go(controller, points, chosen, screen))

    controller.time_travel.read(show)


def _go(
    controller: DashboardController,
    points: Sequence[TimelinePoint],
    chosen: str,
    screen: TimelineScreen,
) -> None:
    """Newest first, as the points are: of two the later one is shown against the earlier."""
    from evaltui.tui.actions.baselines import pin_named

    travel = controller.time_travel
    if screen.is_to_pin:
        point = next(point for point in points if point.run_id == chosen)
        travel.go(point, then=lambda: pin_named(controller))
        return
    found = [point for point in points if point.run_id in (chosen, screen.marked)]
    travel.go(found[0], found[1] if len(found) > 1 else None)


def back(controller: DashboardController) -> None:
    controller.time_travel.step(1)


def forward(controller: DashboardController) -> None:
    controller.time_travel.step(-1)


def not_read(controller: DashboardController) -> str | None:
    if controller.session.state is WatchState.REPLAY:
        return "this is a recorded run; open the project with `evaltui` to see earlier ones"
    if controller.session.state is WatchState.PACK:
        return "an evidence pack is one run; open the project with `evaltui` to see others"
    return None if controller.session.store.read_at else "the project is still being read"


def not_past(controller: DashboardController) -> str | None:
    return None if controller.time_travel.is_past else "this is the current board"
