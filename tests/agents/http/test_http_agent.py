"""The contract over HTTP: what is sent, what comes back, and every way it can go wrong."""

import asyncio
import json
from typing import Any

import pytest

from evaltui.agents.http.agent import STUBS_UNUSED
from evaltui.core.asked import AgentTraits
from evaltui.core.errors import AgentError
from evaltui.core.json_value import Json
from evaltui.core.response import REPORTS_NO_CALLS, Execution, ToolCall, Usage
from tests.agents.requests import agent, ask, fault, request
from tests.agents.servers import Asked, always, answer, serving


async def test_sends_the_message_and_reads_the_answer() -> None:
    async with serving(always(answer())) as server:
        response = await ask(server.url)
    assert response.text == "It is sunny."
    assert response.tool_calls == (ToolCall("get_weather", {"city": "Paris"}, True, 3),)
    assert response.execution is Execution.REAL
    assert response.duration_ms > 0
    assert server.asked[0].line == "POST /chat HTTP/1.1"
    assert server.asked[0].json == {"message": "Weather?"}
    assert server.asked[0].headers["content-type"] == "application/json"
    assert "accept-encoding" not in server.asked[0].headers


@pytest.mark.parametrize("message", ["", 'é 😀 \n\t"\\ \x00', "x" * 1_000_000, "half \ud83d"])
async def test_any_message_arrives_as_it_is(message: str) -> None:
    async with serving(always(answer())) as server:
        asked = agent(server.url)
        await asked.respond(request(message))
        await asked.close()
    assert server.asked[0].json == {"message": message}


async def test_says_that_stubs_were_not_used() -> None:
    async with serving(always(answer())) as server:
        asked = agent(server.url)
        with_stubs = await asked.respond(request(stubs={}))
        without = await asked.respond(request())
        await asked.close()
    assert with_stubs.notes == (STUBS_UNUSED,)
    assert without.notes == ()


async def test_what_a_call_leaves_out_stays_none() -> None:
    call = {"name": "a"}
    async with serving(always(answer({"response": "", "toolCalls": [call]}))) as server:
        response = await ask(server.url)
    assert response.tool_calls == (ToolCall("a", None, None, None),)


@pytest.mark.parametrize(
    ("raw", "category", "words"),
    [
        (answer("<!doctype html><p>hi", kind="text/html"), "parse_error", ["HTML", "URL"]),
        (answer('{"response": "It is su'), "parse_error", ["broken JSON", '"It is su']),
        (answer('{"response": "x", "costUsd": 1e999}'), "parse_error", ["`1e999` is too large"]),
        (answer("hello"), "parse_error", ["not JSON", "hello"]),
        (answer(b""), "parse_error", ["empty"]),
        (answer(b"\xff\xfe\x00\x01\x02"), "parse_error", ["not JSON"]),
        (answer("[" * 100_000), "parse_error", ["broken JSON"]),
        (answer("[1]"), "type_error", ["the answer must be a JSON object"]),
        (answer("null"), "type_error", ["the answer must be a JSON object"]),
        (answer({"toolCalls": []}), "contract_violation", ["no `response`", "`toolCalls`"]),
        (answer({"response": "x"}), "contract_violation", ["no `toolCalls`", "`response`"]),
        (answer({"response": None, "toolCalls": []}), "type_error", ["`response` must be text"]),
        (answer({"response": "", "toolCalls": {}}), "type_error", ["must be a list"]),
        (answer({"response": "", "toolCalls": ["x"]}), "type_error", ["`toolCalls[0]`"]),
        (answer({"response": "", "toolCalls": [{}]}), "contract_violation", ["toolCalls[0].name"]),
        (
            answer({"response": "", "toolCalls": [{"name": 1}]}),
            "type_error",
            ["toolCalls[0].name` must be text"],
        ),
        (
            answer({"response": "", "toolCalls": [{"name": "a", "params": "{}"}]}),
            "type_error",
            ["params` must be an object"],
        ),
        (
            answer({"response": "", "toolCalls": [{"name": "a", "success": "yes"}]}),
            "type_error",
            ["success` must be true or false"],
        ),
        (
            answer({"response": "", "toolCalls": [{"name": "a", "durationMs": "3"}]}),
            "type_error",
            ["durationMs` must be a number"],
        ),
        (answer("no", status="500 Internal Server Error"), "agent_error", ["HTTP 500", ": no"]),
        (answer("", status="404 Not Found"), "agent_error", ["HTTP 404 Not Found", "path"]),
        (answer("", status="401 Unauthorized"), "agent_error", ["HTTP 401", "headers"]),
        (answer("", status="299 Odd"), "parse_error", ["empty"]),
        (
            answer("", status="302 Found", extra="Location: /x\r\n"),
            "agent_error",
            ["HTTP 302 Found to /x", "not followed"],
        ),
        (b"SSH-2.0-OpenSSH_9.6\r\n\r\n", "agent_error", ["not HTTP/1.1"]),
        (b"HTTP/1.1 204 No Content\r\n\r\n", "parse_error", ["empty"]),
        (
            answer(status="206 Partial Content"),
            "agent_error",
            ["HTTP 206 Partial Content", "Answer with the whole"],
        ),
        (
            answer('{"response": "a", "toolCalls": [{"name": "x"}], "toolCalls": []}'),
            "contract_violation",
            ["the answer has `toolCalls` twice"],
        ),
        (
            answer('{"response": "a", "response": "b", "toolCalls": []}'),
            "contract_violation",
            ["the answer has `response` twice"],
        ),
        (
            answer('{"response": "a", "toolCall\\u0073": [{"name": "x"}], "toolCalls": []}'),
            "contract_violation",
            ["the answer has `toolCalls` twice"],
        ),
        (answer('["response", "response"]'), "type_error", ["JSON object"]),
    ],
)
async def test_a_broken_answer_is_an_error_that_says_why(
    raw: bytes, category: str, words: list[str]
) -> None:
    async with serving(always(raw)) as server:
        error = await fault(server.url)
    assert error.category == category
    assert not error.retryable
    for word in words:
        assert word in error.what
    assert len(error.what) < 600
    assert len(server.asked) == 1


