"""Rows of asserted parameters: they say what the verdicts say, and what no verdict says yet."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.case import Case
from evaltui.core.json_value import Json
from evaltui.core.response import ToolCall
from evaltui.core.verdict import Verdict
from evaltui.expectations.call_diff import is_difference
from evaltui.expectations.expected_diff import diff_expected
from evaltui.expectations.param_diff import ABSENT, ParamDiff, ParamState
from tests.expectations.judging import judge, make_case

SAME, CHANGED, MISSING = ParamState.SAME, ParamState.CHANGED, ParamState.MISSING
EXTRA, UNCHECKED = ParamState.EXTRA, ParamState.UNCHECKED


def asserting(*entries: dict[str, Json]) -> Case:
    return make_case({"toolParams": [{"tool": "move", **entry} for entry in entries]})


def entry(param: str, kind: str, value: Json = None) -> dict[str, Json]:
    return {"paramName": param, "assertion": kind, "value": value}


def rows(case: Case, *calls: ToolCall, verdicts: tuple[Verdict, ...] = ()) -> list[ParamDiff]:
    diff = diff_expected(case, calls, verdicts)
    return [row for call in diff.calls for row in call.params if row.origin == "toolParams"]


async def test_rows_carry_what_the_checks_judged() -> None:
    case = asserting(entry("id", "equals", "1"), entry("date", "equals", "6"), entry("x", "exists"))
    call = ToolCall("move", {"id": "1", "date": "5", "x": None})
    verdicts = await judge(case.expect, "", call)
    assert [(row.path, row.state, row.note) for row in rows(case, call, verdicts=verdicts)] == [
        ("id", SAME, ""),
        ("date", CHANGED, ""),
        ("x", SAME, "not judged, compared here"),
    ]


@pytest.mark.parametrize(
    ("kind", "value", "params", "state"),
    [
        ("equals", "5", {"p": 5}, SAME),
        ("equals", "5", {"p": 6}, CHANGED),
        ("equals", "5", {}, MISSING),
        ("contains", "ari", {"p": "Paris"}, SAME),
        ("contains", "Paris", {"p": "ari"}, CHANGED),
        ("oneOf", ["a", "b"], {"p": "b"}, SAME),
        ("oneOf", ["a", "b"], {"p": "ab"}, CHANGED),
        ("exists", None, {"p": None}, SAME),
        ("exists", None, {}, MISSING),
        ("notExists", None, {}, SAME),
        ("notExists", None, {"p": None}, EXTRA),
        ("matches", "^P", {"p": "Paris"}, SAME),
        ("matches", "^P", {"p": "Rome"}, CHANGED),
        ("matches", "(a|b)*c(d|e)*", {"p": "c"}, UNCHECKED),
        ("equals", "{{seed:x}}", {"p": "1"}, UNCHECKED),
        ("matches", "^P", {}, MISSING),
        ("no-kind", "x", {"p": "x"}, CHANGED),
        ("equals", "5", None, CHANGED),
    ],
)
def test_the_check_itself_is_asked_where_there_is_no_verdict(
    kind: str, value: Json, params: Any, state: ParamState
) -> None:
    (row,) = rows(asserting(entry("p", kind, value)), ToolCall("move", params))
    assert row.state is state
    assert ("compared here" in row.note) is (state is not UNCHECKED and params is not None)


def test_a_tool_that_was_not_called_has_a_row_of_its_own() -> None:
    (row,) = rows(asserting(entry("p", "exists")), ToolCall("other", {}))
    assert (row.state, row.note) == (UNCHECKED, "the tool was not called")


@pytest.mark.parametrize(
    ("one", "params", "row"),
    [
        ({"assertion": "exists"}, {"p": 1}, ParamDiff("p", SAME, ABSENT, 1, "exists")),
        ({"assertion": "exists", "value": 5}, {"p": 1}, ParamDiff("p", SAME, 5, 1, "exists")),
        ({"assertion": "notExists"}, {}, ParamDiff("p", SAME, ABSENT, ABSENT, "notExists")),
        (entry("p", "equals", 5), {"p": 6}, ParamDiff("p", CHANGED, "5", 6, "equals")),
        (entry("p", "oneOf", ["a"]), {}, ParamDiff("p", MISSING, ["a"], ABSENT, "oneOf")),
        (entry("p", "is", "a"), {"p": 1}, ParamDiff("p", CHANGED, "a", 1, "is")),
        ({"assertion": ["is"]}, {"p": 1}, ParamDiff("p", CHANGED, ABSENT, 1, "")),
    ],
)
async def test_a_row_shows_what_was_expected_and_what_was_sent(
    one: dict[str, Json], params: dict[str, Json], row: ParamDiff
) -> None:
    case, call = asserting({"paramName": "p", **one}), ToolCall("move", params)
    verdicts = await judge(case.expect, "", call)
    (found,) = rows(case, call, verdicts=verdicts)
    assert found == replace(row, origin="toolParams")


async def test_why_a_parameter_was_not_checked() -> None:
    case, call = asserting(entry("p", "equals", "{{seed:x}}")), ToolCall("move", {"p": 1})
    (not_judged,) = rows(case, call)
    assert (not_judged.state, not_judged.note) == (UNCHECKED, "not judged")
    verdicts = await judge(case.expect, "", call)
    (skipped,) = rows(case, call, verdicts=verdicts)
    assert (skipped.state, skipped.note) == (UNCHECKED, verdicts[0].reason)
    assert (skipped.expected, skipped.actual) == ("{{seed:x}}", 1)
    (uncalled,) = rows(case, verdicts=verdicts)
    assert (uncalled.state, uncalled.note) == (UNCHECKED, "the tool was not called")


async def test_a_call_without_parameters_is_no_missing_parameter() -> None:
    case, call = asserting(entry("p", "equals", "1")), ToolCall("move", None)
    (row,) = rows(case, call, verdicts=await judge(case.expect, "", call))
    assert (row.state, row.note) == (CHANGED, "the agent reported no parameters")


SEED: Json = {"a": "ab"}
KINDS = st.sampled_from(["equals", "contains", "oneOf", "exists", "notExists", "matches", "no"])
TEXTS = st.sampled_from(["", "a", "ab", "1", "{{seed:a}}", "{{seed:no}}", "^a", "("])
VALUES = st.none() | TEXTS | st.integers(0, 1) | st.lists(TEXTS, max_size=2)
PARAMS = st.dictionaries(st.sampled_from("pq"), st.none() | TEXTS | st.integers(0, 1), max_size=2)
CALLS = st.lists(
    st.builds(ToolCall, st.sampled_from(["move", "other"]), st.none() | PARAMS), max_size=2
)


@given(
    st.lists(st.builds(entry, st.sampled_from("pq"), KINDS, VALUES), min_size=1, max_size=3), CALLS
)
async def test_a_row_differs_exactly_when_its_verdict_failed(
    entries: list[dict[str, Json]], calls: list[ToolCall]
) -> None:
    """Judged: always. Not yet judged: where it is not left open, as the verdict will say."""
    case = asserting(*entries)
    verdicts = [await judge(asserting(one).expect, "", *calls, seed=SEED) for one in entries]
    for one, (verdict,) in zip(entries, verdicts, strict=True):
        (row,) = rows(asserting(one), *calls, verdicts=(verdict,))
        assert is_difference(row) is verdict.gates
        (open_row,) = rows(asserting(one), *calls)
        assert open_row.state is UNCHECKED or is_difference(open_row) is verdict.gates
    judged = await judge(case.expect, "", *calls, seed=SEED)
    found = rows(case, *calls, verdicts=judged)
    assert len(found) == len(entries)
    assert any(map(is_difference, found)) is any(verdict.gates for (verdict,) in verdicts)
