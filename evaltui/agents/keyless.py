"""Agents whose secrets are not on this machine: replaying their recorded answers needs none."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

from evaltui.agents.tool_loop import ToolLoop
from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.errors import AgentError, MissingSecretError, UserError
from evaltui.core.json_value import Json
from evaltui.core.model import Model, ModelReply, ModelRequest
from evaltui.core.permit import HOW_TO_TRUST
from evaltui.core.response import AgentResponse
from evaltui.core.wrappers import AgentWrapper, ModelWrapper
from evaltui.net.secret_sources import SecretSources

_STAND_INS = ("http://missing.invalid", "0")
"""For a whole address or a host, and for a port; nothing is ever sent to one."""


class Make(Protocol):
    def __call__(
        self, name: str, options: Mapping[str, Json], *, root: Path, env: Mapping[str, str]
    ) -> Agent: ...


def keyless(
    make: Make, name: str, options: Mapping[str, Json], root: Path, missing: MissingSecretError
) -> Agent:
    """The agent of a profile whose secrets are missing; asking it is an error that says so.

    It is named, and its recordings are found, as if they were there. Raises UserError for what
    else is wrong with it.
    """
    return _refusing(_with_stand_ins(make, name, options, root, SecretSources(root)), missing)


def unasked(make: Make, name: str, options: Mapping[str, Json], root: Path) -> Agent:
    """The same of a profile that nobody agreed to: no variable is looked up for it at all."""
    missing = MissingSecretError("Nobody agreed to this agent.", HOW_TO_TRUST)
    return _refusing(_with_stand_ins(make, name, options, root, {}), missing)


def _with_stand_ins(
    make: Make, name: str, options: Mapping[str, Json], root: Path, known: Mapping[str, str]
) -> Agent:
    try:
        return make(name, options, root=root, env=_StandIns(known, _STAND_INS[0]))
    except UserError:
        return make(name, options, root=root, env=_StandIns(known, _STAND_INS[1]))


class _StandIns(Mapping[str, str]):
    """Those secrets that are known, with `stand_in` for each that is not."""

    def __init__(self, known: Mapping[str, str], stand_in: str) -> None:
        self._sources = known
        self._stand_in = stand_in

    def __getitem__(self, name: str) -> str:
        try:
            return self._sources[name]
        except (KeyError, MissingSecretError):
            return self._stand_in

    def __iter__(self) -> Iterator[str]:
        return iter(self._sources)

    def __len__(self) -> int:
        return len(self._sources)


def _refusing(agent: Agent, missing: MissingSecretError) -> Agent:
    if isinstance(agent, ToolLoop):
        return agent.with_model(_KeylessModel(agent.model, missing))
    return _KeylessAgent(agent, missing)


def _refusal(missing: MissingSecretError) -> AgentError:
    return AgentError(f"{missing.what} {missing.hint}".strip(), category="auth", is_unpaid=True)


class _KeylessAgent(AgentWrapper):
    def __init__(self, agent: Agent, missing: MissingSecretError) -> None:
        super().__init__(agent)
        self._missing = missing

    async def respond(self, request: AgentRequest) -> AgentResponse:  # noqa: ARG002
        raise _refusal(self._missing)


class _KeylessModel(ModelWrapper):
    def __init__(self, model: Model, missing: MissingSecretError) -> None:
        super().__init__(model)
        self._missing = missing

    async def complete(self, request: ModelRequest) -> ModelReply:  # noqa: ARG002
        raise _refusal(self._missing)
