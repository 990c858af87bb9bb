"""What messages of usual chat APIs tell: texts of blocks, calls of tools, and what came of them."""

from collections.abc import Mapping, Sequence
from json import dumps

from msgspec.structs import replace

from evaltui.core.errors import AgentError
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
    """All calls, with what their function has, or those of its blocks as Anthropic's messages have
    them; last those that the graph could not read.

    Raises AgentError for what is no call: left out, nothing would have been called.
    """
    extra = entry.get("additional_kwargs")
    listed = _listed(entry) or (_listed(extra) if isinstance(extra, Mapping) else [])
    invalid = entry.get("invalid_tool_calls")
    are_listed = bool(listed or invalid)
    listed += [
        {"id": block.get("id"), "name": block.get("name"), "args": block.get("input")}
        for block in _blocks(entry.get("content"), CALL_BLOCKS)
        if not (are_listed and block["type"] == _ALSO_LISTED)
    ]
    for call in invalid if isinstance(invalid, list) else ():
        if isinstance(call, Mapping):
            error = call.get("error") or "its arguments could not be read"
            listed.append({**call, "error": str(error)})
    inner = [call.get("function") for call in listed]
    return [
        {**call, **more} if isinstance(more, Mapping) else call
        for call, more in zip(listed, inner, strict=True)
    ]


def with_results_apart(entry: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    """Results that stand as blocks in a message, as Anthropic has them, each as a message of a tool
    too: behind the calls of the agent's own message, and before what else a user's says."""
    results = _result_blocks(entry)
    apart: list[Mapping[str, Json]] = [
        {
            "role": "tool",
            "tool_call_id": block.get("tool_use_id"),
            "content": block.get("content"),
            "status": "error" if block.get("is_error") is True else "success",
        }
        for block in results
    ]
    content = entry.get("content")
    if not apart or not isinstance(content, list) or entry.get("role") != "user":
        return [entry, *apart]
    rest = [block for block in content if block not in results]
    return [*apart, {**entry, "content": rest}] if rest else apart


def holds_results_only(entry: Mapping[str, Json]) -> bool:
    """Whether it is nothing but results of calls, whoever is named as its author."""
    content, results = entry.get("content"), _result_blocks(entry)
    return isinstance(content, list) and 0 < len(results) == len(content)


CALL_BLOCKS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
"""Types of blocks in Anthropic's messages that are calls."""
_ALSO_LISTED = "tool_use"
"""Frameworks list the calls of these beside the blocks."""


def is_result_block(kind: Json) -> bool:
    """Whether blocks of that type in Anthropic's messages are results of calls."""
    return isinstance(kind, str) and kind.endswith("tool_result")


def _result_blocks(entry: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    content = entry.get("content")
    blocks = content if isinstance(content, list) else ()
    return [one for one in blocks if isinstance(one, Mapping) and is_result_block(one.get("type"))]


def _blocks(content: Json, kinds: frozenset[str]) -> list[Mapping[str, Json]]:
    blocks = content if isinstance(content, list) else ()
    of_kind = (one for one in blocks if isinstance(one, Mapping))
    return [one for one in of_kind if isinstance(kind := one.get("type"), str) and kind in kinds]


def _listed(entry: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    """Those of `tool_calls`, else the one of `function_call`, its older form."""
    found, single = entry.get("tool_calls"), entry.get("function_call")
    if found is not None and not isinstance(found, list):
        raise _no_call("tool_calls", found, "a list")
    calls: list[Mapping[str, Json]] = []
    for one in found or ():
        if not isinstance(one, Mapping):
            raise _no_call("tool_calls", one, "a list of objects")
        calls.append(one)
    if calls or single is None:
        return calls
    if not isinstance(single, Mapping):
        raise _no_call("function_call", single, "an object")
    return [single]


def _no_call(key: str, value: Json, wanted: str) -> AgentError:
    shown = dumps(value, ensure_ascii=False, default=str)[:80]
    what = f"`{key}` of a message must be {wanted}, not {shown}."
    return AgentError(what, category="type_error")


def unread_arguments(call: Mapping[str, Json]) -> str | None:
    """The arguments as they were told, where they are a text."""
    params = call.get("args", call.get("arguments"))
    return params if isinstance(params, str) else None


def told_call(call: Mapping[str, Json]) -> ToolCall:
    """Raises AgentError for a call that names no tool."""
    params = call.get("args", call.get("arguments"))
    error = str(call.get("error") or "")
    name = call.get("name")
    if not (isinstance(name, str) and name) and not error:
        shown = dumps(call, ensure_ascii=False, default=str)[:200]
        what = f"a tool call of a message has no `name`: {shown}"
        raise AgentError(what, category="contract_violation")
    if error:
        params = None
    if isinstance(params, str):
        text = params
        try:
            params = decode_json(text)
        except (ValueError, RecursionError):
            params, error = None, f"the arguments are not JSON: {text[:200]}"
    return ToolCall(
        name if isinstance(name, str) else "",
        params if isinstance(params, Mapping) else None,
        False if error else None,
        error=error,
        id=str(call.get("id") or ""),
    )


def _value(text: str) -> Json:
    """The result as JSON when it is an object or a list, else the text."""
    return json_or_text(text) if text.startswith(("{", "[")) else text
