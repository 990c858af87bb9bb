"""Hands out attempts: never more at once than allowed, waiting ones again when they are due."""

import asyncio
import heapq
from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec import Struct

from evaltui.core.rate_window import RateWindow
from evaltui.core.result import CaseResult
from evaltui.runner.adaptive import AdaptiveLimit
from evaltui.runner.job import Job

_INFINITE = float("inf")


class JobState(Struct):
    """A job under way: the results of its attempts so far."""

    job: Job
    results: list[CaseResult]
    trials_left: list[int]
    """Attempts that nobody has begun, the next one last."""

    @classmethod
    def of(cls, job: Job) -> "JobState":
        done = {result.trial for result in job.finished}
        numbers = range(job.first_trial, job.first_trial + job.trials)
        left = [trial for trial in reversed(numbers) if trial not in done]
        return cls(job, list(job.finished), left)


class Attempt(Struct):
    """One attempt at a job, sent `retries` times before."""

    state: JobState
    trial: int = 0
    retries: int = 0
    queued_s: float = 0.0
    """Between the first sending and the last: earlier tries, back-off, waiting for a slot."""
    first_sent_at: float = 0.0
    """On the event loop's clock; 0 before the first retry."""
    held_s: float = 0.0
    """It waited for our own limits during the last sending."""
    task: asyncio.Task[None] | None = None
    """Makes the attempt, and is cancelled at its time limit."""


class Left(NamedTuple):
    """How many jobs were not run, or not to the end, and how many of the others not judged."""

    not_run: int
    not_judged: int


