"""Tool responses in a repair loop: only those that a case has recorded."""

from collections.abc import Mapping
from typing import Any

from evaltui.core.finite_json import decode_json
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.same_json import canonical


class ToolResponses:
    """Of one case: exact answers to calls first, then one for each tool."""

    def __init__(self, metadata: JsonObject) -> None:
        by_tool = metadata.get("tool_responses")
        self._by_tool: Mapping[str, Json] = by_tool if isinstance(by_tool, Mapping) else {}
        self._exact: dict[str, Json] = {}
        kept = metadata.get("tool_response_cassette")
        if isinstance(kept, Mapping):
            for key, response in kept.items():
                tool, _, arguments = key.partition("::")
                self._exact[_key(tool, _decoded(arguments))] = response
        elif isinstance(kept, list):
            for row in kept:
                if isinstance(row, Mapping):
                    self._exact[_key(str(row.get("tool")), row.get("arguments"))] = row.get(
                        "response"
                    )

    def to(self, tool: str, arguments: Json) -> tuple[Json, str]:
        """The answer to a call, and where it is from."""
        if (key := _key(tool, arguments)) in self._exact:
            return self._exact[key], "tool_response_cassette"
        if tool in self._by_tool:
            return self._by_tool[tool], "tool_responses"
        return {"error": "unknown_tool"}, "unknown_tool"


def _key(tool: str, arguments: Json) -> str:
    return f"{tool}::{canonical(arguments)}"


def _decoded(text: str) -> Any:
    try:
        return decode_json(text)
    except ValueError:
        return text
