"""Both dialects against servers that answer byte for byte what a test wants."""

import asyncio
import json
from threading import Event
from typing import Any

import pytest

from evaltui.agents.models.api_model import NO_REASON
from evaltui.core.errors import AgentError
from evaltui.core.response import Execution, Usage
from evaltui.net import api_client
from tests.agents.model_agents import KEY, ask, fault, model_agent, request
from tests.agents.servers import Asked, always, answer, serving
from tests.agents.wire_texts import (
    anthropic_text,
    broken_stream,
    chunk,
    openai_text,
    piece,
    sse,
    stream,
)

BOTH = pytest.mark.parametrize("type_", ["openai", "anthropic"])


def text_stream(type_: str, text: str) -> bytes:
    if type_ == "openai":
        return sse(*openai_text(text))
    return sse(*anthropic_text(text), names=True)


@BOTH
async def test_streams_text(type_: str) -> None:
    heard: list[str] = []
    async with serving(always(stream(text_stream(type_, "Sunny é 😀")))) as server:
        response = await ask(model_agent(type_, server.url), on_text=heard.append)
    assert response.text == "Sunny é 😀" == "".join(heard)
    assert response.execution is Execution.ROUTING
    assert response.first_token_ms is not None
    assert 0 < response.first_token_ms <= response.duration_ms


@BOTH
async def test_sends_the_key_where_the_api_wants_it(type_: str) -> None:
    async with serving(always(stream(text_stream(type_, "x")))) as server:
        await ask(model_agent(type_, server.url, headers={"X-Team": "${TEAM:-evals}"}))
    headers = server.asked[0].headers
    if type_ == "openai":
        assert server.asked[0].line == "POST /chat/chat/completions HTTP/1.1"
        assert headers["authorization"] == f"Bearer {KEY}"
    else:
        assert server.asked[0].line == "POST /chat/v1/messages HTTP/1.1"
        assert (headers["x-api-key"], headers["anthropic-version"]) == (KEY, "2023-06-01")
    assert headers["x-team"] == "evals"


@BOTH
async def test_a_stream_that_just_ends_is_a_retryable_fault_with_what_came(type_: str) -> None:
    whole = text_stream(type_, "It is")
    cut = whole[: whole.index(b"\n\n", whole.rindex(b"It is")) + 2]
    async with serving(always(stream(cut))) as server:
        error = await fault(model_agent(type_, server.url))
    assert error.retryable
    assert error.category == "truncated"
    assert "before the answer was complete" in error.what
    assert "`It is…`" in error.what


@BOTH
async def test_a_dropped_connection_is_retryable_and_says_what_came(type_: str) -> None:
    whole = text_stream(type_, "It is")
    cut = whole[: whole.index(b"\n\n", whole.rindex(b"It is")) + 2]
    async with serving(always(broken_stream(cut), close=True)) as server:
        error = await fault(model_agent(type_, server.url))
    assert error.retryable
    assert "dropped" in error.what
    assert "`It is…`" in error.what


@BOTH
@pytest.mark.parametrize(
    ("bad", "retryable"),
    [('{"choices": [', True), ("[DO", True), ("null", False), ("[1]", False), ("plain", False)],
)
async def test_a_malformed_chunk_is_named_and_retried_where_it_breaks_off(
    type_: str, bad: str, retryable: bool
) -> None:
    async with serving(always(stream(sse(bad)))) as server:
        error = await fault(model_agent(type_, server.url))
    assert error.retryable is retryable
    assert error.category == ("truncated" if retryable else "parse_error")
    assert "event 1 of the stream" in error.what


@BOTH
@pytest.mark.parametrize(
    ("kind", "retryable", "throttled"),
    [
        ("overloaded_error", True, False),
        ("rate_limit_error", True, True),
        ("server_error", True, False),
        ("invalid_request_error", False, False),
        ("insufficient_quota", False, False),
    ],
)
async def test_errors_inside_a_stream(
    type_: str, kind: str, retryable: bool, throttled: bool
) -> None:
    event = {"type": "error", "error": {"type": kind, "message": "no more"}}
    async with serving(always(stream(sse(event)))) as server:
        error = await fault(model_agent(type_, server.url))
    assert (error.retryable, error.throttled) == (retryable, throttled)
    assert "no more" in error.what


@BOTH
async def test_an_error_with_status_200(type_: str) -> None:
    async with serving(always(answer({"error": {"message": "model not loaded"}}))) as server:
        error = await fault(model_agent(type_, server.url))
    assert "model not loaded" in error.what


