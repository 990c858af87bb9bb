"""What commands act upon: the session, the panes, and what is under way."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from evaltui.core.case import CaseKey
from evaltui.core.errors import EvaltuiError
from evaltui.disk.last_board import LastBoard
from evaltui.store.changes import Changes
from evaltui.store.row import Row
from evaltui.tui.footer_chips import footer_chips
from evaltui.tui.layout import PaneLayout
from evaltui.tui.navigation import PaneId
from evaltui.tui.pane import Pane
from evaltui.tui.pump import Pump
from evaltui.tui.render.footer_line import Chip

if TYPE_CHECKING:
    from textual.app import App
    from textual.screen import Screen

    from evaltui.tui.keymap import Keymap
    from evaltui.tui.log import EventLog
    from evaltui.tui.panes.footer import FooterPane
    from evaltui.tui.panes.header import HeaderPane
    from evaltui.tui.session_protocol import SessionProtocol

ARM_S = 2.0
"""A second ctrl+c within this time quits."""


class DashboardController(PaneLayout):
    """One for each dashboard."""

    def __init__(
        self,
        screen: Screen[Any],
        session: SessionProtocol,
        keymap: Keymap,
        log: EventLog,
        panes: dict[PaneId, Pane],
        header: HeaderPane,
        footer: FooterPane,
        last: LastBoard | None = None,
    ) -> None:
        super().__init__(screen, session, panes, header, footer)
        self.keymap, self.log = keymap, log
        self.last = last
        """What an earlier process knew; shown until the session is open."""
        self.mode = ""
        """What the footer's chip says of a walk or a guide under way; empty for nothing."""
        self.walk: list[CaseKey] = []
        """Failures still to be walked through."""
        self.pump: Pump
        self._interrupted_at = 0.0

    # --- facts

    @property
    def app(self) -> App[Any]:
        return self.screen.app

    @property
    def chips(self) -> Sequence[Chip]:
        return footer_chips(self)

    @property
    def row(self) -> Row | None:
        """The case that the detail is about."""
        return self.cases.row

    @property
    def selection(self) -> tuple[CaseKey, ...]:
        """Cases a command is about: the chosen ones, or where the cursor stands."""
        if self.navigation.pane is PaneId.SUITES and not self.cases.chosen:
            suite = self.suites.suite
            return tuple(key for key in self.board.rows if not suite or key.suite == suite)
        return self.cases.selection

    @property
    def is_running(self) -> bool:
        boards = self.session.store.boards.values()
        return any(board.run is not None and board.run.end is None for board in boards)

    @property
    def is_several(self) -> bool:
        """Whether agents stand side by side, so that it must be said whose results are meant."""
        return len(self.session.agents) > 1

    @property
    def agent_name(self) -> str:
        """What the agent that is shown is called on the screen."""
        return self.cases.matrix.names.get(self.agent, self.agent)

    # --- what happens to the screen

    def start(self) -> None:
        """The screen is mounted: listen to the store from now on."""
        self.pump = Pump(self.session.store, self.refresh)
        if self.session.store.suites:
            self.last = None
            self.attach()
        elif self.last is not None:
            self.cases.show_cached(self.last)
            self.suites.show_cached(self.last)
            self.header.show_cached(self.last)
            self.arrange()
        else:
            self.arrange()

    def opened(self) -> None:
        """The session is open: its board takes the place of the last known one."""
        if self.last is not None:
            self.last = None
            if self.session.agents and self.agent not in self.session.agents:
                self.agent = self.session.agents[0]
            self.attach()

    def refresh(self, changes: Changes) -> None:
        """Called by the pump with everything that changed since the last time."""
        if self.last is not None:  # half of what is known would make the board jump
            self.update_title()
            return
        if self.agent not in self.session.agents and self.session.agents:
            self.agent = self.session.agents[0]
            self.attach()
        sight = self.navigation.in_sight
        for place, pane in self.panes.items():
            if changes and (place in sight or place in (PaneId.SUITES, PaneId.CASES)):
                pane.refresh_from(changes)
        if changes:
            self.header.refresh_from(changes)
        self.update_title()

    def apply_filter(self, text: str) -> None:
        """Filter the cases, as if it had been typed."""
        mistake = self.cases.apply_filter(text)
        if mistake:
            self.warn(mistake)
        self.go(PaneId.CASES)

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
