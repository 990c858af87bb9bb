"""The header's one line; its clock ticks only while a run is on."""

import time

from textual.strip import Strip
from textual.timer import Timer

from evaltui.store.changes import Changes
from evaltui.tui.agent_names import short_names
from evaltui.tui.pane import Pane
from evaltui.tui.render.header_line import Facts, header_line
from evaltui.tui.session_protocol import board_of


class HeaderPane(Pane):
    """Always there, one line."""

    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__(id="header")
        self.breadcrumb = ""
        self._clock: Timer | None = None

    def rebuild(self) -> None:
        self.refresh()

    def refresh_from(self, changes: Changes) -> None:  # noqa: ARG002
        is_running = board_of(self.session, self.agent).is_running
        if is_running and self._clock is None:
            self._clock = self.set_interval(1, self.refresh)
        elif not is_running and self._clock is not None:
            self._clock.stop()
            self._clock = None
        self.refresh()

    def show_breadcrumb(self, breadcrumb: str) -> None:
        """Which pane is shown, where it is the only one; empty elsewhere."""
        if breadcrumb != self.breadcrumb:
            self.breadcrumb = breadcrumb
            self.refresh()

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        store = self.session.store
        board = board_of(self.session, self.agent)
        width, agents = self.size.width, self.session.agents
        facts = Facts(
            state=str(self.session.state),
            board=board,
            trigger=store.trigger,
            now=time.time(),
            agent=short_names(agents)[self.agent]
            if len(agents) > 1 and self.agent in agents
            else "",
            breadcrumb=self.breadcrumb,
            results_at=board.results_at,
        )
        return Strip(header_line(facts, width, self.look), width)
