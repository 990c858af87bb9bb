"""Makes an agent of a model: asks it, executes its calls, feeds results back until it answers."""

import json
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.case import CaseKey
from evaltui.core.errors import AgentError
from evaltui.core.json_value import Json
from evaltui.core.model import Model, ModelMessage, ModelReply, ModelRequest
from evaltui.core.response import (
    REPLAYED,
    AgentResponse,
    Execution,
    Message,
    ToolCall,
    Usage,
    added_usage,
)
from evaltui.core.tool import short_hash
from evaltui.core.wrappers import Wrapper

ToolExecutor: TypeAlias = Callable[[ToolCall], Awaitable[ToolCall]]
"""Executes one call for real: gives it back with `success`, `result` or `error`, `duration_ms`."""


class ToolLoop(Wrapper, Agent):
    """An agent whose next step a model chooses.

    Without stubs and without an executor it takes one turn and executes nothing (`ROUTING`). With
    stubs they answer (`STUBS`, contract A10, A12). With an executor, and no stubs, calls are real
    (`REAL`). Calls of one turn are executed concurrently and recorded in the model's order.
    """

    def __init__(
        self, model: Model, name: str = "", executor: "ToolExecutor | None" = None
    ) -> None:
        super().__init__(model)
        self.model = model
        self._executor = executor
        self.name = name or model.name
        if executor is not None:
            self.fingerprint = _executing(model.fingerprint)
            self.former_fingerprint = _executing(model.former_fingerprint)
        self.traits = replace(model.traits, executes_tools=executor is not None)
        self._interrupted: dict[tuple[CaseKey, int], _Attempt] = {}

    @property
    def executes(self) -> bool:
        """Whether calls are executed for real when a case has no stubs."""
        return self._executor is not None

    def with_model(self, model: Model) -> "ToolLoop":
        """The same agent with another model behind it."""
        return ToolLoop(model, self.name, self._executor)

    def with_executor(self, executor: "ToolExecutor") -> "ToolLoop":
        """The same agent, whose calls are executed for real when a case has no stubs."""
        return ToolLoop(self.model, self.name, executor)

    async def respond(self, request: AgentRequest) -> AgentResponse:
        """Answer one message; `messages` of the response begin with the request's history.

        An attempt that is sent again goes on with the turn that failed: answers that were paid
        for are kept, and no tool is executed twice.
        """
        execution = self._execution(request)
        attempt = self._begin(request)
        turns = 1 if execution is Execution.ROUTING else max(1, request.max_turns)
        for turn in range(attempt.turns, turns):
            try:
                reply = await self._ask(request, attempt, turn)
            except AgentError as error:
                if error.retryable and turn > 0:
                    self._interrupted[request.key, request.trial] = attempt
                raise
            if not reply.tool_calls:
                attempt.messages.append(Message("assistant", reply.text))
                break
            await self._execute(request, attempt, reply, execution)
        else:
            if execution is not Execution.ROUTING:
                attempt.notes.append(
                    f"Stopped at maxTurns ({turns}): the model was still calling tools, "
                    f"so {'its last text' if attempt.text else 'an empty text'} is the answer."
                )
        return attempt.response(execution)

    def _begin(self, request: AgentRequest) -> "_Attempt":
        asked = [*request.messages]
        interrupted = self._interrupted.pop((request.key, request.trial), None)
        # Of a conversation another turn may be asked first when it is asked again.
        is_same = interrupted is not None and interrupted.messages[: len(asked)] == asked
        if interrupted is not None and is_same and request.retries > 0:
            return interrupted
        return _Attempt(asked)

    def _execution(self, request: AgentRequest) -> Execution:
        if request.stubs is not None:
            return Execution.STUBS
        return Execution.REAL if self._executor else Execution.ROUTING

    async def _ask(self, request: AgentRequest, attempt: "_Attempt", turn: int) -> ModelReply:
        began = perf_counter()
        reply = await self.model.complete(
            ModelRequest(
                key=request.key,
                messages=tuple(attempt.messages),
                registry=request.registry,
                trial=request.trial,
                turn=turn,
                on_text=request.on_text,
                on_wait=request.on_wait,
            )
        )
        attempt.add(reply, (perf_counter() - began) * 1000)
        return reply

    async def _execute(
        self, request: AgentRequest, attempt: "_Attempt", reply: ModelReply, execution: Execution
    ) -> None:
        began = perf_counter()
        if execution is Execution.STUBS:
            done = [_from_stubs(call, request) for call in reply.tool_calls]
        elif self._executor and len(reply.tool_calls) > 1:
            from asyncio import gather

            done = await gather(*(_for_real(call, self._executor) for call in reply.tool_calls))
        elif self._executor:
            done = [await _for_real(reply.tool_calls[0], self._executor)]
        else:
            done = list(reply.tool_calls)
        attempt.duration_ms += (perf_counter() - began) * 1000
        attempt.calls.extend(done)
        data = reply.provider_data
        attempt.messages.append(
            ModelMessage("assistant", reply.text, tuple(done), provider_data=data)
        )
        if request.on_tool_call:
            for call in done:
                request.on_tool_call(call)
        if execution is not Execution.ROUTING:
            attempt.messages.extend(
                Message("tool", _content(call), tool_call_id=call.id, name=call.name)
                for call in done
            )


