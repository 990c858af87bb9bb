"""What commands act upon: the session, the panes, and where the person stands."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from evaltui.core.case import CaseKey
from evaltui.core.errors import EvaltuiError
from evaltui.store.board import Board
from evaltui.store.changes import Changes
from evaltui.store.last_board import LastBoard
from evaltui.store.row import Row
from evaltui.tui.following import Following
from evaltui.tui.modes import chips_of
from evaltui.tui.pane import Pane, ReadingPane
from evaltui.tui.places import DRAWERS, Place, Places
from evaltui.tui.pump import Pump
from evaltui.tui.wishes import board_of

if TYPE_CHECKING:
    from textual.app import App
    from textual.screen import Screen
    from textual.widget import Widget

    from evaltui.tui.keymap import Keymap
    from evaltui.tui.log import EventLog
    from evaltui.tui.panes.cases import CasesPane
    from evaltui.tui.panes.footer import FooterPane
    from evaltui.tui.panes.header import HeaderPane
    from evaltui.tui.panes.suites import SuitesPane
    from evaltui.tui.wishes import Wishes

ARM_S = 2.0
"""A second ctrl+c within this time quits."""


class Desk:
    """One for each dashboard; panes are reached by their place."""

    def __init__(
        self,
        screen: Screen[Any],
        session: Wishes,
        keymap: Keymap,
        log: EventLog,
        panes: dict[Place, Pane],
        header: HeaderPane,
        footer: FooterPane,
        last: LastBoard | None = None,
    ) -> None:
        self.screen, self.session, self.keymap, self.log = screen, session, keymap, log
        self.panes, self.header, self.footer = panes, header, footer
        self.places = Places()
        self.last = last
        """What an earlier process knew; shown until the session is open."""
        self.agent = first_agent(session)
        self.mode = ""
        """What the footer's chip says of a walk or a guide under way; empty for nothing."""
        self.walk: list[CaseKey] = []
        """Failures still to be walked through."""
        self.pump: Pump
        self._following = Following(screen, self._turn_to)
        self._interrupted_at = 0.0

    # --- facts

    @property
    def app(self) -> App[Any]:
        return self.screen.app

    @property
    def cases(self) -> CasesPane:
        return self.panes[Place.CASES]  # type: ignore[return-value]

    @property
    def suites(self) -> SuitesPane:
        return self.panes[Place.SUITES]  # type: ignore[return-value]

    @property
    def detail(self) -> ReadingPane:
        return self.panes[Place.DETAIL]  # type: ignore[return-value]

    @property
    def here(self) -> Pane:
        """The pane with the focus."""
        return self.panes.get(self.places.place, self.cases)

    @property
    def board(self) -> Board:
        return board_of(self.session, self.agent)

    @property
    def row(self) -> Row | None:
        """The case that the detail is about."""
        return self.cases.row

    @property
    def selection(self) -> tuple[CaseKey, ...]:
        """Cases a command is about: the chosen ones, or where the cursor stands."""
        if self.places.place is Place.SUITES and not self.cases.chosen:
            suite = self.suites.suite
            return tuple(key for key in self.board.rows if not suite or key.suite == suite)
        return self.cases.selection

    @property
    def is_running(self) -> bool:
        boards = self.session.store.boards.values()
        return any(board.run is not None and board.run.end is None for board in boards)

    @property
    def is_typing(self) -> bool:
        """Whether keys belong to a line of text now."""
        focused = self.screen.focused
        return focused is not None and not any(
            pane in focused.ancestors_with_self for pane in self.panes.values()
        )

    # --- what the screen does

    def start(self) -> None:
        """The screen is mounted: listen to the store from now on."""
        self.pump = Pump(self.session.store, self.refresh)
        if self.session.store.suites:
            self.last = None
            self.bind()
        elif self.last is not None:
            self.cases.recall(self.last)
            self.suites.recall(self.last)
            self.header.recall(self.last)
            self.arrange()
        else:
            self.arrange()

    def opened(self) -> None:
        """The session is open: its board takes the place of the last known one."""
        if self.last is not None:
            self.last = None
            if self.session.agents and self.agent not in self.session.agents:
                self.agent = self.session.agents[0]
            self.bind()

    def bind(self) -> None:
        """Show the board of the agent in force in every pane."""
        for pane in (*self.panes.values(), self.header, self.footer):
            pane.bind(self.session, self.agent)
        self.arrange()

    def refresh(self, changes: Changes) -> None:
        """Called by the pump with everything that changed since the last time."""
        if self.last is not None:  # half of what is known would make the board jump
            self.entitle()
            return
        if self.agent not in self.session.agents and self.session.agents:
            self.agent = self.session.agents[0]
            self.bind()
        sight = self.places.in_sight
        for place, pane in self.panes.items():
            if changes and (place in sight or place in (Place.SUITES, Place.CASES)):
                pane.refresh_from(changes)
        if changes:
            self.header.refresh_from(changes)
        self.entitle()

    def show(self, key: CaseKey | None) -> None:
        """The cursor came to a case: let the detail follow."""
        self._following.want(key)

    def follow(self) -> None:
        """Let the detail follow now, without waiting for the cursor to rest."""
        self._following.follow()

    def _turn_to(self, key: CaseKey | None) -> None:
        for pane in self.panes.values():
            pane.show(key)
        self._say_place()
        self.entitle()

    def _say_place(self) -> None:
        shown = self._following.shown
        self.header.say_place(self.places.crumb(shown.case if shown else ""))

    def open(self, key: CaseKey) -> None:
        """Show the detail of a case, wherever the wish came from."""
        if not self.cases.go_to(key):
            self.suites.show_all()
            self.cases.show_all(key)
        self._following.at_once(key)
        self.go(Place.DETAIL)

    def narrow(self, text: str) -> None:
        """Filter the cases, as if it had been typed."""
        mistake = self.cases.narrow(text)
        if mistake:
            self.warn(mistake)
        self.go(Place.CASES)

    def focused(self, widget: Widget) -> None:
        """The mouse, or Textual, put the focus somewhere."""
        for place, pane in self.panes.items():
            if pane in widget.ancestors_with_self and place is not self.places.place:
                self.places.go(place)
                self.arrange()

    def resize(self, width: int) -> None:
        if width != self.places.width:
            self.places.resize(width)
            self.arrange()

    def go(self, place: Place) -> None:
        """Stand in a pane, once it is there."""
        if place in self.panes:
            self.places.go(place)
            self.arrange()

    def furnished(self) -> None:
        """Panes were put in place: they hear what is chosen, and take their places."""
        for pane in self.panes.values():
            pane.show(self._following.shown)
        self.arrange()

    def arrange(self) -> None:
        """Make the screen what the places say, and put the focus where somebody stands."""
        self.place_panes()
        focused = self.screen.focused
        if focused is None or self.here not in focused.ancestors_with_self:
            self.screen.set_focus(focus_of(self.here), scroll_visible=False)
        self._say_place()
        self.footer.stand(self.places.place)
        self.entitle()

    def place_panes(self) -> None:
        """Show the panes in sight, and no others."""
        sight = self.places.in_sight
        for size in ("wide", "medium", "narrow"):
            self.screen.set_class(self.places.size == size, f"-{size}")
        self.screen.set_class(self.places.is_zoomed, "-zoomed")
        self.screen.set_class(all(place in DRAWERS for place in sight), "-alone")
        for place, pane in self.panes.items():
            pane.display = place in sight
            if pane.display and place in DRAWERS:
                pane.call_after_refresh(pane.refresh_from, _everything(self.agent, self.board))
        self.cases.group(self.places.is_grouped)

    def entitle(self) -> None:
        """Titles with their counts."""
        for pane in self.panes.values():
            if pane.display:
                title = f"{pane.title} {pane.count}".rstrip()
                if pane.border_title != title:
                    pane.border_title = title
        self.footer.show_chips(chips_of(self))

    # --- what commands say and ask

    def say(self, text: str) -> None:
        self.app.notify(text, markup=False)

    def warn(self, text: str) -> None:
        self.app.notify(text, severity="warning", markup=False)

    def ask(self, screen: Screen[Any], answer: Callable[[Any], None]) -> None:
        """Open a dialog; `answer` hears what was chosen, never `None`."""

        def hear(chosen: Any) -> None:
            if chosen is not None:
                self.trying(lambda: answer(chosen))

        self.app.push_screen(screen, hear)

    def trying(self, do: Callable[[], None]) -> None:
        """Do it; a mistake that has words becomes a toast."""
        try:
            do()
        except EvaltuiError as error:
            self.warn(str(error))
        self.pump.wake()

    def is_second_interrupt(self) -> bool:
        """Whether ctrl+c was pressed a moment ago; arms it otherwise."""
        now = time.monotonic()
        is_second = now - self._interrupted_at < ARM_S
        self._interrupted_at = now
        return is_second


def first_agent(session: Wishes) -> str:
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
    return Changes({agent: set(board.rows)}, True, True, True, True, True)
