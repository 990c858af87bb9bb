"""An evaluator's schema as the fields of a form, and what is read back of what somebody typed."""

from typing import Any

import pytest

from evaltui.evaluators.config_fields import (
    REST,
    ConfigField,
    FieldKind,
    FieldMistake,
    fields_of,
    read_fields,
)
from evaltui.evaluators.config_schema import ConfigSchema
from evaltui.evaluators.registry import create_registry

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "pattern": {"type": "string", "description": "what must occur"},
        "absent": {"type": "boolean", "default": False},
        "max": {"type": "integer", "minimum": 0},
        "unit": {"enum": ["words", "characters"]},
        "tools": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["pattern"],
    "additionalProperties": False,
}
CONFIG: dict[str, Any] = {
    "pattern": "a.c",
    "absent": True,
    "max": 4,
    "unit": "words",
    "tools": ["a", "b"],
}


def fields(config: dict[str, Any] | None = None, schema: Any = SCHEMA) -> dict[str, ConfigField]:
    return {one.name: one for one in fields_of(schema, CONFIG if config is None else config)}


def read(texts: dict[str, str], config: dict[str, Any] | None = None, schema: Any = SCHEMA) -> Any:
    made = fields_of(schema, CONFIG if config is None else config)
    return read_fields(made, texts, ConfigSchema(schema))


def mistake(texts: dict[str, str], config: dict[str, Any] | None = None) -> FieldMistake:
    (only,) = read(texts, config)[1]
    assert isinstance(only, FieldMistake)
    return only


def test_each_property_is_written_as_its_type_wants_it() -> None:
    made = fields()
    kinds = {name: one.kind.value for name, one in made.items()}
    assert kinds == {
        "pattern": "text",
        "absent": "choice",
        "max": "number",
        "unit": "choice",
        "tools": "JSON",
    }
    assert {name: one.text for name, one in made.items()} == {
        "pattern": "a.c",
        "absent": "true",
        "max": "4",
        "unit": '"words"',
        "tools": '["a", "b"]',
    }
    assert made["unit"].choices == ('"words"', '"characters"')
    assert made["pattern"].is_required and not made["max"].is_required
    assert made["absent"].default == "false"


def test_what_nobody_touched_is_as_before() -> None:
    assert read({}) == (CONFIG, ())


def test_defaults_are_shown_and_not_written() -> None:
    assert fields({})["absent"].text == ""
    assert read({"pattern": "x"}, {}) == ({"pattern": "x"}, ())


def test_what_is_emptied_is_not_set() -> None:
    assert "max" not in read({"max": "  "})[0]
    assert mistake({"pattern": ""}) == FieldMistake("pattern", "It has to be set.")


@pytest.mark.parametrize("text", ["four", "true", "NaN", "1e999", "1 2", '"4"'])
def test_a_number_is_a_number(text: str) -> None:
    found = mistake({"max": text})
    assert found.name == "max"
    assert "is not a number" in found.what


def test_half_a_character_becomes_a_whole_one() -> None:
    config, wrong = read({"pattern": "a\ud800"})
    assert (config["pattern"], wrong) == ("a\ufffd", ())


def test_broken_json_says_where() -> None:
    found = mistake({"tools": '["a",\n  b]'})
    assert (found.name, found.line, found.column) == ("tools", 2, 3)
    assert "Not valid JSON" in found.what


@pytest.mark.parametrize(
    ("text", "line", "column"), [('{"day": "Mon', 1, 13), ('["a",\n', 2, 1), ('[1,\n  "ä', 2, 5)]
)
def test_json_that_ends_too_early_is_wrong_behind_its_last_character(
    text: str, line: int, column: int
) -> None:
    found = mistake({"tools": text})
    assert (found.line, found.column) == (line, column)


def test_what_the_schema_refuses_says_where() -> None:
    found = mistake({"tools": '["a",\n  5]'})
    assert (found.name, found.line, found.column) == ("tools", 2, 3)
    assert "`[0]`" not in found.what and "[1]" in found.what
    assert mistake({"max": "-1"}).name == "max"


