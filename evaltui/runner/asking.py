"""Sends one attempt's request to its agent, with the events of the answer as it arrives."""

from collections.abc import Callable
from time import monotonic
from uuid import uuid4

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.agent import Agent, AgentRequest, PreviousAttempt
from evaltui.core.errors import AgentError
from evaltui.core.events import Event, TextStreamed, ToolCalled, TurnFinished
from evaltui.core.response import AgentResponse, Message, ToolCall
from evaltui.runner.dispatch import Attempt


class Asking(Struct):
    """The `Ask` of one attempt."""

    agent: Agent
    emit: Callable[[Event], None]
    run_id: str
    timeout_s: float
    attempt: Attempt
    previous: tuple[PreviousAttempt, ...]
    on_wait: Callable[[bool], None]
    _live_calls: int = 0
    _conversation: str = ""
    """Once a turn was answered by the agent; what a recording answered it knows nothing of."""

    async def __call__(self, message: Message, history: tuple[Message, ...] = ()) -> AgentResponse:
        job = self.attempt.state.job
        body = job.case.body
        is_continued = bool(self._conversation)
        conversation = self._conversation or (str(uuid4()) if body.is_conversation else "")
        request = AgentRequest(
            key=job.case.key,
            message=message.content,
            registry=job.registry,
            stubs=job.case.stubs,
            max_turns=body.max_turns,
            timeout_s=self.timeout_s,
            history=history,
            said=message if message.extra else None,
            conversation=conversation,
            persona=body.speaker,
            is_continued=is_continued,
            trial=self.attempt.trial,
            on_text=LiveText(self._stream).add,
            on_tool_call=self._call,
            on_wait=self.on_wait,
            retries=self.attempt.retries,
            expected=job.expected,
            other_files=job.inputs.other_files,
            previous=self.previous,
        )
        response = await self.agent.respond(request)
        source = getattr(response, "source", "")  # of another type than it should be: `answered`
        self._conversation = conversation if source == "live" else ""
        return response

    def answered(self, response: object) -> AgentResponse:
        """Emit the answer and add the time it waited. Raises AgentError when it is none."""
        if not isinstance(response, AgentResponse):
            raise AgentError(f"the adapter answered with {type(response).__name__}")
        attempt = self.attempt
        if attempt.retries or attempt.queued_s:
            response = replace(
                response,
                retries=response.retries + attempt.retries,
                queued_ms=response.queued_ms + attempt.queued_s * 1000,
            )
        if _has_replaced(response) and REPLACED not in response.notes:
            response = replace(response, notes=(*response.notes, REPLACED))
        if not self._live_calls:
            for call in response.tool_calls:
                self._call(call)
        key = attempt.state.job.case.key
        turn = TurnFinished(self.run_id, self.agent.name, key, response.turns, response.text)
        self.emit(turn)
        return response

    def _call(self, call: ToolCall) -> None:
        self._live_calls += 1
        self.emit(ToolCalled(self.run_id, self.agent.name, self.attempt.state.job.case.key, call))

    def _stream(self, text: str) -> None:
        key = self.attempt.state.job.case.key
        self.emit(TextStreamed(self.run_id, self.agent.name, key, text))


_REPLACEMENT = "\ufffd"
REPLACED = (
    f"the answer has U+FFFD ({_REPLACEMENT}): the agent sent it, or something that UTF-8 cannot "
    "hold, such as half of a surrogate pair, which is judged as U+FFFD"
)


def _has_replaced(response: AgentResponse) -> bool:
    """Whether its text, or a parameter of a call, has what stands for no character."""
    said_in = [one for one in response.tool_calls if _REPLACEMENT in str(one.params)]
    return bool(said_in) or _REPLACEMENT in response.text


EVERY_S = 0.1


class LiveText:
    """Collects pieces; an answer that is there within `EVERY_S` is never sent in parts."""

    __slots__ = ("_due", "_pieces", "_send")

    def __init__(self, send: Callable[[str], None]) -> None:
        self._send = send
        self._pieces: list[str] = []
        self._due = monotonic() + EVERY_S

    def add(self, piece: str) -> None:
        """Add one piece; `send` gets the whole text so far when it is time."""
        self._pieces.append(piece)
        now = monotonic()
        if now >= self._due:
            self._due = now + EVERY_S
            self._pieces = ["".join(self._pieces)]
            self._send(self._pieces[0])
