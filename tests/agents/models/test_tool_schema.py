"""Schemas become one object at the top, and what is lost on the way is said."""

from typing import Any

import pytest

from evaltui.agents.models.offered_tools import offer
from evaltui.agents.models.tool_schema import api_schema
from evaltui.core.tool import ToolDefinition, ToolRegistry, ToolStatus

A: Any = {"properties": {"a": {"type": "string"}}, "required": ["a"]}
B: Any = {"properties": {"a": {"type": "string"}, "b": {"type": "number"}}, "required": ["a", "b"]}


@pytest.mark.parametrize(
    ("schema", "sent"),
    [
        (None, {"type": "object", "properties": {}}),
        ({}, {"type": "object", "properties": {}}),
        (A, {"type": "object", **A}),
        ({"type": ["object", "null"], **A}, {"type": "object", **A}),
        ({"type": "object"}, {"type": "object", "properties": {}}),
        ({"type": "object", "properties": []}, {"type": "object", "properties": {}}),
        ({"$schema": "x", "$id": "y", **A}, {"type": "object", **A}),
        ({"properties": {"a": True}}, {"type": "object", "properties": {"a": {}}}),
        (
            {"$ref": "#/$defs/In", "$defs": {"In": A}},
            {"type": "object", **A, "$defs": {"In": A}},
        ),
        ({"allOf": [A, B]}, {"type": "object", "properties": B["properties"],
                             "required": ["a", "b"]}),
    ],
)  # fmt: skip
def test_says_the_same(schema: Any, sent: Any) -> None:
    assert api_schema(schema) == (sent, "")


@pytest.mark.parametrize("key", ["anyOf", "oneOf"])
def test_of_alternatives_only_what_all_require_is_required(key: str) -> None:
    sent, lost = api_schema({key: [A, B, {"properties": {"a": {}}, "required": ["a"]}]})
    assert sent["required"] == ["a"]
    assert sent["properties"] == B["properties"]
    assert key in lost


def test_does_not_touch_what_it_was_given() -> None:
    schema: dict[str, Any] = {"anyOf": [A, B], "properties": {"c": True}, "required": ["c"]}
    api_schema(schema)
    assert schema == {"anyOf": [A, B], "properties": {"c": True}, "required": ["c"]}


def test_a_reference_to_itself_ends() -> None:
    sent, _ = api_schema({"$ref": "#/$defs/x", "$defs": {"x": {"$ref": "#/$defs/x"}}})
    assert sent["type"] == "object"


def test_offers_all_but_removed_tools_in_order() -> None:
    tools = [
        ToolDefinition("b.x", "B", parameters={"anyOf": [A, B]}),
        ToolDefinition("gone", status=ToolStatus.REMOVED),
        ToolDefinition("a", None, status=ToolStatus.DEPRECATED),
    ]
    registry = ToolRegistry({tool.name: tool for tool in tools})
    offered = offer(registry, lambda name, about, _schema: {"name": name, "about": about})
    assert offered.listed == ({"name": "b_x", "about": "B"}, {"name": "a", "about": None})
    assert offered.notes == ("`b.x`: `anyOf` of its schema cannot be sent",)
