"""Small real projects on disk for the tests of the line."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

TOOLS = (
    {
        "name": "find_order",
        "description": "Looks up an order by its number. Use for orders and parcels.",
        "version": "1.0.0",
        "parameters": {
            "type": "object",
            "properties": {"order_id": {"type": "string"}},
            "required": ["order_id"],
        },
    },
    {
        "name": "play_music",
        "description": "Plays a song. Use when the user wants to hear music or a song.",
        "version": "1.0.0",
        "parameters": {"type": "object", "properties": {"song": {"type": "string"}}},
    },
)


def case(id_: str, message: str, tool: str, **expect: Any) -> dict[str, Any]:
    """A golden case with a stub for its tool."""
    return {
        "id": id_,
        "description": f"calls {tool}",
        "input": {"message": message},
        "stubs": {tool: {"state": "found"}},
        "expect": {"toolsCalled": [tool], "noToolErrors": True, **expect},
    }


ORDERS = (
    case("gs-find-order-001", "Look up order SO-1", "find_order"),
    case("gs-find-order-002", "Is the parcel SO-2 there?", "find_order"),
)
MUSIC = (case("gs-play-music-001", "Play the song Yesterday", "play_music"),)


def write_tools(root: Path, tools: Sequence[Mapping[str, Any]] = TOOLS) -> Path:
    path = root / "tools.json"
    path.write_text(json.dumps({"tools": list(tools)}, indent=2))
    return path


def write_suite(
    root: Path, name: str, cases: Sequence[Mapping[str, Any]], tool: str | None = None
) -> Path:
    path = root / "evals" / f"{name}.golden.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {"metadata": {"toolName": tool or name}, "cases": list(cases)}
    path.write_text(json.dumps(document, indent=2))
    return path


def make_project(root: Path) -> Path:
    """Two tools, two suites, three cases that the embedded agent passes."""
    write_tools(root)
    write_suite(root, "find_order", ORDERS)
    write_suite(root, "play_music", MUSIC)
    return root


def with_description(name: str, description: str) -> list[dict[str, Any]]:
    """The tools with another description of one of them."""
    return [
        {**tool, "description": description} if tool["name"] == name else dict(tool)
        for tool in TOOLS
    ]
