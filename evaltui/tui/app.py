"""The Textual application: themes, keys before anything else, and leaving in good order."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import ClassVar

from textual import events
from textual.app import App
from textual.binding import BindingType
from textual.driver import Driver
from textual.filter import ANSIToTruecolor, LineFilter
from textual.theme import Theme
from textual.worker import Worker, WorkerError

from evaltui.core.errors import UserError
from evaltui.core.inert_text import inert
from evaltui.tui.screens.dashboard import DashboardScreen
from evaltui.tui.sessions.session_protocol import SessionProtocol
from evaltui.tui.terminal.key_queue import KeyQueue
from evaltui.tui.themes import DEFAULT, load_theme_named, look_of

LONGEST_CLOSING_S = 5.0


class DashboardApp(App[int], inherit_bindings=False):
    """Shows one session. `opened` runs once the first frame has been painted."""

    CSS_PATH = "dashboard.tcss"
    TITLE = "evaltui"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(
        self,
        session: SessionProtocol,
        make_screen: Callable[[], DashboardScreen],
        opened: Callable[["DashboardApp"], None],
        *,
        theme: str = DEFAULT,
        is_ascii: bool = False,
    ) -> None:
        self._known_themes: dict[str, Theme] = {}  # before Textual registers its own
        super().__init__()
        self.animation_level = "none"
        self.session = session
        """The one in force; another takes its place once the first frame has been painted."""
        self._make_screen, self._opened, self._is_ascii = make_screen, opened, is_ascii
        self.live: Worker[None] | None = None
        """Opens the session, watches, and closes it when it is cancelled."""
        self.refused: UserError | None = None
        """Why there can be no session; the application has ended because of it."""
        self.left_by = 0
        """Number of the signal that ended it."""
        self._leaving: asyncio.Task[None] | None = None
        self._keys = KeyQueue(self, self._answer)
        self._without_colors: list[LineFilter] = []
        if self.no_color:
            from evaltui.tui.terminal.no_color import WithoutColors

            self._without_colors = [WithoutColors(lambda: self.theme_variables)]
        chosen = load_theme_named(theme)
        self.register_theme(chosen.theme())
        # Not assigned: that would parse the style sheet twice before the first frame.
        self.set_reactive(App.theme, chosen.name)
        self.stylesheet.set_variables(self.get_css_variables())

    def get_driver_class(self) -> type[Driver]:
        found = super().get_driver_class()
        if found.__name__ != "LinuxDriver":  # of Windows, of a browser, or none
            return found
        from evaltui.tui.terminal.terminal_driver import TerminalDriver

        return TerminalDriver

    def get_default_screen(self) -> DashboardScreen:
        look_of(self, self._is_ascii)
        screen = self._make_screen()
        screen.set_class(self._is_ascii, "-ascii")
        return screen

    def get_css_variables(self) -> dict[str, str]:
        # Textual asks first before a theme can be registered; to work out the colours of its own
        # takes as long as to draw ten lines.
        return super().get_css_variables() if hasattr(self, "stylesheet") else {}

    def use_theme(self, name: str) -> None:
        """Change to a theme; to the default when there is none of that name."""
        chosen = load_theme_named(name)
        self.register_theme(chosen.theme())
        self.theme = chosen.name

    def register_theme(self, theme: Theme) -> None:
        super().register_theme(theme)
        self._known_themes[theme.name] = theme

    def get_theme(self, theme_name: str) -> Theme | None:
        # Asked for with every line that is drawn, and Textual copies its table of themes each time.
        return self._known_themes.get(theme_name) or super().get_theme(theme_name)

    def copy_to_clipboard(self, text: str) -> None:
        """What is copied acts nowhere, wherever it is pasted."""
        super().copy_to_clipboard(inert(text))

    def on_mount(self) -> None:
        self.call_after_refresh(self._opened, self)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Themes hold true colours only, so the search of every line for others is left out."""
        if self.no_color:
            return self._without_colors
        return [one for one in super().get_line_filters() if not isinstance(one, ANSIToTruecolor)]

    async def on_event(self, event: events.Event) -> None:
        """Handle keys of the dashboard here. On the usual way, from the widget with the focus to
        its parents, they would take twice as long to show: one turn of the loop for each."""
        if isinstance(event, events.Key) and self.left_by:
            return  # thousands may wait where nobody took what was painted
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            await self._keys.put(event)
        else:
            await self._answer(event)

    async def _answer(self, event: events.Event) -> bool:
        """Whether it was a key of the dashboard."""
        if isinstance(event, events.Key) and self._take(event):
            return True
        await super().on_event(event)
        return False

    def _take(self, key: events.Key) -> bool:
        return self.screen is self.dashboard and self.dashboard.take(key)

    async def action_quit(self) -> None:
        """End once the session is closed. Asked again meanwhile, end at once."""
        await self.close_session()
        self.exit(0)

    async def close_session(self) -> None:
        """At its own end, as when a browser's page is gone, Textual does not wait for workers, and
        what they still have to write would be lost."""
        live, self.live = self.live, None
        if live is None:
            return
        if not live.is_cancelled:  # once: it may be closing the session by now
            live.cancel()
        with suppress(WorkerError, TimeoutError):
            await asyncio.wait_for(live.wait(), LONGEST_CLOSING_S)

    def leave_by(self, signal: int) -> None:
        """End as on `q`, because of a signal."""
        self.left_by = signal
        self._leaving = asyncio.create_task(self._leave())

    async def _leave(self) -> None:
        # After a hangup nobody takes what is painted, and Textual waits until somebody does.
        with self.batch_update():
            await self.action_quit()

    @property
    def dashboard(self) -> DashboardScreen:
        """The screen at the bottom of the stack."""
        screen = self.screen_stack[0]
        assert isinstance(screen, DashboardScreen)
        return screen
