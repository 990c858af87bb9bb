"""One attempt at one case: ask the agent within the time limit, judge what it says."""

import asyncio
from collections.abc import Callable
from time import perf_counter

from msgspec import Struct, field
from msgspec.structs import replace

from evaltui.core.agent import Agent, PreviousAttempt
from evaltui.core.check import CheckContext
from evaltui.core.driver import JudgeTurn
from evaltui.core.errors import AgentError, NoMoreError
from evaltui.core.events import CaseStarted, Event
from evaltui.core.fingerprint import shown_print, tool_fingerprint, tool_fingerprints
from evaltui.core.inputs import Inputs, unmentioned
from evaltui.core.outcome import Outcome
from evaltui.core.response import REPLAYED, AgentResponse, Message
from evaltui.core.result import CaseResult
from evaltui.core.tool import ToolRegistry
from evaltui.core.verdict import Verdict
from evaltui.core.weighed import weighed_text
from evaltui.judging.judge import judge, not_answered, timed_out
from evaltui.judging.judge_turn import turn_judge
from evaltui.judging.with_outcome import with_outcome
from evaltui.runner.asking import Asking
from evaltui.runner.deadlines import Deadlines
from evaltui.runner.dispatch import Attempt
from evaltui.runner.job import Job

_MOST_SHARED = 2_000


