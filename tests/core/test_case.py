"""The name of a case is read back as it was written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.case import Case, CaseKey, ContractCase
from evaltui.core.json_value import Json

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
