"""Models behind APIs for tests: a registry, requests, and both dialects on any server."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from evaltui.agents.tool_loop import ToolLoop
from evaltui.core.agent import AgentRequest
from evaltui.core.case import CaseKey
from evaltui.core.errors import AgentError
from evaltui.core.response import AgentResponse
from evaltui.core.tool import ToolDefinition, ToolRegistry

CITY: Any = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
WEATHER = ToolDefinition("get_weather", "Get the weather of a city", parameters=CITY)
DOTTED = ToolDefinition("calendar.find", "Find appointments", parameters={"properties": {}})
TOOLS = ToolRegistry({tool.name: tool for tool in (WEATHER, DOTTED)})
KEY = "k3y-planted-4711-secret"
MODELS = {"openai": "gpt-4o-mini", "anthropic": "claude-sonnet-4-5"}


def request(message: str = "Weather in Paris?", **more: Any) -> AgentRequest:
    key = more.pop("key", CaseKey("evals/w.golden.json", "gs-1"))
    return AgentRequest(key, message, more.pop("registry", TOOLS), **more)


def model_agent(type_: str, url: str, *, root: Path | None = None, **options: Any) -> ToolLoop:
    """An agent of the type at `url`; `env` in options stands for the environment."""
    env: Mapping[str, str] = options.pop("env", {"THE_KEY": KEY})
    filled: dict[str, Any] = {
        "model": MODELS[type_],
        "base_url": url,
        "api_key": "${THE_KEY}",
        "timeout": 30,
    } | options
    from evaltui.agents.models.anthropic import make as make_anthropic
    from evaltui.agents.models.openai import make as make_openai

    make = make_openai if type_ == "openai" else make_anthropic
    return make(type_, filled, root=root or Path(), env=env)


async def ask(agent: ToolLoop, message: str = "Weather in Paris?", **more: Any) -> AgentResponse:
    """One answer; the agent is closed afterwards."""
    try:
        return await agent.respond(request(message, **more))
    finally:
        await agent.close()


async def fault(agent: ToolLoop, message: str = "Weather in Paris?", **more: Any) -> AgentError:
    with pytest.raises(AgentError) as caught:
        await ask(agent, message, **more)
    return caught.value
