"""Tokens that stand for nothing an answer can be held against, and what accepting cannot mend."""

import pytest

from evaltui.core.json_value import Json
from evaltui.core.response import ToolCall
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.expectations import ASSERTIONS
from evaltui.expectations.assertion import Assertion, Written
from evaltui.expectations.tokens import tokens_below
from tests.expectations.judging import make_case

PASSED, SKIPPED = VerdictStatus.PASSED, VerdictStatus.SKIPPED


def read(key: str, value: Json) -> Assertion:
    (check,) = ASSERTIONS[key].read(Written(value, make_case({key: value})))
    assert isinstance(check, Assertion)
    return check


def param(kind: str, value: str) -> list[Json]:
    return [{"tool": "t", "paramName": "p", "assertion": kind, "value": value}]


@pytest.mark.parametrize(
    ("key", "value", "expected", "is_emptied"),
    [
        ("responseContains", ["{{seed:a}}"], " ", True),
        ("responseContains", ["{{seed:a}}"], "b", False),
        ("responseContains", [" "], " ", False),
        ("responseContainsAny", [["{{seed:a}}", "b"]], ["", "b"], True),
        ("responseContainsAny", [["{{seed:a}}", "b"]], ["c", "b"], False),
        ("responseContainsAny", [["", "b"]], ["", "b"], False),
        ("toolParams", param("contains", "{{seed:a}}"), "", True),
        ("toolParams", param("matches", "{{seed:a}}"), "", True),
        ("toolParams", param("equals", "{{seed:a}}"), "", False),
        ("toolParams", param("contains", "{{seed:a}}"), "b", False),
        ("toolParams", param("contains", ""), "", False),
    ],
)
def test_nothing_is_held_against_an_answer_by_a_text_without_letters(
    key: str, value: Json, expected: Json, is_emptied: bool
) -> None:
    check = read(key, value)
    said = Verdict(key, PASSED, "why", evidence={"expected": expected})
    assert check.is_emptied(said) is is_emptied


@pytest.mark.parametrize(("key"), ["responseContains", "responseContainsAny", "toolsCalled"])
def test_what_was_skipped_for_want_of_a_value_is_emptied(key: str) -> None:
    check = read(key, [["a"]] if key == "responseContainsAny" else ["a"])
    assert check.is_emptied(Verdict(key, SKIPPED, "why", skipped_tokens=("{{seed:a}}",)))
    assert not check.is_emptied(Verdict(key, SKIPPED, "why"))
    assert not check.is_emptied(Verdict(key, PASSED, "why", skipped_tokens=("{{seed:a}}",)))


def test_a_demand_is_what_an_answer_is_held_against() -> None:
    assert [*read("toolParams", param("equals", "a")).demands()] == [["t", "p", "equals", "a"]]
    case = make_case({"noToolErrors": True}, {"t": 1})
    (check,) = ASSERTIONS["noToolErrors"].read(Written(True, case))
    assert isinstance(check, Assertion)
    assert [*check.demands()] == [True], "what a stub answers is none"


def test_a_call_without_a_stub_fails_whatever_is_accepted() -> None:
    fails = ASSERTIONS["noToolErrors"].still_fails
    calls = (ToolCall("t"), ToolCall("u"))
    assert fails(True, {"t": 1}, calls) == "`u` was called but has no stub"
    assert fails(True, {"t": 1, "u": 2}, calls) == fails(True, None, calls) == ""
    assert fails(False, {"t": 1}, calls) == ""
    assert ASSERTIONS["toolsCalled"].still_fails(["t"], {}, calls) == ""


def test_tokens_stand_in_texts_at_any_depth() -> None:
    value: Json = {"a": ["{{seed:x}}", {"b": "{{snapshot:y}}"}], "{{seed:key}}": 1}
    assert [str(token) for token in tokens_below(value)] == ["{{seed:x}}", "{{snapshot:y}}"]
