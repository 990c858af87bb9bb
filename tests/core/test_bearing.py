"""Each input is declared once: what it bears on decides every comparison of inputs."""

from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.core.agent_name import JUDGE
from evaltui.core.asked import AgentTraits
from evaltui.core.bearing import (
    BEARS,
    Bears,
    are_asked_alike,
    are_judged_by_same,
    are_sides_alike,
    differ_in_effort_only,
    is_judge_asked_alike,
    judged_as,
)
from evaltui.core.case import CaseKey
from evaltui.core.inputs import Inputs
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import Degree, due_reasons
from evaltui.disk.history.shared_inputs import SamePrints

ONE = Inputs(
    case="then", tools={"t.a": "then"}, registry="then", seed={"a": "then"}, agent="then",
    checks={JUDGE: "then"}, answer="then", rules="then", called={"c": "then"},
    settings={"trials": 2}, all_tools="then", agent_files="then", variables="then", live="then",
    shown="then", player="then", other_files="then",
    evaluator_files="then",
)  # fmt: skip
NOW: dict[str, Any] = {
    **dict.fromkeys(Inputs.__struct_fields__, "now"),
    "tools": {"t.a": "now"}, "seed": {"a": "now"}, "checks": {JUDGE: "now"},
    "called": {"c": "now"}, "settings": {"trials": 3},
}  # fmt: skip
ALL_TOOLS = AgentTraits()
NO_TOOLS = AgentTraits(reads_registry=False, may_read_registry=False)
EACH = pytest.mark.parametrize("name", Inputs.__struct_fields__)


def with_other(name: str, one: Inputs = ONE) -> Inputs:
    return replace(one, **{name: NOW[name]})


def bears(name: str, on: Bears) -> bool:
    return bool(BEARS[name] & on)


def test_every_input_is_declared_and_set_here() -> None:
    assert tuple(BEARS) == Inputs.__struct_fields__
    assert all(getattr(ONE, name) for name in BEARS)


@EACH
def test_an_agent_is_asked_otherwise_by_what_bears_on_its_answer(name: str) -> None:
    is_of_verdict = bears(name, Bears.ON_VERDICT)
    on_answer = bears(name, Bears.ON_ANSWER) and not is_of_verdict
    of_tools = bears(name, Bears.BY_TOOLS | Bears.BY_OTHER_TOOLS)
    other = with_other(name)
    assert are_asked_alike(ONE, other, NO_TOOLS) is not on_answer
    assert are_asked_alike(ONE, other, ALL_TOOLS) is not (on_answer or of_tools)
    live, other = replace(ONE, answer=""), replace(other, answer="")
    if name != "answer":
        assert are_asked_alike(live, other, NO_TOOLS) is not (on_answer or is_of_verdict)


@EACH
def test_a_kept_answer_takes_what_bears_on_the_verdict(name: str) -> None:
    taken = getattr(judged_as(ONE, with_other(name)), name) == NOW[name]
    assert taken is bears(name, Bears.ON_VERDICT | Bears.MAYBE_ON_VERDICT)


@EACH
def test_the_judge_is_another_by_what_bears_on_it(name: str) -> None:
    other = with_other(name)
    assert are_judged_by_same(ONE, other) is not bears(name, Bears.ON_JUDGE)
    assert is_judge_asked_alike(ONE, other) is not (name == "case" or bears(name, Bears.ON_JUDGE))


def test_other_checks_are_none_of_the_judge() -> None:
    assert are_judged_by_same(ONE, replace(ONE, checks={**ONE.checks, "tone": "1"}))


@EACH
def test_trials_count_together_unless_it_bears_on_their_chance(name: str) -> None:
    def row(inputs: Inputs) -> str:
        return SamePrints().of(inputs)

    assert (row(with_other(name)) == row(ONE)) is not bears(name, Bears.ON_CHANCE)


@EACH
def test_a_single_trial_is_held_against_several_unless_more_is_another(name: str) -> None:
    other = with_other(name)
    is_of_trial = bears(name, Bears.ON_EFFORT | Bears.AS_ANSWERED)
    assert differ_in_effort_only(ONE, other) is is_of_trial
    assert not differ_in_effort_only(replace(ONE, case=""), replace(ONE, case=""))


@EACH
def test_two_states_differ_in_all_that_bears_on_anything(name: str) -> None:
    assert are_sides_alike(ONE, with_other(name)) is (BEARS[name] == Bears(0))


@EACH
def test_staleness_is_of_a_degree_that_fits(name: str) -> None:
    result = CaseResult(CaseKey("s", "c"), "run", "agent", CaseStatus.PASSED, inputs=ONE)
    degree, _ = due_reasons(result, with_other(name)) or (None, ())
    if bears(name, Bears.ON_VERDICT | Bears.MAYBE_ON_VERDICT):
        assert degree is Degree.TO_JUDGE
    elif bears(name, Bears.MAYBE | Bears.BY_OTHER_TOOLS | Bears.ON_EFFORT):
        assert degree is Degree.POSSIBLY
    elif bears(name, Bears.ON_CHANCE) or name == "called":
        assert degree is Degree.AFFECTED
    else:  # what was weighed and what the agent was given say how far the others count
        assert degree is None
