"""Looking: zoom, filter, views, problems, agents, what the diff is against."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.tui.navigation import DRAWERS, PaneId
from evaltui.tui.view import PROBLEMS

if TYPE_CHECKING:
    from evaltui.tui.controller import DashboardController
    from evaltui.tui.pane import ReadingPane


def zoom(controller: DashboardController) -> None:
    controller.navigation.is_zoomed = not controller.navigation.is_zoomed
    controller.arrange()


def edit_filter(controller: DashboardController) -> None:
    """A line above the footer that filters while it is typed; searches text in reading panes."""
    from evaltui.tui.panes.filter_bar import FilterBar

    if controller.navigation.pane is PaneId.DETAIL or controller.navigation.pane in DRAWERS:
        pane: ReadingPane = controller.here  # type: ignore[assignment]
        FilterBar.open(
            controller, "search", "", lambda text: f"{pane.search(text)} found" if text else ""
        )
        return
    controller.go(PaneId.CASES)
    FilterBar.open(
        controller, "filter", controller.cases.filter.text, controller.cases.apply_filter
    )


def next_problem(controller: DashboardController) -> None:
    _problem(controller, 1)


def previous_problem(controller: DashboardController) -> None:
    _problem(controller, -1)


def next_view(controller: DashboardController) -> None:
    controller.cases.look_at(controller.cases.view.next(is_several=controller.is_several))
    controller.footer.refresh()


def sort(controller: DashboardController) -> None:
    controller.cases.sort()
    controller.suites.sort()


def against(controller: DashboardController) -> None:
    word = controller.detail.next_against()
    if word:
        controller.say(f"Diff against {word}.")


def next_agent(controller: DashboardController) -> None:
    names = controller.session.agents
    here = names.index(controller.agent) if controller.agent in names else -1
    controller.switch_agent(names[(here + 1) % len(names)])


def walk(controller: DashboardController) -> None:
    """Every failure in turn: what it is, and what to do about it."""
    if not controller.walk:
        rows = controller.board.rows
        controller.walk = [key for key in controller.cases.shown if rows[key].status in PROBLEMS]
        if not controller.walk:
            controller.cases.apply_filter("")
            controller.walk = [
                key for key in controller.cases.shown if rows[key].status in PROBLEMS
            ]
        total = len(controller.walk)
        controller.mode = f"WALK 1/{total}"
    else:
        controller.walk.pop(0)
        total = int(controller.mode.rpartition("/")[2])
        controller.mode = f"WALK {total - len(controller.walk) + 1}/{total}"
    if not controller.walk:
        controller.mode = ""
        controller.say("That was the last failure.")
    else:
        controller.cases.go_to(controller.walk[0])
        controller.go(PaneId.DETAIL)
    controller.footer.refresh()


def no_case(controller: DashboardController) -> str | None:
    return None if controller.row else "there is no case under the cursor"


def no_other_agent(controller: DashboardController) -> str | None:
    return None if len(controller.session.agents) > 1 else "only one agent is configured"


def _problem(controller: DashboardController, step: int) -> None:
    place = controller.navigation.pane
    if place is PaneId.DETAIL or place in DRAWERS:
        pane: ReadingPane = controller.here  # type: ignore[assignment]
        if pane.next_match(step):
            return
    if not controller.cases.next_problem(step):
        controller.say("Nothing failed.")
