"""What commands act upon: the session, the panes, and what is chosen for all of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from evaltui.core.case import CaseKey
from evaltui.core.errors import EvaltuiError, unread_files
from evaltui.core.sink import Sink
from evaltui.core.watch_state import WatchState
from evaltui.store.board import Board
from evaltui.store.changes import Changes
from evaltui.store.row import Row
from evaltui.tui.age_clock import TICK_S
from evaltui.tui.detail_debouncer import DetailDebouncer
from evaltui.tui.failure_walk import FailureWalk
from evaltui.tui.footer_chips import footer_chips
from evaltui.tui.navigation import PaneId
from evaltui.tui.panes.footer import footer_commands
from evaltui.tui.pump import Pump
from evaltui.tui.render.sanitize import sanitize
from evaltui.tui.sessions.session_protocol import SessionProtocol, board_of, first_agent
from evaltui.tui.sessions.time_travel import TimeTravel

if TYPE_CHECKING:
    from textual.app import App
    from textual.notifications import SeverityLevel
    from textual.screen import Screen

    from evaltui.settings.keymap import Keymap
    from evaltui.tui.command import Command
    from evaltui.tui.layout import PaneLayout
    from evaltui.tui.log import EventLog

ARM_S = 2.0
"""A second ctrl+c within this time quits."""


class DashboardController:
    """One for each dashboard. Requests go to the session; what comes of them arrives as events."""

    def __init__(
        self,
        session: SessionProtocol,
        layout: PaneLayout,
        commands: Sequence[Command],
        keymap: Keymap,
        log: EventLog,
    ) -> None:
        self.session, self.layout = session, layout
        self.commands, self.keymap, self.log = commands, keymap, log
        self.listeners: list[Sink] = [log]
        """What hears the session in force, whichever that is, beside the pump."""
        self.agent = first_agent(session)
        """Whose board is shown; what is run, pinned and accepted is this agent's."""
        self.walk = FailureWalk()
        self.time_travel = TimeTravel(self)
        self.pump: Pump
        self.is_started = False
        """Whether the panes are mounted, so that a command finds what it acts on."""
        self._debouncer = DetailDebouncer(layout)
        self._interrupted_at = 0.0
        self._renewed: list[Callable[[], None]] = []
        """What has the open dialogs say how things stand now."""

    # --- facts

    @property
    def app(self) -> App[Any]:
        return self.layout.screen.app

    @property
    def board(self) -> Board:
        return board_of(self.session, self.agent)

    @property
    def row(self) -> Row | None:
        """The case that the detail is about."""
        return self.layout.cases.row

    @property
    def selection(self) -> tuple[CaseKey, ...]:
        """Cases a command is about: the chosen ones, or those under the cursor."""
        return tuple(row.key for row in self.selected_rows())

    def selected_rows(self) -> Iterator[Row]:
        """The rows of the selection, as long as they are asked for."""
        layout, rows = self.layout, self.board.rows
        place, page = layout.navigation.pane, layout.detail
        if not layout.cases.choice.keys and layout.is_about_tool:
            tool = layout.suites.tool if place is PaneId.SUITES else page.tool
            keys = layout.suites.tool_lines.keys_of(tool)
            return (rows[key] for key in keys if key in rows)
        if not layout.cases.choice.keys and (
            place is PaneId.SUITES or (place is PaneId.DETAIL and page.suite)
        ):
            suite = layout.suites.suite if place is PaneId.SUITES else page.suite
            return (row for row in rows.values() if not suite or row.key.suite == suite)
        return (rows[key] for key in layout.cases.selection if key in rows)

    @property
    def is_opening(self) -> bool:
        """Whether the board of an earlier process is shown while the project is being read."""
        return self.board.is_cached and self.session.state is WatchState.STARTING

    @property
    def is_running(self) -> bool:
        """Whether a run is on, from here or in another process."""
        boards = self.session.store.boards.values()
        return any(board.runs.is_on for board in boards)

    @property
    def is_several(self) -> bool:
        """Whether there are several agents, so that it must be said whose results are meant."""
        return len(self.session.agents) > 1

    @property
    def agent_name(self) -> str:
        """What the agent that is shown is called on the screen."""
        return self.layout.cases.matrix.names.get(self.agent, self.agent)

    # --- what happens to the screen

    def start(self) -> None:
        """The screen is mounted: listen to the store from now on."""
        self.pump = Pump(self.session.store, self.refresh)
        self.attach()
        self.update_footer()
        self.layout.screen.set_interval(TICK_S, self.tick)
        self.is_started = True

    def tick(self) -> None:
        """Let every age on the screen be of this moment."""
        self.layout.refresh_ages()
        if self.board.is_cached:  # the footer says how old it is
            self.update_footer()

    def show_time(self, at: float) -> None:
        """A recording is played: it is the time of it, in seconds since the epoch."""
        self.layout.ages.show(at)

    def use_session(self, session: SessionProtocol) -> None:
        """From now on ask this session and show its store, often that of the one before."""
        for sink in (*self.listeners, self.pump):
            self.session.remove_sink(sink)
            session.add_sink(sink)
        if session.store is not self.session.store:
            self.pump.read_from(session.store)
            self.log.store = session.store
            self.agent = first_agent(session)
        self.session = session
        self.attach()

    def show_board(self, session: SessionProtocol, agent: str) -> None:
        """Show one agent's board of another session; the log goes on with what happens now."""
        self.session.remove_sink(self.pump)
        session.add_sink(self.pump)
        self.pump.read_from(session.store)
        self.session, self.agent = session, agent
        self.layout.cases.is_held = True
        self.attach()
        self.pump.wake()

    def opened(self) -> None:
        """The session is open, or could not be opened: show what is known now."""
        self.agent = first_agent(self.session)
        self.attach()

    def attach(self) -> None:
        """Compare the agents again, and show the board of the agent in force in every pane."""
        self.layout.cases.matrix.rebuild(self.session)
        with self._debouncer.keeping_in_step():
            self.layout.attach(self.session, self.agent)

    def switch_agent(self, agent: str) -> None:
        """Show another agent's board; the cursor stays on its case."""
        self.agent = agent
        self.layout.cases.is_held = True
        with self._debouncer.keeping_in_step():
            self.layout.attach(self.session, self.agent)

    def refresh(self, changes: Changes) -> None:
        """Called by the pump with everything that changed since the last time."""
        self.session.flush()  # what is seen was recorded, whatever becomes of us then
        if self.is_opening:  # what comes meanwhile is shown once all of it is there
            changes = Changes()
        elif self.agent != (agent := self._agent_in_force()):
            self.agent = agent
            self.attach()
        with self._debouncer.keeping_in_step():
            self.layout.refresh_from(changes)
        self.update_footer()
        for renew in self._renewed:
            renew()
        self._say_idle(changes.idle_saves.get(self.agent, ()))

    def _say_idle(self, saved: Sequence[str]) -> None:
        """Of files whose saving led to nothing, when the headline is about something else."""
        if not saved:
            return
        broken = unread_files(self.session.store.problems.mistakes)  # the header tells of those
        names = [f"`{file.rsplit('/', 1)[-1]}`" for file in saved if file not in broken]
        if names:
            self.say(f"{', '.join(names)} changes no result.")

    def _agent_in_force(self) -> str:
        """The one that is shown, as long as there is such an agent."""
        known = self.session.agents or self.session.store.boards
        return self.agent if self.agent in known else first_agent(self.session)

    def show(self, key: CaseKey | None) -> None:
        """The cursor came to a case: the detail follows once the cursor rests."""
        self._debouncer.want(key)
        self.pump.wake()

    def follow(self) -> None:
        """Let the detail follow now, without waiting for the cursor to rest."""
        self._debouncer.follow()

    def open(self, key: CaseKey) -> None:
        """Show the detail of a case, and drop whatever hides the case in the list."""
        if not self.layout.cases.reveal(key):
            self.layout.suites.show_all()
            self.layout.cases.show_all(key)
        self._debouncer.at_once(key)
        self.layout.detail.show_page()  # that of a suite or tool gives way
        self.layout.go(PaneId.DETAIL)

    def apply_filter(self, text: str) -> None:
        """Filter the cases, as if it had been typed."""
        mistake = self.layout.cases.apply_filter(text)
        if mistake:
            self.warn(mistake)
        self.layout.go(PaneId.CASES)

    def update_footer(self) -> None:
        """Keys that do something here and now, and what is in force."""
        commands = footer_commands(self.commands, self.layout.navigation.pane)
        # Before a project is read nobody knows what can run.
        if self.session.store.read_at or self.session.state is WatchState.REPLAY:
            commands = [command for command in commands if command.reason_here(self) is None]
        self.layout.footer.put(commands, footer_chips(self))

    # --- what commands say and ask

    def say(self, text: str) -> None:
        self._toast(text, "information")

    def warn(self, text: str) -> None:
        self._toast(text, "warning")

    def _toast(self, text: str, severity: SeverityLevel) -> None:
        """In the place of the one before: toasts cover rows, and what was said last counts."""
        self.app.clear_notifications()
        # Of a toast that is cleared Textual keeps what held it, one more with each that is said.
        self.app.screen.query("ToastRack > ToastHolder").remove()
        from evaltui.tui.render.sentence import markup

        self.app.notify(markup(sanitize(text), self.layout.cases.look), severity=severity)

    def ask(
        self,
        screen: Screen[Any],
        answer: Callable[[Any], None],
        left: Callable[[], None] = lambda: None,
        renew: Callable[[], None] = lambda: None,
    ) -> None:
        """Open a dialog; `answer` gets what was chosen, never `None`: without a choice it is
        `left`. `renew` is called whenever something changed while it is open."""
        self._renewed.append(renew)

        def take(chosen: Any) -> None:
            self._renewed.remove(renew)
            self.attempt(left if chosen is None else lambda: answer(chosen))

        self.app.push_screen(screen, take)

    def attempt(self, do: Callable[[], None]) -> None:
        """Do it; a mistake of the user becomes a toast."""
        try:
            do()
        except EvaltuiError as error:
            self.warn(str(error))
        self.update_footer()
        self.pump.wake()

    def is_second_interrupt(self) -> bool:
        """Whether ctrl+c was pressed a moment ago; notes that it is pressed now."""
        now = time.monotonic()
        is_second = now - self._interrupted_at < ARM_S
        self._interrupted_at = now
        return is_second
