"""Answers of OpenAI's Responses, whole or as events."""

from collections.abc import Mapping

from evaltui.agents.models.billing import bills_beside
from evaltui.agents.models.model_faults import event_fault
from evaltui.agents.models.openai.usage import reported_tokens
from evaltui.agents.models.reply_draft import Draft, DraftCall
from evaltui.agents.models.responses.items import OUTPUT
from evaltui.core.errors import AgentError
from evaltui.core.json_value import Json, JsonObject, object_of

_ENDS = ("response.completed", "response.incomplete", "response.failed")
_BILLED = ("web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call")
"""Items of tools that OpenAI runs, of which its `usage` says nothing."""


def read_whole(answer: JsonObject, draft: Draft) -> None:
    """Raises AgentError when it has no output, and when it failed."""
    output = answer.get("output")
    if not isinstance(output, list):
        keys = ", ".join(f"`{key}`" for key in list(answer)[:8]) or "nothing"
        raise AgentError(
            f"the answer has no `output`; it has {keys}. Check `base_url` and `api`.",
            category="contract_violation",
        )
    for item in output:
        if isinstance(item, Mapping):
            _take_item(item, draft)
    _take_end(answer, draft)


def read_event(event: JsonObject, draft: Draft) -> None:
    """One event of the stream; kinds that say nothing new are skipped."""
    kind = event.get("type")
    if kind == "error":
        raise event_fault(event, None)
    if kind in _ENDS:
        answer = object_of(event.get("response"))
        if not draft.provider_data.get(OUTPUT):
            for item in _list(answer.get("output")):
                _take_item(object_of(item), draft)
        _take_end(answer, draft)
    elif kind == "response.output_text.delta":
        if isinstance(piece := event.get("delta"), str):
            draft.say(piece)
    elif kind == "response.output_item.added":
        draft.touch()
    elif kind == "response.output_item.done":
        _take_item(object_of(event.get("item")), draft, is_streamed=True)


def _take_item(item: JsonObject, draft: Draft, *, is_streamed: bool = False) -> None:
    """A finished item; the text of one that was streamed has been heard."""
    draft.provider_data.setdefault(OUTPUT, []).append(dict(item))
    kind = item.get("type")
    draft.is_billed_beside |= kind in _BILLED
    if kind == "function_call":
        draft.touch()
        call = DraftCall(id=_text(item.get("call_id")), name=_text(item.get("name")))
        call.pieces.append(_text(item.get("arguments")))
        draft.calls.append(call)
    elif kind == "message":
        for part in map(object_of, _list(item.get("content"))):
            if part.get("type") == "refusal":
                draft.say(_text(part.get("refusal")))
                draft.end("refusal")
            elif part.get("type") == "output_text" and not (is_streamed and draft.pieces):
                draft.say(_text(part.get("text")))


def _take_end(answer: JsonObject, draft: Draft) -> None:
    draft.model = _text(answer.get("model")) or draft.model
    _take_usage(object_of(answer.get("usage")), draft)
    status = _text(answer.get("status")) or "completed"
    if status == "failed" or answer.get("error"):
        raise event_fault(answer.get("error") or "no reason given", None)
    reason = _text(object_of(answer.get("incomplete_details")).get("reason"))
    draft.end(reason or ("length" if status == "incomplete" else status))
    draft.is_complete = True


def _take_usage(usage: JsonObject, draft: Draft) -> None:
    if usage:
        asked, answered = usage.get("input_tokens"), usage.get("output_tokens")
        draft.tokens = reported_tokens(asked, answered, usage) or draft.tokens
        draft.is_billed_beside |= bills_beside(usage)


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