def test_a_value_that_does_not_suit_its_type_is_shown_as_json() -> None:
    made = fields({"pattern": 5, "max": "4", "absent": None, "unit": "lines"})
    assert {one.kind for one in made.values()} == {FieldKind.JSON}
    assert made["max"].text == '"4"'
    assert fields({"pattern": "two\nlines"})["pattern"].kind is FieldKind.JSON
    assert fields({"pattern": ""})["pattern"].text == '""'


def test_other_settings_have_a_line_of_their_own() -> None:
    made = fields({"pattern": "x", "old": 1})
    assert made[REST].text == '{"old": 1}'
    assert REST not in fields()
    config, found = read({REST: '{"old": 2}'}, {"pattern": "x", "old": 1})
    assert config == {"pattern": "x", "old": 2}
    assert [one.name for one in found] == [REST]  # the schema wants nothing else
    double = mistake({REST: '{"max": 2}'}, {"pattern": "x", "old": 1})
    assert "`max` has a line of its own" in double.what
    assert mistake({REST: "[]"}, {"pattern": "x", "old": 1}).name == REST


def test_all_mistakes_come_at_once() -> None:
    _, found = read({"pattern": "", "max": "-1", "tools": "[5"})
    assert [one.name for one in found] == ["pattern", "tools", "max"]
    assert "close what is open" in found[1].what
    assert "file" not in found[1].what


def test_the_default_of_a_needed_setting_stands_there_to_be_written() -> None:
    schema = {
        "properties": {
            "max": {"type": "number", "default": 500},
            "unit": {"enum": ["a", "b"], "default": "b"},
            "least": {"type": "number", "default": 1},
        },
        "required": ["max", "unit"],
    }
    made = fields({}, schema)
    assert [made[name].text for name in ("max", "unit", "least")] == ["500", '"b"', ""]
    assert read({}, {}, schema) == ({"max": 500, "unit": "b"}, ())


def test_values_may_be_listed_elsewhere_and_one_by_one() -> None:
    schema = {
        "$defs": {"size": {"enum": ["S", "M"], "title": "Size"}},
        "properties": {
            "size": {"$ref": "#/$defs/size", "description": "of the shirt"},
            "tone": {"oneOf": [{"const": "kind", "title": "Kind"}, {"const": "dry"}]},
            "lost": {"$ref": "#/$defs/nowhere"},
        },
    }
    made = fields({}, schema)
    assert (made["size"].kind, made["size"].choices) == (FieldKind.CHOICE, ('"S"', '"M"'))
    assert made["size"].description == "Size: of the shirt"
    assert made["tone"].choices == ('"kind"', '"dry"')
    assert made["lost"].kind is FieldKind.JSON


@pytest.mark.parametrize("schema", [None, {}, {"oneOf": [{}]}, {"properties": []}])
def test_without_properties_the_whole_is_json(schema: Any) -> None:
    (only,) = fields_of(schema, {"a": [1]})
    assert (only.name, only.kind, only.text) == (REST, FieldKind.JSON, '{"a": [1]}')


def test_all_that_come_along_can_be_shown_and_say_what_they_want() -> None:
    for one in create_registry():
        made = fields_of(one.definition.config_schema, {})
        config, found = read_fields(made, {}, one.schema)
        assert config == {}
        required = {field.name for field in made if field.is_required}
        assert {mistake.name for mistake in found} >= required


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ({"title": "", "description": "what must occur"}, "what must occur"),
        ({"title": "Pattern", "description": ""}, "Pattern"),
        ({"title": "Pattern", "description": "what must occur"}, "Pattern: what must occur"),
        ({"title": 3, "description": None}, ""),
    ],
)
def test_a_field_is_described_by_the_words_there_are(said: dict[str, Any], text: str) -> None:
    schema = {"type": "object", "properties": {"pattern": {"type": "string", **said}}}
    assert fields({}, schema)["pattern"].description == text
