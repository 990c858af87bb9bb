"""An evaluator as a check: its context, its result, its mistakes."""

import asyncio
import math
from collections.abc import Mapping
from typing import Any

import pytest

from evaltui import EvaluatorContext, define_evaluator, failed, measured, passed, skipped
from evaltui.core.case_body import EvaluatorUse
from evaltui.core.check import CheckContext
from evaltui.core.response import Message, ToolCall, Usage
from evaltui.core.result import CaseStatus
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.evaluators.evaluator_check import evaluator_stage, unusable
from evaltui.evaluators.judges_elsewhere import JudgesElsewhere
from evaltui.evaluators.kit.evaltui import EvaluatorDefinition, message_text
from evaltui.evaluators.registry import EvaluatorRegistry, create_registry
from evaltui.evaluators.seen_by_evaluators import context_json
from evaltui.judging.aggregate import aggregate
from evaltui.judging.run_plan import run_plan
from tests.evaluators.seen import answered, verdict_by

ERROR = VerdictStatus.ERROR


def registry(said: Any, kind: str = "assertion") -> EvaluatorRegistry:
    """With one evaluator `mine` that answers so; an exception is raised."""

    def evaluate(_: EvaluatorContext) -> Any:
        if isinstance(said, Exception):
            raise said
        return said

    known = create_registry()
    known.register(EvaluatorDefinition("mine", "Mine", kind, evaluate), origin="./mine.py")
    return known


@pytest.mark.parametrize(
    ("said", "status", "value"),
    [
        (passed("ok", 0.5), VerdictStatus.PASSED, 0.5),
        (passed("more than all", 1.5), VerdictStatus.PASSED, 1.5),
        (failed("no"), VerdictStatus.FAILED, None),
        (failed("less than nothing", -2), VerdictStatus.FAILED, -2.0),
        (skipped("not now"), VerdictStatus.SKIPPED, None),
        (measured(3, "three"), VerdictStatus.PASSED, 3.0),
        ({"success": True, "reason": "ok", "value": 1}, VerdictStatus.PASSED, 1.0),
        ({"passed": False, "reason": "no", "score": 0}, VerdictStatus.FAILED, 0.0),
    ],
)
async def test_a_result_becomes_a_verdict(
    said: Any, status: VerdictStatus, value: float | None
) -> None:
    verdict = await verdict_by("mine", registry=registry(said))
    assert (verdict.status, verdict.value, verdict.label) == (status, value, "Mine")


@pytest.mark.parametrize(
    "said",
    [
        None,
        True,
        "passed",
        {"success": 1, "reason": "x"},
        {"reason": "x"},
        {"success": True, "reason": 5},
        {"success": True, "reason": "x", "value": True},
        {"success": True, "reason": "x", "value": "1"},
        {"success": True, "reason": "x", "value": math.nan},
        {"success": True, "reason": "x", "value": math.inf},
        {"success": True, "reason": "x", "value": 10**400},
        {"success": True, "reason": "x", "metadata": []},
    ],
)
async def test_what_is_no_result_is_an_error_of_the_evaluator(said: Any) -> None:
    verdict = await verdict_by("mine", registry=registry(said))
    assert verdict.status is ERROR
    assert verdict.reason.startswith("Evaluator error: ")


async def test_what_it_raises_is_told_and_a_metric_gates_nothing() -> None:
    raised = await verdict_by("mine", registry=registry(ValueError("no table")))
    assert (raised.status, raised.reason) == (ERROR, "Evaluator error: no table")
    assert aggregate([raised]).status is CaseStatus.ERROR
    metric = await verdict_by("mine", registry=registry(ValueError("no table"), "metric"))
    assert metric.status is ERROR
    assert aggregate([metric]).status is CaseStatus.PASSED
    low = await verdict_by("mine", registry=registry(failed("low", 2), "metric"))
    assert aggregate([low]).metrics == {"mine": 2.0}
    assert aggregate([low]).status is CaseStatus.PASSED


async def test_to_be_stopped_is_no_verdict() -> None:
    async def stopped() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await verdict_by("mine", registry=registry(stopped()))


async def test_an_unknown_type_and_wrong_settings_say_what_to_do() -> None:
    unknown = await verdict_by("tool-oder")
    assert unknown.status is ERROR
    assert "Did you mean `tool-order`?" in unknown.reason
    wrong = await verdict_by("latency-budget", {"maxMs": "5"})
    assert wrong.status is ERROR
    assert "`config.maxMs`" in wrong.reason