async def test_a_key_may_stand_in_what_a_tool_returned_too() -> None:
    inner = {"response": "inner", "toolCalls": []}
    said = {"response": "fine", "toolCalls": [{"name": "a", "result": inner}]}
    async with serving(always(answer(said))) as server:
        assert (await ask(server.url)).text == "fine"


async def test_what_a_partial_answer_cost_may_have_to_be_paid() -> None:
    async with serving(always(answer(status="206 Partial Content"))) as server:
        assert not (await fault(server.url)).is_unpaid


async def test_refused_connection_and_unknown_host() -> None:
    async with serving(always(answer())) as server:
        url = server.url
    assert "refused" in (await fault(url)).what
    assert "not found" in (await fault("http://no-such-host.invalid/chat")).what


async def test_429_carries_how_long_to_wait() -> None:
    raw = answer("", status="429 Too Many Requests", extra="Retry-After: 7\r\n")
    async with serving(always(raw)) as server:
        plain = await fault(server.url)
        retrying = await fault(server.url, retries=3)
    assert plain.throttled and not plain.retryable
    assert retrying.throttled and retrying.retryable
    assert (retrying.retry_after_s, retrying.max_retries) == (7.0, 3)


async def test_cancelling_drops_the_connection_at_once() -> None:
    arrived = asyncio.Event()

    async def hang(_: Asked, __: asyncio.StreamWriter) -> None:
        arrived.set()
        await asyncio.sleep(3600)

    async with serving(hang) as server:
        asked = agent(server.url)
        task = asyncio.create_task(asked.respond(request()))
        await arrived.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asked.close()
    assert len(server.asked) == 1


async def test_credentials_of_the_url_are_sent_and_never_shown() -> None:
    async with serving(always(answer("denied for hunter2hunter2", status="403 No"))) as server:
        url = server.url.replace("http://", "http://ann:hunter2hunter2@") + "?api_key=k-12345678"
        asked = agent(url)
        with pytest.raises(AgentError) as caught:
            await asked.respond(request())
        await asked.close()
    assert server.asked[0].headers["authorization"].startswith("Basic ")
    assert server.asked[0].line == "POST /chat?api_key=k-12345678 HTTP/1.1"
    for text in (asked.name, asked.endpoint, repr(asked), caught.value.what):
        assert "hunter2" not in text
        assert "k-12345678" not in text
    assert asked.name.endswith("/chat?api_key=***")


async def test_secrets_of_the_environment_are_masked_wherever_they_come_back() -> None:
    secret = "s3cr3t/+value é".encode().decode("latin-1")
    env = {"API_TOKEN": secret}
    headers = {"Authorization": "Bearer ${API_TOKEN}"}

    async def echo(asked: Asked, writer: asyncio.StreamWriter) -> None:
        said = asked.headers["authorization"]
        if asked.number == 0:
            writer.write(answer(f"I got {said}", status="500 No"))
        elif asked.number == 1:
            writer.write(answer(f"I got {said}"))
        else:
            writer.write(answer({"response": f"I got {said}", "toolCalls": []}))

    async with serving(echo) as server:
        refused = await fault(server.url, env, headers=headers)
        garbled = await fault(server.url, env, headers=headers)
        answered = await ask(server.url, env, headers=headers)
    assert server.asked[0].headers["authorization"] == f"Bearer {secret}"
    for text in (refused.what, garbled.what, answered.text):
        assert "s3cr3t" not in text
        assert "***" in text


