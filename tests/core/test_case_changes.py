"""What a save changed in the cases, in words."""

import pytest
from msgspec.structs import replace

from evaltui.core.case import Case, CaseKey, ContractCase, RubricCase, Tier
from evaltui.core.case_changes import case_changes, is_metadata_alone
from evaltui.core.suite import EvalMetadata, Suite


def case(name: str, message: str = "hello", **fields: object) -> Case:
    return Case(CaseKey("a.json", name), ContractCase(message, **fields))  # type: ignore[arg-type]


def suite(*cases: Case, name: str = "a.json") -> Suite:
    return Suite(name, "a", Tier.GOLDEN, cases, "")


ONE, TWO, THREE = case("one"), case("two"), case("three")
ASKED = case("one", "good day")
EXPECTED = {"toolsCalled": ["a"]}


@pytest.mark.parametrize(
    ("now", "said"),
    [
        ((ASKED, TWO), ("one message",)),
        ((case("one", expect=EXPECTED), TWO), ("one expectation",)),
        ((case("one", "good day", expect=EXPECTED), TWO), ("one message, expectation",)),
        ((replace(ONE, description="greets"), TWO), ("one description",)),
        ((case("one", max_turns=3), TWO), ("one max turns",)),
        ((ASKED, case("two", "good day")), ("2 cases message",)),
        ((ASKED, case("two", expect=EXPECTED)), ("2 cases",)),
        ((ONE, TWO, THREE), ("three added",)),
        ((ONE,), ("two removed",)),
        ((), ("2 cases removed",)),
        ((ASKED, THREE), ("one message", "three added", "two removed")),
        ((replace(ONE, body=RubricCase("hello")), TWO), ("one kind",)),
        ((replace(ONE, line=9), case("two")), ()),
    ],
)
def test_what_changed_is_said_by_case_and_field(
    now: tuple[Case, ...], said: tuple[str, ...]
) -> None:
    assert case_changes([suite(ONE, TWO)], [suite(*now)]) == said


def test_a_file_that_came_or_went_is_its_cases() -> None:
    other = suite(THREE, name="b.json")
    assert case_changes([suite(ONE)], [suite(ONE), other]) == ("three added",)
    assert case_changes([suite(ONE), other], [suite(ONE)]) == ("three removed",)


def test_a_suite_that_could_not_be_read_before_is_compared_with_nothing() -> None:
    then = replace(suite(ONE, TWO), is_unread=True)
    assert case_changes((then,), (suite(ASKED, THREE),)) == ()


def test_a_description_that_was_written_anew_is_no_change_of_what_is_expected() -> None:
    was = replace(suite(ONE, TWO), metadata=EvalMetadata("a", description_hash="old"))
    metadata = EvalMetadata("a", description_hash="new")
    now = replace(was, metadata=metadata, file_hash="1", cases=(replace(ONE, line=3), TWO))
    assert is_metadata_alone(["a.json"], [was], [now])
    assert not is_metadata_alone(["a.json"], [was], [replace(now, metadata=was.metadata)])
    assert not is_metadata_alone(["a.json"], [was], [replace(now, cases=(ASKED, TWO))])
    assert not is_metadata_alone(["a.json", "b.json"], [was], [now]), "one is no suite"
    assert not is_metadata_alone(["a.json"], [], [now])
    assert not is_metadata_alone(["a.json"], [was], [])
