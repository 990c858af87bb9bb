"""The timeline: every run as a point in time, and the board as it stood then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from evaltui.core.events import Event, RunFinished
from evaltui.core.sink import Sink
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
        screen, now = TimelineScreen(points, controller.keymap, first=travel.shown), travel.now
        ends = _Ends(lambda: travel.read(screen.renew))
        now.add_sink(ends)

        def go(chosen: str) -> None:
            now.remove_sink(ends)
            _go(controller, chosen, screen)

        controller.ask(screen, go, lambda: now.remove_sink(ends))

    travel = controller.time_travel
    travel.read(show)


class _Ends(Sink):
    """While the timeline is open: what it says of a run that ends is not true any more."""

    hears = frozenset({RunFinished})

    def __init__(self, renew: Callable[[], None]) -> None:
        self._renew = renew

    def handle(self, event: Event) -> None:  # noqa: ARG002
        self._renew()


def _go(
    controller: DashboardController,
    chosen: str,
    screen: TimelineScreen,
) -> None:
    """Newest first, as the points are: of two the later one is shown against the earlier."""
    from evaltui.tui.actions.baselines import pin_named

    travel, points = controller.time_travel, screen.points
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
