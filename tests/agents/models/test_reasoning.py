"""What a model thought goes back to its API with the next turn, as it came, and nowhere else."""

import asyncio
import json
from typing import Any

import pytest

from evaltui.agents.recordings.recorded_answers import read_reply, write_reply
from evaltui.core.model import ModelReply
from tests.agents.model_agents import ask, model_agent
from tests.agents.servers import Asked, answer, serving
from tests.agents.wire_texts import anthropic_text, chunk, openai_text, piece, sse, stream

EACH = pytest.mark.parametrize("is_stream", [True, False], ids=["stream", "whole"])
STUBS = {"get_weather": "sunny"}
CITY = '{"city": "Paris"}'
THOUGHT = {"type": "thinking", "thinking": "Paris, so the weather.", "signature": "c2ln+/=="}
HIDDEN = {"type": "redacted_thinking", "data": "b64b64"}
AGAIN = {"type": "thinking", "thinking": "One call will do.", "signature": "dHdv"}


async def second_request(type_: str, first: bytes, last: bytes, **options: Any) -> Any:
    """What is sent after the first turn's calls were answered, and the whole response."""

    async def behave(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(first if asked.number == 0 else last)

    async with serving(behave) as server:
        response = await ask(model_agent(type_, server.url, **options), stubs=STUBS)
    assert len(server.asked) == 2
    return server.asked[1].json, response


def anthropic_bytes(is_stream: bool) -> bytes:
    blocks = [THOUGHT, HIDDEN, {"type": "text", "text": "Let me look. "}, AGAIN]
    call = {"type": "tool_use", "id": "a", "name": "get_weather"}
    if not is_stream:
        whole = {"content": [*blocks, call | {"input": json.loads(CITY)}]}
        return answer(whole | {"model": "m", "stop_reason": "tool_use"})
    events: list[Any] = [anthropic_text("")[0]]
    for index, block in enumerate(blocks):
        start = dict.fromkeys(block, "") | {"type": block["type"]}
        if block is HIDDEN:
            start = HIDDEN
        events.append({"type": "content_block_start", "index": index, "content_block": start})
        for key in ("thinking", "text", "signature"):
            text = block.get(key, "")
            for part in (text[:3], text[3:]) if text else ():
                delta = {"type": f"{key}_delta", key: part}
                events.append({"type": "content_block_delta", "index": index, "delta": delta})
        events.append({"type": "content_block_stop", "index": index})
    begin: Any = call | {"input": {}}
    events.append({"type": "content_block_start", "index": 4, "content_block": begin})
    delta = {"type": "input_json_delta", "partial_json": CITY}
    events.append({"type": "content_block_delta", "index": 4, "delta": delta})
    return stream(sse(*events, *anthropic_text("", "tool_use")[4:], names=True))


@EACH
async def test_thinking_blocks_go_back_in_their_places(is_stream: bool) -> None:
    last = stream(sse(*anthropic_text("Sunny."), names=True))
    sent, response = await second_request("anthropic", anthropic_bytes(is_stream), last)
    assert sent["messages"][1] == {
        "role": "assistant",
        "content": [
            THOUGHT,
            HIDDEN,
            {"type": "text", "text": "Let me look. "},
            AGAIN,
            {"type": "tool_use", "id": "a", "name": "get_weather", "input": {"city": "Paris"}},
        ],
    }
    assert response.text == "Sunny."
    assert "Paris, so" not in repr(response)


@EACH
@pytest.mark.parametrize("key", ["reasoning_content", "reasoning"])
async def test_reasoning_goes_back_under_its_name(is_stream: bool, key: str) -> None:
    calls = [piece(0, "a", "get_weather", CITY)]
    if is_stream:
        first = stream(sse(chunk(**{key: "Paris, "}), chunk(**{key: "so."}),
                           chunk("tool_calls", tool_calls=calls)))  # fmt: skip
    else:
        message = {"content": None, key: "Paris, so.", "tool_calls": calls}
        first = answer({"choices": [{"message": message, "finish_reason": "tool_calls"}]})
    sent, response = await second_request("openai", first, stream(sse(*openai_text("Sunny."))))
    assert sent["messages"][1][key] == "Paris, so."
    assert sent["messages"][1]["tool_calls"][0]["id"] == "a"
    assert "Paris, so" not in repr(response)


@EACH
async def test_thought_signatures_go_back_with_their_call(is_stream: bool) -> None:
    calls = [piece(0, "a", "get_weather", CITY), piece(1, "b", "calendar_find", "{}")]
    signature = {"google": {"thought_signature": "AY89a18I+/="}}
    calls[0]["extra_content"] = signature
    if is_stream:
        first = stream(sse(*(chunk(tool_calls=[call]) for call in calls), chunk("tool_calls")))
    else:
        message = {"tool_calls": calls}
        first = answer({"choices": [{"message": message, "finish_reason": "tool_calls"}]})
    sent, _ = await second_request("openai", first, stream(sse(*openai_text("Sunny."))))
    first_call, second_call = sent["messages"][1]["tool_calls"]
    assert first_call["extra_content"] == signature
    assert "extra_content" not in second_call


async def test_pieces_of_reasoning_details_become_whole() -> None:
    def detail(**more: Any) -> Any:
        return chunk(reasoning_details=[{"type": "reasoning.text", "index": 0} | more])

    calls = chunk("tool_calls", tool_calls=[piece(0, "a", "get_weather", CITY)])
    other = {"type": "reasoning.encrypted", "index": 1, "data": "xyz"}
    first = stream(sse(detail(text="Pa"), detail(text="ris"), detail(signature="s1"),
                       chunk(reasoning_details=[other]), calls))  # fmt: skip
    sent, _ = await second_request("openai", first, stream(sse(*openai_text("Sunny."))))
    whole = {"type": "reasoning.text", "index": 0, "text": "Paris", "signature": "s1"}
    assert sent["messages"][1]["reasoning_details"] == [whole, other]


async def test_an_answer_without_thinking_keeps_nothing() -> None:
    last = stream(sse(*anthropic_text("Sunny."), names=True))
    content = [{"type": "tool_use", "id": "a", "name": "get_weather", "input": {}}]
    first = answer({"content": content, "stop_reason": "tool_use"})
    sent, _ = await second_request("anthropic", first, last)
    assert sent["messages"][1]["content"] == content


def test_a_recording_keeps_what_goes_back() -> None:
    reply = ModelReply("x", provider_data={"reasoning_content": "why"})
    assert read_reply(write_reply(reply)).provider_data == reply.provider_data
    assert "provider_data" not in write_reply(ModelReply("x"))
