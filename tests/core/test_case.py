"""The name of a case is read back as it was written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.case import Case, CaseKey, ContractCase, ScenarioCase, TraceCase
from evaltui.core.json_value import Json
from evaltui.core.persona import Persona
from evaltui.core.response import Message

KEY = CaseKey("evals/a.json", "a-1")
PARTS = st.text(st.sampled_from("ab/.:"), max_size=8)


@given(PARTS, PARTS)
def test_any_case_of_a_json_file_is_read_back(file: str, case: str) -> None:
    key = CaseKey(f"{file}.json", case)
    assert CaseKey.parse(str(key)) == key


@given(st.text(st.sampled_from("ab/."), max_size=8), PARTS)
def test_any_case_of_a_file_without_colons_is_read_back(file: str, case: str) -> None:
    key = CaseKey(file, f"a{case}")
    assert CaseKey.parse(str(key)) == key


@pytest.mark.parametrize("text", ["evals/a.golden.json", "evals", "evals/a.golden.json::"])
def test_a_file_alone_names_no_case(text: str) -> None:
    assert CaseKey.parse(text) == CaseKey(text.removesuffix("::"), "")


@pytest.mark.parametrize(
    ("text", "suite", "case"),
    [
        ("evals/a.json::b::c", "evals/a.json", "b::c"),
        ("evals/a.json::b.json::c", "evals/a.json", "b.json::c"),
        ("evals/a::b.json::c", "evals/a::b.json", "c"),
        ("evals/a.yaml::b::c", "evals/a.yaml", "b::c"),
    ],
)
def test_a_suite_ends_with_the_first_json_and_else_at_the_first_colons(
    text: str, suite: str, case: str
) -> None:
    assert CaseKey.parse(text) == CaseKey(suite, case)


@pytest.mark.parametrize(
    ("extra", "names"),
    [({}, ("a-1",)), ({"scenarioId": "s-1"}, ("a-1", "s-1")), ({"scenarioId": 7}, ("a-1",))],
)
def test_a_case_goes_by_the_scenario_that_it_is_one_of(
    extra: dict[str, Json], names: tuple[str, ...]
) -> None:
    assert Case(CaseKey("a.json", "a-1"), ContractCase("hello"), extra=extra).names == names


def test_a_conversation_asks_what_is_written_down_and_else_its_message() -> None:
    seeds = (Message("user", "hi"), Message("assistant", "hello"))
    lines = ScenarioCase("first", persona=Persona("Ann", lines=("bye",)), seed_messages=seeds)
    assert Case(KEY, lines).messages == lines.spoken == ("hi", "bye")
    assert (lines.speaker, lines.is_conversation) == ("Ann", True)
    bare = ScenarioCase("first")
    assert Case(KEY, bare).messages == Case(KEY, ContractCase("first")).messages == ("first",)
    assert (ContractCase("first").speaker, ContractCase("first").is_conversation) == ("", False)


@pytest.mark.parametrize(
    ("success", "failure", "has_any"), [("", "", False), ("a", "", True), ("", "b", True)]
)
def test_either_of_the_criteria_is_one(success: str, failure: str, has_any: bool) -> None:
    body = ScenarioCase("hi", success_criteria=success, failure_criteria=failure)
    assert body.asks_judge is has_any


def test_nobody_is_asked_of_what_happened_already() -> None:
    assert not Case(KEY, TraceCase("hi")).asks_agent
    assert Case(KEY, ContractCase("hi")).asks_agent