@BOTH
@pytest.mark.parametrize(
    ("status", "extra", "body", "retryable", "wait_s", "words"),
    [
        ("429 Too Many Requests", "Retry-After: 2\r\n", {"error": {"message": "slow"}}, True, 2,
         "slow"),
        ("429 Too Many Requests", "retry-after-ms: 1500\r\n", {}, True, 1.5, "429"),
        ("429 Too Many Requests", "", {"error": {"message": "pay", "code": "insufficient_quota"}},
         False, None, "pay"),
        ("500 Internal Server Error", "", "oops", True, None, "oops"),
        ("503 Service Unavailable", "x-should-retry: false\r\n", {}, False, None, "503"),
        ("529 x", "", {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}},
         True, None, "Overloaded: busy"),
        ("400 Bad Request", "", {"error": {"message": "bad schema"}}, False, None, "bad schema"),
        ("401 Unauthorized", "", {"error": {"message": "who?"}}, False, None, "api_key"),
        ("404 Not Found", "", {"error": "model 'x' not found"}, False, None, "model 'x' not found"),
        ("422 Unprocessable Entity", "", {"detail": [{"msg": "field"}]}, False, None, "field"),
        ("302 Found", "Location: http://x/\r\n", "", False, None, "base_url"),
    ],
)  # fmt: skip
async def test_refusals(
    type_: str, status: str, extra: str, body: Any, retryable: bool, wait_s: Any, words: str
) -> None:
    async with serving(always(answer(body, status=status, extra=extra))) as server:
        error = await fault(model_agent(type_, server.url))
    assert words in error.what
    assert error.retryable is retryable
    assert error.retry_after_s == wait_s
    assert error.throttled is (retryable and status.startswith("429"))
    assert len(server.asked) == 1


@BOTH
async def test_retries_zero_means_never(type_: str) -> None:
    async with serving(always(answer("x", status="500 x"))) as server:
        error = await fault(model_agent(type_, server.url, retries=0))
    assert not error.retryable
    assert error.max_retries == 0


@BOTH
async def test_a_server_that_ignores_stream(type_: str) -> None:
    whole = (
        {"model": "m", "choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}],
         "usage": {"prompt_tokens": 3, "completion_tokens": 1}}
        if type_ == "openai"
        else {"model": "m", "content": [{"type": "text", "text": "Hi"}], "stop_reason": "end_turn",
              "usage": {"input_tokens": 3, "output_tokens": 1}}
    )  # fmt: skip
    async with serving(always(answer(whole))) as server:
        response = await ask(model_agent(type_, server.url))
    assert response.text == "Hi"
    assert response.usage == Usage(3, 1, None)
    assert response.first_token_ms is None


@BOTH
@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"choices": []}, "choices"),
        ({"id": "x"}, "`id`"),
        ("<!doctype html><p>hi", "not JSON"),
        ("", "empty"),
        ("[]", "not a JSON object"),
    ],
)
async def test_answers_that_are_none(type_: str, body: Any, words: str) -> None:
    async with serving(always(answer(body))) as server:
        error = await fault(model_agent(type_, server.url))
    assert words in error.what
    assert not error.retryable


@BOTH
async def test_the_own_time_limit(type_: str) -> None:
    async def never(_: Asked, __: asyncio.StreamWriter) -> bool:
        await asyncio.Event().wait()
        return False

    async with serving(never) as server:
        error = await fault(model_agent(type_, server.url, timeout=0.05))
    assert error.category == "timeout"
    assert error.retryable
    assert "0.05 s" in error.what


@BOTH
async def test_cancelling_drops_the_connection(type_: str) -> None:
    arrived = asyncio.Event()
    gone = asyncio.Event()

    async def hang(_: Asked, writer: asyncio.StreamWriter) -> bool:
        writer.write(broken_stream(text_stream(type_, "It is")[:40]))
        arrived.set()
        try:
            await asyncio.Event().wait()
        finally:
            gone.set()
        return False

    async with serving(hang) as server:
        agent = model_agent(type_, server.url)
        task = asyncio.create_task(agent.respond(request()))
        await arrived.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await agent.close()
    assert gone.is_set()


@BOTH
async def test_a_key_that_the_server_echoes_is_masked(type_: str) -> None:
    bodies = [
        stream(text_stream(type_, f"your key is {KEY}")),
        answer({"error": {"message": f"bad key {KEY}"}}, status="401 Unauthorized"),
        stream(sse({"error": {"message": f"bad key {KEY}"}})),
        answer(f"<{KEY}>"),
    ]
    for raw in bodies:
        async with serving(always(raw)) as server:
            agent = model_agent(type_, server.url)
            try:
                text = repr(await ask(agent))
            except AgentError as error:
                text = f"{error!r} {error} {error.__cause__} {error.__context__}"
        assert KEY not in text
        assert "***" in text
        assert KEY not in repr(agent)