class Attempts(Struct, frozen=True):
    """What all attempts of a run share."""

    agent: Agent
    emit: Callable[[Event], None]
    run_id: str
    timeout_s: float
    clock: Callable[[], float]
    deadlines: Deadlines
    _verdicts: dict[tuple[str, str], Verdict] = field(default_factory=dict)
    _tools: dict[str, str] = field(default_factory=dict)
    _shown: dict[str, str] = field(default_factory=dict)

    async def run(self, attempt: Attempt, previous: tuple[PreviousAttempt, ...] = ()) -> CaseResult:
        """The result of one attempt: ask, judge. `previous`: attempts that it is to repair.

        Raises AgentError when the agent refuses or breaks.
        """
        job = attempt.state.job
        if attempt.retries == 0 and not previous:
            name, key = self.agent.name, job.case.key
            self.emit(CaseStarted(self.run_id, name, key, attempt.trial, self.clock()))
        if job.settled is not None:
            return self._result(attempt, job.settled)
        started = perf_counter()
        response = await self._ask(attempt, previous)
        if response is None:
            elapsed_ms = (perf_counter() - started - attempt.held_s) * 1000
            late = timed_out(elapsed_ms, self.timeout_s * 1000)
            return self._result(attempt, late, duration_ms=elapsed_ms)
        outcome = await judge(job.plan, _context(job, response))
        return self._result(attempt, outcome, response, duration_ms=response.duration_ms)

    def failed(self, attempt: Attempt, error: AgentError, duration_ms: float) -> CaseResult:
        """The result when the agent gave no answer."""
        outcome = not_answered(error, attempt.retries + error.retries)
        return self._result(attempt, outcome, duration_ms=duration_ms)

    async def _ask(
        self, attempt: Attempt, previous: tuple[PreviousAttempt, ...]
    ) -> AgentResponse | None:
        """What the agent answers; `None` when the time limit passed first."""
        job = attempt.state.job
        assert attempt.task is not None
        deadline = self.deadlines.start(attempt.task)

        def on_wait(is_waiting: bool) -> None:
            (self.deadlines.hold if is_waiting else self.deadlines.go_on)(deadline)

        asking = Asking(
            self.agent, self.emit, self.run_id, self.timeout_s, attempt, previous, on_wait
        )
        response: object = None
        judge_turn: JudgeTurn = _Held(job, on_wait)
        try:
            response = await job.driver(job.case, asking, judge_turn)
        except asyncio.CancelledError as error:
            if deadline.task.cancelling() > deadline.is_past:
                raise  # the run itself was cancelled
            if not deadline.is_past:
                raise _broken(error) from error
        except AgentError as error:
            if not deadline.is_past or isinstance(error, NoMoreError):
                raise
        except Exception as error:
            if not deadline.is_past:
                raise _broken(error) from error
        finally:
            self.deadlines.stop(deadline)
            attempt.held_s = deadline.held_s
        if deadline.is_past:
            self.agent.check_files()
            return None
        return asking.answered(response)

    def _result(
        self,
        attempt: Attempt,
        outcome: Outcome,
        response: AgentResponse | None = None,
        duration_ms: float = 0.0,
    ) -> CaseResult:
        job = attempt.state.job
        result = CaseResult(
            key=job.case.key,
            run_id=self.run_id,
            agent=self.agent.name,
            status=outcome.status,
            description=job.case.description,
            duration_ms=duration_ms,
            response=response,
            inputs=self._inputs(job, response),
            queued_ms=response.queued_ms
            if response
            else (attempt.queued_s + attempt.held_s) * 1000,
            finished_at=self.clock(),
            trial=attempt.trial,
            was_counted=response is not None and response.source == REPLAYED,
        )
        verdicts = tuple(map(self._shared, outcome.verdicts))
        return with_outcome(result, replace(outcome, verdicts=verdicts))

    def _inputs(self, job: Job, response: AgentResponse | None) -> Inputs:
        """With the tools that the answer depends on, as it tells: they count from now."""
        if response is None or not job.is_asked:
            return job.inputs
        called: dict[str, str] = {}
        for tool in unmentioned(response.tool_calls, job.registry, job.inputs):
            if tool.name not in self._tools:
                self._tools[tool.name] = tool_fingerprint(tool)
            called[tool.name] = self._tools[tool.name]
        considered = self.agent.considered(response)
        if not called and considered is None:
            return job.inputs
        shown = None
        if considered is not None:
            shown = self._weighed(job, considered)
        return replace(job.inputs, called=called or job.inputs.called, shown=shown)

    def _weighed(self, job: Job, considered: tuple[str, ...]) -> str:
        """With what was read of each tool, where one message is all that was asked."""
        shown = [self._print(name, job.registry) for name in considered]
        if job.case.body.is_conversation:
            return weighed_text(shown, ())
        read = self.agent.read_prints(job.case.message, job.registry, considered)
        return weighed_text(shown, [read[name] for name in considered if name in read])

    def _print(self, name: str, registry: ToolRegistry) -> str:
        """What an agent is shown of a tool, worked out once a run."""
        known = self._shown.get(name)
        if known is None:
            tool = registry.get(name)
            known = self._shown[name] = (
                "" if tool is None else shown_print(name, tool_fingerprints(tool))
            )
        return known

    def _shared(self, verdict: Verdict) -> Verdict:
        """An equal verdict of an earlier case: most cases of a run say much the same."""
        known = self._verdicts.get((verdict.reason, verdict.label))
        if known is None:
            if len(self._verdicts) < _MOST_SHARED:
                self._verdicts[verdict.reason, verdict.label] = verdict
            return verdict
        return known if known == verdict else verdict


class _Held(Struct, frozen=True):
    """Judges turns of a conversation: that is no time of the agent's, so its limit does not run."""

    job: Job
    on_wait: Callable[[bool], None]

    async def __call__(
        self,
        stage: int,
        response: AgentResponse,
        messages: tuple[Message, ...],
        *,
        turn: int,
        is_final: bool,
    ) -> tuple[Verdict, ...]:
        judge_turn = turn_judge(self.job.plan, _context(self.job, response))
        self.on_wait(True)
        try:
            return await judge_turn(stage, response, messages, turn=turn, is_final=is_final)
        finally:
            self.on_wait(False)


def _context(job: Job, response: AgentResponse) -> CheckContext:
    return CheckContext(
        case=job.case,
        response=response,
        seed=job.seed,
        snapshot=job.snapshot,
        messages=response.messages,
    )


def _broken(error: BaseException) -> AgentError:
    """A fault in the adapter's own code: it costs this case, not the run."""
    message = str(error)
    what = f"{type(error).__name__}{': ' if message else ''}{message}"
    return AgentError(f"the adapter raised {what}")
