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
