"""The steps of a case as turns: model requests and answers, and the tools that ran."""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from evaltui.core.json_value import Json
from evaltui.core.trace import AGENT_ACTORS, CALL_ID
from evaltui.evidence.otel.pack_events import Step
from evaltui.traces.recorded_response import said_in


class ModelTurn(Struct, frozen=True):
    """Steps of the agent that follow one another: what it says, then the calls that it makes."""

    steps: Sequence[Step]
    asked: Sequence[Json]
    """All messages before it."""
    answer: dict[str, Json]


class ToolRun(Struct, frozen=True):
    """A result, with the call that it is for where there is one."""

    result: Step
    call: Step | None
    call_id: str | None
    """Its own or that of its call."""


def turns(case: Sequence[Step]) -> Iterator[ModelTurn | ToolRun]:
    """In the order in which they happened."""
    said: list[Json] = []
    open_calls: list[Step] = []
    own: list[Step] = []
    for step in case:
        is_own = step.row.actor in AGENT_ACTORS
        starts_anew = is_own and step.row.type != "tool_call" and bool(own)
        if own and (starts_anew or not is_own):
            yield _model_turn(own, said)
            own = []
        if is_own:
            own.append(step)
            if step.row.type == "tool_call":
                open_calls.append(step)
        elif step.row.type == "tool_result":
            call = _call_of(step, open_calls)
            call_id = _call_id(step) or (_id_of(call) if call else None)
            yield ToolRun(step, call, call_id)
            said.append(_message("tool", _response(step, call_id)))
        else:
            said.append(message_of(step))
    if own:
        yield _model_turn(own, said)


def _model_turn(steps: Sequence[Step], said: list[Json]) -> ModelTurn:
    parts: list[Json] = []
    for step in steps:
        if step.row.type == "tool_call":
            call = {"type": "tool_call", "name": step.row.tool, "arguments": step.row.input}
            parts.append({**call, "id": _id_of(step)})
        elif step.row.output is not None:
            parts.append(_text_part(step.row.output))
    answer: dict[str, Json] = {"role": "assistant", "parts": parts}
    turn = ModelTurn(steps, [*said], {**answer, "finish_reason": _reason(steps)})
    if parts:
        said.append(answer)
    return turn


def _reason(steps: Sequence[Step]) -> str:
    if any(one.row.error for one in steps):
        return "error"
    return "tool_call" if any(one.row.type == "tool_call" for one in steps) else "stop"


def _call_of(result: Step, open_calls: list[Step]) -> Step | None:
    """The open call of the same id, else the first one of the same tool; it is open no longer."""
    call_id = _call_id(result)
    fits = [one for one in open_calls if call_id and _call_id(one) == call_id]
    if not fits and not call_id:
        fits = [one for one in open_calls if result.row.tool in (None, one.row.tool)]
    if not fits:
        return None
    open_calls.remove(fits[0])
    return fits[0]


def _call_id(step: Step) -> str | None:
    found = step.row.attributes.get(CALL_ID)
    return found if isinstance(found, str) and found else None


def _id_of(call: Step) -> str:
    """The id of a call, its span where it has none."""
    return _call_id(call) or call.span_id


def text_of(value: Json) -> str:
    """A text as it is, anything else as JSON, which is how spans hold messages and arguments."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def message_of(step: Step) -> Json:
    """What somebody else than the agent said."""
    content = said_in(step.row)
    return _message(step.row.actor, *([] if content is None else [_text_part(content)]))


def _message(role: str, *parts: Json) -> Json:
    return {"role": role, "parts": [*parts]}


def _text_part(content: Json) -> Json:
    return {"type": "text", "content": text_of(content)}


def _response(step: Step, call_id: str | None) -> Json:
    answer = step.row.output if step.row.error is None else step.row.error
    return {"type": "tool_call_response", "id": call_id, "response": answer}
