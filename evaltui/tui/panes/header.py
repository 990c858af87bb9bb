"""The header's one line; its clock ticks only while a run is on."""

import time

from textual.strip import Strip
from textual.timer import Timer

from evaltui.store.changes import Changes
from evaltui.tui.agent_names import short_names
from evaltui.tui.pane import Pane
from evaltui.tui.past_session import PastSession
from evaltui.tui.render.header_line import Facts, header_line
from evaltui.tui.render.header_problem import headline, urgent_problem
from evaltui.tui.session_protocol import board_of


class HeaderPane(Pane):
    """Always there, one line."""

    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__(id="header")
        self.breadcrumb = ""
        self._clock: Timer | None = None
        self._problem = ("", "")
        self._broken = ""
        """The file that it is about."""

    def rebuild(self) -> None:
        self._problem = self._find_problem()
        self.refresh()

    def refresh_from(self, changes: Changes) -> None:
        if changes.is_problems_changed or changes.is_rearranged:
            self._problem = self._find_problem()
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
        name = short_names(agents)[self.agent] if self.agent in agents else ""
        facts = Facts(
            state=str(self.session.state),
            board=board,
            trigger=store.trigger if store.trigger != (self._broken,) else (),
            now=time.time(),
            agent=name if len(agents) > 1 else "",
            only_agent=name if len(agents) == 1 else "",
            breadcrumb=self.breadcrumb,
            results_at=board.results_at,
            past=self.session.title if isinstance(self.session, PastSession) else "",
            problem=self._problem,
        )
        return Strip(header_line(facts, width, self.look), width)

    def _find_problem(self) -> tuple[str, str]:
        store = self.session.store
        problem = urgent_problem(store.problems_now)
        self._broken = problem.file if problem is not None else ""
        if problem is None:
            return "", ""
        files = {suite.id for suite in store.suites if not suite.is_unread}
        files |= {tool.file for tool in store.registry}
        if store.read_at:
            files.add(self.session.config.file)
        return headline(problem, files, self.look.symbols.cut)
