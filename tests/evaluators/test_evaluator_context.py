"""What evaluators see: made by hand, read from JSON, and told to others with nothing lost."""

from dataclasses import replace
from typing import Any

from evaltui.core.check import CheckContext
from evaltui.core.response import AgentResponse, Message
from evaltui.evaluators.kit.evaltui import (
    EvaluatorContext,
    Invocation,
    PersonaFacts,
    ScenarioFacts,
)
from evaltui.evaluators.seen_by_evaluators import context_json
from tests.expectations.judging import make_case

ASKED: dict[str, Any] = {"role": "user", "content": "hi"}
SAID: dict[str, Any] = {"role": "assistant", "content": "Hello!"}


def test_messages_alone_are_enough() -> None:
    seen = EvaluatorContext([ASKED, SAID])
    assert (seen.messages, seen.last_invocation.messages) == ((ASKED, SAID), (SAID,))
    assert (seen.last_response, seen.turn, seen.is_final, seen.persona) == ("Hello!", 1, True, None)
    assert seen.raw == {
        "messages": [ASKED, SAID],
        "scenario": {"name": ""},
        "lastInvocation": {"latencyMs": 0.0, "messages": [SAID]},
        "turn": 1,
        "isFinal": True,
    }


def test_what_is_told_of_it_reads_back_the_same() -> None:
    tokens = {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}
    seen = EvaluatorContext(
        [ASKED, SAID, ASKED],
        ScenarioFacts("s", "do it", 4),
        Invocation(1.5, (SAID,), tokens, 0.5, tells_tool_calls=False),
        persona=PersonaFacts("Ann", "in a hurry"),
        turn=2,
        is_final=False,
    )
    assert EvaluatorContext.from_json(seen.raw) == seen
    assert EvaluatorContext.from_json(EvaluatorContext([]).raw) == EvaluatorContext([])


def test_other_settings_are_of_the_same_context_and_another_turn_is_not() -> None:
    seen = EvaluatorContext([ASKED, SAID])
    assert seen.with_config({"a": 1}).raw is seen.with_config({}).raw
    assert replace(seen, turn=2).raw["turn"] == 2
    read = EvaluatorContext.from_json(seen.raw)
    assert read.raw is seen.raw
    assert replace(read, turn=2).raw["turn"] == 2


def test_a_seed_behind_the_users_line_is_no_message_of_the_agent() -> None:
    """Neither a line of the system nor a call whose result was given beforehand."""
    answer = Message("assistant", "hello")
    for seed in (Message("system", "a shop"), Message("assistant", "I look"), Message("tool", "1")):
        whole = (Message("user", "hi"), seed, answer)
        context = CheckContext(
            make_case({}), AgentResponse("hello", messages=(answer,)), messages=whole
        )
        seen = EvaluatorContext.from_json(context_json(context))
        assert [one["content"] for one in seen.last_invocation.messages] == ["hello"]
        assert len(seen.messages) == 3
