"""Keys of traces that are none: told where they may stand for a judge that is then turned off."""

from typing import Any

import pytest

from evaltui.core.errors import Problem, Severity
from evaltui.traces.validation import validate
from tests.formats.test_trace import EVENT, case, read

NEAR = [
    ("polciy", {"required_tools": ["x"]}, "policy"),
    ("regex_pattern", ["x"], "regex_patterns"),
    ("tool_contract", {}, "tool_contracts"),
    ("jsonSchema", {}, "json_schema"),
    ("evaluator", [], "evaluators"),
]


def problems(one: dict[str, Any], **suite: Any) -> list[Problem]:
    return [*read({"dataset_id": "w", "cases": [one], **suite}).problems]


@pytest.mark.parametrize(("key", "value", "meant"), NEAR)
def test_a_key_like_one_that_judges_is_a_warning(key: str, value: Any, meant: str) -> None:
    (found,) = problems(case(**{key: value}))
    assert (found.severity, found.key) == (Severity.WARNING, f"cases[0].{key}")
    assert found.hint == f"Did you mean `{meant}`?"
    assert found.line > 1 < found.column
    suite = {"dataset_id": "w", "cases": [case(**{key: value})]}
    loose, strict = validate(suite), validate(suite, strict=True)
    assert (loose.passed, strict.passed) == (True, False)
    assert f"`cases[0].{key}` is unknown. Did you mean `{meant}`?" in loose.warnings
    assert f"`cases[0].{key}` is unknown. Did you mean `{meant}`?" in strict.errors


@pytest.mark.parametrize(
    ("fields", "key", "hint"),
    [
        ({"policy": {"require_tools": ["x"]}}, "policy.require_tools", "`required_tools`"),
        ({"policy": {"never": ["x"]}}, "policy.never", "Known are required_tools"),
        ({"tool_contracts": {"t": {"needs": ["q"]}}}, "tool_contracts.t.needs", "Known are"),
        ({"metadata": {"token_usages": {}}}, "metadata.token_usages", "`token_usage`"),
        ({"trace": [{**EVENT, "latencyMs": 5}]}, "trace[0].latencyMs", "`latency_ms`"),
    ],
)
def test_so_is_one_within_its_objects(fields: Any, key: str, hint: str) -> None:
    (found,) = problems(case(**fields))
    assert (found.severity, found.key) == (Severity.WARNING, f"cases[0].{key}")
    assert hint in found.hint
    suite = {"cases": [case(**fields)]}
    assert any(f"`cases[0].{key}`" in one for one in validate(suite).warnings)
    told = validate(suite, strict=True)
    refused = told.warnings if "metadata" in fields else told.errors
    assert sum(f"`cases[0].{key}`" in one for one in (*told.warnings, *told.errors)) == 1
    assert any(f"`cases[0].{key}`" in one for one in refused)


def test_what_is_like_no_key_may_stand_there() -> None:
    free = case(owner="me", metadata={"ticket": 5}, trace=[{**EVENT, "colour": "red"}])
    assert problems(free, notes="x") == []


def test_older_names_and_keys_that_are_there_are_no_mistakes() -> None:
    contract = {"t": {"required": ["q"], "forbidden": []}}
    older = case(expected="x", regex=["x"], tool_contracts=contract)
    assert problems(older) == []
    assert problems(case(policy={}, polciy={})) == [], "that one cannot be meant"


@pytest.mark.parametrize(
    ("kind", "tool", "is_doubted"),
    [
        ("invoke", "look", True),
        ("invoke", None, False),
        ("Function_Call", "look", False),
        ("tool_result", "look", False),
    ],
)
def test_a_type_that_no_judge_knows_is_doubted_where_a_tool_is_named(
    kind: str, tool: str | None, is_doubted: bool
) -> None:
    event = {"idx": 0, "actor": "agent", "type": kind, "tool": tool}
    suite = {"dataset_id": "d", "metadata": {"schema_version": "1.0.0"}}
    found = validate({**suite, "cases": [{"case_id": "c", "trace": [event]}]})
    assert found.passed
    place = "`cases[0].trace[0].type`: no judge knows `invoke`"
    assert any(one.startswith(place) for one in found.warnings) is is_doubted
