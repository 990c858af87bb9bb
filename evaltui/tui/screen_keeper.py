"""Keeps the settings that the first frame of the next dashboard needs."""

import asyncio
import time
from collections.abc import Collection
from contextlib import suppress

from msgspec.structs import replace

from evaltui.core.errors import Problem
from evaltui.core.events import Event, ProblemFound, ProjectRead
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
        self._is_looked_at = False
        """Whether it is known that the file is not damaged, or that was told."""
        self._passing = frozenset(flags) & set(LastScreen.__struct_fields__)

    def handle(self, event: Event) -> None:  # noqa: ARG002
        """Write in a thread: the disk may be slow, and the loop has keys to answer."""
        stay = {name: getattr(self._kept, name) for name in self._passing}
        now = replace(LastScreen.of(self._session.config), **stay)
        if now != self._kept or not self._is_looked_at:
            loop = asyncio.get_running_loop()
            loop.run_in_executor(None, self._keep, now, self._is_looked_at, loop)
            self._kept, self._is_looked_at = now, True

    def _keep(self, now: LastScreen, is_looked_at: bool, loop: asyncio.AbstractEventLoop) -> None:
        def report(problem: Problem) -> None:
            with suppress(RuntimeError):  # the loop ended meanwhile
                told = ProblemFound(problem, time.time())
                loop.call_soon_threadsafe(self._session.emit, told)

        if is_looked_at or read_last_screen(self._folder, report) != now:
            write_last_screen(self._folder, now)
