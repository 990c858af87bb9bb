"""Entries of `toolParams`, as far as they can be read."""

import pytest

from evaltui.core.json_value import Json
from evaltui.expectations.param_entry import Entry, named_entries, read_entry
from evaltui.expectations.verdicts import Invalid

GOOD: dict[str, Json] = {"tool": "t", "paramName": "p", "assertion": "equals", "value": "a"}


def test_only_entries_that_name_a_tool_and_a_parameter_are_about_one() -> None:
    value: list[Json] = [{"tool": "t"}, {"paramName": "p"}, "x", {"tool": 1, "paramName": "p"}]
    assert [*named_entries([*value, GOOD])] == [(4, "t", "p", GOOD)]
    assert [*named_entries("x")] == []


@pytest.mark.parametrize(
    ("change", "texts", "written"),
    [
        ({}, ("a",), "a"),
        ({"value": 1.0}, ("1",), "1"),
        ({"assertion": "exists"}, (), []),
        ({"assertion": "oneOf", "value": ["a"]}, ("a",), ["a"]),
        ({"assertion": "oneOf", "value": "{{seed:a}}"}, ("{{seed:a}}",), "{{seed:a}}"),
        ({"assertion": "oneOf", "value": ["a", 2]}, ("a", "2"), ["a", "2"]),
    ],
)
def test_values_are_texts_and_what_was_a_list_stays_one(
    change: dict[str, Json], texts: tuple[str, ...], written: Json
) -> None:
    entry = read_entry({**GOOD, **change}, "toolParams[0]")
    assert isinstance(entry, Entry)
    assert (entry.texts, entry.written, entry.subject) == (texts, written, "t.p")


@pytest.mark.parametrize(
    ("entry", "key"),
    [
        ("x", "toolParams[0]"),
        ({**GOOD, "tool": 1}, "toolParams[0].tool"),
        ({"tool": "t"}, "toolParams[0].paramName"),
        ({**GOOD, "assertion": "is"}, "toolParams[0].assertion"),
        ({**GOOD, "assertion": ["equals"]}, "toolParams[0].assertion"),
        ({**GOOD, "value": None}, "toolParams[0].value"),
        ({**GOOD, "value": ["a"]}, "toolParams[0].value"),
        ({**GOOD, "assertion": "oneOf", "value": []}, "toolParams[0].value"),
        ({**GOOD, "assertion": "oneOf", "value": ["a", {}]}, "toolParams[0].value"),
    ],
)
def test_what_cannot_be_compared_is_invalid_at_its_place(entry: Json, key: str) -> None:
    found = read_entry(entry, "toolParams[0]")
    assert isinstance(found, Invalid)
    assert found.key == key
