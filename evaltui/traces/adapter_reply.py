"""What a repair-loop program answered: output, calls, and the tools' responses to them."""

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from evaltui.core.finite_json import decode_told
from evaltui.core.json_value import Json, JsonObject
from evaltui.traces.tool_responses import ToolResponses


class Reply(Struct, frozen=True):
    output: Json = None
    error: str = ""
    side_effects: tuple[dict[str, Any], ...] = ()
    """`{tool, arguments, response, source}` of each call."""
    metadata: JsonObject = field(default_factory=dict)


def read_reply(stdout: bytes, responses: ToolResponses) -> Reply:
    """Nothing is an empty output, text that is no JSON is the output, so is a value that is no
    object. Calls that cannot be read are an error of the program."""
    text = stdout.decode("utf-8", "replace").strip()
    if not text:
        return Reply("")
    try:
        found = decode_told(text)
    except (ValueError, RecursionError):
        return Reply(text)
    if not isinstance(found, Mapping):
        return Reply(found)
    output = found.get("assistant_output", found.get("output"))
    error = found.get("error")
    metadata = found.get("metadata")
    known = metadata if isinstance(metadata, Mapping) else {}
    calls = found.get("tool_calls") or []
    effects: list[dict[str, Any]] = []
    for index, call in enumerate(calls if isinstance(calls, list) else [None]):
        tool = call.get("tool", call.get("name")) if isinstance(call, Mapping) else None
        if not isinstance(call, Mapping) or not isinstance(tool, str) or not tool:
            return Reply(output, f"tool_calls[{index}] names no tool", metadata=known)
        arguments = call.get("arguments", call.get("input"))
        response, source = responses.to(tool, arguments)
        effects.append(
            {"tool": tool, "arguments": arguments, "response": response, "source": source}
        )
    said = "" if not error else error if isinstance(error, str) else json.dumps(error)
    return Reply(output, said, tuple(effects), known)
