"""Moving: lines, folds, panes, tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.tui.navigation import PaneId
from evaltui.tui.view import View

if TYPE_CHECKING:
    from evaltui.tui.controller import DashboardController

END = 1 << 30


def down(controller: DashboardController) -> None:
    controller.layout.current.move(1)


def up(controller: DashboardController) -> None:
    controller.layout.current.move(-1)


def top(controller: DashboardController) -> None:
    controller.layout.current.go(0)


def bottom(controller: DashboardController) -> None:
    controller.layout.current.go(END)


def page_down(controller: DashboardController) -> None:
    controller.layout.current.page(1)


def page_up(controller: DashboardController) -> None:
    controller.layout.current.page(-1)


def out(controller: DashboardController) -> None:
    layout = controller.layout
    has_folded = layout.current.fold(True)
    if layout.navigation.pane is PaneId.CASES:
        if not has_folded and layout.navigation.size == "wide":
            controller.layout.go(PaneId.SUITES)
    elif layout.navigation.pane is PaneId.DETAIL and not has_folded:
        controller.layout.go(PaneId.CASES)


def into(controller: DashboardController) -> None:
    layout = controller.layout
    has_unfolded = layout.current.fold(False)
    if layout.navigation.pane is PaneId.SUITES:
        controller.layout.go(PaneId.CASES)
    elif layout.navigation.pane is PaneId.CASES and not has_unfolded and controller.row is not None:
        controller.layout.go(PaneId.DETAIL)


def open_line(controller: DashboardController) -> None:
    if controller.walk.key and controller.layout.navigation.pane is PaneId.CASES:
        controller.layout.go(PaneId.DETAIL)
        return
    controller.layout.current.on_opened()


def back(controller: DashboardController) -> None:
    """One step out of wherever somebody is; after the last step it does nothing."""
    layout = controller.layout
    cases = layout.cases
    if layout.navigation.back():
        controller.layout.arrange()
    elif controller.time_travel.is_past:
        controller.time_travel.back_to_now()
    elif controller.walk.key:
        controller.walk.stop()
    elif cases.choice.keys:
        cases.choose_none()
    elif cases.arrangement.filter.text:
        cases.apply_filter("")
    elif cases.ungroup():
        pass
    elif cases.arrangement.view is not View.ALL:
        cases.look_at(View.ALL)
    elif not layout.suites.show_all():
        layout.screen.query("#guide").remove()


def extend_down(controller: DashboardController) -> None:
    if controller.layout.navigation.pane is PaneId.CASES:
        controller.layout.cases.choose_to(controller.layout.cases.cursor + 1)


def extend_up(controller: DashboardController) -> None:
    if controller.layout.navigation.pane is PaneId.CASES:
        controller.layout.cases.choose_to(controller.layout.cases.cursor - 1)


def choose(controller: DashboardController) -> None:
    if controller.layout.navigation.pane is PaneId.CASES:
        controller.layout.cases.choose()


def to_suites(controller: DashboardController) -> None:
    """The key pressed again turns suites into tools, and back."""
    if controller.layout.navigation.pane is PaneId.SUITES:
        controller.layout.suites.turn()
        controller.layout.arrange()
    else:
        controller.layout.go(PaneId.SUITES)


def to_cases(controller: DashboardController) -> None:
    controller.layout.go(PaneId.CASES)


def to_detail(controller: DashboardController) -> None:
    controller.layout.go(PaneId.DETAIL)


def to_problems(controller: DashboardController) -> None:
    _toggle(controller, PaneId.PROBLEMS)


def to_tools(controller: DashboardController) -> None:
    _toggle(controller, PaneId.TOOLS)


def next_pane(controller: DashboardController) -> None:
    controller.layout.go(controller.layout.navigation.next())


def previous_pane(controller: DashboardController) -> None:
    controller.layout.go(controller.layout.navigation.next(-1))


def detail_down(controller: DashboardController) -> None:
    controller.layout.detail.scroll_text(1)


def detail_up(controller: DashboardController) -> None:
    controller.layout.detail.scroll_text(-1)


def next_tab(controller: DashboardController) -> None:
    controller.layout.detail.next_tab(1)


def previous_tab(controller: DashboardController) -> None:
    controller.layout.detail.next_tab(-1)


def _toggle(controller: DashboardController, drawer: PaneId) -> None:
    """The key that opens a drawer closes it when the drawer has the focus."""
    if controller.layout.navigation.pane is drawer:
        controller.layout.navigation.back()
        controller.layout.arrange()
    else:
        controller.layout.go(drawer)
