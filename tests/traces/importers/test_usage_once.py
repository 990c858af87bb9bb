"""Tokens that a record tells of its parts and as a total are counted once."""

import json
from typing import Any

import pytest

from evaltui.core.case import Case
from evaltui.traces.importers.importing import Source
from evaltui.traces.importers.part import Part
from evaltui.traces.importers.usage import usage_attributes
from evaltui.traces.measured import cost_usd, tokens
from evaltui.traces.reading import trace_body
from tests.traces.importers.fixtures import BY_FRAMEWORK, BY_PROVIDER, imported

CALL = {"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}}
RESULT = {"role": "tool", "tool_call_id": "c", "content": "1"}
ASKED = {"role": "user", "content": "q"}
TRACE = {"traceId": "a" * 32, "startTimeUnixNano": "1700000000000000000"}


def used(input_: int, output: int) -> dict[str, Any]:
    return {"input_tokens": input_, "output_tokens": output}


def said(text: str, usage: Any = None, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": text, "usage": usage, **more}


def chat(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"messages": [ASKED, *messages], **more}


def span(id_: str, around: str, operation: str, tokens_: dict[str, int]) -> dict[str, Any]:
    def message(role: str, text: str) -> str:
        return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])

    told = {
        "gen_ai.operation.name": operation,
        "gen_ai.input.messages": message("user", "q"),
        "gen_ai.output.messages": message("assistant", id_),
    }
    attributes: list[Any] = [{"key": k, "value": {"stringValue": v}} for k, v in told.items()]
    for key, count in tokens_.items():
        attributes.append({"key": f"gen_ai.usage.{key}", "value": {"intValue": str(count)}})
    ids = {"spanId": id_ * 16, "parentSpanId": around * 16}
    return {**TRACE, **ids, "name": operation, "attributes": attributes}


def otlp(*spans: dict[str, Any]) -> dict[str, Any]:
    return {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}


FIRST = said("", used(10, 1), tool_calls=[CALL])
CLAUDE = {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "look"}]}
ANSWER = {"choices": [{"message": {"role": "assistant", "content": "a"}}], "usage": used(30, 3)}
AI = {"type": "ai", "content": "", "tool_calls": [{"name": "look", "args": {}, "id": "c"}]}
ITEM = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a"}]}
ALL = used(30, 3)
AGENT = "invoke_agent"


@pytest.mark.parametrize(
    ("source", "record"),
    [
        (BY_PROVIDER, chat(FIRST, RESULT, said("a"), usage=ALL)),
        (BY_PROVIDER, chat(FIRST, RESULT, said("a", used(20, 2)), usage=ALL)),
        (BY_PROVIDER, {"request": chat(), "response": ANSWER, "usage": ALL}),
        (BY_PROVIDER, chat(response=ANSWER, usage=ALL)),
        (BY_PROVIDER, chat(usage=ALL, response={"choices": ANSWER["choices"]})),
        (BY_PROVIDER, chat(said("a", ALL), output="a", usage=ALL)),
        (BY_PROVIDER, chat({**CLAUDE, "usage": used(10, 1)}, said("a"), usage=ALL)),
        (BY_PROVIDER, {"request": chat(), "response": {**said("a", ALL), "stop_reason": "end_turn",
                                                       "type": "message"}, "usage": ALL}),
        (BY_PROVIDER, {"steps": [ASKED, said("a", ALL), said("b")], "usage": ALL}),
        (BY_PROVIDER, otlp(span("1", "", AGENT, ALL), span("2", "1", AGENT, ALL))),
        (BY_PROVIDER, otlp(span("1", "", "chat", ALL), span("2", "1", "chat", used(20, 2)))),
        (BY_PROVIDER, otlp(span("1", "", "chat", used(10, 1)), span("2", "", "chat", used(20, 2)))),
        (BY_PROVIDER, otlp(span("1", "2", "chat", ALL), span("2", "1", "chat", {}))),
        (BY_FRAMEWORK, {"messages": [{**AI, "usage_metadata": used(10, 1)}, RESULT,
                                     {"type": "ai", "content": "a"}], "usage": ALL}),
        (BY_FRAMEWORK, {"messages": [{"type": "TextMessage", "source": "a", "content": "a",
                                      "models_usage": used(10, 1)},
                                     {"type": "TextMessage", "source": "b", "content": "b"}],
                        "usage": ALL}),
        (BY_FRAMEWORK, {"crew": "c", "steps": [said("a", ALL)], "usage_metrics": ALL,
                        "tasks_output": [{"description": "d", "raw": "b"}]}),
        (BY_FRAMEWORK, {"kernel": "k", "messages": [said("a", ALL)], "output": "b", "usage": ALL}),
        (BY_FRAMEWORK, {"new_items": [{**ITEM, "usage": ALL}], "final_output": {"x": 1},
                        "raw_responses": [{"usage": used(10, 1)}, {"usage": used(20, 2)}],
                        "usage": ALL}),
    ],
)  # fmt: skip
def test_a_total_counts_only_what_its_parts_do_not_tell(source: Source, record: Any) -> None:
    (case,) = imported(json.dumps(record).encode(), source).cases
    assert tokens(trace_body(case)) == {"input": 30.0, "output": 3.0}


