"""One time limit for every attempt of a run, kept by a single timer.

`asyncio.timeout` arms and cancels a timer for every call, a tenth of what a whole case may cost.
All limits of a run are equally long, so the oldest attempt is always the next one to be due.
"""

import asyncio
from typing import Any, final


@final
class Deadline:
    """The limit of one attempt; `is_past` once its task was cancelled for it."""

    __slots__ = ("due", "is_past", "task")

    def __init__(self, due: float, task: "asyncio.Task[Any]") -> None:
        self.due = due
        self.task = task
        self.is_past = False


class Deadlines:
    """Cancels the task of an attempt that is still under way `limit_s` after `start`."""

    def __init__(self, limit_s: float) -> None:
        self._limit_s = limit_s
        self._loop = asyncio.get_running_loop()
        self._running: dict[Deadline, None] = {}  # an ordered set, oldest first
        self._timer: asyncio.TimerHandle | None = None

    def start(self, task: "asyncio.Task[Any]") -> Deadline:
        """`task` is about to make the attempt."""
        deadline = Deadline(self._loop.time() + self._limit_s, task)
        if self._limit_s > 0:
            self._running[deadline] = None
            if self._timer is None:
                self._timer = self._loop.call_at(deadline.due, self._expire)
        return deadline

    def stop(self, deadline: Deadline) -> None:
        """To be called when the attempt ended, however it did."""
        self._running.pop(deadline, None)
        if deadline.is_past:
            deadline.task.uncancel()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _expire(self) -> None:
        self._timer = None
        now = self._loop.time()
        for deadline in tuple(self._running):
            if deadline.due > now:
                self._timer = self._loop.call_at(deadline.due, self._expire)
                return
            del self._running[deadline]
            deadline.is_past = True
            deadline.task.cancel()