async def test_mapped_request_and_response() -> None:
    value = {
        "output": {"text": "done"},
        "steps": [
            {"call": {"fn": {"n": "a", "args": '{"x": 1}'}, "ok": True, "ms": 2}},
            {"thought": "…"},
            {"call": {"fn": {"n": "b", "args": {}}, "ok": False}},
        ],
        "usage": {"in": 3, "out": 4, "usd": 0.01},
    }
    async with serving(always(answer(value))) as server:
        response = await ask(
            server.url,
            method="put",
            request={
                "prompt": "$message",
                "meta": {"session": "$case_id", "price": "$$5"},
                "past": ["$history", "$stubs"],
            },
            response={
                "text": "output.text",
                "tool_calls": "steps[].call",
                "name": "fn.n",
                "params": "fn.args",
                "success": "ok",
                "duration": "ms",
                "input_tokens": "usage.in",
                "output_tokens": "usage.out",
                "cost_usd": "usage.usd",
            },
        )
    assert server.asked[0].line.startswith("PUT ")
    assert server.asked[0].json == {
        "prompt": "Weather?",
        "meta": {"session": "gs-1", "price": "$5"},
        "past": [[], None],
    }
    assert response.text == "done"
    assert response.tool_calls == (ToolCall("a", {"x": 1}, True, 2), ToolCall("b", {}, False, None))
    assert response.usage is not None and response.usage.cost_usd == 0.01


@pytest.mark.parametrize(
    ("mapping", "told", "may_tell_costs"),
    [
        ({}, Usage(3, 4, 0.5, 9), True),
        ({"cost_usd": "price"}, Usage(3, 4, 0.25, 9), True),
        ({"cost_usd": False}, Usage(3, 4, None, 9), False),
        ({"input_tokens": "in"}, Usage(7, 4, 0.5), True),
        ({"input_tokens": False, "output_tokens": "none"}, Usage(cost_usd=0.5), True),
    ],
)
async def test_usage_that_is_not_mapped_stands_where_it_always_does(
    mapping: dict[str, Json], told: Usage, *, may_tell_costs: bool
) -> None:
    usage = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 9}
    value = {"out": "done", "costUsd": 0.5, "usage": usage, "in": 7, "price": 0.25}
    options: Any = {"response": {"text": "out", "tool_calls": False, **mapping}}
    async with serving(always(answer(value))) as server:
        assert (await ask(server.url, **options)).usage == told
    assert agent(server.url, **options).traits.may_tell_costs is may_tell_costs
    async with serving(always(answer({"out": "done"}))) as server:
        response = await ask(server.url, response={"text": "out", "tool_calls": False})
    assert response.usage is None


async def test_get_sends_the_template_as_a_query() -> None:
    async with serving(always(answer())) as server:
        await ask(server.url + "?v=1", method="GET", request={"q": "$message", "n": 2})
    assert server.asked[0].line == "GET /chat?v=1&q=Weather%3F&n=2 HTTP/1.1"


async def test_an_agent_without_tool_reports_says_so() -> None:
    async with serving(always(answer({"response": "x"}))) as server:
        response = await ask(server.url, response={"tool_calls": False})
    assert response.notes == (REPORTS_NO_CALLS,)
    assert not response.tells_calls


async def test_halves_of_emoji_do_not_break_what_is_written() -> None:
    raw = '{"response": "\\ud83d!", "toolCalls": []}'
    async with serving(always(answer(raw))) as server:
        response = await ask(server.url)
    assert response.text == "\ufffd!"
    json.dumps(response.text, ensure_ascii=False).encode()


async def test_name_and_fingerprint() -> None:
    url = "http://localhost:3000/chat"
    one, same, other = agent(url), agent(url), agent(url, request={"q": "$message"})
    traits = AgentTraits(
        reads_registry=False, is_free=True, may_tell_costs=True, is_taken_free=True
    )
    assert (one.name, one.traits) == (url, traits)
    assert one.fingerprint == same.fingerprint != other.fingerprint
    assert not agent("https://example.com/chat").traits.is_free
    assert agent("https://example.com/chat", is_free=True).traits.is_free
    said = [url, "https://example.com/chat"]
    assert not any(agent(one, is_free=True).traits.is_taken_free for one in said)
    assert not agent(said[1]).traits.is_taken_free


async def test_a_conversation_has_one_text_in_all_of_its_turns() -> None:
    async with serving(always(answer())) as server:
        asked = agent(server.url, request={"session": "$conversation"})
        for conversation in ("c-1", "c-1", "", ""):
            await asked.respond(request(conversation=conversation))
        await asked.close()
    first, second, *others = [each.json["session"] for each in server.asked]
    assert first == second == "c-1"
    assert len({*others}) == 2, "without a conversation every request is one of its own"


async def test_unique_differs_in_every_attempt() -> None:
    async with serving(always(answer())) as server:
        asked = agent(server.url, request={"m": "$message", "session": "$unique"})
        for _ in range(3):
            await asked.respond(request())
        await asked.close()
    assert len({each.json["session"] for each in server.asked}) == 3


@pytest.mark.parametrize(
    "more",
    [
        '"m": 1, "m": 2',
        '"m": {"response": 1, "toolCalls": 2}',
        '"m": "\\u00e9", "m": "response"',
    ],
)
async def test_what_is_not_read_may_stand_in_an_answer_as_it_likes(more: str) -> None:
    body = (
        f'{{"response": "a", "toolCalls": [{{"name": "x", "params": {{"response": 1}}}}], {more}}}'
    )
    async with serving(always(answer(body))) as server:
        asked = agent(server.url)
        response = await asked.respond(request())
        await asked.close()
    assert (response.text, [call.name for call in response.tool_calls]) == ("a", ["x"])
