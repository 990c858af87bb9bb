"""The dashboard's screen: its widgets, and where keys, messages and the mouse go."""

import time

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widget import Widget

from evaltui.settings.keymap import Keymap, key_of
from evaltui.tui.commands import BY_ID, COMMANDS, remapped
from evaltui.tui.controller import DashboardController
from evaltui.tui.layout import PaneLayout
from evaltui.tui.log import EventLog
from evaltui.tui.messages import (
    AgentWanted,
    CaseOpened,
    CaseShown,
    CommandWanted,
    FileWanted,
    FilterWanted,
    SuiteShown,
    ToolShown,
)
from evaltui.tui.panes.footer import FooterPane
from evaltui.tui.screens.fitting import Fitting
from evaltui.tui.sessions.session_protocol import SessionProtocol, first_agent

KEY_S = 1 / 60
"""Keys that come faster than this are painted by Textual."""


class _Frame(Widget):
    BLANK = True  # its children cover it: drawn line by line, it would be a fifth of each paint


class DashboardScreen(Fitting, Screen[None], inherit_bindings=False):
    """Makes the panes and the controller, and hands everything to them."""

    BLANK = True
    AUTO_FOCUS = ""

    def __init__(self, session: SessionProtocol, keymap: Keymap, log: EventLog) -> None:
        super().__init__()
        self._painted_at = 0.0
        layout = PaneLayout(self, FooterPane(keymap), session, first_agent(session))
        self.controller = DashboardController(session, layout, COMMANDS, keymap, log)

    def compose(self) -> ComposeResult:
        layout = self.controller.layout
        # Before the panes are mounted, so that their first look and layout are the right ones.
        layout.navigation.resize(self.app.size.width)
        layout.place_panes()
        yield layout.header
        panes = _Frame(layout.suites, layout.cases, layout.detail, id="panes")
        yield _Frame(panes, id="board")
        yield layout.footer

    def on_mount(self) -> None:
        self.use_keymap(self.controller.keymap)
        self.controller.start()
        self.controller.session.add_sink(self.controller.pump)

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        if not self.stack_updates:  # the panes were mounted just now, and have their styles
            event.refresh_styles = False

    def on_unmount(self) -> None:
        self.controller.session.remove_sink(self.controller.pump)
        self.controller.pump.stop()

    def on_resize(self, event: events.Resize) -> None:
        self.controller.layout.resize(event.size.width)

    def use_keymap(self, keymap: Keymap) -> None:
        """Answer these keys from now on; the panes name them once they are drawn again."""
        footer = self.controller.layout.footer
        self.controller.keymap = footer.keymap = keymap
        footer.look.keys = remapped(keymap)
        footer.refresh()

    def take(self, event: events.Key) -> bool:
        """Perform the command of a key. Returns whether the key has one here, at this moment."""
        if not self.controller.is_started:
            return False
        command = self.controller.keymap.commands.get(key_of(event.key, event.character))
        if command is None or self.controller.layout.is_typing:
            return False
        event.stop()
        event.prevent_default()
        self.controller.pump.give_way()
        BY_ID[command].perform(self.controller)
        self._paint_now()
        return True

    def _paint_now(self) -> None:
        """Paint what a key changed.

        Left to Textual it goes from the widget to the screen and to its timer, six turns of the
        loop, each behind the results that came meanwhile. A new layout, and keys that come faster
        than they can be painted, are left to it.
        """
        now = time.monotonic()
        is_late = now - self._painted_at > KEY_S
        if is_late and self.is_current and not self.controller.layout.is_settling:
            self._compositor.update_widgets(set(self._compositor.visible_widgets))
            self._compositor_refresh()
            self._painted_at = time.monotonic()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self.controller.layout.focused(event.widget)
        self.controller.pump.wake()

    def on_case_shown(self, message: CaseShown) -> None:
        self.controller.show(message.key)
        self.controller.layout.follow_heading()

    def on_case_opened(self, message: CaseOpened) -> None:
        self.controller.open(message.key)

    def on_suite_shown(self, message: SuiteShown) -> None:
        self.controller.layout.cases.show_suite(message.suite)
        self.controller.layout.show_page()

    def on_tool_shown(self, _: ToolShown) -> None:
        self.controller.layout.show_page()

    def on_agent_wanted(self, message: AgentWanted) -> None:
        self.controller.switch_agent(message.agent)

    def on_filter_wanted(self, message: FilterWanted) -> None:
        self.controller.apply_filter(message.text)

    def on_file_wanted(self, message: FileWanted) -> None:
        from evaltui.tui.actions.editing import open_file  # once a command is used

        open_file(self.controller, message.file, message.line)

    def on_command_wanted(self, message: CommandWanted) -> None:
        BY_ID[message.command].perform(self.controller)
