"""Both dialects against fakellm: conversations over several turns, by its own rules."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaltui.agents.tool_loop import ToolLoop
from tests.agents.mock_servers import call, fakellm
from tests.agents.model_agents import ask, fault, model_agent

RULES: list[dict[str, Any]] = [
    {
        "name": "down",
        "when": {"messages_contain": "please fail"},
        "respond": {"status": 503, "error": "on holiday"},
    },
    {
        "name": "answer",
        "when": {"tool_result_contains": "sunny-4711"},
        "respond": {"content": "It is sunny."},
    },
    {
        "name": "both",
        "when": {"messages_contain": "weather", "tools_include": "calendar_find"},
        "respond": {
            "tool_calls": [
                {"name": "get_weather", "arguments": {"city": "Paris", "days": [1, 2]}},
                {"name": "calendar_find", "arguments": {}},
            ]
        },
    },
    {"name": "header", "when": {"header.x-team": "evals"}, "respond": {"content": "Hi, team."}},
]
BASE = {"openai": "/v1", "anthropic": ""}
BOTH = pytest.mark.parametrize("type_", BASE)
EACH = pytest.mark.parametrize("stream", [True, False])
pytestmark = pytest.mark.xdist_group("fakellm")


@pytest.fixture(scope="module")
def running_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with fakellm(Path(tmp_path_factory.mktemp("fakellm")), RULES) as url:
        yield url


@pytest.fixture
def server(running_server: str) -> str:
    """Without what it remembers of earlier conversations, which it tells apart by their start."""
    call(f"{running_server}/_fakellm/reset", {})
    return running_server


def agent(type_: str, server: str, **options: Any) -> ToolLoop:
    return model_agent(type_, server + BASE[type_], **options)


@BOTH
@EACH
async def test_a_conversation_with_stubs(server: str, type_: str, stream: bool) -> None:
    stubs = {"get_weather": {"sky": "sunny-4711"}, "calendar.find": []}
    heard: list[str] = []
    response = await ask(
        agent(type_, server, stream=stream), "The weather?", stubs=stubs, on_text=heard.append
    )
    assert [(made.name, made.params, made.success) for made in response.tool_calls] == [
        ("get_weather", {"city": "Paris", "days": [1, 2]}, True),
        ("calendar.find", {}, True),
    ]
    assert response.text == "It is sunny."
    assert "".join(heard).endswith("It is sunny.")
    assert response.turns == 2


@BOTH
@EACH
async def test_routing_takes_one_turn(server: str, type_: str, stream: bool) -> None:
    response = await ask(agent(type_, server, stream=stream), "What weather is it?")
    assert response.turns == 1
    assert [made.success for made in response.tool_calls] == [None, None]


@BOTH
async def test_headers_arrive(server: str, type_: str) -> None:
    response = await ask(agent(type_, server, headers={"X-Team": "evals"}), "Hello")
    assert response.text == "Hi, team."


@BOTH
async def test_a_fault(server: str, type_: str) -> None:
    """Only without streaming: its streams know no status."""
    error = await fault(agent(type_, server, stream=False), "please fail")
    assert error.retryable
    assert "on holiday" in error.what