class Dispatch:
    """Pulls jobs from one iterator as they are needed, so that memory stays flat.

    Every attempt that is handed out comes back by exactly one of `answered`, `refused` and
    `left_over`, or `put_off` after the first two; attempts that wait for a retry hold no slot.
    Whoever sends a request counts it in `rate`, which is only looked at here: nothing begins
    before it can be sent.
    """

    def __init__(self, jobs: Iterable[Job], concurrency: int, rate: RateWindow) -> None:
        self._jobs: Iterator[Job] = iter(jobs)
        self._current: JobState | None = None
        self._concurrency = concurrency
        self._loop = asyncio.get_running_loop()
        self._in_flight = 0
        self._answered_at = self._loop.time()
        self._whole_at = -_INFINITE
        self._adaptive = AdaptiveLimit(concurrency)
        self._rate = rate
        self._left_over: dict[int, JobState] = {}
        self._not_judged: dict[int, JobState] = {}
        self._put_off: list[tuple[float, int, Attempt]] = []
        self._sequence = 0
        self._waiters: deque[asyncio.Future[None]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._is_exhausted = False

    def count_left(self) -> Left:
        """What is left because nothing more may be sent.

        Takes the rest of the jobs to count them; call it once, after the last attempt.
        """
        if not self._is_stopped:
            return Left(0, 0)
        states = {*self._left_over, *(id(attempt.state) for _, _, attempt in self._put_off)}
        if self._current is not None:
            states.add(id(self._current))
        not_judged = len(self._not_judged.keys() - states)
        return Left(len(states) + sum(1 for _ in self._jobs), not_judged)

    async def next(self) -> Attempt | None:
        """The next attempt as soon as it may start; `None` when there will be no more."""
        while True:
            if self._is_stopped or not self._has_more():
                if self._in_flight == 0:
                    self._wake_one()
                    return None
                wait_s = _INFINITE  # what is under way may yet be put off
            else:
                wait_s = self._wait_s()
                if wait_s == 0 and (attempt := self._take()) is not None:
                    self._start(attempt)
                    return attempt
                if wait_s == 0:
                    wait_s = max(0.0005, self._put_off[0][0] - self._loop.time())
            await self._sleep(wait_s)

    def answered(self, *, is_whole: bool = False) -> None:
        """An attempt ended: with an answer, which `is_whole`, or an error other than a refusal."""
        self._answered_at = self._loop.time()
        if is_whole:
            self._whole_at = self._answered_at
        self._adaptive.answered(self._in_flight, self._answered_at)
        self._in_flight -= 1

    @property
    def pause_s(self) -> float:
        """Seconds before the next attempt may start at all, as the endpoint refuses them."""
        return max(0.0, self._adaptive.resumes_at - self._loop.time()) if self._has_more() else 0.0

    @property
    def idle_s(self) -> float:
        """Seconds since an attempt was answered, or since the beginning."""
        return self._loop.time() - self._answered_at

    @property
    def unanswered_s(self) -> float:
        """Seconds since an attempt was answered whole; infinite before the first one."""
        return self._loop.time() - self._whole_at

    def refused(self, delay_s: float, *, is_delay_given: bool) -> None:
        """An attempt came back because the endpoint wants fewer requests.

        `is_delay_given`: it said itself for how long.
        """
        self._in_flight -= 1
        self._adaptive.refused(
            self._in_flight, self._loop.time(), delay_s, is_delay_given=is_delay_given
        )

    def left_over(self, attempt: Attempt) -> None:
        """An attempt came back because nothing more may be sent: none is handed out any more."""
        self._in_flight -= 1
        self._left_over[id(attempt.state)] = attempt.state

    def stop(self, attempt: Attempt) -> None:
        """Hand out none any more: what this one, which ended, was to be judged by may not be
        sent."""
        self._not_judged[id(attempt.state)] = attempt.state

    @property
    def _is_stopped(self) -> bool:
        return bool(self._left_over or self._not_judged)

    def put_off(self, attempt: Attempt, delay_s: float, elapsed_s: float) -> None:
        """Hand `attempt`, which took `elapsed_s`, out again, but not before `delay_s` seconds."""
        now = self._loop.time()
        attempt.retries += 1
        attempt.first_sent_at = attempt.first_sent_at or now - elapsed_s
        self._sequence += 1
        heapq.heappush(self._put_off, (now + delay_s, self._sequence, attempt))

    def _start(self, attempt: Attempt) -> None:
        self._in_flight += 1
        if attempt.retries:
            attempt.queued_s = self._loop.time() - attempt.first_sent_at
        if self._waiters:
            self._wake_one()

    def _wait_s(self) -> float:
        """Seconds until an attempt may start; infinite: when another one ends."""
        if self._in_flight >= int(self._adaptive.limit):
            return _INFINITE
        wait_s = self._rate.wait_s(self._loop.time())
        if self._adaptive.resumes_at:
            wait_s = max(wait_s, self._adaptive.resumes_at - self._loop.time())
        return wait_s

    def _has_more(self) -> bool:
        """Whether an attempt is left that is not under way; pulls the next job if need be."""
        if self._current is None and not self._is_exhausted:
            job = next(self._jobs, None)
            if job is None:
                self._is_exhausted = True
            else:
                self._current = JobState.of(job)
        return self._current is not None or bool(self._put_off)

    def _take(self) -> Attempt | None:
        """An attempt that is due, else a new one; `None` when all that is left is put off."""
        if self._put_off:
            if self._put_off[0][0] <= self._loop.time():
                return heapq.heappop(self._put_off)[2]
            if len(self._put_off) > 2 * self._concurrency + 8:
                return None  # an endpoint that refuses all must not pile up the whole run
        state = self._current
        if state is None:
            return None
        attempt = Attempt(state, state.trials_left.pop())
        if not state.trials_left:
            self._current = None
        return attempt

    async def _sleep(self, wait_s: float) -> None:
        waiter: asyncio.Future[None] = self._loop.create_future()
        self._waiters.append(waiter)
        if wait_s != _INFINITE:
            due = self._loop.time() + wait_s
            if self._timer is None or self._timer.when() > due:
                if self._timer is not None:
                    self._timer.cancel()
                self._timer = self._loop.call_at(due, self._wake_due)
        try:
            await waiter
        finally:
            if self._timer is not None and not self._waiters:
                self._timer.cancel()
                self._timer = None

    def _wake_due(self) -> None:
        self._timer = None
        self._wake_one()

    def _wake_one(self) -> None:
        while self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return
