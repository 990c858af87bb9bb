"""Looking: zoom, filter, views, problems, agents, what the diff is against."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.tui.places import DRAWERS, Place
from evaltui.tui.view import PROBLEMS

if TYPE_CHECKING:
    from evaltui.tui.desk import Desk
    from evaltui.tui.pane import ReadingPane


def zoom(desk: Desk) -> None:
    desk.places.is_zoomed = not desk.places.is_zoomed
    desk.arrange()


def edit_filter(desk: Desk) -> None:
    """A line above the footer that filters while it is typed; searches text in reading panes."""
    from evaltui.tui.panes.filter_bar import FilterBar

    if desk.places.place is Place.DETAIL or desk.places.place in DRAWERS:
        pane: ReadingPane = desk.here  # type: ignore[assignment]
        FilterBar.open(
            desk, "search", "", lambda text: f"{pane.search(text)} found" if text else ""
        )
        return
    desk.go(Place.CASES)
    FilterBar.open(desk, "filter", desk.cases.filter.text, desk.cases.narrow)


def next_problem(desk: Desk) -> None:
    _problem(desk, 1)


def previous_problem(desk: Desk) -> None:
    _problem(desk, -1)


def next_view(desk: Desk) -> None:
    desk.cases.look_at(desk.cases.view.next(is_several=desk.is_several))
    desk.footer.refresh()


def sort(desk: Desk) -> None:
    desk.cases.sort()
    desk.suites.sort()


def against(desk: Desk) -> None:
    word = desk.detail.next_against()
    if word:
        desk.say(f"Diff against {word}.")


def next_agent(desk: Desk) -> None:
    names = desk.session.agents
    here = names.index(desk.agent) if desk.agent in names else -1
    desk.turn_to(names[(here + 1) % len(names)])


def walk(desk: Desk) -> None:
    """Every failure in turn: what it is, and what to do about it."""
    if not desk.walk:
        rows = desk.board.rows
        desk.walk = [key for key in desk.cases.shown if rows[key].standing in PROBLEMS]
        if not desk.walk:
            desk.cases.narrow("")
            desk.walk = [key for key in desk.cases.shown if rows[key].standing in PROBLEMS]
        total = len(desk.walk)
        desk.mode = f"WALK 1/{total}"
    else:
        desk.walk.pop(0)
        total = int(desk.mode.rpartition("/")[2])
        desk.mode = f"WALK {total - len(desk.walk) + 1}/{total}"
    if not desk.walk:
        desk.mode = ""
        desk.say("That was the last failure.")
    else:
        desk.cases.go_to(desk.walk[0])
        desk.go(Place.DETAIL)
    desk.footer.refresh()


def no_case(desk: Desk) -> str | None:
    return None if desk.row else "there is no case under the cursor"


def no_other_agent(desk: Desk) -> str | None:
    return None if len(desk.session.agents) > 1 else "only one agent is configured"


def _problem(desk: Desk, step: int) -> None:
    place = desk.places.place
    if place is Place.DETAIL or place in DRAWERS:
        pane: ReadingPane = desk.here  # type: ignore[assignment]
        if pane.next_match(step):
            return
    if not desk.cases.next_problem(step):
        desk.say("Nothing failed.")
