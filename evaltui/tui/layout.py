"""The panes of one dashboard: which are in sight, where a person stands, what the titles say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from evaltui.core.case import CaseKey
from evaltui.store.board import Board
from evaltui.store.changes import Changes
from evaltui.tui.detail_debouncer import DetailDebouncer
from evaltui.tui.navigation import DRAWERS, Navigation, PaneId
from evaltui.tui.pane import Pane, ReadingPane
from evaltui.tui.render.footer_line import Chip
from evaltui.tui.session_protocol import board_of

if TYPE_CHECKING:
    from textual.screen import Screen
    from textual.widget import Widget

    from evaltui.tui.panes.cases import CasesPane
    from evaltui.tui.panes.footer import FooterPane
    from evaltui.tui.panes.header import HeaderPane
    from evaltui.tui.panes.suites import SuitesPane
    from evaltui.tui.session_protocol import SessionProtocol


class PaneLayout:
    """Panes are reached by their place; whoever owns it says which chips the footer has."""

    def __init__(
        self,
        screen: Screen[Any],
        session: SessionProtocol,
        panes: dict[PaneId, Pane],
        header: HeaderPane,
        footer: FooterPane,
    ) -> None:
        self.screen, self.session = screen, session
        self.panes, self.header, self.footer = panes, header, footer
        self.navigation = Navigation()
        self.agent = first_agent(session)
        """Whose board is shown; what is run, pinned and accepted is this agent's."""
        self._following = DetailDebouncer(screen, self._show_case)

    @property
    def chips(self) -> Sequence[Chip]:
        """What is in force that a reader must not overlook."""
        return ()

    @property
    def cases(self) -> CasesPane:
        return self.panes[PaneId.CASES]  # type: ignore[return-value]

    @property
    def suites(self) -> SuitesPane:
        return self.panes[PaneId.SUITES]  # type: ignore[return-value]

    @property
    def detail(self) -> ReadingPane:
        return self.panes[PaneId.DETAIL]  # type: ignore[return-value]

    @property
    def here(self) -> Pane:
        """The pane with the focus."""
        return self.panes.get(self.navigation.pane, self.cases)

    @property
    def board(self) -> Board:
        return board_of(self.session, self.agent)

    @property
    def is_typing(self) -> bool:
        """Whether keys belong to a line of text now."""
        focused = self.screen.focused
        return focused is not None and not any(
            pane in focused.ancestors_with_self for pane in self.panes.values()
        )

    def attach(self) -> None:
        """Count everything anew, and show the board of the agent in force in every pane."""
        self.cases.matrix.rebuild(self.session)
        self._attach_panes()

    def switch_agent(self, agent: str) -> None:
        """Show another agent's board; the cursor stays on its case."""
        self.agent = agent
        self.cases.hold()
        self._attach_panes()

    def show(self, key: CaseKey | None) -> None:
        """The cursor came to a case: let the detail follow."""
        self._following.want(key)

    def follow(self) -> None:
        """Let the detail follow now, without waiting for the cursor to rest."""
        self._following.follow()

    def open(self, key: CaseKey) -> None:
        """Show the detail of a case, wherever the wish came from."""
        if not self.cases.go_to(key):
            self.suites.show_all()
            self.cases.show_all(key)
        self._following.at_once(key)
        self.go(PaneId.DETAIL)

    def focused(self, widget: Widget) -> None:
        """The mouse, or Textual, put the focus somewhere."""
        for place, pane in self.panes.items():
            if pane in widget.ancestors_with_self and place is not self.navigation.pane:
                self.navigation.go(place)
                self.arrange()

    def resize(self, width: int) -> None:
        if width != self.navigation.width:
            self.navigation.resize(width)
            self.arrange()

    def go(self, place: PaneId) -> None:
        """Stand in a pane, once it is there."""
        if place in self.panes:
            self.navigation.go(place)
            self.arrange()

    def detail_panes_mounted(self) -> None:
        """Panes were put in place: they hear what is chosen, and take their places."""
        for pane in self.panes.values():
            pane.show(self._following.shown)
        self.arrange()

    def arrange(self) -> None:
        """Make the screen what the places say."""
        self.place_panes()
        self._say_place()
        self.footer.set_pane(self.navigation.pane)
        self.update_title()

    def place_panes(self) -> None:
        """Show the panes in sight, and no others; put the focus where somebody stands."""
        sight = self.navigation.in_sight
        classes = {
            f"-{size}": self.navigation.size == size for size in ("wide", "medium", "narrow")
        }
        classes["-zoomed"] = self.navigation.is_zoomed
        classes["-alone"] = all(place in DRAWERS for place in sight)
        self.screen.update_classes(classes, update=self.screen.is_mounted)
        for place, pane in self.panes.items():
            pane.display = place in sight
            if pane.display and place in DRAWERS:
                pane.call_after_refresh(pane.refresh_from, _everything(self.agent, self.board))
        self.cases.group(self.navigation.is_grouped)
        focused = self.screen.focused
        if focused is None or self.here not in focused.ancestors_with_self:
            self.screen.set_focus(focus_of(self.here), scroll_visible=False)

    def update_title(self) -> None:
        """Titles with their counts."""
        for pane in self.panes.values():
            if pane.display:
                pane.update_title()
        self.footer.show_chips(list(self.chips))

    def _attach_panes(self) -> None:
        for pane in (*self.panes.values(), self.header, self.footer):
            pane.attach(self.session, self.agent)
        self.arrange()

    def _show_case(self, key: CaseKey | None) -> None:
        for pane in self.panes.values():
            pane.show(key)
        self._say_place()
        self.update_title()

    def _say_place(self) -> None:
        shown = self._following.shown
        self.header.say_place(self.navigation.crumb(shown.case if shown else ""))


def first_agent(session: SessionProtocol) -> str:
    """The agent that is shown first; known from the settings before the session is open."""
    if session.agents:
        return session.agents[0]
    return session.config.agents[0].name if session.config.agents else ""


def focus_of(pane: Pane) -> Widget:
    """What takes the focus in a pane: itself, or the first of its parts that can."""
    if pane.can_focus:
        return pane
    return next((part for part in pane.query("*") if part.focusable), pane)


def _everything(agent: str, board: Board) -> Changes:
    return Changes({agent: set(board.rows)}, {agent: set(board.counts.suites)}, *[True] * 6)
