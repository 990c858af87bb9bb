"""What a comparison of two states asks, and how often."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from evaltui.core.case import Case, CaseKey, ContractCase, RubricCase, Tier
from evaltui.core.suite import Suite
from evaltui.session.side_by_side.ab_plan import (
    AbPlan,
    AbSide,
    that_are_certain,
    that_can_differ,
)
from tests.session.priced import KEYS

if TYPE_CHECKING:
    from evaltui.project import Project
    from evaltui.session.agent_queue import AgentQueue


def side(project: object = None, *, is_certain: bool) -> AbSide:
    traits = SimpleNamespace(is_deterministic=is_certain)
    queue = SimpleNamespace(agent=SimpleNamespace(traits=traits))
    return AbSide("a side", cast("AgentQueue", queue), cast("Project", project))


@pytest.mark.parametrize(
    ("before", "now", "certain"),
    [(True, True, {"asked"}), (True, False, set()), (False, True, set()), (False, False, set())],
)
def test_what_may_come_to_another_verdict_takes_several_trials(
    before: bool, now: bool, certain: set[str]
) -> None:
    keys = {name: CaseKey("a", name) for name in ("asked", "judged")}
    cases = (
        Case(keys["asked"], ContractCase("hi")),
        Case(keys["judged"], RubricCase("hi")),
    )
    project = SimpleNamespace(suites=(Suite("a", "find_order", Tier.GOLDEN, cases, ""),))
    sides = side(project, is_certain=before), side(project, is_certain=now)
    found = that_are_certain(*sides, tuple(keys.values()))
    assert {key.case for key in found} == certain
    plan = AbPlan(*sides, tuple(keys.values()), 4, trials=5, seed=1, certain=found)
    assert (plan.calls, plan.calls_of(2)) == ((12, 6) if certain else (20, 8))
    assert plan.trials_in_words == ("up to 5 trials" if certain else "5 trials")
    assert (plan.muted, plan.as_now, plan.unread) == (0, (), ())


def test_of_two_agents_every_case_can_differ() -> None:
    before, now = side(is_certain=True), side(is_certain=True)
    assert that_can_differ(before, now, KEYS) == tuple(KEYS)
