"""The header's one line, repainted over time only when its text changes."""

from rich.segment import Segment
from textual import events
from textual.strip import Strip

from evaltui.core.errors import NOT_TRUSTED, Severity, unread_files
from evaltui.core.watch_state import WatchState
from evaltui.store.changes import Changes
from evaltui.tui.age_clock import AgeClock
from evaltui.tui.agent_names import short_names
from evaltui.tui.messages import CommandWanted
from evaltui.tui.pane import Pane
from evaltui.tui.render.gate import gate_mark
from evaltui.tui.render.glyphs import Mark
from evaltui.tui.render.header_facts import Facts
from evaltui.tui.render.header_line import command_at, header_line
from evaltui.tui.render.header_problem import headline, other_agent, urgent_problem
from evaltui.tui.sessions.session_protocol import board_of


class HeaderPane(Pane):
    """Always there, one line."""

    ALLOW_SELECT = False

    def __init__(self, clock: AgeClock) -> None:
        super().__init__(id="header")
        self.breadcrumb = ""
        self._clock = clock
        self._problem = ("", "", "")
        self._broken: frozenset[str] = frozenset()
        """Files that cannot be read: what was saved of them led to nothing."""
        self._saved: tuple[str, ...] = ()
        """When the problem was found."""
        self._is_untrusted = self._is_warning = False
        self._gate: Mark | None = None
        self._comparing: tuple[int, int] | None = None

    def rebuild(self) -> None:
        self._problem = self._find_problem()
        self._gate = self._find_gate()
        self.refresh()

    def refresh_from(self, changes: Changes) -> None:
        is_saved = self.session.store.trigger != self._saved
        if changes.is_problems_changed or changes.is_rearranged or is_saved:
            self._problem = self._find_problem()
        self._gate, self._comparing = self._find_gate(), self._find_comparing()
        self.refresh()

    def refresh_ages(self, before: float, now: float) -> None:
        """The gate and a comparison too: nobody tells of saved thresholds, nor of its calls."""
        gate, self._gate = self._gate, self._find_gate()
        comparing, self._comparing = self._comparing, self._find_comparing()
        is_changed = gate is not self._gate or comparing != self._comparing
        if is_changed or self._said(before) != self._said(now):
            self.refresh()

    def show_breadcrumb(self, breadcrumb: str) -> None:
        """Which pane is shown, where it is the only one; empty elsewhere."""
        if breadcrumb != self.breadcrumb:
            self.breadcrumb = breadcrumb
            self.refresh()

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        return Strip(self._line(self._clock.now), self.size.width)

    def on_click(self, event: events.Click) -> None:
        command = command_at(self._facts(self._clock.now), event.x, self.size.width, self.look)
        if command:
            self.post_message(CommandWanted(command))

    def _said(self, now: float) -> str:
        return "".join(segment.text for segment in self._line(now))

    def _line(self, now: float) -> list[Segment]:
        return header_line(self._facts(now), self.size.width, self.look)

    def _facts(self, now: float) -> Facts:
        store = self.session.store
        board = board_of(self.session, self.agent)
        # Until a board has heard of a save, what it shows is the doing of the one before.
        trigger = board.headline.save.trigger if board.headline.save is not None else store.trigger
        agents = self.session.agents
        name = short_names(agents)[self.agent] if self.agent in agents else ""
        past, is_between = self._past()
        return Facts(
            state=str(self.session.state),
            board=board,
            trigger=() if self._broken.issuperset(trigger) else trigger,
            now=now,
            agent=name if len(agents) > 1 else "",
            only_agent=name if len(agents) == 1 else "",
            breadcrumb=self.breadcrumb,
            results_at=board.results_at,
            past=past,
            is_between=is_between,
            problem=self._problem,
            is_warning=self._is_warning,
            is_untrusted=self._is_untrusted,
            gate=self._gate,
            comparing=self._comparing,
        )

    def _past(self) -> tuple[str, bool]:
        """The name of the earlier run or pack that is shown, and whether it is what came of all
        runs since another."""
        if self.session.state not in (WatchState.PAST, WatchState.PACK):
            return "", False
        from evaltui.tui.sessions.pack_session import PackSession
        from evaltui.tui.sessions.past_session import PastSession

        if isinstance(self.session, PackSession):
            return self.session.title, False
        if isinstance(self.session, PastSession):
            return self.session.title, self.session.since is not None
        return "", False

    def _find_gate(self) -> Mark | None:
        decision = self.session.gate(self.agent)
        return None if decision is None else gate_mark(decision)

    def _find_comparing(self) -> tuple[int, int] | None:
        return self.session.ab.progress if self.session.is_comparing else None

    def _find_problem(self) -> tuple[str, str, str]:
        store = self.session.store
        problems = store.problems.mistakes
        self._saved = store.trigger
        problem = urgent_problem(problems, self._saved, self.agent)
        self._broken = unread_files(problems)
        self._is_untrusted = problem is not None and problem.code == NOT_TRUSTED
        self._is_warning = problem is not None and problem.severity is Severity.WARNING
        if problem is None:
            return "", "", ""
        files = {suite.id for suite in store.suites if not suite.is_unread}
        files |= {tool.file for tool in store.registry}
        if store.read_at:
            files.add(self.session.config.file)
        other = other_agent(problem, short_names(self.session.agents), self.agent)
        return headline(problem, files, self.look.symbols.cut, store.problems.count()[0], other)
