"""Looking: zoom, filter, views, problems, agents, what the diff is against."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.core.watch_state import WatchState
from evaltui.tui.actions.editing import no_case
from evaltui.tui.actions.run import ONE_AGENT, no_cases, none_to_walk
from evaltui.tui.navigation import PaneId
from evaltui.tui.order import Order, in_order
from evaltui.tui.view import View

if TYPE_CHECKING:
    from evaltui.core.case import CaseKey
    from evaltui.tui.controller import DashboardController


def zoom(controller: DashboardController) -> None:
    navigation = controller.layout.navigation
    navigation.is_zoomed = not navigation.is_zoomed
    controller.layout.arrange()


def edit_filter(controller: DashboardController) -> None:
    """A line above the footer that filters while it is typed; searches text in reading panes."""
    from evaltui.tui.panes.filter_bar import FilterBar

    reading, cases = controller.layout.reading, controller.layout.cases
    if reading is not None:

        def search(text: str) -> str:
            return f"{reading.search(text)} found" if text else ""

        FilterBar.open(controller, "search", "", search)
        return
    controller.layout.go(PaneId.CASES)
    FilterBar.open(controller, "filter", cases.arrangement.filter.text, cases.apply_filter)


def next_problem(controller: DashboardController) -> None:
    _problem(controller, 1)


def previous_problem(controller: DashboardController) -> None:
    _problem(controller, -1)


def choose_view(controller: DashboardController) -> None:
    """A menu with a letter and a count for each view; the key pressed again goes to the next."""
    from evaltui.tui.screens.menu import Menu
    from evaltui.tui.screens.picker import Choice

    cases = controller.layout.cases
    now = cases.arrangement.view
    views = View.among(is_several=controller.is_several)

    def choices() -> list[Choice]:
        rows, differing = controller.board.rows.values(), cases.matrix.differing
        return [
            Choice(
                view,
                str(view).capitalize(),
                view.letter,
                f"{sum(view.shows(row, differing) for row in rows):,}"
                + (" · in force" if view is now else ""),
            )
            for view in views
        ]

    following = views[(views.index(now) + 1) % len(views)]
    again = dict.fromkeys(controller.keymap.keys.get("cases.view", ()), str(following))
    menu = Menu("Show which cases?", choices(), first=now, again=again)
    controller.ask(
        menu,
        lambda name: cases.look_at(View(name)),
        renew=lambda: menu.renew(choices()),
    )


def sort(controller: DashboardController) -> None:
    """A menu with a letter for each order; the key pressed again sorts as before."""
    from evaltui.tui.screens.menu import Menu
    from evaltui.tui.screens.picker import Choice

    now = controller.layout.cases.arrangement.order
    choices = [
        Choice(order, str(order).capitalize(), order.letter, "in force" if order is now else "")
        for order in Order
    ]

    def answer(name: str) -> None:
        controller.layout.cases.sort_by(Order(name))
        controller.layout.suites.sort()

    again = dict.fromkeys(controller.keymap.keys.get("cases.sort", ()), str(now))
    controller.ask(Menu("Sort the cases", choices, first=now, again=again), answer)


def against(controller: DashboardController) -> None:
    word = controller.layout.detail.next_against()
    if word:
        controller.say(f"Diff against {word}.")


def next_agent(controller: DashboardController) -> None:
    names = controller.session.agents
    here = names.index(controller.agent) if controller.agent in names else -1
    controller.switch_agent(names[(here + 1) % len(names)])


def walk(controller: DashboardController) -> None:
    """Every failure in turn: what it is, and what to do about it."""
    walk = controller.walk
    if walk.key:
        walk.next()
    else:
        walk.begin(_failures(controller))
    if walk.key:
        controller.open(walk.key)
    else:
        walk.stop()
        controller.say("That was the last failure.")


def nothing_beside(controller: DashboardController) -> str | None:
    """A pack holds one result of each case, and what it expects is for judges to say."""
    if controller.session.state is WatchState.PACK:
        return "a pack has one result of each case; `=` compares it with another run"
    return no_case(controller)


def no_other_agent(controller: DashboardController) -> str | None:
    return None if len(controller.session.agents) > 1 else ONE_AGENT


def no_text_or_cases(controller: DashboardController) -> str | None:
    """Against filtering and searching."""
    return None if controller.layout.reading else no_cases(controller)


def no_problem(controller: DashboardController) -> str | None:
    """Against going to the next problem, or to the next match of a search."""
    reading = controller.layout.reading
    return None if reading and reading.has_matches else none_to_walk(controller)


def _problem(controller: DashboardController, step: int) -> None:
    reading = controller.layout.reading
    if reading is not None and reading.next_match(step):
        return
    cases = controller.layout.cases
    while key := cases.arrangement.next_problem(cases.cursor, step):
        if cases.reveal(key):  # else it failed since, and does not fit the filter any more
            return
    controller.say("Nothing that is shown failed: Esc shows all cases.")


def _failures(controller: DashboardController) -> tuple[CaseKey, ...]:
    """Those of the list, folded or not, in its order; all of them where filter, view and suite
    leave it none."""
    arrangement = controller.layout.cases.arrangement
    ordered = in_order(controller.board, arrangement.order)
    return arrangement.problems or tuple(row.key for row in ordered if row.is_failing)
