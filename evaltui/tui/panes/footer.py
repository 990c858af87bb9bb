"""The footer's one line: keys of the place one stands in, `? help` first; the mode at the right."""

from textual import events
from textual.strip import Strip

from evaltui.store.changes import Changes
from evaltui.tui.commands import COMMANDS, Command
from evaltui.tui.keymap import Keymap
from evaltui.tui.messages import CommandWanted
from evaltui.tui.navigation import PaneId
from evaltui.tui.pane import Pane
from evaltui.tui.render.footer_line import Chip, footer_line
from evaltui.tui.session_protocol import SessionProtocol, board_of


class FooterPane(Pane):
    """Always there, one line; a click on a key runs it."""

    ALLOW_SELECT = False

    def __init__(self, keymap: Keymap) -> None:
        super().__init__(id="footer")
        self.keymap = keymap
        self.pane = PaneId.CASES
        self.chips: list[Chip] = []
        self._typing: tuple[tuple[str, str, str], ...] = ()
        self._spots: list[tuple[int, int, str]] = []
        self._idle: frozenset[str] = frozenset()

    def set_pane(self, pane: PaneId) -> None:
        self.pane = pane
        self.refresh()

    def begin_typing(self, keys: tuple[tuple[str, str], ...]) -> None:
        """Keys and labels of a line that takes all other keys as text."""
        self._typing = tuple((key, label, "") for key, label in keys)
        self.refresh()

    def end_typing(self) -> None:
        self._typing = ()
        self.refresh()

    def show_chips(self, chips: list[Chip]) -> None:
        idle = idle_commands(self.session, self.agent)
        if chips != self.chips or idle != self._idle:
            self.chips, self._idle = chips, idle
            self.refresh()

    def refresh_from(self, changes: Changes) -> None:
        """Its chips come from the controller."""

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        width = self.size.width
        is_ascii = self.look.is_ascii
        keys = list(self._typing) or [
            (self.keymap.shown(row.id, is_ascii=is_ascii), row.label, row.id)
            for row in self._rows()
        ]
        line, self._spots = footer_line(
            [key for key in keys if key[0]], self.chips, width, self.look
        )
        return Strip(line, width)

    def on_click(self, event: events.Click) -> None:
        for start, end, command in self._spots:
            if command and start <= event.x < end:
                self.post_message(CommandWanted(command))

    def _rows(self) -> list[Command]:
        rows = [
            row
            for row in COMMANDS
            if row.footer
            and row.id not in self._idle
            and (not row.panes or self.pane in row.panes.split())
        ]
        return sorted(rows, key=self._rank)

    def _rank(self, row: Command) -> tuple[int, int]:
        """The help, then what is done only here, then by importance."""
        is_ahead = row.id == "app.help" or self.pane in row.ahead.split()
        return 0 if is_ahead else 1, -row.footer


def idle_commands(session: SessionProtocol, agent: str) -> frozenset[str]:
    """Commands that could act on nothing at all, as the totals of the board say it: no key of
    theirs stands in the footer. Before the project is read nobody knows."""
    if not session.store.read_at:
        return frozenset()
    board = board_of(session, agent)
    if not board.rows:
        return _NEED_CASES
    counts = board.counts.all
    if not counts.failed and not counts.errors:
        idle = {"problem.next", "run.failed"}
    elif not counts.failed:
        idle = {"run.failed"}
    else:
        idle = set()
    if not counts.stale:
        idle.add("run.due")
    return frozenset(idle)


_NEED_CASES = frozenset(
    (
        *("cases.choose", "cases.filter", "cases.view", "tab.next", "problem.next"),
        *("detail.against", "run.selection", "run.due", "run.all", "run.failed"),
        *("baseline.pin", "accept", "edit.case"),
    )
)
