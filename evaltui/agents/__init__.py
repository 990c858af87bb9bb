"""The types of agent that can be under test, one line each; each is imported only when made."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import MissingSecretError, UserError
from evaltui.core.json_value import Json

if TYPE_CHECKING:
    from evaltui.agents.tool_loop import ToolExecutor


class AgentType(NamedTuple):
    """Where an agent is made, and what its profile may say; as `module:name`."""

    factory: str
    """`make(name, options, *, root) -> Agent`, raising UserError."""
    profile: str
    """A subclass of `AgentOptions`: `make` reads the options with it, `check` and the schema for
    editors know them from it."""
    may_have_tools_from_anywhere: bool = False
    """Whether its profile can say that it has nothing to do with the tools that are read here."""
    filled: tuple[str, ...] = ()
    """Options in which variables are filled in that decide who is asked, or with what."""
    filled_beside: tuple[str, ...] = ()
    """More of them, which count only where one of them holds a variable."""


_READS = "reads_registry"
_PROFILES = "evaltui.agents.profiles"
AGENTS: dict[str, AgentType] = {
    "embedded": AgentType(
        "evaltui.agents.embedded.model:make", f"{_PROFILES}.embedded:EmbeddedProfile"
    ),
    "http": AgentType(
        "evaltui.agents.http.agent:make", f"{_PROFILES}.http:HttpProfile", True, ("url",)
    ),
    "openai": AgentType(
        "evaltui.agents.models.openai:make",
        f"{_PROFILES}.models:OpenAiProfile",
        filled=("base_url",),
        filled_beside=("model", "extra"),
    ),
    "anthropic": AgentType(
        "evaltui.agents.models.anthropic:make",
        f"{_PROFILES}.models:AnthropicProfile",
        filled=("base_url",),
        filled_beside=("model", "extra"),
    ),
    "langgraph": AgentType(
        "evaltui.agents.langgraph:make",
        f"{_PROFILES}.langgraph:LangGraphProfile",
        True,
        ("base_url", "url", "configurable"),
        ("assistant_id",),
    ),
    "command": AgentType(
        "evaltui.agents.command:make",
        f"{_PROFILES}.programs:CommandProfile",
        True,
        ("command", "repair_command", "env"),
    ),
    "python": AgentType(
        "evaltui.agents.python_function:make", f"{_PROFILES}.programs:PythonProfile", True, ("env",)
    ),
}
"""By type, as `type` of a profile has it."""


def make_agent(
    type: str,
    name: str,
    options: Mapping[str, Json],
    *,
    root: Path,
    executor: "ToolExecutor | None" = None,
    may_lack_secrets: bool = False,
    is_never_asked: bool = False,
) -> Agent:
    """The agent of a profile. Raises UserError for an unknown type or option.

    `executor` is used by a model whose profile says `execute = "mcp"`. `may_lack_secrets`: a
    secret that is missing is an error of the first request only. `is_never_asked`: its answers are
    replayed, and no variable is filled in for it.
    """
    if type not in AGENTS:
        raise UserError(f"There is no agent type `{type}`.", type_hint(type))
    wants = options.get("execute")
    # What a profile says to us is not told to the agent: it is no other one for it.
    ours = {"execute", _READS} if AGENTS[type].may_have_tools_from_anywhere else {"execute"}
    own = {key: value for key, value in options.items() if key not in ours}
    make = imported(AGENTS[type].factory)
    agent = _made(make, name, own, root, may_lack_secrets, is_never_asked)
    if not is_never_asked and (filled := _filled(type, own)):
        agent = _of_variables(agent, filled, own, root)
    if _READS in ours and not _may_read(options.get(_READS)):
        agent.traits = replace(agent.traits, may_read_registry=False)
    if own.get("is_free") is True and own.get("price") is None:
        agent.traits = replace(agent.traits, is_said_free=True)
    return agent if wants is None else _executing(agent, wants, executor)


def _made(
    make: Any,
    name: str,
    options: Mapping[str, Json],
    root: Path,
    may_lack_secrets: bool,
    is_never_asked: bool,
) -> Agent:
    if is_never_asked:
        from evaltui.agents.keyless import unasked

        return unasked(make, name, options, root)
    try:
        agent: Agent = make(name, options, root=root)
    except MissingSecretError as missing:
        if not may_lack_secrets:
            raise
        from evaltui.agents.keyless import keyless

        return keyless(make, name, options, root, missing)
    return agent


def _filled(type_: str, options: Mapping[str, Json]) -> tuple[str, ...]:
    """Those of the options that can hold variables which count; most agents have none."""
    names, beside = AGENTS[type_].filled, AGENTS[type_].filled_beside
    more = tuple(name for name in beside if "${" in str(options.get(name)))
    return (*names, *more) if more or "${" in str([options.get(name) for name in names]) else ()


def _of_variables(
    agent: Agent, filled: tuple[str, ...], options: Mapping[str, Json], root: Path
) -> Agent:
    from evaltui.agents.tool_loop import ToolLoop
    from evaltui.agents.variables import variables_print
    from evaltui.net.secret_sources import SecretSources

    print_ = variables_print(options, filled, SecretSources(root))
    if not isinstance(agent, ToolLoop):
        agent.variables = print_
        return agent
    agent.model.variables = print_
    return agent.with_model(agent.model)


def _may_read(written: Json) -> bool:
    if written not in (None, True, False):
        raise UserError(f"`{_READS}` is {written!r}.", "Write true or false.")
    return written is not False


def imported(place: str) -> Any:
    """What a `module:name` of the table stands for."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


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
