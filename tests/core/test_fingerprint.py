"""Fingerprints differ exactly when something that counts does."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.case import (
    Case,
    CaseKey,
    ContractCase,
    RubricCase,
    RubricDimension,
    ScenarioCase,
    Tier,
    TraceCase,
)
from evaltui.core.case_body import EvaluatorUse
from evaltui.core.fingerprint import (
    answer_fingerprint,
    case_fingerprint,
    fingerprint,
    former_fingerprint,
    is_print_of,
    shown_print,
    tool_fingerprint,
    tool_fingerprints,
)
from evaltui.core.persona import FailureMode, Persona
from evaltui.core.response import Message, ToolCall
from evaltui.core.tool import ToolDefinition, ToolStatus, Unresolved, short_hash
from evaltui.core.trace import Event, ToolContract, ToolPolicy

CASE = Case(CaseKey("s", "a"), ContractCase("message", expect={"toolsCalled": ["x"]}))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def changed(case: Case, change: dict[str, Any]) -> Case:
    """With other values, whether they are the body's or the case's own."""
    inner = {name: value for name, value in change.items() if hasattr(case.body, name)}
    outer = {name: value for name, value in change.items() if name not in inner}
    return replace(case, body=replace(case.body, **inner), **outer)


def shuffled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: shuffled(value[key]) for key in reversed(value)}
    return [shuffled(item) for item in value] if isinstance(value, list) else value


@given(JSON)
def test_the_order_of_keys_does_not_count(value: Any) -> None:
    assert fingerprint(value) == fingerprint(shuffled(value))


@given(JSON | st.floats(allow_nan=False, allow_infinity=False).map(lambda one: [one, {"a": one}]))
def test_what_is_hashed_is_what_json_writes(value: Any) -> None:
    written = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert fingerprint(value) == short_hash(written)


@pytest.mark.parametrize("number", [1e-5, -1e-4, 1e-4, 1e15, 1e16, -2.5e22, 5e-324, 0.1, 2**70])
def test_numbers_with_an_exponent_are_hashed_as_json_writes_them(number: float) -> None:
    assert fingerprint(number) == short_hash(json.dumps(number))
    assert fingerprint({"a": [number]}) == short_hash(f'{{"a":[{json.dumps(number)}]}}')


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "\U0001f600", "0.0000", "1e5", "\x1f\x7f"])
def test_any_text_is_hashed_as_json_writes_it(text: str) -> None:
    assert fingerprint([text]) == short_hash(json.dumps([text], ensure_ascii=False))


def test_the_order_of_items_does_count() -> None:
    assert fingerprint([1, 2]) != fingerprint([2, 1])


@pytest.mark.parametrize(
    "change",
    [
        {"message": "other"},
        {"expect": {}},
        {"expect": None},
        {"stubs": {}},
        {"max_turns": 4},
        {"invalid": "why"},
        {"tier": Tier.LABELED},
    ],
)
def test_what_decides_the_verdict_counts(change: dict[str, Any]) -> None:
    assert case_fingerprint(changed(CASE, change)) != case_fingerprint(CASE)


def test_a_case_that_is_scored_is_asked_apart_whatever_its_file_is_called() -> None:
    contract = Case(CaseKey("s", "a"), ContractCase("message"))
    scored = [Case(CaseKey("s", "a"), RubricCase("message"), tier) for tier in Tier]
    asked = answer_fingerprint(contract)
    assert {*map(answer_fingerprint, scored)} == {answer_fingerprint(scored[0])} != {asked}
    assert answer_fingerprint(Case(CaseKey("t", "b"), ContractCase("message"))) == asked


def test_another_reason_why_a_case_is_invalid_is_another_answer() -> None:
    first, other = replace(CASE, invalid="no message"), replace(CASE, invalid="no id")
    assert answer_fingerprint(first) != answer_fingerprint(other)
    assert answer_fingerprint(first) == answer_fingerprint(replace(first))


@pytest.mark.parametrize(
    "change", [{"reference_data": {}}, {"dimensions": (RubricDimension("tone", 3, "kind"),)}]
)
def test_what_scores_a_rubric_case_counts(change: dict[str, Any]) -> None:
    case = Case(CaseKey("s", "a"), RubricCase("message"), Tier.RUBRIC)
    assert case_fingerprint(changed(case, change)) != case_fingerprint(case)


REMARKS: list[dict[str, Any]] = [
    {"description": "d"}, {"difficulty": "edge"}, {"created_at": "2026"}, {"bug_ref": "#1"},
]  # fmt: skip


@pytest.mark.parametrize("change", [*REMARKS, {"line": 7}, {"key": CaseKey("t", "b")}])
def test_remarks_and_places_do_not_count(change: dict[str, Any]) -> None:
    assert case_fingerprint(changed(CASE, change)) == case_fingerprint(CASE)


@pytest.mark.parametrize("change", REMARKS)
def test_of_a_regression_case_every_word_counts(change: dict[str, Any]) -> None:
    fixed = replace(CASE, tier=Tier.REGRESSION)
    assert case_fingerprint(changed(fixed, change)) != case_fingerprint(fixed)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"description": "other"}, "description"),
        ({"version": "2"}, "version"),
        ({"status": ToolStatus.DEPRECATED}, "status"),
        ({"parameters": {"type": "object"}}, "parameters"),
        ({"unresolved": (Unresolved("description", "f()", "a.ts", 1),)}, "description"),
    ],
)
def test_each_field_of_a_tool_has_its_own(change: dict[str, Any], field: str) -> None:
    tool = ToolDefinition("t", "d", "1")
    before, now = tool_fingerprints(tool), tool_fingerprints(replace(tool, **change))
    assert [key for key in now if now[key] != before[key]] == [f"t.{field}"]


def test_where_a_tool_stands_does_not_count() -> None:
    tool = ToolDefinition("t", "d", file="a.ts", line=1)
    assert tool_fingerprints(tool) == tool_fingerprints(replace(tool, file="b.ts", line=9))


def test_what_was_stored_stays_valid() -> None:
    """Results on disk hold these: another spelling of the same value would make all of them due."""
    assert fingerprint({"message": "Wetter in Zürich?"}) == "a08b9cf53cce"
    assert fingerprint({"b": [1, None, 2.5], "a": "x"}) == fingerprint(
        {"a": "x", "b": [1, None, 2.5]}
    )


def test_what_an_agent_is_sent_of_a_seed_message_counts_and_nothing_else_of_it() -> None:
    def seed(**extra: Any) -> str:
        seeds = (Message("user", "a", extra=extra or None),)
        return answer_fingerprint(replace(CASE, body=ScenarioCase("a", seed_messages=seeds)))

    assert seed() == seed(metadata={"a": 1}) != seed(content=[{"type": "image"}])


def test_a_rubric_of_nothing_is_the_message_and_what_is_expected_alone() -> None:
    """So that what was kept of a case stays its own; empty data is data."""
    rubric = Case(CASE.key, RubricCase("message", expect={"toolsCalled": ["x"]}))
    assert case_fingerprint(rubric) == case_fingerprint(CASE)
    assert case_fingerprint(changed(rubric, {"reference_data": {}})) != case_fingerprint(CASE)


def test_the_order_of_keys_counts_nowhere_whatever_the_numbers_are() -> None:
    for value in (1, 1e-7, 1e300, "\ud800"):
        assert fingerprint({"b": value, "a": 1}) == fingerprint({"a": 1, "b": value})


def test_an_agent_is_shown_name_description_and_parameters_of_what_is_not_removed() -> None:
    tool = ToolDefinition("a", "does a", "1.0", parameters={"type": "object"})
    shown = shown_print("a", tool_fingerprints(tool))
    assert len(shown) == 8
    for other in (replace(tool, description="b"), replace(tool, parameters={})):
        assert shown_print("a", tool_fingerprints(other)) not in ("", shown)
    remark = replace(tool, version="2.0")
    assert shown_print("a", tool_fingerprints(remark)) == shown
    assert tool_fingerprint(remark) != tool_fingerprint(tool)
    removed = replace(tool, status=ToolStatus.REMOVED)
    assert shown_print("a", tool_fingerprints(removed)) == ""
    assert shown_print("b", tool_fingerprints(tool)) == ""
    one_field = {"a.description": tool_fingerprints(tool)["a.description"]}
    assert shown_print("a", one_field) not in ("", shown)


SCENARIO = Case(CASE.key, ScenarioCase("hi", persona=Persona("Ann", lines=("bye",))))
TRACE = Case(CASE.key, TraceCase("hi"))


@pytest.mark.parametrize(
    ("case", "change", "is_asked_otherwise"),
    [
        (CASE, {"evaluators": (EvaluatorUse("tone"),)}, False),
        (CASE, {"evaluators": (EvaluatorUse("tone", {"a": 1}),)}, False),
        (SCENARIO, {"success_criteria": "polite"}, False),
        (SCENARIO, {"failure_criteria": "rude"}, False),
        (SCENARIO, {"failure_criteria_mode": FailureMode.EVERY_TURN}, False),
        (SCENARIO, {"name": "walk"}, True),
        (SCENARIO, {"instructions": "be short"}, True),
        (SCENARIO, {"max_messages": 4}, True),
        (SCENARIO, {"persona": Persona("Bob", lines=("bye",))}, True),
        (SCENARIO, {"persona": Persona("Ann", "old", lines=("bye",))}, True),
        (SCENARIO, {"persona": Persona("Ann", lines=("bye", "bye"))}, True),
        (SCENARIO, {"seed_messages": (Message("user", "a"),)}, True),
        (SCENARIO, {"seed_messages": (Message("assistant", "", (ToolCall("a"),)),)}, True),
        (TRACE, {"input": 1}, True),
        (TRACE, {"trace": (Event(),)}, True),
        (TRACE, {"expected_output": 1}, False),
        (TRACE, {"tool_contracts": {"a": ToolContract(("b",))}}, False),
        (TRACE, {"policy": ToolPolicy(("a",))}, False),
        (TRACE, {"regex_patterns": ("a",)}, False),
        (TRACE, {"json_schema": {}}, False),
        (TRACE, {"metadata": {"a": 1}}, False),
    ],
)
def test_each_part_of_a_case_counts_for_its_verdict_and_some_for_its_answer(
    case: Case, change: dict[str, Any], is_asked_otherwise: bool
) -> None:
    other = replace(case, body=replace(case.body, **change))
    assert case_fingerprint(other) != case_fingerprint(case)
    assert (answer_fingerprint(other) != answer_fingerprint(case)) is is_asked_otherwise


def test_a_model_that_plays_the_user_is_told_its_prompt_and_its_goal() -> None:
    def asked(*lines: str, prompt: str = "", goal: str = "") -> str:
        persona = Persona("Ann", system_prompt=prompt, lines=lines)
        return answer_fingerprint(
            Case(CASE.key, ScenarioCase("hi", persona=persona, success_criteria=goal))
        )

    assert len({asked(), asked(prompt="be rude"), asked(goal="polite")}) == 3
    assert asked("a") == asked("a", prompt="be rude") == asked("a", goal="polite")


def test_a_case_that_cannot_be_asked_or_is_a_rubric_is_apart() -> None:
    broken = replace(CASE, invalid="no message")
    assert (
        len(
            {
                answer_fingerprint(one)
                for one in (
                    CASE,
                    broken,
                    replace(CASE, invalid="other"),
                    replace(CASE, body=RubricCase("message")),
                )
            }
        )
        == 4
    )


@pytest.mark.parametrize("extra", [{"group": "storm"}, {"tags": ["slow"]}, {"owner": "ada"}])
def test_keys_that_the_contract_does_not_know_count_for_regression_cases_alone(
    extra: dict[str, Any],
) -> None:
    other = replace(CASE, extra=extra)
    assert case_fingerprint(other) == case_fingerprint(CASE)
    assert former_fingerprint(CASE) == "", "it is no other"
    former = former_fingerprint(other)
    assert former not in ("", case_fingerprint(other))
    assert is_print_of(former, other) and is_print_of(case_fingerprint(CASE), other)
    assert not is_print_of(former, CASE) and not is_print_of("", CASE)
    kept = replace(other, tier=Tier.REGRESSION)
    assert case_fingerprint(kept) != case_fingerprint(replace(kept, extra={}))
    assert former_fingerprint(kept) == ""