@pytest.mark.parametrize("of_all", [0.3, 0.2, None])
def test_the_cost_of_all_is_that_of_its_parts_and_of_what_they_do_not_tell(
    of_all: float | None,
) -> None:
    each = [said("a", {"cost_usd": 0.1}), said("b", {"cost_usd": 0.2})]
    record = chat(*each, usage={"cost_usd": of_all})
    (case,) = imported(json.dumps(record).encode()).cases
    assert cost_usd(trace_body(case)) == pytest.approx(0.3)
    more = chat(*each, usage={"cost_usd": 1})
    (case,) = imported(json.dumps(more).encode()).cases
    assert cost_usd(trace_body(case)) == pytest.approx(1)


def test_the_costs_of_the_models_of_a_trace_are_added_up() -> None:
    """Those of an agent around them are the same."""
    agent = span("a", "", "invoke_agent", {})
    models = [span(one, "a", "chat", {}) for one in "bc"]
    for one, usd in ((agent, 4.0), *((each, 2.0) for each in models)):
        cost = {"key": "gen_ai.usage.cost_usd", "value": {"doubleValue": usd}}
        one["attributes"].append(cost)
    (case,) = imported(sent(agent, *models)).cases
    assert cost_usd(trace_body(case)) == 4.0


def test_a_total_goes_by_the_name_that_the_last_answer_has_for_it() -> None:
    own = said("a", attributes={"usage.input_tokens": 10, "usage.output_tokens": 3})
    (case,) = imported(json.dumps(chat(own, usage=ALL)).encode()).cases
    assert tokens(trace_body(case)) == {"input": 30.0, "output": 3.0}


@pytest.mark.parametrize(
    ("prompt", "tools"),
    [
        ("promptTokenCount", "toolUsePromptTokenCount"),
        ("prompt_token_count", "tool_use_prompt_token_count"),
    ],
)
def test_what_the_tools_of_gemini_put_into_a_prompt_is_input(prompt: str, tools: str) -> None:
    parts = [{"text": "a"}]
    answer = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}
    usage: dict[str, Any] = {
        prompt: 100,
        tools: 5000,
        "candidatesTokenCount": 4,
        "totalTokenCount": 5104,
    }
    record = {"candidates": [answer], "usageMetadata": usage}
    (case,) = imported(json.dumps(record).encode()).cases
    assert spent(case) == usage["totalTokenCount"]
    usage[tools] = "many"
    (note,) = imported(json.dumps(record).encode()).diagnostics
    assert (note.kind, note.path[-1]) == ("unreadable_number", tools)


def spent(case: Case) -> float:
    return sum(
        amount or 0 for name, amount in tokens(trace_body(case)).items() if "total" not in name
    )


def sent(*spans: dict[str, Any]) -> bytes:
    return json.dumps(otlp(*spans)).encode()


def test_a_span_that_was_sent_again_counts_once() -> None:
    once = span("b", "", "chat", used(100, 10))
    found = imported(sent(once) + b"\n" + sent(once), file="a.jsonl")
    (case,) = found.cases
    assert found.diagnostics == []
    assert spent(case) == 110
    assert [one.output for one in trace_body(case).trace] == [None, "b"]
    other = {**once, "name": "other"}
    assert [one.kind for one in imported(sent(once, other)).diagnostics] == ["dropped_item"]


@pytest.mark.parametrize("kind", ["chat", "execute_tool"])
def test_tokens_of_an_agent_without_messages_are_told_once(kind: str) -> None:
    """Those of an outer agent are the same, and those of a model count more."""
    outer, agent = (
        {**one, "attributes": [each for each in one["attributes"] if "messages" not in each["key"]]}
        for one in (
            span("e", "", "invoke_agent", used(1200, 15)),
            span("a", "e", "invoke_agent", used(1200, 15)),
        )
    )
    inner = span("b", "a", kind, {})
    inner["attributes"] += [
        {"key": f"gen_ai.tool.{key}", "value": {"stringValue": "1"}}
        for key in ("name", "call.arguments", "call.result")
    ]
    (case,) = imported(sent(outer, agent, inner)).cases
    assert spent(case) == 1215
    if kind == "chat":
        told = span("b", "a", kind, used(1000, 10))
        (case,) = imported(sent(outer, agent, told)).cases
        assert spent(case) == 1010


def test_what_bedrock_read_from_a_cache_is_input_too() -> None:
    used = {"inputTokens": 4, "outputTokens": 2, "cacheReadInputTokens": 30,
            "cacheWriteInputTokens": 500}  # fmt: skip
    said = usage_attributes(Part(used))
    assert said["gen_ai.usage.input_tokens"] == 534
    assert said["gen_ai.usage.cache_read.input_tokens"] == 30
    assert said["gen_ai.usage.cache_creation.input_tokens"] == 500
