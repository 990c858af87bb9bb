"""Tokens that are told before anything the agent did are not lost."""

import json
from typing import Any

import pytest

from evaltui.traces.measured import tokens
from evaltui.traces.reading import trace_body
from tests.traces.importers.fixtures import imported
from tests.traces.importers.test_otlp import ASKED, CALL, chat, span, text, tool, wrapped


def model(number: int, input_: int, output: int, **more: Any) -> dict[str, Any]:
    told = {"usage.input_tokens": input_, "usage.output_tokens": output, **more.pop("told", {})}
    return span(number, more.pop("operation", "chat"), told=told, **more)


def spent(*spans: dict[str, Any]) -> dict[str, float | None]:
    """Tokens of all that happened, in the only case."""
    (case,) = imported(json.dumps(wrapped(*spans)).encode()).cases
    return tokens(trace_body(case))


def with_usage(one: dict[str, Any], input_: int, output: int) -> dict[str, Any]:
    used = {"gen_ai.usage.input_tokens": input_, "gen_ai.usage.output_tokens": output}
    return {**one, "attributes": {**one["attributes"], **used}}


@pytest.mark.parametrize(
    "later",
    [
        (tool(2), model(3, 39, 6)),
        (with_usage(chat(2, ASKED, text("12.")), 39, 6),),
        (with_usage(chat(2, [], CALL), 39, 6), tool(3)),
        (chat(2, [], CALL), tool(3), with_usage(chat(4, [], text("12.")), 39, 6)),
        (model(2, 39, 6, told={"input.messages": ASKED}),),
    ],
    ids=["tool", "answer", "call", "later", "question"],
)
def test_models_whose_answers_nobody_told_are_paid_all_the_same(later: Any) -> None:
    assert spent(model(1, 28, 3), *later) == {"input": 67, "output": 9}
    assert spent(model(0, 20, 1), model(1, 8, 2), *later) == {"input": 67, "output": 9}


def test_what_a_message_used_of_which_nothing_is_read_counts() -> None:
    picture = {"role": "assistant", "content": [{"type": "image", "id": 1}],
               "usage": {"input_tokens": 10, "output_tokens": 1}}  # fmt: skip
    last = {"role": "assistant", "content": "a", "usage": {"input_tokens": 20, "output_tokens": 2}}
    for total in ({}, {"usage": {"input_tokens": 30, "output_tokens": 3}}):
        for messages in ([picture, last], [last, picture]):
            (case,) = imported(json.dumps({"messages": messages, **total}).encode()).cases
            assert tokens(trace_body(case)) == {"input": 30, "output": 3}


ADK = {"system": "gcp.vertex.agent", "request.model": "gemini-2.0-flash"}


def nameless(number: int, input_: int, output: int, **more: Any) -> dict[str, Any]:
    """A model's span without the name of an operation, as Google's ADK writes them."""
    return model(number, input_, output, operation=None, **{"told": ADK, **more})


def details(*spans: dict[str, Any]) -> list[str]:
    found = imported(json.dumps(wrapped(*spans)).encode())
    assert all(one.is_loss for one in found.diagnostics)
    return [one.detail for one in found.diagnostics]


ANSWER = with_usage(chat(8, ASKED, text("12.")), 39, 6)
CALLED = tool(2, told={"tool.call.arguments": {}, "tool.call.result": 1})


@pytest.mark.parametrize("told", [ADK, {"response.model": "m"}, {"response.id": "r"}, {}])
@pytest.mark.parametrize("number", [1, 9])
def test_a_span_that_says_a_model_answered_is_paid_and_its_answer_is_missed(
    told: dict[str, Any], number: int
) -> None:
    spans = (nameless(number, 28, 3, told=told), CALLED, ANSWER)
    assert spent(*spans) == {"input": 67, "output": 9}
    assert details(*spans) == ["what a model answered"]
    agent = model(0, 67, 9, operation="invoke_agent")
    inside = [{**one, "parentSpanId": agent["spanId"]} for one in spans]
    assert spent(agent, *inside) == {"input": 67, "output": 9}, "an agent tells the sum"


@pytest.mark.parametrize("operation", [None, "workflow", "invoke_agent"])
def test_a_sum_of_models_inside_is_paid_once(operation: str | None) -> None:
    outer = model(1, 67, 9, operation=operation)
    inner = [nameless(2, 28, 3, inside=1), {**ANSWER, "parentSpanId": outer["spanId"]}]
    assert spent(outer, *inner) == {"input": 67, "output": 9}
    wrap = nameless(1, 39, 6)
    assert spent(wrap, {**ANSWER, "parentSpanId": wrap["spanId"]}) == {"input": 39, "output": 6}
    assert details(wrap, {**ANSWER, "parentSpanId": wrap["spanId"]}) == []


def test_models_that_say_only_what_they_used_do_not_silence_their_agent() -> None:
    """What an agent tells in messages is read then."""
    agent = chat(1, ASKED, text("12."), operation="invoke_agent")
    spans = (agent, nameless(2, 28, 3, inside=1), model(3, 39, 6, inside=1))
    (case,) = imported(json.dumps(wrapped(*spans)).encode()).cases
    assert [one.input or one.output for one in trace_body(case).trace] == ["How warm?", "12."]
    assert tokens(trace_body(case)) == {"input": 67, "output": 9}
    assert details(*spans) == ["what a model answered"] * 2


@pytest.mark.parametrize("one", [nameless(1, 28, 3), model(1, 28, 3)])
def test_a_model_that_was_paid_answered_where_nothing_else_is_told(one: dict[str, Any]) -> None:
    system = span(2, "create_agent", told={"system_instructions": "Be brief."})
    for spans in ((one,), (one, system)):
        (case,) = imported(json.dumps(wrapped(*spans)).encode()).cases
        (event,) = (each for each in trace_body(case).trace if each.actor == "agent")
        assert (event.type, event.output) == ("message", None)
        assert spent(*spans) == {"input": 28, "output": 3}
        assert details(*spans) == ["what a model answered"]


@pytest.mark.parametrize("operation", ["embeddings", "retrieval", "rerank"])
@pytest.mark.parametrize("number", [1, 9])
def test_what_other_operations_used_is_paid_too(operation: str, number: int) -> None:
    other = span(number, operation, told={"usage.input_tokens": 500})
    assert spent(other, ANSWER) == {"input": 539, "output": 6}
    around = model(0, 1000, 6, operation="something")
    inside = [{**one, "parentSpanId": around["spanId"]} for one in (other, ANSWER)]
    assert spent(around, *inside) == {"input": 1000, "output": 6}
    if operation != "rerank":
        assert details(other, ANSWER) == []


def test_only_embeddings_are_no_answer() -> None:
    found = imported(
        json.dumps(wrapped(span(1, "embeddings", told={"usage.input_tokens": 5}))).encode()
    )
    assert [one.kind for one in found.diagnostics] == ["empty_trace"]
