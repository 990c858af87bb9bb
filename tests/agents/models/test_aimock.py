"""Both dialects against aimock, which runs on Node."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaltui.agents.tool_loop import ToolLoop
from evaltui.core.errors import AgentError
from tests.agents.mock_servers import aimock
from tests.agents.model_agents import ask, fault, model_agent

BASE = {"openai": "/v1", "anthropic": ""}
BOTH = pytest.mark.parametrize("type_", BASE)
EACH = pytest.mark.parametrize("stream", [True, False])
pytestmark = [pytest.mark.external, pytest.mark.xdist_group("aimock")]

CALLS = [
    {"name": "get_weather", "arguments": {"city": "Paris é 😀"}},
    {"name": "get_weather", "arguments": {"city": "Rome"}},
    {"name": "calendar_find", "arguments": {}},
]
LONG = "one two three four five six seven eight nine ten eleven twelve"
FIXTURES: list[dict[str, Any]] = [
    {"match": {"userMessage": "weather", "hasToolResult": True},
     "response": {"content": "Both are sunny."}},
    {"match": {"userMessage": "weather"}, "response": {"toolCalls": CALLS}},
    {"match": {"userMessage": "tool first"},
     "response": {"blocks": [
         {"type": "toolCall", "name": "get_weather", "arguments": {"city": "Oslo"}},
         {"type": "text", "text": "Looking it up."}]}},
    {"match": {"userMessage": "bad arguments"},
     "response": {"toolCalls": [{"name": "get_weather", "arguments": "{\"city\": "}]}},
    {"match": {"userMessage": "slow down"}, "status": 429,
     "response": {"error": {"message": "too fast", "type": "rate_limit_error"}, "status": 429}},
    {"match": {"userMessage": "break"},
     "response": {"error": {"message": "broken", "type": "server_error"}, "status": 500}},
    {"match": {"userMessage": "cut"}, "response": {"content": LONG}, "chunkSize": 5,
     "latency": 30, "truncateAfterChunks": 3},
    {"match": {"userMessage": "drop"}, "response": {"content": LONG}, "chunkSize": 5,
     "latency": 50, "disconnectAfterMs": 120},
    {"match": {"userMessage": "hello"}, "response": {"content": "Hi 😀 there"}, "chunkSize": 1},
]  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with aimock(Path(tmp_path_factory.mktemp("aimock")), FIXTURES) as url:
        yield url


def agent(type_: str, server: str, **options: Any) -> ToolLoop:
    return model_agent(type_, server + BASE[type_], **options)


@BOTH
@EACH
async def test_parallel_calls_and_the_answer(server: str, type_: str, stream: bool) -> None:
    stubs = {"get_weather": "sunny", "calendar.find": []}
    response = await ask(agent(type_, server, stream=stream), "weather", stubs=stubs)
    assert [(call.name, call.params) for call in response.tool_calls] == [
        ("get_weather", {"city": "Paris é 😀"}),
        ("get_weather", {"city": "Rome"}),
        ("calendar.find", {}),
    ]
    assert response.text == "Both are sunny."
    # Its Anthropic side counts no tokens of what was asked, which is to count none.
    assert (response.usage is None) is (type_ == "anthropic")


@BOTH
async def test_text_arrives_in_pieces(server: str, type_: str) -> None:
    heard: list[str] = []
    response = await ask(agent(type_, server), "hello", on_text=heard.append)
    assert response.text == "Hi 😀 there" == "".join(heard)
    assert len(heard) > 3


@BOTH
@EACH
async def test_a_call_before_the_text(server: str, type_: str, stream: bool) -> None:
    response = await ask(agent(type_, server, stream=stream), "tool first")
    assert [(call.name, call.params) for call in response.tool_calls] == [
        ("get_weather", {"city": "Oslo"})
    ]
    assert response.text == "Looking it up."


@BOTH
async def test_bad_arguments(server: str, type_: str) -> None:
    response = await ask(agent(type_, server), "bad arguments")
    (call,) = response.tool_calls
    assert call.name == "get_weather"
    if call.params is None:
        assert "not JSON" in call.error
    else:  # aimock repairs them itself for this dialect
        assert call.params == {}


@BOTH
@EACH
async def test_refusals(server: str, type_: str, stream: bool) -> None:
    slow = await fault(agent(type_, server, stream=stream), "slow down")
    assert (slow.retryable, slow.throttled) == (True, True)
    assert slow.retry_after_s is not None
    broken = await fault(agent(type_, server, stream=stream), "break")
    assert (broken.retryable, broken.throttled) == (True, False)
    assert "broken" in broken.what
    unknown = await fault(agent(type_, server, stream=stream), "no fixture for this")
    assert not unknown.retryable


@BOTH
@pytest.mark.parametrize("message", ["cut", "drop"])
async def test_broken_streams(server: str, type_: str, message: str) -> None:
    error = await fault(agent(type_, server), message)
    assert error.retryable
    assert "before the answer was complete" in error.what or "the connection was" in error.what


@BOTH
@pytest.mark.parametrize(
    "chaos", ["--chaos-malformed", "--chaos-disconnect", "--chaos-drop", "--chaos-ratelimit"]
)
async def test_chaos_is_always_an_agent_error(type_: str, chaos: str, tmp_path: Path) -> None:
    with aimock(tmp_path, FIXTURES, chaos, "1") as server:
        for stream in (True, False):
            error = await fault(agent(type_, server, stream=stream), "hello")
            assert isinstance(error, AgentError)
            assert error.throttled == (chaos == "--chaos-ratelimit")
            assert error.retryable or chaos == "--chaos-malformed"
