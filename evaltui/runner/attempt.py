"""One attempt at one case: ask the agent within the time limit, judge what it says."""

import asyncio
from collections.abc import Callable
from time import perf_counter

from msgspec import Struct, field
from msgspec.structs import replace

from evaltui.core.agent import Agent, AgentRequest, PreviousAttempt
from evaltui.core.case import RubricCase
from evaltui.core.check import CheckContext
from evaltui.core.errors import AgentError
from evaltui.core.events import CaseStarted, Event, TextStreamed, ToolCalled, TurnFinished
from evaltui.core.response import AgentResponse, ToolCall
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.verdict import Kind, Verdict, VerdictStatus
from evaltui.judging.run_plan import run_plan
from evaltui.runner.deadlines import Deadlines
from evaltui.runner.dispatch import Attempt
from evaltui.runner.job import Job
from evaltui.runner.live_text import LiveText

RUBRIC_RESERVED = "rubric cases are reserved: not run, not counted as passed"

_MOST_SHARED = 2_000


class Attempts(Struct, frozen=True):
    """What all attempts of a run share."""

    agent: Agent
    emit: Callable[[Event], None]
    run_id: str
    timeout_s: float
    clock: Callable[[], float]
    deadlines: Deadlines
    _said: dict[tuple[str, str], Verdict] = field(default_factory=dict)

    async def run(self, attempt: Attempt, previous: tuple[PreviousAttempt, ...] = ()) -> CaseResult:
        """The result of one attempt; `previous`: those that it is to repair.

        Raises AgentError when the agent refuses or breaks.
        """
        job, key = attempt.state.job, attempt.state.job.case.key
        if attempt.retries == 0 and not previous:
            self.emit(CaseStarted(self.run_id, self.agent.name, key, attempt.trial))
        if job.case.invalid:
            return self._result(
                attempt,
                CaseStatus.FAILED,
                error=job.case.invalid,
                category="contract_violation",
            )
        if isinstance(job.case.body, RubricCase):
            return self._result(attempt, CaseStatus.SKIPPED, error=RUBRIC_RESERVED)
        live_calls = 0

        def on_tool_call(call: ToolCall) -> None:
            nonlocal live_calls
            live_calls += 1
            self.emit(ToolCalled(self.run_id, self.agent.name, key, call))

        live_text = LiveText(
            lambda text: self.emit(TextStreamed(self.run_id, self.agent.name, key, text))
        )
        request = AgentRequest(
            key,
            job.case.message,
            job.registry,
            job.case.stubs,
            job.case.body.max_turns,
            self.timeout_s,
            (),
            attempt.trial,
            live_text.add,
            on_tool_call,
            attempt.retries,
            job.case.expect,
            previous,
        )
        started = perf_counter()
        assert attempt.task is not None
        deadline = self.deadlines.start(attempt.task)
        response: AgentResponse | None = None
        try:
            response = await self.agent.respond(request)
        except asyncio.CancelledError as error:
            if deadline.task.cancelling() > deadline.is_past:
                raise  # the run itself was cancelled
            if not deadline.is_past:
                raise _broken(error) from error
        except AgentError:
            if not deadline.is_past:
                raise
        except Exception as error:
            if not deadline.is_past:
                raise _broken(error) from error
        finally:
            self.deadlines.stop(deadline)
        if deadline.is_past:
            return self._timed_out(attempt, (perf_counter() - started) * 1000)
        if not isinstance(response, AgentResponse):
            raise AgentError(f"the adapter answered with {type(response).__name__}")
        if attempt.retries or attempt.queued_s:
            response = replace(
                response,
                retries=response.retries + attempt.retries,
                queued_ms=response.queued_ms + attempt.queued_s * 1000,
            )
        if not live_calls:
            for call in response.tool_calls:
                self.emit(ToolCalled(self.run_id, self.agent.name, key, call))
        self.emit(TurnFinished(self.run_id, self.agent.name, key, response.turns, response.text))
        context = CheckContext(
            job.case, response, job.seed, job.snapshot, response.messages, config=job.config
        )
        return self._judged(attempt, response, await run_plan(job.plan, context))

    def failed(self, attempt: Attempt, error: AgentError, duration_ms: float) -> CaseResult:
        """The result when the agent gave none: status error, never a failure (contract B1)."""
        retries = attempt.retries + error.retries
        after = f" (after {retries} {'retry' if retries == 1 else 'retries'})" if retries else ""
        return self._result(
            attempt,
            CaseStatus.ERROR,
            error=f"agent: {error.what}{after}",
            category=error.category,
            duration_ms=duration_ms,
        )

    def _timed_out(self, attempt: Attempt, elapsed_ms: float) -> CaseResult:
        error = (
            f"timeout: no complete answer after {elapsed_ms:.0f} ms "
            f"(limit {self.timeout_s * 1000:.0f} ms). Make the agent faster, or raise `timeoutMs`."
        )
        verdict = Verdict("timeout", VerdictStatus.FAILED, error, category="timeout")
        return self._result(
            attempt,
            CaseStatus.FAILED,
            error=error,
            category="timeout",
            duration_ms=elapsed_ms,
            verdicts=(verdict,),
        )

    def _judged(
        self, attempt: Attempt, response: AgentResponse, verdicts: tuple[Verdict, ...]
    ) -> CaseResult:
        run = skipped = 0
        tokens: list[str] = []
        verdicts = tuple(map(self._shared, verdicts))
        gating: Verdict | None = None
        for verdict in verdicts:
            if verdict.kind is not Kind.ASSERTION:
                continue
            if verdict.status is VerdictStatus.SKIPPED:
                skipped += 1
            else:
                run += 1
                if gating is None and verdict.gates:
                    gating = verdict
            found = verdict.evidence.get("skippedTokens")
            if isinstance(found, list | tuple):
                tokens += map(str, found)
        status, error, category = CaseStatus.PASSED, "", ""
        if gating is not None:
            is_error = gating.status is VerdictStatus.ERROR
            status = CaseStatus.ERROR if is_error else CaseStatus.FAILED
            error, category = gating.reason, gating.category or "assertion"
        return self._result(
            attempt,
            status,
            error=error,
            category=category,
            duration_ms=response.duration_ms,
            verdicts=verdicts,
            response=response,
            assertions_run=run,
            assertions_skipped=skipped,
            skipped_tokens=tuple(tokens),
        )

    def _shared(self, verdict: Verdict) -> Verdict:
        """An equal verdict of an earlier case: most cases of a run say much the same."""
        said = self._said.get((verdict.reason, verdict.label))
        if said is None:
            if len(self._said) < _MOST_SHARED:
                self._said[verdict.reason, verdict.label] = verdict
            return verdict
        return said if said == verdict else verdict

    def _result(
        self,
        attempt: Attempt,
        status: CaseStatus,
        *,
        error: str = "",
        category: str = "",
        duration_ms: float = 0.0,
        verdicts: tuple[Verdict, ...] = (),
        response: AgentResponse | None = None,
        assertions_run: int = 0,
        assertions_skipped: int = 0,
        skipped_tokens: tuple[str, ...] = (),
    ) -> CaseResult:
        job: Job = attempt.state.job
        return CaseResult(
            key=job.case.key,
            run_id=self.run_id,
            agent=self.agent.name,
            status=status,
            description=job.case.description,
            duration_ms=duration_ms,
            assertions_run=assertions_run,
            assertions_skipped=assertions_skipped,
            skipped_tokens=skipped_tokens,
            error=error,
            category=category,
            verdicts=verdicts,
            response=response,
            inputs=job.inputs,
            queued_ms=response.queued_ms if response else attempt.queued_s * 1000,
            stale=job.stale,
            finished_at=self.clock(),
            trial=attempt.trial,
            passes=int(status is CaseStatus.PASSED),
            muted=job.muted,
        )


def _broken(error: BaseException) -> AgentError:
    """A fault in the adapter's own code: it costs this case, not the run."""
    message = str(error)
    what = f"{type(error).__name__}{': ' if message else ''}{message}"
    return AgentError(f"the adapter raised {what}")
