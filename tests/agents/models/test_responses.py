"""OpenAI's Responses: requests, answers whole and in events, and the second turn."""

import asyncio
import json
from typing import Any

import pytest

from evaltui.agents.models.strict_schema import strict_schema
from evaltui.agents.tool_loop import ToolLoop
from evaltui.core.response import Usage
from tests.agents.model_agents import KEY, ask, fault, model_agent
from tests.agents.servers import Asked, always, answer, serving
from tests.agents.wire_texts import sse, stream

EACH = pytest.mark.parametrize("is_stream", [True, False], ids=["stream", "whole"])
REASONING = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAA="}
CALL = {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "get_weather",
        "arguments": '{"city": "Paris"}', "status": "completed"}  # fmt: skip
DOTTED = CALL | {"id": "fc_2", "call_id": "c2", "name": "calendar_find", "arguments": "{}"}
USAGE = {"input_tokens": 9, "output_tokens": 4, "input_tokens_details": {"cached_tokens": 2}}


def said(text: str, kind: str = "output_text") -> dict[str, Any]:
    key = "refusal" if kind == "refusal" else "text"
    content = [{"type": kind, key: text, "annotations": []}]
    return {"type": "message", "id": "m", "role": "assistant", "content": content}


def body_of(*items: Any, is_stream: bool, **more: Any) -> bytes:
    whole = {"model": "m-1", "status": "completed", "output": items, "usage": USAGE} | more
    if not is_stream:
        return answer(whole)
    events: list[Any] = [{"type": "response.created", "response": {"status": "in_progress"}}]
    for at, item in enumerate(items):
        events.append({"type": "response.output_item.added", "output_index": at, "item": item})
        for part in item.get("content", ()):
            text = part.get("text", "")
            events += [{"type": "response.output_text.delta", "delta": piece}
                       for piece in (text[:3], text[3:])]  # fmt: skip
        if item["type"] == "function_call":
            event = "response.function_call_arguments.delta"
            events.append({"type": event, "output_index": at, "delta": item["arguments"]})
        events.append({"type": "response.output_item.done", "output_index": at, "item": item})
    end = f"response.{whole['status']}"
    events.append({"type": end, "response": whole})
    return stream(sse(*events, names=True))


def agent(url: str, **options: Any) -> ToolLoop:
    return model_agent("openai", url, api="responses", **options)


@EACH
async def test_two_turns_and_what_is_sent(is_stream: bool) -> None:
    first = body_of(REASONING, CALL, DOTTED, is_stream=is_stream)
    last = body_of(said("Sunny é 😀."), is_stream=is_stream)
    heard: list[str] = []

    async def behave(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(first if asked.number == 0 else last)

    async with serving(behave) as server:
        asking = agent(server.url, system="Be short.", max_tokens=50, stream=is_stream)
        response = await ask(asking, stubs={"get_weather": {"sky": "blue"}}, on_text=heard.append)
    assert response.text == "Sunny é 😀."
    assert "".join(heard) == (response.text if is_stream else "".join(heard))
    weather, calendar = response.tool_calls
    assert (weather.name, weather.params) == ("get_weather", {"city": "Paris"})
    assert calendar.name == "calendar.find"
    assert response.usage == Usage(18, 8, response.usage.cost_usd if response.usage else None)
    one, two = (asked.json for asked in server.asked)
    assert server.asked[0].line == "POST /chat/responses HTTP/1.1"
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert (one["instructions"], one["max_output_tokens"]) == ("Be short.", 50)
    assert one["input"] == [{"role": "user", "content": "Weather in Paris?"}]
    assert one["tools"][0]["name"] == "get_weather"
    assert one["tools"][0]["strict"] is False
    output = {"type": "function_call_output"}
    assert two["input"][1:4] == [REASONING, CALL, DOTTED]
    assert two["input"][4] == output | {"call_id": "c1", "output": '{"sky": "blue"}'}
    assert two["input"][5]["call_id"] == "c2"


@EACH
@pytest.mark.parametrize(
    ("more", "item", "category"),
    [
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
         said("It"), "cut_off"),
        ({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}},
         said("It"), "filtered"),
        ({}, said("I will not.", "refusal"), "refused"),
        ({"status": "failed", "error": {"code": "server_error", "message": "no luck"}},
         said("It"), "agent_error"),
    ],
)  # fmt: skip
async def test_bad_ends(is_stream: bool, more: Any, item: Any, category: str) -> None:
    async with serving(always(body_of(item, is_stream=is_stream, **more))) as server:
        error = await fault(agent(server.url))
    assert error.category == category


