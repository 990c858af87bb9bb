"""What becomes of one attempt: status, counts, error, events."""

import asyncio

import pytest

from evaltui.core.agent import AgentRequest
from evaltui.core.case import RubricCase
from evaltui.core.check import CheckContext
from evaltui.core.errors import AgentError, NoMoreError
from evaltui.core.events import ToolCalled, TurnFinished
from evaltui.core.fingerprint import tool_fingerprint
from evaltui.core.inputs import Inputs
from evaltui.core.response import AgentResponse, ToolCall
from evaltui.core.result import CaseStatus
from evaltui.core.tool import ToolDefinition, ToolRegistry
from evaltui.core.verdict import Kind, Verdict, VerdictStatus
from evaltui.kinds import ask_once
from evaltui.runner.job import Job
from tests.runner.fakes import FakeAgent, job, run, run_one, says


async def test_a_passed_case() -> None:
    inputs = Inputs(case="abc")
    result = await run_one(
        FakeAgent(says("hello")),
        job(expect={"responseContains": ["hell", "o"]}, inputs=inputs),
        clock=lambda: 12.5,
    )
    assert result.status is CaseStatus.PASSED
    assert (result.assertions_run, result.assertions_skipped, result.error) == (2, 0, "")
    assert result.inputs is inputs
    assert result.finished_at == 12.5
    assert (result.duration_ms, result.trials, result.passes) == (1.0, 1, 1)
    assert result.response is not None and result.response.text == "hello"


async def test_a_failed_case_carries_the_first_gating_reason_and_the_skipped_tokens() -> None:
    result = await run_one(
        FakeAgent(says("hello")),
        job(expect={"responseContains": ["{{seed:gone}}", "bye", "never reached"]}, seed={}),
    )
    assert result.status is CaseStatus.FAILED
    assert (result.assertions_run, result.assertions_skipped) == (1, 1)
    assert result.skipped_tokens == ("{{seed:gone}}",)
    assert "bye" in result.error
    assert result.category == "assertion"


async def test_invalid_cases_fail_without_a_call_and_rubric_cases_are_skipped() -> None:
    agent = FakeAgent()
    invalid = await run_one(agent, job(invalid="`input.message` is missing"))
    rubric = await run_one(agent, job(kind=RubricCase))
    assert (invalid.status, invalid.error) == (CaseStatus.FAILED, "`input.message` is missing")
    assert rubric.status is CaseStatus.SKIPPED
    assert agent.asked == []


async def test_the_time_limit_fails_the_case_with_the_time_it_took() -> None:
    result = await run_one(FakeAgent(says("late", 60)), timeout_s=0.05)
    assert result.status is CaseStatus.FAILED
    assert result.error.startswith("timeout")
    assert 49 <= result.duration_ms < 1000
    assert [verdict.status for verdict in result.verdicts] == [VerdictStatus.FAILED]
    assert result.assertions_run == 0


async def test_being_late_counts_for_no_code_either_that_was_saved_meanwhile() -> None:
    class Edited(FakeAgent):
        def check_files(self) -> None:
            raise NoMoreError("`agent.py` was saved", "Run again.", "agent-edited")

    heard = await run([job(0), job(1)], Edited(says("late", 60)), timeout_s=0.05)
    assert heard.results == {}
    assert heard.problems == ["`agent.py` was saved: 2 cases were not run"]


async def test_an_agent_that_swallows_the_cancel_has_timed_out_all_the_same() -> None:
    async def stubborn(_: AgentRequest) -> AgentResponse:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return AgentResponse("too late")
        return AgentResponse("never")

    ear = await run([job(0), job(1)], FakeAgent(stubborn), timeout_s=0.02)
    assert [result.category for result in ear.results.values()] == ["timeout", "timeout"]


async def _raises(error: BaseException) -> AgentResponse:
    raise error


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (AgentError("no such door", category="contract_violation"), "agent: no such door"),
        (KeyError("toolCalls"), "agent: the adapter raised KeyError: 'toolCalls'"),
        (TimeoutError("own"), "agent: the adapter raised TimeoutError: own"),
        (asyncio.CancelledError(), "agent: the adapter raised CancelledError"),
        (RecursionError("deep"), "agent: the adapter raised RecursionError: deep"),
    ],
)
async def test_whatever_the_adapter_raises_is_an_error(error: BaseException, words: str) -> None:
    ear = await run([job(0), job(1)], FakeAgent(lambda _: _raises(error)), timeout_s=5)
    assert [result.error for result in ear.results.values()] == [words, words]
    assert {result.status for result in ear.results.values()} == {CaseStatus.ERROR}


async def test_an_adapter_that_answers_nothing() -> None:
    async def nothing(_: AgentRequest) -> None:
        return None

    result = await run_one(FakeAgent(nothing))
    assert result.error == "agent: the adapter answered with NoneType"


class _Check:
    name = "custom"

    def __init__(self, said: object) -> None:
        self._said = said

    def run(self, context: CheckContext) -> Verdict:  # noqa: ARG002
        if isinstance(self._said, Exception):
            raise self._said
        assert isinstance(self._said, Verdict)
        return self._said


async def test_a_check_that_raises_is_an_error_and_metrics_do_not_count() -> None:
    metric = Verdict("speed", VerdictStatus.FAILED, "slow", kind=Kind.METRIC, value=1.0)
    case = job().case
    fine = await run_one(FakeAgent(), Job(case, ask_once, ((_Check(metric),),)))
    broken = await run_one(FakeAgent(), Job(case, ask_once, ((_Check(ValueError("x")),),)))
    assert (fine.status, fine.assertions_run) == (CaseStatus.PASSED, 0)
    assert broken.status is CaseStatus.ERROR
    assert "custom" in broken.error


async def test_events_of_a_case_in_order_and_calls_only_once() -> None:
    call = ToolCall("a", {}, True)

    async def live(request: AgentRequest) -> AgentResponse:
        assert request.on_tool_call is not None
        request.on_tool_call(call)
        return AgentResponse("done", (call,), turns=2)

    for agent in (FakeAgent(live), FakeAgent(says("done", tool_calls=(call,), turns=2))):
        ear = await run([job()], agent)
        assert ear.kinds() == ["CaseStarted", "ToolCalled", "TurnFinished", "CaseFinished"]
        called, turn = ear.events[1], ear.events[2]
        assert isinstance(called, ToolCalled) and called.call == call
        assert isinstance(turn, TurnFinished) and (turn.turn, turn.text) == (2, "done")


async def test_a_tool_that_was_called_though_no_case_mentions_it_counts_from_now_on() -> None:
    tool = ToolDefinition("roll_dice", "Roll dice")
    registry = ToolRegistry({tool.name: tool})
    agent = FakeAgent(says("six", tool_calls=(ToolCall("roll_dice", {}),)))
    ear = await run([job(0, registry=registry), job(1, registry=registry)], agent)
    called = [result.inputs.called for result in ear.results.values()]
    assert called == [{"roll_dice": tool_fingerprint(tool)}] * 2


async def test_what_stands_for_no_character_is_told() -> None:
    call = ToolCall("a", {"q": ["\ufffd"]})
    for answer in (says("half \ufffd end"), says("whole", tool_calls=(call,))):
        result = await run_one(FakeAgent(answer))
        assert result.response is not None
        assert [note for note in result.response.notes if "U+FFFD" in note]
    result = await run_one(FakeAgent(says("whole 東京")))
    assert result.response is not None
    assert result.response.notes == ()
