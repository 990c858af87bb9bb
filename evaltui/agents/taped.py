"""Agents and models whose answers are recorded and replayed."""

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from evaltui.agents.cassette import CassetteMode, Codec, Tape
from evaltui.agents.cassette_reply import read_reply, read_response, write_reply, write_response
from evaltui.agents.cassette_request import RecordedRequest, ToolPrints, message_json
from evaltui.agents.secret_text import Secrets
from evaltui.agents.tool_loop import ToolLoop
from evaltui.core.agent import (
    Agent,
    AgentRequest,
    HasSettings,
    IsTold,
    LoadsFiles,
    MadeOfFiles,
    Model,
    ModelReply,
    ModelRequest,
)
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.response import AgentResponse, Message

REPLIES = Codec(write_reply, read_reply)
RESPONSES = Codec(write_response, read_response)


def taped(agent: Agent, tape: Tape) -> Agent:
    """The same agent, recorded and replayed: models turn by turn, all others as a whole.

    An agent that executes tools for real is taken as a whole too, so that a replay runs none.
    """
    if tape.mode is CassetteMode.OFF:
        return agent
    if isinstance(agent, ToolLoop) and not agent.executes:
        return agent.with_model(TapedModel(agent.model, tape))
    return TapedAgent(agent, tape)


class TapedModel:
    """A model that is asked only for what is not recorded."""

    def __init__(self, model: Model, tape: Tape) -> None:
        self._model = model
        self._tape = tape
        self._prints = ToolPrints()
        self._parameters = _parameters(model)

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def fingerprint(self) -> str:
        return self._model.fingerprint

    @property
    def is_free(self) -> bool:
        return self._model.is_free or self._tape.mode is CassetteMode.REPLAY

    @property
    def files(self) -> frozenset[Path]:
        return self._model.files if isinstance(self._model, MadeOfFiles) else frozenset()

    async def close(self) -> None:
        await self._model.close()

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Raises AgentError, also for a miss in replay."""
        recorded = RecordedRequest(
            parameters=self._parameters,
            messages=message_json(request.messages),
            tools=self._prints.of(request.registry),
            trial=request.trial,
            turn=request.turn,
        )
        reply, source = await self._tape.play(
            request.key,
            recorded,
            lambda: self._model.complete(request),
            REPLIES,
            _hide(self._model),
        )
        if source == "replayed" and request.on_text and reply.text:
            request.on_text(reply.text)
        return replace(reply, source=source)


class TapedAgent:
    """An agent that is asked only for what is not recorded."""

    def __init__(self, agent: Agent, tape: Tape) -> None:
        self._agent = agent
        self._tape = tape
        self._prints = ToolPrints()
        self._parameters = _parameters(agent)

    @property
    def name(self) -> str:
        return self._agent.name

    @property
    def fingerprint(self) -> str:
        return self._agent.fingerprint

    @property
    def is_free(self) -> bool:
        return self._agent.is_free or self._tape.mode is CassetteMode.REPLAY

    @property
    def reads_registry(self) -> bool:
        return self._agent.reads_registry

    @property
    def unseen_files(self) -> frozenset[Path]:
        return self._agent.unseen_files if isinstance(self._agent, LoadsFiles) else frozenset()

    @property
    def settings(self) -> str:
        return self._agent.settings if isinstance(self._agent, HasSettings) else ""

    @property
    def max_repairs(self) -> int:
        return self._agent.max_repairs if isinstance(self._agent, IsTold) else 0

    def told(self, request: AgentRequest) -> JsonObject:
        """What the agent is told besides the message."""
        return _told(self._agent, request)

    @property
    def files(self) -> frozenset[Path]:
        return self._agent.files if isinstance(self._agent, MadeOfFiles) else frozenset()

    async def close(self) -> None:
        await self._agent.close()

    async def respond(self, request: AgentRequest) -> AgentResponse:
        """Raises AgentError, also for a miss in replay."""
        reads = self._agent.reads_registry
        told = _told(self._agent, request)
        recorded = RecordedRequest(
            parameters=self._parameters,
            messages=message_json((*request.history, Message("user", request.message))),
            tools=self._prints.of(request.registry) if reads else {},
            trial=request.trial,
            turn=len(request.previous),
            case=told | ({"max_turns": request.max_turns} if reads else {}),
        )
        response, source = await self._tape.play(
            request.key,
            recorded,
            lambda: self._agent.respond(request),
            RESPONSES,
            _hide(self._agent),
        )
        if source == "replayed":
            _tell(response, request)
        return replace(response, source=source)


def _told(agent: Agent, request: AgentRequest) -> dict[str, Json]:
    if isinstance(agent, IsTold):
        return dict(agent.told(request))
    return {} if request.stubs is None else {"stubs": request.stubs}


def _tell(response: AgentResponse, request: AgentRequest) -> None:
    if request.on_tool_call:
        for call in response.tool_calls:
            request.on_tool_call(call)
    if request.on_text and response.text:
        request.on_text(response.text)


def _parameters(agent: Agent | Model) -> JsonObject:
    """What the agent says shapes its answers; else its fingerprint must do."""
    found = getattr(agent, "parameters", None)
    return found or {"agent": type(agent).__name__, "fingerprint": agent.fingerprint}


def _hide(agent: Agent | Model) -> Callable[[str], str]:
    """Masks what the agent knows to be secret; read late, since keys are filled in late."""
    secrets = getattr(agent, "secrets", None)
    if isinstance(secrets, Secrets):
        return secrets.hide
    inner = getattr(agent, "model", None)
    return _hide(inner) if inner is not None else lambda text: text