@pytest.mark.parametrize(
    ("status", "word"), [("cancelled", "broke off the answer"), ("queued", "not there yet")]
)
async def test_what_is_not_finished_is_no_answer(status: str, word: str) -> None:
    raw = body_of(said("It"), is_stream=False, status=status)
    async with serving(always(raw)) as server:
        error = await fault(agent(server.url))
    assert word in error.what


async def test_a_stream_without_its_end_is_asked_for_again() -> None:
    whole = body_of(said("It is"), is_stream=True)
    events = whole.partition(b"\r\n\r\n")[2].split(b"event: ")
    cut = b"event: ".join(events[1:-1]).partition(b"\n")[2]
    async with serving(always(stream(b"event: response.created\n" + cut))) as server:
        error = await fault(agent(server.url))
    assert error.retryable and error.category == "truncated"


async def test_an_error_event() -> None:
    event = {"type": "error", "code": "rate_limit_exceeded", "message": "slow down"}
    async with serving(always(stream(sse(event)))) as server:
        error = await fault(agent(server.url))
    assert "slow down" in error.what


async def test_an_answer_of_another_api() -> None:
    async with serving(always(answer({"choices": []}))) as server:
        assert "no `output`; it has `choices`" in (await fault(agent(server.url))).what


@pytest.mark.parametrize(
    ("choice", "sent"),
    [
        ("required", "required"),
        ("none", "none"),
        ("calendar.find", {"type": "function", "name": "calendar_find"}),
    ],
)
async def test_tool_choice(choice: str, sent: Any) -> None:
    async with serving(always(body_of(said("x"), is_stream=True))) as server:
        await ask(agent(server.url, tool_choice=choice))
    assert server.asked[0].json["tool_choice"] == sent


@pytest.mark.parametrize("api", ["chat", "responses"])
async def test_strict_tools(api: str) -> None:
    async with serving(always(answer({}))) as server:
        await fault(model_agent("openai", server.url, api=api, strict=True))
    tool = server.asked[0].json["tools"][0]
    tool = tool if api == "responses" else tool["function"]
    assert tool["strict"] is True
    assert tool["parameters"]["additionalProperties"] is False


def test_a_strict_schema_closes_every_object() -> None:
    inner = {"type": "object", "properties": {"x": {"type": "string", "default": None}}}
    schema: Any = {
        "type": "object",
        "required": ["a"],
        "properties": {
            "a": {"type": "array", "items": inner},
            "b": {"oneOf": [inner, {"type": "null"}]},
        },
    }
    before = json.dumps(schema)
    closed = {
        "type": "object",
        "properties": {"x": {"type": "string"}},
        "required": ["x"],
        "additionalProperties": False,
    }
    assert strict_schema(schema) == {
        "type": "object",
        "required": ["a", "b"],
        "additionalProperties": False,
        "properties": {
            "a": {"type": "array", "items": closed},
            "b": {"anyOf": [closed, {"type": "null"}]},
        },
    }
    assert json.dumps(schema) == before


async def test_the_limit_under_the_name_that_newer_models_want() -> None:
    async with serving(always(answer({}))) as server:
        await fault(model_agent("openai", server.url, max_completion_tokens=7))
    sent = server.asked[0].json
    assert (sent["max_completion_tokens"], "max_tokens" in sent) == (7, False)


OLD = {"name": "get_weather", "arguments": '{"city": "Paris"}'}


@EACH
async def test_a_call_in_the_old_form(is_stream: bool) -> None:
    if is_stream:
        deltas: list[Any] = [{"name": "get_weather", "arguments": ""},
                             {"arguments": OLD["arguments"][:5]},
                             {"arguments": OLD["arguments"][5:]}]  # fmt: skip
        chunks = [{"choices": [{"delta": {"function_call": delta}}]} for delta in deltas]
        end = {"choices": [{"delta": {}, "finish_reason": "function_call"}]}
        first = stream(sse(*chunks, end))
    else:
        message = {"content": None, "function_call": OLD}
        choice = {"message": message, "finish_reason": "function_call"}
        first = answer({"choices": [choice]})
    last = answer({"choices": [{"message": {"content": "Sunny."}, "finish_reason": "stop"}]})

    async def behave(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(first if asked.number == 0 else last)

    async with serving(behave) as server:
        response = await ask(model_agent("openai", server.url), stubs={"get_weather": "blue"})
    (call,) = response.tool_calls
    assert (call.name, call.params, response.text) == ("get_weather", {"city": "Paris"}, "Sunny.")
    assistant, result = server.asked[1].json["messages"][1:]
    assert assistant["function_call"]["name"] == "get_weather"
    assert "tool_calls" not in assistant
    assert result == {"role": "function", "name": "get_weather", "content": "blue"}
