"""Agents and models whose answers are recorded and replayed."""

from msgspec.structs import replace

from evaltui.agents.recordings.recorded_answers import (
    read_reply,
    read_response,
    write_reply,
    write_response,
)
from evaltui.agents.recordings.recorded_request import RecordedRequest, ToolPrints, message_json
from evaltui.agents.recordings.recorder import AnswerCodec, Recorder, RecordingMode
from evaltui.agents.tool_loop import ToolLoop
from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.asked import AgentTraits
from evaltui.core.json_value import JsonObject
from evaltui.core.model import Model, ModelReply, ModelRequest
from evaltui.core.response import REPLAYED, AgentResponse
from evaltui.core.wrappers import AgentWrapper, ModelWrapper

REPLIES = AnswerCodec(write_reply, read_reply)
RESPONSES = AnswerCodec(write_response, read_response)
NOTHING: JsonObject = {}


def recorded(agent: Agent, recorder: Recorder) -> Agent:
    """The same agent, recorded and replayed: models turn by turn, all others as a whole.

    An agent that executes tools for real is taken as a whole too, so that a replay runs none.
    """
    if recorder.mode is RecordingMode.OFF:
        return agent
    if isinstance(agent, ToolLoop) and not agent.executes:
        return agent.with_model(RecordedModel(agent.model, recorder))
    return RecordedAgent(agent, recorder)


class RecordedModel(ModelWrapper):
    """A model that is asked only for what is not recorded."""

    def __init__(self, model: Model, recorder: Recorder) -> None:
        super().__init__(model)
        self.traits = _traits(model, recorder)
        self._recorder = recorder
        self._prints = ToolPrints(self.traits)

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Raises AgentError, also for a miss in replay."""
        asked = RecordedRequest(
            parameters=self.parameters,
            messages=message_json(request.messages),
            tools=self._prints.of(request.registry),
            trial=request.trial,
            turn=request.turn,
            variables=self.variables,
        )
        reply, source = await self._recorder.answer(
            request.key,
            asked,
            lambda: self.model.complete(request),
            REPLIES,
            self.hide,
            _of_then(asked, self.former_parameters),
        )
        if source == REPLAYED and request.on_text and reply.text:
            request.on_text(reply.text)
        return replace(reply, source=source)


class RecordedAgent(AgentWrapper):
    """An agent that is asked only for what is not recorded."""

    def __init__(self, agent: Agent, recorder: Recorder) -> None:
        super().__init__(agent)
        self.traits = _traits(agent, recorder)
        self._recorder = recorder
        self._prints = ToolPrints(self.traits)

    async def respond(self, request: AgentRequest) -> AgentResponse:
        """Raises AgentError, also for a miss in replay."""
        reads, others = self.traits.reads_registry, _others(request)
        asked = RecordedRequest(
            parameters={**self.parameters, **others},
            messages=message_json(request.messages),
            tools=self._prints.of(request.registry),
            trial=request.trial,
            turn=len(request.previous),
            case=dict(self.disclosed(request))
            | ({"max_turns": request.max_turns} if reads else {}),
            variables=self.variables,
        )
        response, source = await self._recorder.answer(
            request.key,
            asked,
            lambda: self.agent.respond(request),
            RESPONSES,
            self.hide,
            _of_then(asked, self.former_parameters, others),
        )
        if source == REPLAYED:
            _tell(response, request)
        return replace(response, source=source)


def _others(request: AgentRequest) -> JsonObject:
    """What tells of the project's other files where an agent may be made of them."""
    return {"otherFiles": request.other_files} if request.other_files else {}


def _of_then(
    asked: RecordedRequest, former: JsonObject | None, others: JsonObject = NOTHING
) -> RecordedRequest | None:
    """The request as it was recorded while all options of an agent counted."""
    return None if former is None else replace(asked, parameters={**former, **others})


def _tell(response: AgentResponse, request: AgentRequest) -> None:
    if request.on_tool_call:
        for call in response.tool_calls:
            request.on_tool_call(call)
    if request.on_text and response.text:
        request.on_text(response.text)


def _traits(inner: Agent | Model, recorder: Recorder) -> AgentTraits:
    """A replay costs nothing and gives the same answers again."""
    if recorder.mode is not RecordingMode.REPLAY:
        return inner.traits
    return replace(inner.traits, is_free=True, is_taken_free=False, is_deterministic=True)