def _executing(fingerprint: str) -> str:
    """Of the same model, where its calls are executed; of none none."""
    return short_hash(f"{fingerprint} executes") if fingerprint else ""


async def _for_real(call: ToolCall, executor: ToolExecutor) -> ToolCall:
    return _unusable(call) if call.error else await executor(call)


def _unusable(call: ToolCall) -> ToolCall:
    """A call whose arguments could not be read: the model is told, and may try again."""
    return replace(call, success=False, result={"error": call.error}, duration_ms=0.0)


def _from_stubs(call: ToolCall, request: AgentRequest) -> ToolCall:
    if call.error:
        return _unusable(call)
    stubs = request.stubs or {}
    if call.name in stubs:
        return replace(call, success=True, result=stubs[call.name], duration_ms=0.0)
    error = f'no stub for "{call.name}"'
    return replace(call, success=False, result={"error": error}, error=error, duration_ms=0.0)


def _content(call: ToolCall) -> str:
    """What the model is told: the result as JSON, a text as it is, an error as `{"error": …}`."""
    result: Json = call.result
    if result is None and call.error:
        result = {"error": call.error}
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)


class _Attempt(Struct):
    """What has happened so far in one attempt."""

    messages: list[Message]
    calls: list[ToolCall] = field(default_factory=list)
    text: str = ""
    duration_ms: float = 0.0
    usage: Usage | None = None
    turns: int = 0
    first_token_ms: float | None = None
    queued_ms: float = 0.0
    retries: int = 0
    notes: list[str] = field(default_factory=list)
    explanation: dict[str, Json] = field(default_factory=dict)
    sources: set[str] = field(default_factory=set)

    def add(self, reply: ModelReply, elapsed_ms: float) -> None:
        if self.first_token_ms is None and reply.first_token_ms is not None:
            self.first_token_ms = self.duration_ms + reply.first_token_ms
        own = reply.duration_ms
        self.duration_ms += max(0.0, elapsed_ms - reply.queued_ms) if own is None else own
        self.queued_ms += reply.queued_ms
        self.retries += reply.retries
        self.turns += 1
        self.sources.add(reply.source)
        self.usage = reply.usage if self.turns == 1 else added_usage(self.usage, reply.usage)
        self.text = reply.text or ("" if not reply.tool_calls else self.text)
        self.notes.extend(note for note in reply.notes if note not in self.notes)
        self.explanation.update(reply.explanation)

    def response(self, execution: Execution) -> AgentResponse:
        return AgentResponse(
            text=self.text,
            tool_calls=tuple(self.calls),
            duration_ms=self.duration_ms,
            execution=execution,
            messages=tuple(map(_plain, self.messages)),
            usage=self.usage,
            turns=self.turns,
            first_token_ms=self.first_token_ms,
            queued_ms=self.queued_ms,
            retries=self.retries,
            notes=tuple(self.notes),
            explanation=self.explanation,
            source=self._source(),
        )

    def _source(self) -> str:
        """One word for all turns: replayed only when nothing was asked live."""
        if self.sources == {REPLAYED}:
            return REPLAYED
        return "live" if self.sources <= {"live"} else "recorded"


def _plain(message: Message) -> Message:
    """Without what only the model's API needs, and only until the attempt is over."""
    if not isinstance(message, ModelMessage):
        return message
    return Message(*(getattr(message, name) for name in Message.__struct_fields__))
