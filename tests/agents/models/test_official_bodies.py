"""For the same case, the official clients send what we send."""

import json
from typing import Any

import pytest

from evaltui.agents.models.api_model import ApiModel
from evaltui.core.case import CaseKey
from evaltui.core.model import ModelRequest
from evaltui.core.response import Message, ToolCall
from evaltui.core.tool import ToolRegistry
from tests.agents.model_agents import CITY, KEY, ask, model_agent
from tests.agents.servers import Asked, Server, always, serving
from tests.agents.wire_texts import anthropic_text, openai_text, sse, stream

SCHEMA: Any = {"type": "object", "properties": {}}
PARAMS = {"city": "Köln"}
RESULT = {"sky": "blue"}
HISTORY = (
    Message("user", "Weather in Köln?"),
    Message("assistant", "Let me look.", (ToolCall("get_weather", PARAMS, True, id="c1"),)),
    Message("tool", json.dumps(RESULT), tool_call_id="c1"),
    Message("assistant", "Blue sky."),
)


def meaning(value: Any) -> Any:
    """The same for bodies that mean the same: texts as blocks, JSON in texts as JSON."""
    if isinstance(value, dict):
        found = {key: meaning(item) for key, item in value.items()}
        if isinstance(found.get("arguments"), str):
            found["arguments"] = json.loads(found["arguments"])
        if found.get("content") is None:
            found.pop("content", None)
        elif isinstance(found.get("content"), str) and "role" in found:
            found["content"] = [{"type": "text", "text": found["content"]}]
        return found
    return [meaning(item) for item in value] if isinstance(value, list) else value


def asked_of(server: Server) -> Asked:
    return server.asked[-1]


@pytest.mark.slow
async def test_openai() -> None:
    openai = pytest.importorskip("openai", reason="the official client is not installed")
    tools = [
        {
            "type": "function",
            "function": {
                "name": "get_weather",
                "description": "Get the weather of a city",
                "parameters": CITY,
            },
        },
        {
            "type": "function",
            "function": {
                "name": "calendar_find",
                "description": "Find appointments",
                "parameters": SCHEMA,
            },
        },
    ]
    call = {
        "id": "c1",
        "type": "function",
        "function": {"name": "get_weather", "arguments": json.dumps(PARAMS)},
    }
    async with serving(always(stream(sse(*openai_text("Hi"))))) as server:
        async with openai.AsyncOpenAI(base_url=server.url, api_key=KEY) as client:
            chunks = await client.chat.completions.create(
                model="gpt-4o-mini",
                messages=[
                    {"role": "system", "content": "Be brief."},
                    {"role": "user", "content": "Weather in Köln?"},
                    {"role": "assistant", "content": "Let me look.", "tool_calls": [call]},
                    {"role": "tool", "tool_call_id": "c1", "content": json.dumps(RESULT)},
                    {"role": "assistant", "content": "Blue sky."},
                    {"role": "user", "content": "And tomorrow?"},
                ],
                tools=tools,
                tool_choice="required",
                temperature=0,
                top_p=0.5,
                seed=7,
                max_tokens=100,
                stream=True,
                stream_options={"include_usage": True},
                extra_body={"user": "evals"},
            )
            assert [chunk async for chunk in chunks]
        official = asked_of(server)
        agent = model_agent(
            "openai", server.url, system="Be brief.", temperature=0, top_p=0.5, seed=7,
            max_tokens=100, tool_choice="required", extra={"user": "evals"},
        )  # fmt: skip
        await ask(agent, "And tomorrow?", history=HISTORY)
        ours = asked_of(server)
    assert meaning(ours.json) == meaning(official.json)
    assert ours.line == official.line
    for header in ("authorization", "content-type"):
        assert ours.headers[header] == official.headers[header]


@pytest.mark.slow
async def test_anthropic() -> None:
    anthropic = pytest.importorskip("anthropic", reason="the official client is not installed")
    tools = [
        {
            "name": "get_weather",
            "description": "Get the weather of a city",
            "input_schema": CITY,
        },
        {"name": "calendar_find", "description": "Find appointments", "input_schema": SCHEMA},
    ]
    use = {"type": "tool_use", "id": "c1", "name": "get_weather", "input": PARAMS}
    done = {"type": "tool_result", "tool_use_id": "c1", "content": json.dumps(RESULT)}
    body = stream(sse(*anthropic_text("Hi"), names=True))
    async with serving(always(body)) as server:
        async with anthropic.AsyncAnthropic(base_url=server.url, api_key=KEY) as client:
            events = await client.messages.create(
                model="claude-of-the-tests",
                max_tokens=100,
                system="Be brief.",
                messages=[
                    {"role": "user", "content": "Weather in Köln?"},
                    {"role": "assistant",
                     "content": [{"type": "text", "text": "Let me look."}, use]},
                    {"role": "user", "content": [done]},
                    {"role": "assistant", "content": "Blue sky."},
                    {"role": "user", "content": "And tomorrow?"},
                ],
                tools=tools,
                tool_choice={"type": "tool", "name": "calendar_find"},
                stream=True,
                metadata={"user_id": "evals"},
                extra_body={"temperature": 0, "top_p": 0.5},  # no longer parameters of their own
            )  # fmt: skip
            assert [event async for event in events]
        official = asked_of(server)
        agent = model_agent(
            "anthropic", server.url, model="claude-of-the-tests", system="Be brief.",
            temperature=0, top_p=0.5, max_tokens=100, tool_choice="calendar.find",
            extra={"metadata": {"user_id": "evals"}},
        )  # fmt: skip
        await ask(agent, "And tomorrow?", history=HISTORY)
        ours = asked_of(server)
    assert meaning(ours.json) == meaning(official.json)
    assert ours.line == official.line
    assert ours.headers["content-type"] == official.headers["content-type"]
    assert "anthropic-version" in official.headers


def test_openai_itself_is_sent_the_newer_limit() -> None:
    from evaltui.agents.profiles.models import OpenAiProfile

    for url, key in (
        (OpenAiProfile.default_url, "max_completion_tokens"),
        ("http://localhost:1", "max_tokens"),
    ):
        model = model_agent("openai", url, max_tokens=5).model
        assert isinstance(model, ApiModel)
        body = model.body(ModelRequest(CaseKey("s", "c"), (), ToolRegistry()))
        assert body[key] == 5
        assert "tools" not in body
