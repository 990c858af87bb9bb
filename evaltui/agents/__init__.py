"""What can be under test: one line per type of agent, imported only when one is made."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.core.agent import Agent
from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import UserError
from evaltui.core.json_value import Json

if TYPE_CHECKING:
    from evaltui.agents.tool_loop import ToolExecutor

AGENTS: dict[str, str] = {
    "embedded": "evaltui.agents.embedded.model:make",
    "http": "evaltui.agents.http.agent:make",
    "openai": "evaltui.agents.models.openai:make",
    "anthropic": "evaltui.agents.models.anthropic:make",
    "langgraph": "evaltui.agents.langgraph:make",
    "command": "evaltui.agents.command:make",
    "python": "evaltui.agents.python_function:make",
}
"""Factory by type: `make(name, options, *, root) -> Agent`, raising UserError."""


def make_agent(
    type: str,
    name: str,
    options: Mapping[str, Json],
    *,
    root: Path,
    executor: "ToolExecutor | None" = None,
) -> Agent:
    """The agent of a profile. Raises UserError for an unknown type or option.

    `executor` is used by a model whose profile says `execute = "mcp"`.
    """
    if type not in AGENTS:
        raise UserError(f"There is no agent type `{type}`.", type_hint(type))
    wants = options.get("execute")
    own = {key: value for key, value in options.items() if key != "execute"}
    module, _, factory = AGENTS[type].partition(":")
    agent: Agent = getattr(import_module(module), factory)(name, own, root=root)
    return agent if wants is None else _executing(agent, wants, executor)


def _executing(agent: Agent, wants: Json, executor: "ToolExecutor | None") -> Agent:
    from evaltui.agents.tool_loop import ToolLoop

    if not isinstance(agent, ToolLoop):
        raise UserError("`execute` is for models: this agent runs its own tools.", "Remove it.")
    if wants != "mcp":
        raise UserError(f"`execute` is {wants!r}.", 'Write execute = "mcp", or remove it.')
    return agent if executor is None else agent.with_executor(executor)


def type_hint(type_: str) -> str:
    """What to do about a type that is none."""
    known = ", ".join(f"`{name}`" for name in AGENTS)
    return f"{did_you_mean(type_, AGENTS)} There are {known}.".lstrip()
