"""Why an agent chose its tools, from the evidence that it reports itself, as lines of text."""

from collections.abc import Mapping

from evaltui.core.json_value import Json, JsonObject
from evaltui.core.score_change import NO_WORD_IN_COMMON
from evaltui.expectations.javascript import json_stringify

SHOWN = 3
"""Tools in the short form; the long form lists all that the agent considered."""


def in_short(explanation: JsonObject) -> str:
    """The best tools with their probabilities on one line; empty for evidence of another shape."""
    tools = _tools(explanation)
    call_at = explanation.get("callAt")
    if tools is None or not isinstance(call_at, int | float):
        return ""
    if not tools:
        return NO_WORD_IN_COMMON
    best = ", ".join(f"{tool.get('name')} {_number(tool.get('p')):.2f}" for tool in tools[:SHOWN])
    return f"calls from p {call_at:.2f}: {best}"


def in_full(explanation: JsonObject) -> list[str]:
    """What was called, then each tool with its terms, matched words and parameters."""
    tools = _tools(explanation)
    if tools is None:
        return [json_stringify(explanation)] if explanation else []
    called = [str(name) for name in _list(explanation.get("called"))]
    threshold = _number(explanation.get("callAt"))
    margin = _number(explanation.get("margin"))
    lines = [
        f"called {', '.join(f'`{name}`' for name in called) or 'no tool'} "
        f"(calls from p {threshold:.2f}, best leads by {margin:.2f})"
    ]
    if not tools:
        lines.append(NO_WORD_IN_COMMON)
    for tool in tools:
        lines += _tool_lines(tool, is_called=tool.get("name") in called)
    return lines


def _tool_lines(tool: JsonObject, *, is_called: bool) -> list[str]:
    terms = ", ".join(f"{name} {_number(value):+.2f}" for name, value in _members(tool, "terms"))
    mark = "*" if is_called else " "
    lines = [f"{mark} {tool.get('name')}  p {_number(tool.get('p')):.2f}: {terms}"]
    by_field: dict[str, list[str]] = {}
    for word, fields in _members(tool, "matched"):
        for name in _list(fields):
            by_field.setdefault(str(name), []).append(word)
    lines += [f"    {name}: {', '.join(words)}" for name, words in by_field.items()]
    against = [str(word) for word in _list(tool.get("against"))]
    if against:
        lines.append(f"    not for: {', '.join(against)}")
    for name, filled in _members(tool, "params"):
        if isinstance(filled, Mapping):
            value = json_stringify(filled.get("value"))
            lines.append(f"    {name} = {value} from `{filled.get('from')}`")
    return lines


def _tools(explanation: JsonObject) -> list[JsonObject] | None:
    tools = explanation.get("tools")
    if not isinstance(tools, list | tuple):
        return None
    return [tool for tool in tools if isinstance(tool, Mapping)]


def _members(value: JsonObject, key: str) -> list[tuple[str, Json]]:
    found = value.get(key)
    return list(found.items()) if isinstance(found, Mapping) else []


def _list(value: Json) -> list[Json]:
    return list(value) if isinstance(value, list | tuple) else []


def _number(value: Json) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
