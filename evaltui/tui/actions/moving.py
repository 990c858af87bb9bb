"""Moving: lines, folds, panes, tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.tui.navigation import PaneId
from evaltui.tui.panes.line_list import LineList
from evaltui.tui.view import View

if TYPE_CHECKING:
    from evaltui.tui.controller import DashboardController
    from evaltui.tui.pane import ReadingPane

END = 1 << 30


def _list(controller: DashboardController) -> LineList | ReadingPane:
    return controller.here  # type: ignore[return-value]


def down(controller: DashboardController) -> None:
    _list(controller).move(1)


def up(controller: DashboardController) -> None:
    _list(controller).move(-1)


def top(controller: DashboardController) -> None:
    _list(controller).go(0)


def bottom(controller: DashboardController) -> None:
    _list(controller).go(END)


def page_down(controller: DashboardController) -> None:
    _list(controller).page(1)


def page_up(controller: DashboardController) -> None:
    _list(controller).page(-1)


def out(controller: DashboardController) -> None:
    place = controller.navigation.pane
    if place is PaneId.CASES:
        if not controller.cases.fold(True) and controller.navigation.size == "wide":
            controller.go(PaneId.SUITES)
    elif place is PaneId.DETAIL:
        if not controller.detail.fold(True):
            controller.go(PaneId.CASES)
    elif place is not PaneId.SUITES:
        _list(controller).fold(True)  # type: ignore[union-attr]


def into(controller: DashboardController) -> None:
    place = controller.navigation.pane
    if place is PaneId.SUITES:
        controller.go(PaneId.CASES)
    elif place is PaneId.CASES:
        if not controller.cases.fold(False) and controller.row is not None:
            controller.go(PaneId.DETAIL)
    else:
        _list(controller).fold(False)  # type: ignore[union-attr]


def open_line(controller: DashboardController) -> None:
    if controller.walk and controller.navigation.pane is PaneId.CASES:
        controller.go(PaneId.DETAIL)
        return
    _list(controller).on_opened()


def back(controller: DashboardController) -> None:
    """One step out of wherever somebody is; at the end of all steps it does nothing."""
    cases = controller.cases
    if controller.screen.query("#guide"):
        controller.screen.query("#guide").remove()
    elif controller.navigation.back():
        controller.arrange()
    elif controller.walk or controller.mode:
        controller.walk, controller.mode = [], ""
        controller.footer.refresh()
    elif cases.chosen:
        cases.choose_none()
    elif cases.filter.text:
        cases.apply_filter("")
    elif cases.view is not View.ALL:
        cases.look_at(View.ALL)
    else:
        controller.suites.show_all()
    controller.footer.refresh()


def extend_down(controller: DashboardController) -> None:
    if controller.navigation.pane is PaneId.CASES:
        controller.cases.choose_to(controller.cases.cursor + 1)


def extend_up(controller: DashboardController) -> None:
    if controller.navigation.pane is PaneId.CASES:
        controller.cases.choose_to(controller.cases.cursor - 1)


def choose(controller: DashboardController) -> None:
    if controller.navigation.pane is PaneId.CASES:
        controller.cases.choose()


def to_suites(controller: DashboardController) -> None:
    controller.go(PaneId.SUITES)


def to_cases(controller: DashboardController) -> None:
    controller.go(PaneId.CASES)


def to_detail(controller: DashboardController) -> None:
    controller.go(PaneId.DETAIL)


def to_problems(controller: DashboardController) -> None:
    _toggle(controller, PaneId.PROBLEMS)


def to_tools(controller: DashboardController) -> None:
    _toggle(controller, PaneId.TOOLS)


def next_pane(controller: DashboardController) -> None:
    controller.go(controller.navigation.next())


def previous_pane(controller: DashboardController) -> None:
    controller.go(controller.navigation.next(-1))


def detail_down(controller: DashboardController) -> None:
    controller.detail.move(1)


def detail_up(controller: DashboardController) -> None:
    controller.detail.move(-1)


def next_tab(controller: DashboardController) -> None:
    controller.detail.next_tab(1)


def previous_tab(controller: DashboardController) -> None:
    controller.detail.next_tab(-1)


def _toggle(controller: DashboardController, place: PaneId) -> None:
    """The key that opens a drawer closes it when one stands in it."""
    if controller.navigation.pane is place:
        controller.navigation.back()
        controller.arrange()
    else:
        controller.go(place)
