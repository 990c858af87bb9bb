"""Short ways to ask an HTTP agent something."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from evaltui.agents.http.agent import HttpAgent, make
from evaltui.core.agent import AgentRequest
from evaltui.core.case import CaseKey
from evaltui.core.errors import AgentError
from evaltui.core.response import AgentResponse
from evaltui.core.tool import ToolRegistry


def request(message: str = "Weather?", **more: Any) -> AgentRequest:
    return AgentRequest(CaseKey("evals/w.golden.json", "gs-1"), message, ToolRegistry(), **more)


def agent(url: str, env: Mapping[str, str] | None = None, **options: Any) -> HttpAgent:
    return make("http", {"url": url, **options}, root=Path(), env=env or {})


async def ask(url: str, env: Mapping[str, str] | None = None, **options: Any) -> AgentResponse:
    """One answer from a fresh agent."""
    asked = agent(url, env, **options)
    try:
        return await asked.respond(request())
    finally:
        await asked.close()


async def fault(url: str, env: Mapping[str, str] | None = None, **options: Any) -> AgentError:
    """The error of a fresh agent's one request."""
    with pytest.raises(AgentError) as caught:
        await ask(url, env, **options)
    return caught.value
