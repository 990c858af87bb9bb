"""One time limit for every attempt of a run, kept by a single timer.

`asyncio.timeout` arms and cancels a timer for every call, a tenth of what a whole case may cost.
All limits of a run are equally long, so the timer stands for a whole limit most of the time.
"""

import asyncio
from typing import Any, final


@final
class Deadline:
    """The limit of one attempt; `is_past` once its task was cancelled for it."""

    __slots__ = ("due", "held_at", "held_s", "holds", "is_past", "task")

    def __init__(self, due: float, task: "asyncio.Task[Any]") -> None:
        self.due = due
        self.task = task
        self.is_past = False
        self.holds = 0
        self.held_at = 0.0
        self.held_s = 0.0
        """For so long it did not run."""


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
            self._look_at(deadline.due)
        return deadline

    def hold(self, deadline: Deadline) -> None:
        """The attempt waits for us, not for its agent: its limit does not run."""
        deadline.holds += 1
        if deadline.holds == 1:
            deadline.held_at = self._loop.time()
            self._running.pop(deadline, None)

    def go_on(self, deadline: Deadline) -> None:
        """The limit runs again, from where it was held."""
        deadline.holds -= 1
        if deadline.holds:
            return
        held_s = self._loop.time() - deadline.held_at
        deadline.held_s += held_s
        deadline.due += held_s
        if self._limit_s > 0 and not deadline.is_past:
            self._running[deadline] = None
            self._look_at(deadline.due)

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
            if deadline.due <= now:
                del self._running[deadline]
                deadline.is_past = True
                deadline.task.cancel()
        if self._running:
            self._look_at(min(deadline.due for deadline in self._running))

    def _look_at(self, due: float) -> None:
        if self._timer is not None:
            if self._timer.when() <= due:
                return
            self._timer.cancel()
        self._timer = self._loop.call_at(due, self._expire)
