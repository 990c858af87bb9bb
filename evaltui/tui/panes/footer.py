"""The footer's one line: keys that work here, `? help` first; chips at the right."""

from collections.abc import Iterable, Sequence

from textual import events
from textual.strip import Strip

from evaltui.settings.keymap import Keymap
from evaltui.store.changes import Changes
from evaltui.tui.command import Command
from evaltui.tui.messages import CommandWanted
from evaltui.tui.navigation import PaneId
from evaltui.tui.pane import Pane
from evaltui.tui.render.footer_line import Chip, footer_line


class FooterPane(Pane):
    """Always there, one line; a click on a key runs it."""

    ALLOW_SELECT = False

    def __init__(self, keymap: Keymap) -> None:
        super().__init__(id="footer")
        self.keymap = keymap
        self.commands: Sequence[Command] = ()
        self.chips: Sequence[Chip] = ()
        self._typing: tuple[tuple[str, str, str], ...] = ()
        self._spots: list[tuple[int, int, str]] = []

    def put(self, commands: Sequence[Command], chips: Sequence[Chip]) -> None:
        """Show these keys and chips."""
        if (commands, chips) != (self.commands, self.chips):
            self.commands, self.chips = commands, chips
            self.refresh()

    def begin_typing(self, keys: tuple[tuple[str, str], ...]) -> None:
        """Keys and labels of a line that takes all other keys as text."""
        self._typing = tuple((key, label, "") for key, label in keys)
        self.refresh()

    def end_typing(self) -> None:
        self._typing = ()
        self.refresh()

    def refresh_from(self, changes: Changes) -> None:
        """The controller says what is shown here."""

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        width = self.size.width
        is_ascii = self.look.is_ascii
        keys = self._typing or [
            (self.keymap.shown(command.id, is_ascii=is_ascii), command.label, command.id)
            for command in self.commands
        ]
        line, self._spots = footer_line(
            [key for key in keys if key[0]], self.chips, width, self.look
        )
        return Strip(line, width)

    def on_click(self, event: events.Click) -> None:
        for start, end, command in self._spots:
            if command and start <= event.x < end:
                self.post_message(CommandWanted(command))


def footer_commands(commands: Iterable[Command], pane: PaneId) -> list[Command]:
    """Those of a pane: the help, then what is done only there, then by importance."""

    def rank(command: Command) -> tuple[int, int]:
        is_ahead = command.id == "app.help" or pane in command.ahead.split()
        return 0 if is_ahead else 1, -command.footer

    here = (one for one in commands if one.footer and (not one.panes or pane in one.panes.split()))
    return sorted(here, key=rank)