async def test_a_key_in_pieces_is_masked_in_the_text() -> None:
    chunks = (chunk(content=KEY[:9]), chunk(content=KEY[9:]), chunk("stop"))
    async with serving(always(stream(sse(*chunks)))) as server:
        response = await ask(model_agent("openai", server.url))
    assert response.text == "***"


@BOTH
async def test_without_a_key_the_first_request_says_what_to_set(type_: str) -> None:
    async with serving(always(answer())) as server:
        error = await fault(model_agent(type_, server.url, env={}))
        assert not server.asked
    assert error.category == "auth"
    assert "THE_KEY" in error.what


@BOTH
async def test_keeps_connections(type_: str) -> None:
    async with serving(always(stream(text_stream(type_, "x")))) as server:
        agent = model_agent(type_, server.url)
        for _ in range(5):
            await agent.respond(request())
        await agent.close()
    assert server.connections == 1


@BOTH
async def test_through_the_environments_transport(type_: str) -> None:
    async with serving(always(stream(text_stream(type_, "Hi")))) as server:
        response = await ask(model_agent(type_, server.url, trust_env=True))
    assert response.text == "Hi"
    async with serving(
        always(broken_stream(text_stream(type_, "It is")[:60]), close=True)
    ) as other:
        error = await fault(model_agent(type_, other.url, trust_env=True))
    assert error.retryable


async def test_done_without_a_reason_is_taken_with_a_note() -> None:
    async with serving(always(stream(sse(chunk(content="Hi"))))) as server:
        response = await ask(model_agent("openai", server.url))
    assert response.text == "Hi"
    assert response.notes == (NO_REASON,)


async def test_bad_arguments_are_told_to_the_model_which_may_try_again() -> None:
    turns = [
        sse(chunk(tool_calls=[piece(0, "a", "get_weather", '{"city": ')]), chunk("tool_calls")),
        sse(chunk(tool_calls=[piece(0, "b", "get_weather", '{"city": "Paris"}')]),
            chunk("tool_calls")),
        sse(*openai_text("Sunny.")),
    ]  # fmt: skip

    async def behave(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(stream(turns[asked.number]))

    async with serving(behave) as server:
        agent = model_agent("openai", server.url)
        response = await ask(agent, stubs={"get_weather": {"sky": "blue"}})
    bad, good = response.tool_calls
    assert (bad.params, bad.success) == (None, False)
    assert "not JSON" in bad.error
    assert (good.params, good.success, good.result) == ({"city": "Paris"}, True, {"sky": "blue"})
    told = server.asked[1].json["messages"][-1]
    assert told["role"] == "tool"
    assert "not JSON" in json.loads(told["content"])["error"]
    assert response.text == "Sunny."
    assert response.turns == 3


async def test_names_go_there_and_back() -> None:
    events = (chunk(tool_calls=[piece(0, "a", "calendar_find", "{}")]), chunk("tool_calls"))
    async with serving(always(stream(sse(*events)))) as server:
        response = await ask(model_agent("openai", server.url))
    assert [call.name for call in response.tool_calls] == ["calendar.find"]
    sent = [tool["function"]["name"] for tool in server.asked[0].json["tools"]]
    assert sent == ["get_weather", "calendar_find"]


@BOTH
async def test_the_environments_proxy_is_used_only_when_asked(
    type_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    body = stream(text_stream(type_, "Hi"))
    async with serving(always(body)) as proxy, serving(always(body)) as api:
        monkeypatch.setenv("HTTP_PROXY", proxy.url.removesuffix("/chat"))
        through = model_agent(type_, "http://api.invalid/v1", trust_env=True)
        assert (await ask(through)).text == "Hi"
        assert (await ask(model_agent(type_, api.url))).text == "Hi"
    assert proxy.asked[0].line.startswith("POST http://api.invalid/v1/")
    assert (len(proxy.asked), len(api.asked)) == (1, 1)


@BOTH
async def test_no_time_limit_runs_while_the_client_is_loaded(
    type_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor while it connects, nor while the answer is priced: prices are read with the first one."""
    monkeypatch.setattr(api_client, "_LOADED", Event())
    held: list[bool] = []
    loaded_while: list[list[bool]] = []
    load = api_client._load

    def loading() -> None:
        loaded_while.append([*held])
        load()

    monkeypatch.setattr(api_client, "_load", loading)
    async with serving(always(stream(text_stream(type_, "x")))) as server:
        agent = model_agent(type_, server.url)
        await ask(agent, on_wait=held.append)
        assert loaded_while == [[True]]
        assert held == [True, False] * 3, "loaded, connected and priced"
        await ask(agent, on_wait=held.append)
    assert len(loaded_while) == 1
