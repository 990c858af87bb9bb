"""Parameter maps and lists as JSON Schema."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.json_value import Json
from evaltui.registries.parameter_schema import NotASchema, parameters_schema

S: dict[str, Json] = {"type": "string"}


def schema(required: list[str], **properties: Json) -> Json:
    made: dict[str, Json] = {"type": "object", "properties": properties}
    return {**made, "required": required} if required else made


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ({}, schema([])),
        (
            {"a": {"type": "string"}, "b": {"type": "string", "optional": True}},
            schema(["a"], a=S, b=S),
        ),
        ({"a": {"type": "string", "required": True}, "b": S}, schema(["a"], a=S, b=S)),
        ({"a": {"type": "string", "required": False}, "b": S}, schema(["b"], a=S, b=S)),
        ({"a": {"type": "string", "default": "x"}}, schema([], a={**S, "default": "x"})),
        (
            {"a": "string", "b": "int?", "c": "string[]"},
            schema(["a", "c"], a=S, b={"type": "integer"}, c={"type": "array", "items": S}),
        ),
        ({"a": {"type": "enum", "values": ["x"]}}, schema(["a"], a={**S, "enum": ["x"]})),
        ({"type": {"type": "string"}}, schema(["type"], type=S)),
        ({"properties": {"type": "string"}}, schema(["properties"], properties=S)),
        (
            {"a": {"type": "object", "properties": {"b": {"type": "string", "optional": True}}}},
            schema(["a"], a=schema([], b=S)),
        ),
        (
            [{"name": "a", "type": "string", "description": "D"}],
            schema(["a"], a={**S, "description": "D"}),
        ),
    ],
)
def test_maps_and_lists(written: Json, read: Json) -> None:
    assert parameters_schema(written) == read


@pytest.mark.parametrize(
    "written",
    [
        {"type": "object", "properties": {"a": S}, "required": ["a"]},
        {"type": "object"},
        {"properties": {"a": S}},
        {"$ref": "#/x"},
        {"anyOf": [{"type": "object"}]},
    ],
)
def test_json_schema_stays_as_it_is(written: Json) -> None:
    assert parameters_schema(written) == written


@pytest.mark.parametrize("written", ["city", 5, True, None, ["city"], {"a": 5}, [{"type": "x"}]])
def test_what_describes_no_parameters(written: Json) -> None:
    with pytest.raises(NotASchema):
        parameters_schema(written)


@given(st.dictionaries(st.sampled_from("abc"), st.sampled_from([S, "string", {"optional": True}])))
def test_reading_twice_changes_nothing(written: dict[str, Json]) -> None:
    once = parameters_schema(written)
    assert parameters_schema(once) == once
