"""Streams: pieces of text, calls as they happen, truncation, and cuts at any byte."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.agents.http.event_lines import EventLines
from evaltui.core.errors import AgentError
from evaltui.core.response import ToolCall
from tests.agents.requests import agent, ask, fault, request
from tests.agents.servers import Asked, Behaviour, always, answer, serving

_HEAD = "HTTP/1.1 200 OK\r\nContent-Type: {}\r\nTransfer-Encoding: chunked\r\n\r\n"


def streaming(*pieces: str, kind: str = "text/event-stream", whole: bool = True) -> Behaviour:
    async def behave(_: Asked, writer: asyncio.StreamWriter) -> bool:
        writer.write(_HEAD.format(kind).encode())
        for piece in pieces:
            raw = piece.encode()
            writer.write(b"%x\r\n%b\r\n" % (len(raw), raw))
            await writer.drain()
            await asyncio.sleep(0.001)
        if whole:
            writer.write(b"0\r\n\r\n")
        return whole

    return behave


def event(value: Any, name: str = "") -> str:
    head = f"event: {name}\r\n" if name else ""
    return f"{head}data: {json.dumps(value)}\r\n\r\n"


CALL = {"name": "get_weather", "params": {"city": "Paris"}, "success": True}


async def test_text_and_calls_arrive_while_it_speaks() -> None:
    heard: list[object] = []
    behave = streaming(
        ": hello\n\n", event({"delta": "It is "}), event({"toolCall": CALL}),
        event({"delta": "sunny."}), "data: [DONE]\n\n",
    )  # fmt: skip
    async with serving(behave) as server:
        asked = agent(server.url, stream=True)
        response = await asked.respond(
            request(on_text=heard.append, on_tool_call=lambda call: heard.append(call.name))
        )
        await asked.close()
    assert "text/event-stream" in server.asked[0].headers["accept"]
    assert response.text == "It is sunny."
    assert response.tool_calls == (ToolCall("get_weather", {"city": "Paris"}, True),)
    assert heard == ["It is ", "get_weather", "sunny."]
    assert response.first_token_ms is not None
    assert 0 < response.first_token_ms < response.duration_ms


async def test_json_lines_with_a_final_answer() -> None:
    final = {"response": "Done.", "toolCalls": [CALL]}
    lines = [json.dumps(value) + "\n" for value in ({"delta": "Do"}, {"delta": "ne"}, final)]
    lines[-1] = lines[-1].strip()
    async with serving(streaming(*lines, kind="application/x-ndjson")) as server:
        response = await ask(server.url, stream=True)
    assert response.text == "Done."
    assert len(response.tool_calls) == 1


async def test_mapped_events_with_conditions() -> None:
    behave = streaming(
        event({"type": "text", "value": {"t": "a"}}, "message"),
        event({"type": "thought", "value": {"t": "not said"}}, "message"),
        event([{"n": "x"}, {"n": "y"}], "tools"),
        event({"type": "text", "value": {"t": "b"}, "usage": {"usd": 0.5}}, "message"),
    )
    async with serving(behave) as server:
        response = await ask(
            server.url,
            events={"text": "type=text:value.t", "tool_call": "event=tools:$"},
            response={"name": "n", "cost_usd": "usage.usd"},
        )
    assert response.text == "ab"
    assert [call.name for call in response.tool_calls] == ["x", "y"]
    assert response.usage is not None and response.usage.cost_usd == 0.5


async def test_a_plain_json_answer_is_taken_too() -> None:
    async with serving(always(answer())) as server:
        assert (await ask(server.url, stream=True)).text == "It is sunny."


@pytest.mark.parametrize(
    ("behave", "words"),
    [
        (streaming(event({"delta": "It"}), whole=False), "dropped after"),
        (streaming("data: {broken\n\n"), "broken JSON"),
        (streaming(), "without an event"),
        (streaming(event({"other": 1})), "none of the 1 events holds text"),
        (streaming(event({"error": {"message": "overloaded"}})), "overloaded"),
        (streaming(event({"toolCall": {"params": {}}})), "no `toolCall #1.name`"),
        (always(answer("no", status="500 No")), "HTTP 500"),
        (
            always(answer(event({"delta": "It"}), status="206 Partial", kind="text/event-stream")),
            "HTTP 206",
        ),
    ],
)
async def test_broken_streams_are_errors(behave: Behaviour, words: str) -> None:
    async with serving(behave) as server:
        assert words in (await fault(server.url, stream=True)).what


async def test_a_stream_without_end_is_cut_at_the_limit() -> None:
    async def endless(_: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(_HEAD.format("text/event-stream").encode())
        raw = event({"delta": "la " * 1000}).encode()
        while True:
            writer.write(b"%x\r\n%b\r\n" % (len(raw), raw))
            await writer.drain()

    async with serving(endless) as server:
        error = await fault(server.url, stream=True, max_answer_bytes=100_000)
    assert "longer than 100000 bytes" in error.what


async def test_a_listener_of_text_that_raises_is_not_swallowed() -> None:
    def bad(_: str) -> None:
        raise ZeroDivisionError

    async with serving(streaming(event({"delta": "x"}))) as server:
        asked = agent(server.url, stream=True)
        with pytest.raises((ZeroDivisionError, AgentError)):
            await asked.respond(request(on_text=bad))
        await asked.close()


_TEXT = "data: é1\r\ndata:2\n\n:c\nevent: x\rdata: 😀\r\r\nid: 4\ndata\n\ndata: unfinished"


@given(st.lists(st.integers(1, len(_TEXT.encode()) - 1)), st.booleans())
def test_events_do_not_depend_on_where_the_bytes_are_cut(cuts: list[int], is_sse: bool) -> None:
    def heard(*edges: int) -> list[tuple[str, str]]:
        events: list[tuple[str, str]] = []
        lines = EventLines(lambda name, data: events.append((name, data)), is_sse=is_sse)
        raw = _TEXT.encode()
        places = [0, *edges, len(raw)]
        for index, start in enumerate(places[:-1]):
            lines.feed(raw[start : places[index + 1]])
        lines.finish()
        return events

    assert heard(*sorted(set(cuts))) == heard()
    if is_sse:
        assert heard() == [("", "é1\n2"), ("x", "😀"), ("", ""), ("", "unfinished")]
