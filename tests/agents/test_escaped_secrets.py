"""A secret that an agent sends back is masked however it is escaped, by every kind of agent."""

import asyncio
import json
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from evaltui.agents.command import make as make_command
from evaltui.agents.http.agent import make as make_http
from evaltui.agents.langgraph import make as make_langgraph
from evaltui.agents.models.anthropic import make as make_anthropic
from evaltui.agents.models.openai import make as make_openai
from evaltui.agents.python_function import make as make_python
from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.case import CaseKey
from evaltui.core.errors import AgentError
from evaltui.core.response import AgentResponse
from evaltui.disk.codec import encode
from tests.agents.model_agents import TOOLS
from tests.agents.servers import Asked, answer, serving

TOKEN = 'abcd/EFGH+ij"kl\\mnop123'
PLACE = "@@"
"""Where a body holds the secret, inside a JSON string."""


def each_unit(text: str) -> str:
    return "".join(f"\\u{ord(character):04x}" for character in text)


def in_capitals(text: str) -> str:
    return "".join(f"\\u{ord(character):04X}" for character in text)


def as_php(text: str) -> str:
    return json.dumps(text)[1:-1].replace("/", "\\/")


def as_dotnet(text: str) -> str:
    return json.dumps(text)[1:-1].replace("+", "\\u002B").replace('\\"', "\\u0022")


def first_only(text: str) -> str:
    return each_unit(text[0]) + json.dumps(text[1:])[1:-1]


def in_json_in_json(text: str) -> str:
    return json.dumps(json.dumps({"token": text}).replace("a", "\\u0061"))[1:-1]


def in_a_url(text: str) -> str:
    return f"http://x/?k={quote(text, safe='/+').lower().replace('efgh', 'EFGH')}"


SPELLINGS = [each_unit, in_capitals, as_php, as_dotnet, first_only, in_json_in_json, in_a_url]

ANSWER = '{"response": "got @@", "toolCalls": [{"name": "look", "params": {"a@@": ["@@"]}, ' + (
    '"success": false, "error": "no @@", "result": {"h": "@@"}}]}'
)
OPENAI = (
    '{"choices": [{"message": {"role": "assistant", "content": "got @@"}, '
    '"finish_reason": "stop"}]}'
)
ANTHROPIC = '{"content": [{"type": "text", "text": "got @@"}], "stop_reason": "end_turn"}'
GRAPH = (
    '{"messages": [{"type": "ai", "content": "got @@", "id": "9", "tool_calls": '
    '[{"name": "look", "args": {"a": "@@"}, "id": "1"}]}]}'
)
EVENTS = (
    'data: {"delta": "got "}\n\ndata: {"delta": "@@"}\n\n'
    'data: {"toolCall": {"name": "look", "params": {"a": "@@"}, "success": true}}\n\n'
)
HALVES = 'data: {"delta": "got %s"}\n\ndata: {"delta": "%s"}\n\n'

Make = Callable[[str, Path], Agent]
ENV = {"TEAM": TOKEN}
"""Whatever its name: all that comes in through `${…}` is masked."""
KEYED: dict[str, Any] = {"api_key": "${TEAM}", "stream": False}
HEADERS: dict[str, Any] = {"headers": {"X-Team": "of ${TEAM}"}}


def http(url: str, root: Path) -> Agent:
    return make_http("http", {"url": url, **HEADERS}, root=root, env=ENV)


def http_stream(url: str, root: Path) -> Agent:
    return make_http("http", {"url": url, "stream": True, **HEADERS}, root=root, env=ENV)


def langgraph(url: str, root: Path) -> Agent:
    options = {"base_url": url.removesuffix("/chat"), "assistant_id": "agent", **HEADERS}
    return make_langgraph("langgraph", options, root=root, env=ENV)


def openai(url: str, root: Path) -> Agent:
    options: dict[str, Any] = {
        "model": "m",
        "base_url": url,
        "api_key": "${TEAM}",
        "stream": False,
    }
    return make_openai("openai", options, root=root, env=ENV)


def anthropic(url: str, root: Path) -> Agent:
    options: dict[str, Any] = {
        "model": "m",
        "base_url": url,
        "api_key": "${TEAM}",
        "stream": False,
    }
    return make_anthropic("anthropic", options, root=root, env=ENV)


