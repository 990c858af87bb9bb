"""Runs jobs against one agent: so many at once, each with its limits, every fact an event."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from functools import partial

from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.budget import BUDGET
from evaltui.core.errors import AgentError, NoMoreError, Problem
from evaltui.core.events import CaseFinished, Event, ProblemFound, TrialFinished
from evaltui.core.frame import TURN_S
from evaltui.core.rate_window import RateWindow
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.runner import run_problems
from evaltui.runner.attempt import Attempts
from evaltui.runner.deadlines import Deadlines
from evaltui.runner.dispatch import Attempt, Dispatch, Left
from evaltui.runner.job import Job
from evaltui.runner.retries import RetryPolicy
from evaltui.runner.trials import aggregate_trials

_USUAL_RETRIES = RetryPolicy()
_LONGEST_PAUSE_S = 30.0
"""For an endpoint that refuses everything, when the refused case itself is not sent again."""
_LONG_PAUSE_S = 10.0
"""Whoever waits for so long is told why."""


async def run_cases(
    jobs: Iterable[Job],
    agent: Agent,
    emit: Callable[[Event], None],
    *,
    run_id: str,
    concurrency: int = 1,
    timeout_s: float = 60.0,
    retries: RetryPolicy = _USUAL_RETRIES,
    rate: RateWindow | None = None,
    clock: Callable[[], float] = time.time,
    left_words: Callable[[int], str] = run_problems.cases_left,
) -> bool:
    """Emit CaseStarted, ToolCalled, TurnFinished and one CaseFinished for each job.

    Whatever the agent does costs its own case only. Cancelling the task stops the calls under way
    at once; a case that did not finish makes no CaseFinished. Errors marked retryable go back in
    the queue and hold no slot meanwhile; refusals (429) lower how many run at once. `timeout_s`
    bounds one attempt, 0 means no limit; `clock` gives seconds since the epoch. `rate` is what the
    agent's requests are counted in. An agent that raises NoMoreError ends the run, and so does
    a judge that nothing more may be sent to: a problem says how many cases are left, in the words
    of `left_words`. Returns whether more may be sent.
    """
    dispatch = Dispatch(jobs, max(1, concurrency), rate or RateWindow())
    deadlines = Deadlines(timeout_s)
    attempts = Attempts(agent, emit, run_id, timeout_s, clock, deadlines)
    run = _Run(dispatch, attempts, emit, run_id, retries, left_words)
    try:
        async with asyncio.TaskGroup() as workers:
            for _ in range(max(1, concurrency)):
                workers.create_task(run.work())
                # One after the other: connecting all before the first asks would have all wait
                # for the last, and all their answers come at once, in every round.
                await asyncio.sleep(0)
        run.flush()
    except BaseExceptionGroup as group:
        raise group.exceptions[0] from None
    finally:
        deadlines.close()
        run.flush()
    if run.refusal is not None and any(left := dispatch.count_left()):
        emit(ProblemFound(run.refusal(left), clock()))
    return run.refusal is None


class _Run:
    def __init__(
        self,
        dispatch: Dispatch,
        attempts: Attempts,
        emit: Callable[[Event], None],
        run_id: str,
        retries: RetryPolicy,
        left_words: Callable[[int], str],
    ) -> None:
        self.refusal: Callable[[Left], Problem] | None = None
        """Why nothing more may be sent, told of as many cases as are left."""
        self._left_words = left_words
        self._dispatch = dispatch
        self._attempts = attempts
        self._run_one: Callable[[Attempt], Awaitable[CaseResult]] = attempts.run
        if max_repairs := attempts.agent.traits.max_repairs:
            from evaltui.runner.repairs import Repairs

            self._run_one = Repairs(attempts, max_repairs).run
        self._emit = emit
        self._run_id = run_id
        self._retries = retries
        self._loop = asyncio.get_running_loop()
        self._turned_at: float | None = None
        """When a worker first looked for a case in this turn of the event loop."""
        self._finished: list[CaseFinished | TrialFinished] = []
        self._fault: Exception | None = None
        self._is_pause_reported = False

    async def work(self) -> None:
        task = asyncio.current_task()
        while (attempt := await self._next()) is not None:
            attempt.task = task
            started = time.perf_counter()
            try:
                result = await self._run_one(attempt)
            except NoMoreError as refusal:
                self.refusal = partial(run_problems.not_sent, refusal, self._left_words)
                self._dispatch.left_over(attempt)
                continue
            except AgentError as error:
                elapsed_ms = (time.perf_counter() - started) * 1000
                self._handle_error(attempt, error, elapsed_ms)
                continue
            self._dispatch.answered(is_whole=result.response is not None)
            if result.status is CaseStatus.ERROR and result.category == BUDGET:
                self.refusal = partial(run_problems.not_judged, result.error, self._left_words)
                self._dispatch.stop(attempt)
            self._finish(attempt, result)

    async def _next(self) -> Attempt | None:
        """An agent that answers without waiting must not keep everybody else waiting."""
        if self._fault is not None:
            raise self._fault
        now = time.perf_counter()
        if self._turned_at is None:
            self._turned_at = now
            self._loop.call_soon(self._turn)
        elif now - self._turned_at > TURN_S:
            await asyncio.sleep(0)
        return await self._dispatch.next()

    def _handle_error(self, attempt: Attempt, error: AgentError, elapsed_ms: float) -> None:
        dispatch = self._dispatch
        delay_s = self._retries.delay_s(
            error, attempt.retries, dispatch.idle_s, dispatch.unanswered_s
        )
        if error.throttled:
            pause_s = min(error.retry_after_s or 0.0, _LONGEST_PAUSE_S)
            is_delay_given = error.retry_after_s is not None or delay_s is None
            self._dispatch.refused(
                pause_s if delay_s is None else delay_s, is_delay_given=is_delay_given
            )
        else:
            self._dispatch.answered()
        if delay_s is None:
            self._finish(attempt, self._attempts.failed(attempt, error, elapsed_ms))
        else:
            self._dispatch.put_off(attempt, delay_s, elapsed_ms / 1000)
        if not self._is_pause_reported and (pause_s := dispatch.pause_s) >= _LONG_PAUSE_S:
            self._is_pause_reported = True
            problem = run_problems.pausing(self._attempts.agent.name, pause_s)
            self._emit(ProblemFound(problem, self._attempts.clock()))

    def _finish(self, attempt: Attempt, result: CaseResult) -> None:
        state = attempt.state
        if state.job.trials > 1:
            state.results.append(result)
            if len(state.results) < state.job.trials:
                self._finished.append(TrialFinished(self._run_id, result))
                return
            # Attempts of an interrupted run may be among them: it is the result of this one.
            result = replace(aggregate_trials(state.results), run_id=self._run_id)
        self._finished.append(CaseFinished(self._run_id, result))

    def flush(self) -> None:
        """Emit the results that wait for the end of the turn. Raises what a sink raises."""
        finished, self._finished = self._finished, []
        for event in finished:
            self._emit(event)

    def _turn(self) -> None:
        """Answers come in bunches: all who got one ask their next case, then all are emitted."""
        self._turned_at = None
        try:
            self.flush()
        except Exception as error:
            self._fault = error  # the next worker to look for a case breaks off the run with it
