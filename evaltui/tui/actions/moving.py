"""Moving: lines, folds, panes, tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.tui.panes.line_list import LineList
from evaltui.tui.places import Place
from evaltui.tui.view import View

if TYPE_CHECKING:
    from evaltui.tui.desk import Desk
    from evaltui.tui.pane import ReadingPane

END = 1 << 30


def _list(desk: Desk) -> LineList | ReadingPane:
    return desk.here  # type: ignore[return-value]


def down(desk: Desk) -> None:
    _list(desk).move(1)


def up(desk: Desk) -> None:
    _list(desk).move(-1)


def top(desk: Desk) -> None:
    _list(desk).go(0)


def bottom(desk: Desk) -> None:
    _list(desk).go(END)


def page_down(desk: Desk) -> None:
    _list(desk).page(1)


def page_up(desk: Desk) -> None:
    _list(desk).page(-1)


def out(desk: Desk) -> None:
    place = desk.places.place
    if place is Place.CASES:
        if not desk.cases.fold(True) and desk.places.size == "wide":
            desk.go(Place.SUITES)
    elif place is Place.DETAIL:
        if not desk.detail.fold(True):
            desk.go(Place.CASES)
    elif place is not Place.SUITES:
        _list(desk).fold(True)  # type: ignore[union-attr]


def into(desk: Desk) -> None:
    place = desk.places.place
    if place is Place.SUITES:
        desk.go(Place.CASES)
    elif place is Place.CASES:
        if not desk.cases.fold(False) and desk.row is not None:
            desk.go(Place.DETAIL)
    else:
        _list(desk).fold(False)  # type: ignore[union-attr]


def open_line(desk: Desk) -> None:
    if desk.walk and desk.places.place is Place.CASES:
        desk.go(Place.DETAIL)
        return
    _list(desk).on_opened()


def back(desk: Desk) -> None:
    """One step out of wherever somebody is; at the end of all steps it does nothing."""
    cases = desk.cases
    if desk.screen.query("#guide"):
        desk.screen.query("#guide").remove()
    elif desk.places.back():
        desk.arrange()
    elif desk.walk or desk.mode:
        desk.walk, desk.mode = [], ""
        desk.footer.refresh()
    elif cases.chosen:
        cases.choose_none()
    elif cases.filter.text:
        cases.narrow("")
    elif cases.view is not View.ALL:
        cases.look_at(View.ALL)
    else:
        desk.suites.show_all()
    desk.footer.refresh()


def extend_down(desk: Desk) -> None:
    if desk.places.place is Place.CASES:
        desk.cases.choose_to(desk.cases.cursor + 1)


def extend_up(desk: Desk) -> None:
    if desk.places.place is Place.CASES:
        desk.cases.choose_to(desk.cases.cursor - 1)


def choose(desk: Desk) -> None:
    if desk.places.place is Place.CASES:
        desk.cases.choose()


def to_suites(desk: Desk) -> None:
    desk.go(Place.SUITES)


def to_cases(desk: Desk) -> None:
    desk.go(Place.CASES)


def to_detail(desk: Desk) -> None:
    desk.go(Place.DETAIL)


def to_problems(desk: Desk) -> None:
    _toggle(desk, Place.PROBLEMS)


def to_tools(desk: Desk) -> None:
    _toggle(desk, Place.TOOLS)


def next_pane(desk: Desk) -> None:
    desk.go(desk.places.next())


def previous_pane(desk: Desk) -> None:
    desk.go(desk.places.next(-1))


def detail_down(desk: Desk) -> None:
    desk.detail.move(1)


def detail_up(desk: Desk) -> None:
    desk.detail.move(-1)


def next_tab(desk: Desk) -> None:
    desk.detail.next_tab(1)


def previous_tab(desk: Desk) -> None:
    desk.detail.next_tab(-1)


def _toggle(desk: Desk, place: Place) -> None:
    """The key that opens a drawer closes it when one stands in it."""
    if desk.places.place is place:
        desk.places.back()
        desk.arrange()
    else:
        desk.go(place)
