"""A stream that ends too early, at whatever byte, is asked for again and never taken as whole."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from evaltui.agents.http.agent import make
from evaltui.core.case import CaseKey
from evaltui.core.errors import AgentError
from evaltui.core.model import ModelRequest
from evaltui.core.response import Message
from evaltui.core.result import CaseStatus
from tests.agents.model_agents import KEY, TOOLS, fault, model_agent
from tests.agents.servers import Asked, serving
from tests.agents.wire_texts import (
    anthropic_text,
    broken_stream,
    chunk,
    openai_text,
    piece,
    sse,
    stream,
)
from tests.runner.fakes import job, run_one

TEXT = "It is sunny é 😀."
CITY = '{"city": "Paris"}'
OPENAI = sse(
    *openai_text(TEXT)[:2],
    chunk(tool_calls=[piece(0, "a", "get_weather", CITY[:6])]),
    chunk(tool_calls=[piece(0, args=CITY[6:])]),
    chunk("tool_calls"),
    {"model": "m", "choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}},
)
ANTHROPIC = sse(
    *anthropic_text(TEXT)[:5],
    {
        "type": "content_block_start",
        "index": 1,
        "content_block": {"type": "tool_use", "id": "a", "name": "get_weather", "input": {}},
    },
    *(
        {
            "type": "content_block_delta",
            "index": 1,
            "delta": {"type": "input_json_delta", "partial_json": part},
        }
        for part in (CITY[:6], CITY[6:])
    ),
    {"type": "content_block_stop", "index": 1},
    *anthropic_text("", "tool_use")[5:],
    names=True,
)
WHOLE = {"openai": OPENAI, "anthropic": ANTHROPIC}
BOTH = pytest.mark.parametrize("type_", WHOLE)
REQUEST = ModelRequest(CaseKey("evals/w.golden.json", "gs-1"), (Message("user", "?"),), TOOLS)


@BOTH
@pytest.mark.parametrize(
    ("ending", "step"),
    [
        ("the body ends", 7),
        ("the connection ends", 11),
        ("the connection drops", 11),
        pytest.param("the body ends", 1, marks=pytest.mark.slow),
    ],
)
async def test_cut_at_each_byte(type_: str, ending: str, step: int) -> None:
    whole = WHOLE[type_]

    asked_for = 0

    async def behave(_: Asked, writer: asyncio.StreamWriter) -> bool:
        body = whole[:asked_for]
        if ending == "the body ends":
            writer.write(stream(body) if body else stream(b"\n"))
            return True
        if ending == "the connection drops":
            writer.write(broken_stream(body or b"\n"))
            return False
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + body)
        return False

    taken: list[int] = []
    async with serving(behave) as server:
        model = model_agent(type_, server.url).model
        for offset in (*range(0, len(whole), step), len(whole)):
            asked_for = offset
            try:
                reply = await model.complete(REQUEST)
            except AgentError as error:
                assert error.retryable, f"cut at byte {offset}: {error.what}"
                continue
            (call,) = reply.tool_calls
            assert (reply.text, call.params) == (TEXT, {"city": "Paris"}), f"at byte {offset}"
            taken.append(offset)
        await model.close()
    if ending == "the connection drops":
        assert not taken
        return
    said_why = b'"tool_calls"}]}' if type_ == "openai" else b'"message_stop"}'
    end = whole.rindex(said_why) + len(said_why) + len(b"\n\n")
    assert end <= taken[0] < end + step
    assert taken[-1] == len(whole)


@BOTH
async def test_a_cut_in_the_middle_of_an_event_says_so(type_: str) -> None:
    why = b'"finish_reason": "tool_calls"' if type_ == "openai" else b"message_stop"
    cut = WHOLE[type_][: WHOLE[type_].rindex(why) + 4]

    async def behave(_: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(stream(cut))

    async with serving(behave) as server:
        error = await fault(model_agent(type_, server.url))
    assert error.category == "truncated"
    assert "before the answer was complete" in error.what
    assert f"Received so far: the text `{TEXT}…`" in error.what


async def test_a_server_that_marks_the_end_of_its_streams_always_does() -> None:
    whole = sse(*openai_text(TEXT))
    unmarked = whole.removesuffix(b"data: [DONE]\n\n")
    bodies = [unmarked, whole, unmarked]

    async def behave(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(stream(bodies[asked.number]))

    async with serving(behave) as server:
        model = model_agent("openai", server.url).model
        for _ in range(2):
            assert (await model.complete(REQUEST)).text == TEXT
        with pytest.raises(AgentError, match="before the answer was complete") as caught:
            await model.complete(REQUEST)
        await model.close()
    assert caught.value.retryable


@BOTH
async def test_the_case_passes_when_the_second_answer_is_whole(type_: str) -> None:
    whole = sse(*openai_text(TEXT)) if type_ == "openai" else sse(*anthropic_text(TEXT), names=True)

    async def behave(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(stream(whole[: len(whole) // 2] if asked.number == 0 else whole))

    async with serving(behave) as server:
        agent = model_agent(type_, server.url)
        result = await run_one(agent, job(expect={"responseContains": [TEXT]}))
        await agent.close()
    assert result.status is CaseStatus.PASSED
    assert result.response is not None
    assert result.response.retries == 1


def shows_key(text: str) -> bool:
    return any(KEY[at : at + 4] in text for at in range(len(KEY) - 3))


@pytest.mark.parametrize("type_", ["openai", "anthropic", "http"])
async def test_a_cut_in_the_middle_of_a_secret_shows_no_half_of_it(type_: str) -> None:
    bodies: list[bytes] = []
    for size in range(4, len(KEY), 3):
        end = "" if type_ == "http" else "\n\n"
        bodies.append(f'data: {{"a": "{KEY[:size]}{end}'.encode())
        if type_ == "openai":
            whole = sse(chunk(content=f"It is {KEY[:size]}"))
            bodies.append(whole.removesuffix(b"data: [DONE]\n\n"))
        elif type_ == "anthropic":
            bodies.append(sse(*anthropic_text(f"It is {KEY[:size]}")[:4], names=True))
    left = iter(bodies)

    async def behave(_: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(stream(next(left)))

    async with serving(behave) as server:
        for body in bodies:
            if type_ == "http":
                headers = {"X-Key": "${THE_KEY}"}
                options: Any = {"url": server.url, "headers": headers, "stream": True}
                agent: Any = make("http", options, root=Path(), env={"THE_KEY": KEY})
            else:
                agent = model_agent(type_, server.url, retries=0)
            error = await fault(agent)
            assert "***" in error.what, body
            assert not shows_key(error.what), body
