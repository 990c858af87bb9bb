"""Is a result still in force? By each of its inputs; what is unknown never asks anyone."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.bearing import OF_VERDICT
from evaltui.core.case import CaseKey
from evaltui.core.inputs import Inputs
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import (
    ANOTHER_TOOL,
    CASE_CHANGED,
    EVALUATOR_FILES,
    FIRST_RULES,
    OTHER_FILES,
    UNKNOWN_FILES,
    Degree,
    DueCase,
    can_be_judged_again,
    due_reasons,
)
from evaltui.core.tool_changes import Reached

INPUTS = Inputs(
    case="case",
    tools={"get_weather.description": "words", "get_weather.version": "1"},
    registry="others",
    seed={"a.b": "1"},
    agent="agent",
    checks={"multiset_tools": "on"},
    answer="message",
    rules=FIRST_RULES,
    settings={"timeoutMs": 1_000, "trials": 1},
)
RESULT = CaseResult(CaseKey("s", "c"), "run", "agent", CaseStatus.PASSED, inputs=INPUTS)
OLD = replace(RESULT, inputs=replace(INPUTS, checks={}, answer="", rules="", settings={}))
"""As versions wrote it that asked and judged in one step."""


def made(category: str = "", duration_ms: float = 100.0, trials: int = 1) -> CaseResult:
    settings = {"timeoutMs": 1_000, "trials": trials}
    return replace(
        RESULT,
        category=category,
        duration_ms=duration_ms,
        trials=trials,
        inputs=replace(INPUTS, settings=settings),
    )


def test_degrees_are_said_as_journals_have_them() -> None:
    said = ["affected", "to be judged again", "possibly affected", "never run"]
    assert [degree.value for degree in Degree] == said


def test_a_result_of_the_same_inputs_is_in_force() -> None:
    assert due_reasons(RESULT, INPUTS) is None
    assert due_reasons(OLD, INPUTS) is None


@pytest.mark.parametrize(
    ("change", "degree", "reasons"),
    [
        ({"case": "x", "answer": "y"}, Degree.AFFECTED, ["case changed"]),
        ({"case": "x"}, Degree.TO_JUDGE, ["case changed"]),
        (
            {"tools": {"get_weather.description": "new", "get_weather.version": "1"}},
            Degree.AFFECTED,
            ["get_weather.description changed"],
        ),
        (
            {"tools": {"get_weather.description": "words"}},
            Degree.AFFECTED,
            ["get_weather.version removed"],
        ),
        (
            {"tools": {**INPUTS.tools, "get_weather.status": "active"}},
            Degree.AFFECTED,
            ["get_weather.status added"],
        ),
        ({"tools": {}}, Degree.AFFECTED, ["get_weather removed"]),
        (
            {"tools": {"find.description": "x", "find.status": "y"}},
            Degree.AFFECTED,
            ["find added", "get_weather removed"],
        ),
        ({"agent": "another"}, Degree.AFFECTED, ["agent changed"]),
        ({"seed": {"a.b": "2"}}, Degree.TO_JUDGE, ["seed a.b changed"]),
        ({"seed": {}}, Degree.TO_JUDGE, ["seed a.b removed"]),
        ({"checks": {"multiset_tools": "off"}}, Degree.TO_JUDGE, ["multiset_tools changed"]),
        (
            {"checks": {"multiset_tools": "on", "tone": "1"}},
            Degree.TO_JUDGE,
            ["tone added"],
        ),
        ({"rules": "2"}, Degree.TO_JUDGE, ["rules of judging changed"]),
        ({"registry": "x"}, Degree.POSSIBLY, [ANOTHER_TOOL]),
        ({"settings": {"timeoutMs": 1_000, "trials": 5}}, Degree.POSSIBLY, ["1 of 5 trials"]),
    ],
)
def test_each_input_by_itself(change: dict[str, Any], degree: Degree, reasons: list[str]) -> None:
    assert due_reasons(RESULT, replace(INPUTS, **change)) == (degree, tuple(reasons))


@pytest.mark.parametrize("name", OF_VERDICT)
def test_what_shapes_the_verdict_alone_is_judged_again(name: str) -> None:
    other: object = {"x": "y"} if isinstance(getattr(INPUTS, name), dict) else "other"
    before = replace(RESULT, inputs=replace(INPUTS, live="then", evaluator_files="then"))
    degree, _ = due_reasons(before, replace(before.inputs, **{name: other})) or (None, ())
    assert degree is Degree.TO_JUDGE


def test_what_shapes_the_answer_comes_before_what_shapes_the_verdict_before_what_may() -> None:
    now = replace(INPUTS, registry="x")
    assert due_reasons(RESULT, now) == (Degree.POSSIBLY, (ANOTHER_TOOL,))
    now = replace(now, seed={}, rules="2")
    judged = ("seed a.b removed", "rules of judging changed")
    assert due_reasons(RESULT, now) == (Degree.TO_JUDGE, judged)
    now = replace(now, agent="another")
    reasons = ("agent changed", "seed a.b removed")
    assert due_reasons(RESULT, now) == (Degree.AFFECTED, reasons)


@pytest.mark.parametrize(
    ("result", "limit", "expected"),
    [
        (made("timeout"), 1_000, None),
        (made("timeout"), 999, None),
        (made("timeout"), 1_001, (Degree.AFFECTED, ("time limit raised",))),
        (made("timeout"), 0, (Degree.AFFECTED, ("time limit raised",))),
        (made(), 0, None),
        (made(), 2_000, None),
        (made(), 100, None),
        (made(), 99, (Degree.POSSIBLY, ("took longer than the time limit is now",))),
    ],
)
def test_a_time_limit_counts_only_where_it_decides(
    result: CaseResult, limit: int, expected: object
) -> None:
    settings = {"timeoutMs": limit, "trials": 1}
    assert due_reasons(result, replace(INPUTS, settings=settings)) == expected


@pytest.mark.parametrize(
    ("then", "now", "expected"),
    [
        ("one", "other", (Degree.AFFECTED, ("how the user is played changed",))),
        ("one", "one", None),
        ("", "other", None),
        ("one", "", None),
    ],
)
def test_a_user_who_is_played_otherwise_says_other_things(
    then: str, now: str, expected: object
) -> None:
    before = replace(RESULT, inputs=replace(INPUTS, player=then))
    assert due_reasons(before, replace(INPUTS, player=now)) == expected


def test_more_trials_than_are_asked_for_are_as_good() -> None:
    assert due_reasons(made(trials=5), INPUTS) is None


@pytest.mark.parametrize(
    ("result", "answer"),
    [
        (RESULT, ""),
        (replace(RESULT, inputs=replace(INPUTS, answer="")), "message"),
        (made(trials=3), "message"),
        (replace(RESULT, erred=1), "message"),
    ],
    ids=[
        "live values now",
        "live values then",
        "of several trials one answer is kept",
        "of two attempts one erred",
    ],
)
def test_what_cannot_be_judged_again_is_asked_again(result: CaseResult, answer: str) -> None:
    now = replace(INPUTS, answer=answer)
    assert not can_be_judged_again(result, now)
    asked = (Degree.AFFECTED, ("seed a.b removed",))
    assert due_reasons(result, replace(now, seed={})) == asked
    update = due_reasons(result, replace(now, rules="2"))
    assert update == (Degree.POSSIBLY, ("rules of judging changed",)), "no update costs anything"


def test_nothing_is_known_of_a_result_that_another_program_wrote() -> None:
    foreign = replace(RESULT, inputs=Inputs())
    found = due_reasons(foreign, INPUTS)
    assert found == (Degree.POSSIBLY, ("what the result depended on is unknown",))


def test_an_older_result_is_held_against_what_it_knows() -> None:
    changed = due_reasons(OLD, replace(INPUTS, case="x"))
    assert changed == (Degree.AFFECTED, ("case changed",)), "or only what is expected: unknown"
    assert due_reasons(OLD, replace(INPUTS, agent="x")) == (Degree.AFFECTED, ("agent changed",))
    assert due_reasons(OLD, replace(INPUTS, seed={})) == (Degree.AFFECTED, ("seed a.b removed",))


@given(
    checks=st.dictionaries(st.text(), st.text()),
    answer=st.text(),
    rules=st.text(min_size=1),
    settings=st.dictionaries(st.sampled_from(["timeoutMs", "trials"]), st.integers(0, 10_000)),
    category=st.sampled_from(["", "timeout", "assertion"]),
    trials=st.integers(1, 5),
    duration_ms=st.floats(0, 100_000),
)
def test_an_update_of_the_program_never_has_anyone_asked(
    checks: dict[str, str],
    answer: str,
    rules: str,
    settings: dict[str, int],
    category: str,
    trials: int,
    duration_ms: float,
) -> None:
    old = replace(OLD, category=category, trials=trials, duration_ms=duration_ms)
    for result in (old, replace(old, inputs=Inputs())):
        now = replace(INPUTS, checks=checks, answer=answer, rules=rules, settings=settings)
        found = due_reasons(result, now)
        assert found is None or found[0] is Degree.POSSIBLY


CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "case": st.just("x"),
        "tools": st.just({}),
        "registry": st.just("x"),
        "seed": st.just({}),
        "agent": st.just("x"),
        "checks": st.just({}),
        "answer": st.sampled_from(["x", ""]),
        "rules": st.just("2"),
    },
)


@given(CHANGES)
def test_every_change_has_its_reason_and_none_is_made_up(change: dict[str, Any]) -> None:
    found = due_reasons(RESULT, replace(INPUTS, **change))
    counted = change.keys() - {"answer"}  # follows from the case
    assert (found is None) == (not counted)
    if found is not None:
        degree, reasons = found
        assert reasons
        assert len(set(reasons)) == len(reasons)
        if change.keys() & {"agent", "tools"}:
            assert degree is Degree.AFFECTED


def test_a_tool_that_was_called_though_nothing_mentions_it_counts() -> None:
    had = replace(RESULT, inputs=replace(INPUTS, called={"move": "aaa"}))
    assert due_reasons(had, had.inputs) is None
    changed = replace(INPUTS, called={"move": "bbb"})
    assert due_reasons(had, changed) == (Degree.AFFECTED, ("move changed",))
    assert due_reasons(had, INPUTS) == (Degree.AFFECTED, ("move removed",))


@pytest.mark.parametrize(
    ("then", "now", "stale"),
    [
        ("a", "a", None),
        ("", "a", None),
        ("a", "b", (Degree.AFFECTED, ("files of the agent changed",))),
    ],
)
def test_files_of_the_agent_count_where_both_are_known(
    then: str, now: str, stale: tuple[Degree, tuple[str, ...]] | None
) -> None:
    had = replace(RESULT, inputs=replace(INPUTS, agent_files=then))
    assert due_reasons(had, replace(INPUTS, agent_files=now)) == stale


@pytest.mark.parametrize(
    ("before", "now", "reason"),
    [
        ({"agent_files": "a"}, {}, UNKNOWN_FILES),
        ({"other_files": "a"}, {"other_files": "b"}, OTHER_FILES),
        ({}, {"other_files": "b"}, UNKNOWN_FILES),
        ({"other_files": "a"}, {}, ""),
        ({"other_files": "a"}, {"other_files": "a"}, ""),
    ],
)
def test_files_that_may_be_the_agents_are_a_doubt_and_no_more(
    before: dict[str, str], now: dict[str, str], reason: str
) -> None:
    result = replace(RESULT, inputs=replace(INPUTS, **before))
    expected = (Degree.POSSIBLY, (reason,)) if reason else None
    assert due_reasons(result, replace(INPUTS, **now)) == expected
    if reason:
        due = DueCase(RESULT.key, Degree.POSSIBLY, (reason,))
        assert due.may_be_its_doing is (reason == OTHER_FILES)


@pytest.mark.parametrize(
    ("before", "now", "is_due"), [("a", "b", True), ("", "b", False), ("a", "", False)]
)
def test_files_that_may_be_an_evaluators_have_nothing_judged_by_themselves(
    before: str, now: str, *, is_due: bool
) -> None:
    for trials, degree in ((1, Degree.TO_JUDGE), (2, Degree.POSSIBLY)):
        result = replace(RESULT, inputs=replace(INPUTS, evaluator_files=before), trials=trials)
        found = due_reasons(result, replace(INPUTS, evaluator_files=now))
        assert found == ((degree, (EVALUATOR_FILES,)) if is_due else None)
        other = replace(INPUTS, evaluator_files=now, registry="other")
        reasons = (ANOTHER_TOOL, EVALUATOR_FILES) if is_due else (ANOTHER_TOOL,)
        assert due_reasons(result, other) == (Degree.POSSIBLY, reasons)
    due = DueCase(RESULT.key, Degree.TO_JUDGE, (EVALUATOR_FILES,))
    assert due.may_be_its_doing
    assert replace(due, reasons=(EVALUATOR_FILES, OTHER_FILES)).may_be_its_doing
    assert not replace(due, reasons=(EVALUATOR_FILES, CASE_CHANGED)).may_be_its_doing


def test_changes_of_other_tools_are_said_where_they_are_known() -> None:
    reached = Reached(frozenset(), ("find.description changed",))
    found = due_reasons(RESULT, replace(INPUTS, registry="x"), reached)
    assert found == (Degree.POSSIBLY, ("find.description changed",))
    assert due_reasons(RESULT, replace(INPUTS, registry="x"), Reached(frozenset(), ())) is None


@pytest.mark.parametrize(
    ("change", "is_alone"),
    [({}, True), ({"registry": "x"}, False), ({"checks": {}}, False), ({"agent": "x"}, False)],
)
def test_more_trials_that_are_asked_for_leave_those_that_were_made_in_force(
    change: dict[str, Any], is_alone: bool
) -> None:
    now = replace(INPUTS, settings={"timeoutMs": 1_000, "trials": 5}, **change)
    degree, reasons = due_reasons(RESULT, now) or pytest.fail("it is due")
    assert DueCase(RESULT.key, degree, reasons).lacks_trials_only is is_alone


@pytest.mark.parametrize(
    ("degree", "reason"),
    [
        (Degree.POSSIBLY, "tool of trials"),
        (Degree.POSSIBLY, "1 of 5 trials changed"),
        (Degree.POSSIBLY, "evals/1 of 5 trials"),
        (Degree.AFFECTED, "1 of 5 trials"),
    ],
)
def test_no_name_of_a_tool_or_file_passes_for_trials_that_are_asked_for(
    degree: Degree, reason: str
) -> None:
    assert not DueCase(RESULT.key, degree, (reason,)).lacks_trials_only
