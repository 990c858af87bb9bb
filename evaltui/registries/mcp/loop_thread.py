"""An event loop in a thread of its own, so that readers may wait for servers."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, TypeVar

from evaltui.child.watched_loop import new_loop

_T = TypeVar("_T")


class LoopThread:
    """Starts with the first piece of work; `stop` ends it for good."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def submit(self, work: Coroutine[Any, Any, _T]) -> "Future[_T]":
        return asyncio.run_coroutine_threadsafe(work, self._ready())

    def soon(self, function: Callable[[], None]) -> None:
        """Call `function` on the loop."""
        self._ready().call_soon_threadsafe(function)

    def stop(self, wait_s: float) -> None:
        """Wait for what is about to end, then cancel the rest."""
        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is not None and thread is not None:
            with suppress(TimeoutError):
                asyncio.run_coroutine_threadsafe(_settled(wait_s), loop).result(wait_s + 1)
            loop.call_soon_threadsafe(loop.stop)
            thread.join(2.0)

    def _ready(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                loop = new_loop()
                self._loop = loop
                self._thread = threading.Thread(
                    target=_run, args=(loop,), name="registries", daemon=True
                )
                self._thread.start()
            return self._loop


async def _settled(wait_s: float) -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    if others:
        await asyncio.wait(others, timeout=wait_s)


def _run(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()
