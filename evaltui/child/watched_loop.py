"""An event loop for libraries that start programs: their process groups are ended as ours are."""

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, cast

from evaltui.child.process import WholeStart, kill_group
from evaltui.child.watchdog import WATCHDOG

_STARTED: ContextVar[list[int] | None] = ContextVar("started", default=None)


class WatchedLoop(asyncio.SelectorEventLoop):
    """The watchdog hears of each program that leads a group and is started `within_watch`."""

    async def subprocess_exec(
        self, protocol_factory: Callable[[], Any], *args: Any, **options: Any
    ) -> tuple[asyncio.SubprocessTransport, Any]:
        """As that of every loop."""
        started = _STARTED.get()
        if started is None or not options.get("start_new_session"):
            return await super().subprocess_exec(protocol_factory, *args, **options)
        with WATCHDOG.start_of(options.get("env")) as env:
            options["env"] = env
            start = WholeStart(super().subprocess_exec(protocol_factory, *args, **options))

            def learn(_: object) -> None:
                if start.exception() is None:
                    started.append(start.result()[0].get_pid())
                    WATCHDOG.watch(started[-1])

            start.add_done_callback(learn)  # before whoever waits for it goes on
            return cast("tuple[asyncio.SubprocessTransport, Any]", await start)


@contextmanager
def within_watch() -> Iterator[None]:
    """At the end, what is left of the groups that were started meanwhile is killed."""
    started: list[int] = []
    before = _STARTED.set(started)
    try:
        yield
    finally:
        _STARTED.reset(before)
        for group in started:
            kill_group(group)
            WATCHDOG.forget(group)


def new_loop() -> asyncio.AbstractEventLoop:
    """One that is watched, where there are process groups."""
    return asyncio.new_event_loop() if sys.platform == "win32" else WatchedLoop()
