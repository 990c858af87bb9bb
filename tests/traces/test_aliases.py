"""A case that says something by an older name and otherwise by today's is refused."""

import json
from typing import Any

import pytest

from evaltui.core.case import TraceCase
from evaltui.traces.migration import migrate
from evaltui.traces.mistakes import SuiteMistake
from evaltui.traces.reading import read_suite, trace_body
from evaltui.traces.validation import validate

CLASHES: list[tuple[dict[str, Any], str]] = [
    ({"regex": ["yes"], "regex_patterns": []}, "cases[0].regex"),
    ({"regex_patterns": ["a"], "regex": []}, "cases[0].regex"),
    ({"expected": "a", "expected_output": "b"}, "cases[0].expected"),
    (
        {"tool_contracts": {"t": {"required": ["a"], "required_args": []}}},
        "cases[0].tool_contracts.t.required",
    ),
    (
        {"tool_contracts": {"t": {"forbidden": ["a"], "forbidden_args": ["b"]}}},
        "cases[0].tool_contracts.t.forbidden",
    ),
]


def suite(case: dict[str, Any]) -> dict[str, Any]:
    return {"dataset_id": "d", "cases": [{"case_id": "c", "trace": [], **case}]}


def read(case: dict[str, Any]) -> TraceCase:
    return trace_body(next(read_suite(json.dumps(suite(case)).encode()).cases()))


@pytest.mark.parametrize(("case", "key"), CLASHES)
def test_two_names_that_say_two_things_are_refused(case: dict[str, Any], key: str) -> None:
    with pytest.raises(SuiteMistake, match="says something else") as caught:
        read(case)
    assert caught.value.key == key
    with pytest.raises(SuiteMistake, match="says something else") as caught:
        migrate(suite(case))
    assert caught.value.key == key
    assert any(key in one for one in validate(suite(case)).errors)


def test_two_names_that_say_the_same_are_no_mistake() -> None:
    """As a suite that another program migrated has them."""
    body = read(
        {
            "regex": ["yes"],
            "regex_patterns": ["yes"],
            "expected": "a",
            "expected_output": None,
            "tool_contracts": {"t": {"required": ["a"], "required_args": ["a"]}},
        }
    )
    assert (body.regex_patterns, body.expected_output) == (("yes",), "a")
    assert body.tool_contracts["t"].required_args == ("a",)