async def seen(context: CheckContext) -> EvaluatorContext:
    found: list[EvaluatorContext] = []

    @define_evaluator("look", label="Look")
    def look(ctx: EvaluatorContext) -> Any:
        found.append(ctx)
        return passed("seen")

    known = create_registry()
    known.register(look, origin="./look.py")
    await verdict_by("look", {"a": 1}, context, known)
    return found[0]


async def test_an_answer_without_messages_is_told_as_some() -> None:
    call = ToolCall("find_order", {"id": "ü"}, True, 1.0, {"state": "found"})
    ctx = await seen(answered("It is there.", call, usage=Usage(2, 3, 0.5)))
    assert [message["role"] for message in ctx.messages] == [
        "user",
        "assistant",
        "tool",
        "assistant",
    ]
    assert ctx.messages[1]["tool_calls"] == [
        {
            "id": "call_1",
            "type": "function",
            "function": {"name": "find_order", "arguments": '{"id":"ü"}'},
        }
    ]
    assert ctx.messages[2]["tool_call_id"] == "call_1"
    assert ctx.last_invocation.messages == ctx.messages[1:]
    assert ctx.last_invocation.tokens_usage == {
        "input_tokens": 2,
        "output_tokens": 3,
        "total_tokens": 5,
    }
    assert (ctx.last_response, ctx.turn, ctx.is_final) == ("It is there.", 1, True)
    assert [(one.name, one.arguments) for one in ctx.tool_calls] == [("find_order", {"id": "ü"})]
    assert (ctx.config, ctx.scenario.name) == ({"a": 1}, "c1")


async def test_the_last_turn_begins_behind_the_last_words_of_the_user() -> None:
    messages = tuple(
        Message(role, role[0]) for role in ("system", "user", "assistant", "user", "assistant")
    )
    ctx = await seen(answered("b", messages=messages))
    roles = [message["role"] for message in ctx.messages]
    assert roles == ["system", *["user", "assistant"] * 2], "nothing of it is kept back"
    assert len(ctx.last_invocation.messages) == 1


async def test_a_message_is_seen_as_the_agent_sent_it() -> None:
    blocks = [{"type": "text", "text": "b"}, {"type": "image", "url": "x"}]
    extra: dict[str, Any] = {
        "id": "m1",
        "metadata": {"response_metadata": {}},
        "content": blocks,
        "own": [1],
    }
    messages = (Message("user", "a"), Message("assistant", "b", extra=extra))
    ctx = await seen(answered("b", messages=messages))
    assert ctx.messages == ({"role": "user", "content": "a"}, {"role": "assistant", **extra})
    assert ctx.last_invocation.messages == ctx.messages[1:]
    assert ctx.last_response == "b"


def test_the_text_of_a_message_is_that_of_its_blocks() -> None:
    blocks = [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]
    assert message_text(blocks) == "a\nb"
    assert message_text([*blocks, {"type": "text", "text": ""}]) == "a\nb"
    assert message_text(None) == ""
    assert message_text("a") == "a"


def test_what_cannot_judge_is_known_before_anybody_is_asked_with_all_mistakes() -> None:
    known = create_registry()
    wrong = EvaluatorUse("response-length", {"mx": 1, "max": "many"})
    outcome = unusable((evaluator_stage((wrong, EvaluatorUse("regex", {"pattern": "x"})), known),))
    assert outcome is not None
    assert outcome.status is CaseStatus.ERROR
    assert "mx" in outcome.reason
    assert "`config.max`" in outcome.reason
    measuring = EvaluatorUse("tool-call-count", {"no": 1})
    assert unusable((evaluator_stage((measuring,), known),)) is None


async def test_who_judges_elsewhere_is_asked_with_what_goes_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[Mapping[str, Any], Mapping[str, Any]]] = []

    async def ask(raw: Mapping[str, Any], config: Mapping[str, Any]) -> Verdict:
        asked.append((raw, config))
        return Verdict("mine", VerdictStatus.PASSED, "ok")

    known = EvaluatorRegistry()
    known.register(EvaluatorDefinition("mine", "Mine", "assertion", JudgesElsewhere(ask)))
    uses = (EvaluatorUse("mine", {"least": 1}), EvaluatorUse("mine", {"least": 2}))
    monkeypatch.setattr(EvaluatorContext, "from_json", None)
    context = answered("fine")
    verdicts = await run_plan((evaluator_stage(uses, known),), context)
    assert [verdict.reason for verdict in verdicts] == ["ok", "ok"]
    (first, one), (second, two) = asked
    assert first is second, "it goes there once"
    assert (first, one, two) == (context_json(context), {"least": 1}, {"least": 2})
