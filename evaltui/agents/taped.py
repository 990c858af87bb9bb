"""Agents and models whose answers are recorded and replayed."""

from msgspec.structs import replace

from evaltui.agents.cassette import CassetteMode, Codec, Tape
from evaltui.agents.cassette_reply import read_reply, read_response, write_reply, write_response
from evaltui.agents.cassette_request import RecordedRequest, ToolPrints, message_json
from evaltui.agents.tool_loop import ToolLoop
from evaltui.core.agent import (
    Agent,
    AgentRequest,
    AgentTraits,
    AgentWrapper,
    Model,
    ModelReply,
    ModelRequest,
    ModelWrapper,
)
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


class TapedModel(ModelWrapper):
    """A model that is asked only for what is not recorded."""

    def __init__(self, model: Model, tape: Tape) -> None:
        super().__init__(model)
        self.traits = _traits(model, tape)
        self._tape = tape
        self._prints = ToolPrints()

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Raises AgentError, also for a miss in replay."""
        recorded = RecordedRequest(
            parameters=self.parameters,
            messages=message_json(request.messages),
            tools=self._prints.of(request.registry),
            trial=request.trial,
            turn=request.turn,
        )
        reply, source = await self._tape.play(
            request.key,
            recorded,
            lambda: self.model.complete(request),
            REPLIES,
            self.hide,
        )
        if source == "replayed" and request.on_text and reply.text:
            request.on_text(reply.text)
        return replace(reply, source=source)


class TapedAgent(AgentWrapper):
    """An agent that is asked only for what is not recorded."""

    def __init__(self, agent: Agent, tape: Tape) -> None:
        super().__init__(agent)
        self.traits = _traits(agent, tape)
        self._tape = tape
        self._prints = ToolPrints()

    async def respond(self, request: AgentRequest) -> AgentResponse:
        """Raises AgentError, also for a miss in replay."""
        reads = self.traits.reads_registry
        recorded = RecordedRequest(
            parameters=self.parameters,
            messages=message_json((*request.history, Message("user", request.message))),
            tools=self._prints.of(request.registry) if reads else {},
            trial=request.trial,
            turn=len(request.previous),
            case=dict(self.disclosed(request))
            | ({"max_turns": request.max_turns} if reads else {}),
        )
        response, source = await self._tape.play(
            request.key,
            recorded,
            lambda: self.agent.respond(request),
            RESPONSES,
            self.hide,
        )
        if source == "replayed":
            _tell(response, request)
        return replace(response, source=source)


def _tell(response: AgentResponse, request: AgentRequest) -> None:
    if request.on_tool_call:
        for call in response.tool_calls:
            request.on_tool_call(call)
    if request.on_text and response.text:
        request.on_text(response.text)


def _traits(inner: Agent | Model, tape: Tape) -> AgentTraits:
    """A replay costs nothing and gives the same answers again."""
    if tape.mode is not CassetteMode.REPLAY:
        return inner.traits
    return replace(inner.traits, is_free=True, is_deterministic=True)
