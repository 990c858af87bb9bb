"""Reasoning, and Gemini's thought signatures: servers want them back with the calls they led to."""

from collections.abc import Mapping
from typing import Any

from evaltui.agents.models.reply_draft import Draft
from evaltui.core.json_value import Json, JsonObject

_TEXTS = ("reasoning_content", "reasoning")
_DETAILS = "reasoning_details"
_EXTRA = "extra_content"
_CALLS = "calls"
_OLD_FORM = "function_call"
_DETAIL_TEXTS = ("text", "summary", "data")


def keep_reasoning(message: JsonObject, draft: Draft) -> None:
    """What a message, or a piece of one, says beside text and calls."""
    kept = draft.provider_data
    for key in _TEXTS:
        if isinstance(piece := message.get(key), str) and piece:
            kept[key] = f"{kept.get(key, '')}{piece}"
            draft.touch()
    details = message.get(_DETAILS)
    for detail in details if isinstance(details, list) else ():
        if isinstance(detail, Mapping):
            _add_detail(kept.setdefault(_DETAILS, []), detail)
            draft.touch()
    if isinstance(extra := message.get(_EXTRA), Mapping):
        kept[_EXTRA] = _merged(kept.get(_EXTRA), extra)


def keep_extra(call: JsonObject, index: int, draft: Draft) -> None:
    """What a call has beside its function; `index`: its place among the calls of the answer."""
    if isinstance(extra := call.get(_EXTRA), Mapping):
        of_calls = draft.provider_data.setdefault(_CALLS, {})
        of_calls[str(index)] = _merged(of_calls.get(str(index)), extra)


def keep_old_form(draft: Draft) -> None:
    """The call came as `function_call`, and is sent back as one."""
    draft.provider_data[_OLD_FORM] = True


def has_old_form(provider_data: JsonObject) -> bool:
    return bool(provider_data.get(_OLD_FORM))


def of_message(provider_data: JsonObject) -> dict[str, Any]:
    """What is sent back beside `content` and `tool_calls`."""
    return {k: value for k, value in provider_data.items() if k not in {_CALLS, _OLD_FORM}}


def of_call(provider_data: JsonObject, index: int) -> dict[str, Any]:
    """What is sent back beside the function of a call."""
    of_calls: Any = provider_data.get(_CALLS) or {}
    extra = of_calls.get(str(index))
    return {_EXTRA: extra} if extra else {}


def _add_detail(details: list[dict[str, Any]], detail: Mapping[str, Json]) -> None:
    """Pieces of one detail have its index and kind; their texts follow each other."""
    last = details[-1] if details and "index" in detail else {}
    if not last or any(last.get(key) != detail.get(key) for key in ("index", "type")):
        details.append(dict(detail))
        return
    for key, value in detail.items():
        old = last.get(key)
        if key in _DETAIL_TEXTS and isinstance(value, str) and isinstance(old, str):
            last[key] = old + value
        elif value is not None:
            last[key] = value


def _merged(old: Json, new: Mapping[str, Json]) -> dict[str, Any]:
    merged: dict[str, Any] = dict(old) if isinstance(old, Mapping) else {}
    for key, value in new.items():
        merged[key] = _merged(merged.get(key), value) if isinstance(value, Mapping) else value
    return merged
