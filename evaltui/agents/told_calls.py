"""What messages of usual chat APIs tell: texts of blocks, calls of tools, and what came of them."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from evaltui.core.finite_json import decode_json
from evaltui.core.json_or_text import json_or_text
from evaltui.core.json_value import Json
from evaltui.core.response import ToolCall


def content_text(content: Json, between: str = "") -> str:
    """Text, or the text blocks of a list put together with `between` them; nothing is an empty
    text."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [
        block if isinstance(block, str) else str(block.get("text") or "")
        for block in content
        if isinstance(block, str) or (isinstance(block, Mapping) and block.get("type") == "text")
    ]
    return between.join(filter(None, texts))


class CallPairs:
    """Calls in their order, each with its result once that came."""

    def __init__(self) -> None:
        self.calls: list[ToolCall] = []
        self.notes: list[str] = []

    def add(self, calls: Sequence[ToolCall]) -> None:
        self.calls += calls

    def answer(self, id_: str, name: str, entry: Mapping[str, Json], text: str) -> None:
        for at, call in enumerate(self.calls):
            is_its = call.id == id_ if id_ else call.name == name
            if is_its and call.success is None:
                failed = entry.get("status") == "error" or entry.get("tool_call_error") is True
                self.calls[at] = replace(
                    call,
                    success=not failed,
                    result=_value(text),
                    error=text[:500] if failed else "",
                )
                return
        self.notes.append(f"the result of `{name or id_ or 'a tool'}` belongs to no call")


def call_entries(entry: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    """All calls, with what their function has; last those that the graph could not read."""
    found = entry.get("tool_calls")
    if not isinstance(found, list) or not found:
        extra = entry.get("additional_kwargs")
        found = extra.get("tool_calls") if isinstance(extra, Mapping) else None
    listed: list[Json] = [*found] if isinstance(found, list) else []
    invalid = entry.get("invalid_tool_calls")
    for call in invalid if isinstance(invalid, list) else ():
        if isinstance(call, Mapping):
            error = call.get("error") or "its arguments could not be read"
            listed.append({**call, "error": str(error)})
    calls = [call for call in listed if isinstance(call, Mapping)]
    inner = [call.get("function") for call in calls]
    return [
        {**call, **more} if isinstance(more, Mapping) else call
        for call, more in zip(calls, inner, strict=True)
    ]


def unread_arguments(call: Mapping[str, Json]) -> str | None:
    """The arguments as they were told, where they are a text."""
    params = call.get("args", call.get("arguments"))
    return params if isinstance(params, str) else None


def told_call(call: Mapping[str, Json]) -> ToolCall:
    params = call.get("args", call.get("arguments"))
    error = str(call.get("error") or "")
    if error:
        params = None
    if isinstance(params, str):
        text = params
        try:
            params = decode_json(text)
        except (ValueError, RecursionError):
            params, error = None, f"the arguments are not JSON: {text[:200]}"
    return ToolCall(
        str(call.get("name") or ""),
        params if isinstance(params, Mapping) else None,
        False if error else None,
        error=error,
        id=str(call.get("id") or ""),
    )


def _value(text: str) -> Json:
    """The result as JSON when it is an object or a list, else the text."""
    return json_or_text(text) if text.startswith(("{", "[")) else text
