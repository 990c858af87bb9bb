"""Answers of chat completions, whole or in chunks, with the habits of compatible servers."""

from collections.abc import Mapping
from typing import Any

from evaltui.agents.models.billing import bills_beside
from evaltui.agents.models.openai.reasoning import keep_extra, keep_old_form, keep_reasoning
from evaltui.agents.models.openai.usage import reported_tokens
from evaltui.agents.models.reply_draft import Draft, DraftCall
from evaltui.core.errors import AgentError
from evaltui.core.json_value import Json, JsonObject


def read_whole(answer: JsonObject, draft: Draft) -> None:
    """Raises AgentError when there is no choice in it."""
    choice = _first_choice(answer)
    message = choice.get("message") if choice else None
    if choice is None or not isinstance(message, Mapping):
        keys = ", ".join(f"`{key}`" for key in list(answer)[:8]) or "nothing"
        raise AgentError(
            f"the answer has no `choices[0].message`; it has {keys}. Check `base_url`.",
            category="contract_violation",
        )
    _take_usage(answer, draft)
    _take_text(message, draft)
    for call in _list(message.get("tool_calls")):
        _take_call(call, draft, is_whole=True)
    _take_function_call(message, draft)
    _take_finish(choice, draft)
    draft.is_complete = True


def read_event(event: JsonObject, draft: Draft) -> None:
    """One chunk. Chunks without choices carry the usage, or the verdict of a filter."""
    _take_usage(event, draft)
    choice = _first_choice(event)
    if choice is None:
        return
    delta = choice.get("delta")
    if isinstance(delta, Mapping):
        _take_text(delta, draft)
        for call in _list(delta.get("tool_calls")):
            _take_call(call, draft, is_whole=False)
        _take_function_call(delta, draft)
    _take_finish(choice, draft)
    if draft.finish:
        draft.is_complete = True


def _first_choice(value: JsonObject) -> JsonObject | None:
    """The choice with index 0; others (`n` in `extra`) are not asked for and not read."""
    for choice in _list(value.get("choices")):
        if isinstance(choice, Mapping) and not choice.get("index"):
            return choice
    return None


def _take_text(message: JsonObject, draft: Draft) -> None:
    content = message.get("content")
    if isinstance(content, str):
        draft.say(content)
    for part in _list(content):
        if isinstance(part, Mapping) and isinstance(text := part.get("text"), str):
            draft.say(text)
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal:
        draft.say(refusal)
        draft.end("refusal")
    keep_reasoning(message, draft)


def _take_call(value: Json, draft: Draft, *, is_whole: bool) -> None:
    """A call, or a piece of one: pieces belong together by index, id, or because they follow."""
    if not isinstance(value, Mapping):
        raise AgentError(
            "a tool call of the answer is not an object.", category="contract_violation"
        )
    draft.touch()
    id_ = value.get("id") if isinstance(value.get("id"), str) else ""
    function = value.get("function") or value.get("custom")
    function = function if isinstance(function, Mapping) else {}
    name = function.get("name") if isinstance(function.get("name"), str) else ""
    call = DraftCall() if is_whole else _piece_of(value.get("index"), str(id_), str(name), draft)
    if is_whole:
        draft.calls.append(call)
    keep_extra(value, next(at for at, each in enumerate(draft.calls) if each is call), draft)
    call.id = call.id or str(id_)
    if name and name != call.name:
        call.name += str(name)
    arguments: Any = function.get("arguments", function.get("input"))
    if isinstance(arguments, str):
        call.pieces.append(arguments)
    elif isinstance(arguments, Mapping):
        call.whole = arguments


def _take_function_call(message: JsonObject, draft: Draft) -> None:
    """The one call of servers that know no `tool_calls` yet, or a piece of it."""
    function = message.get("function_call")
    if isinstance(function, Mapping):
        keep_old_form(draft)
        _take_call({"index": 0, "function": function}, draft, is_whole=False)


def _piece_of(index: Json, id_: str, name: str, draft: Draft) -> DraftCall:
    calls = draft.calls
    if isinstance(index, int) and not isinstance(index, bool) and 0 <= index < len(calls):
        call = calls[index]
        if not (id_ and name and call.id and id_ != call.id):
            return call
        # Some servers number every call of a turn 0.
        same = next((other for other in calls if other.id == id_), None)
        if same is not None:
            return same
    elif not isinstance(index, int) and calls:
        if not id_ and not name:
            return calls[-1]
        same = next((other for other in calls if id_ and other.id == id_), None)
        if same is not None:
            return same
    calls.append(DraftCall())
    return calls[-1]


def _take_finish(choice: JsonObject, draft: Draft) -> None:
    reason, error = choice.get("finish_reason"), choice.get("error")
    if isinstance(reason, str) and reason:
        why = error.get("message") if isinstance(error, Mapping) else None
        draft.end(reason, why if isinstance(why, str) else "")


def _take_usage(value: JsonObject, draft: Draft) -> None:
    if isinstance(model := value.get("model"), str) and model:
        draft.model = model
    usage = value.get("usage")
    if not isinstance(usage, Mapping):
        return
    asked = usage.get("prompt_tokens", usage.get("input_tokens"))
    answered = usage.get("completion_tokens", usage.get("output_tokens"))
    draft.tokens = reported_tokens(asked, answered, usage) or draft.tokens
    draft.is_billed_beside |= bills_beside(usage)


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
