"""Keeps the settings that the first frame of the next dashboard needs."""

import asyncio
from collections.abc import Collection

from msgspec.structs import replace

from evaltui.core.events import Event, ProjectRead
from evaltui.disk.last_screen import LastScreen, read_last_screen, write_last_screen
from evaltui.disk.own_folder import own_folder
from evaltui.tui.sessions.session_protocol import SessionProtocol


class ScreenKeeper:
    """A sink that looks at the settings whenever the project was read, and writes what is new."""

    hears = frozenset({ProjectRead})

    def __init__(self, session: SessionProtocol, flags: Collection[str]) -> None:
        """`flags` are the settings that hold for this start only: they are not kept."""
        self._session = session
        self._folder = own_folder(session.config.root)
        self._kept = read_last_screen(self._folder)
        self._passing = frozenset(flags) & set(LastScreen.__struct_fields__)

    def handle(self, event: Event) -> None:  # noqa: ARG002
        """Write in a thread: the disk may be slow, and the loop has keys to answer."""
        stay = {name: getattr(self._kept, name) for name in self._passing}
        now = replace(LastScreen.of(self._session.config), **stay)
        if now != self._kept:
            self._kept = now
            loop = asyncio.get_running_loop()
            loop.run_in_executor(None, write_last_screen, self._folder, now)
