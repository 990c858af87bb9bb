"""What can be under test: one line per type of agent, imported only when one is made."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from evaltui.agents.options import hint_for
from evaltui.core.agent import Agent
from evaltui.core.errors import UserError
from evaltui.core.json_value import Json

AGENTS: dict[str, str] = {
    "embedded": "evaltui.agents.embedded.model:make",
    "http": "evaltui.agents.http:make",
    "openai": "evaltui.agents.openai:make",
    "anthropic": "evaltui.agents.anthropic:make",
    "langgraph": "evaltui.agents.langgraph:make",
    "command": "evaltui.agents.command:make",
    "python": "evaltui.agents.python_function:make",
}
"""Factory by type: `make(name, options, *, call_at, root) -> Agent`, raising UserError."""


def make_agent(
    type: str,
    name: str,
    options: Mapping[str, Json],
    *,
    call_at: float,
    root: Path,
) -> Agent:
    """The agent of a profile. Raises UserError for an unknown type or option."""
    if type not in AGENTS:
        raise UserError(f"There is no agent type `{type}`.", hint_for(type, AGENTS))
    module, _, factory = AGENTS[type].partition(":")
    agent: Agent = getattr(import_module(module), factory)(
        name, options, call_at=call_at, root=root
    )
    return agent