SERVED: list[tuple[Make, str, str]] = [
    (http, ANSWER, "application/json"),
    (http_stream, EVENTS, "text/event-stream"),
    (langgraph, GRAPH, "application/json"),
    (openai, OPENAI, "application/json"),
    (anthropic, ANTHROPIC, "application/json"),
]


@pytest.mark.parametrize("spelled", SPELLINGS)
@pytest.mark.parametrize(("make", "body", "kind"), SERVED)
async def test_no_answer_of_a_server_tells_a_secret(
    tmp_path: Path, make: Make, body: str, kind: str, spelled: Callable[[str], str]
) -> None:
    said = body.replace(PLACE, spelled(TOKEN))
    response = await respond(make, said, tmp_path, kind=kind)
    assert isinstance(response, AgentResponse)
    assert "got " in response.text and "***" in response.text
    check(response)


@pytest.mark.parametrize("spelled", SPELLINGS)
@pytest.mark.parametrize("make", [make for make, _, _ in SERVED])
async def test_no_refusal_of_a_server_tells_a_secret(
    tmp_path: Path, make: Make, spelled: Callable[[str], str]
) -> None:
    said = f'{{"error": {{"message": "Incorrect API key: {spelled(TOKEN)}"}}}}'
    error = await respond(make, said, tmp_path, status="401 Unauthorized")
    assert isinstance(error, AgentError)
    assert "Incorrect API key: " in error.what and "***" in error.what
    check(error.what)


async def test_a_secret_that_comes_in_two_pieces(tmp_path: Path) -> None:
    said = HALVES % (each_unit(TOKEN[:9]), each_unit(TOKEN[9:]))
    response = await respond(http_stream, said, tmp_path, kind="text/event-stream")
    assert isinstance(response, AgentResponse)
    assert response.text == "got ***"


COMMANDS = [{}, {"mode": "jsonl"}, {"dialect": "adapter"}]
ADAPTER = '{"output": "got @@", "tool_calls": [{"tool": "look", "arguments": {"a": "@@"}}]}'


@pytest.mark.parametrize("spelled", SPELLINGS)
@pytest.mark.parametrize("options", COMMANDS, ids=str)
async def test_no_answer_of_a_program_tells_a_secret(
    tmp_path: Path, options: dict[str, Any], spelled: Callable[[str], str]
) -> None:
    body = ADAPTER if "dialect" in options else ANSWER
    (tmp_path / "said").write_text(body.replace(PLACE, spelled(TOKEN)) + "\n")
    command = "sh -c 'read asked; cat said'" if "mode" in options else "cat said"
    made = make_command(
        "mine",
        {"command": command, "env": {"TEAM": "${TEAM}"}, **options},
        root=tmp_path,
        env=ENV,
    )
    response = await answered(made)
    assert isinstance(response, AgentResponse)
    assert "***" in response.text
    check(response)


async def test_no_answer_of_a_function_tells_a_secret(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import os\n"
        "def f(message):\n"
        "    key = os.environ['TEAM']\n"
        "    return {'response': f'got {key}', 'toolCalls': [{'name': 'look',\n"
        "        'params': {'a': key, 'b': ''.join(f'\\\\u{ord(c):04x}' for c in key)}}]}\n"
    )
    options: dict[str, Any] = {"function": "mine.py:f", "env": {"TEAM": "${TEAM}"}}
    response = await answered(make_python("python", options, root=tmp_path, env=ENV))
    assert isinstance(response, AgentResponse)
    assert response.text == "got ***"
    assert response.tool_calls[0].params == {"a": "***", "b": "***"}


async def respond(make: Make, body: str, root: Path, **more: str) -> AgentResponse | AgentError:
    async def behave(_: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(body, **more))

    async with AsyncExitStack() as ends:
        server = await ends.enter_async_context(serving(behave))
        return await answered(make(server.url, root))


async def answered(agent: Agent) -> AgentResponse | AgentError:
    request = AgentRequest(CaseKey("evals/w.golden.json", "gs-1"), "Weather?", TOOLS)
    try:
        return await agent.respond(request)
    except AgentError as error:
        return error
    finally:
        await agent.close()


def check(said: AgentResponse | str) -> None:
    """Neither the secret nor anything it can be read from by decoding once or twice more."""
    text = said if isinstance(said, str) else encode(said).decode()
    for part in (TOKEN[:6], TOKEN[-6:], each_unit(TOKEN)[:24], "mnop123"):
        assert part not in text
