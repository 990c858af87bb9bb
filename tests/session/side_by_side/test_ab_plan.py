"""What a comparison of two states asks, and how often."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from evaltui.session.side_by_side.ab_plan import AbPlan, AbSide, that_can_differ
from tests.session.priced import KEYS

if TYPE_CHECKING:
    from evaltui.project import Project
    from evaltui.session.agent_queue import AgentQueue


def side(*, is_certain: bool) -> AbSide:
    traits = SimpleNamespace(is_deterministic=is_certain)
    queue = SimpleNamespace(agent=SimpleNamespace(traits=traits))
    return AbSide("a side", cast("AgentQueue", queue), cast("Project", None))


@pytest.mark.parametrize(
    ("before", "now", "is_sampled"),
    [(True, True, False), (True, False, True), (False, True, True), (False, False, True)],
)
def test_one_side_that_varies_takes_several_trials(
    before: bool, now: bool, is_sampled: bool
) -> None:
    sides = side(is_certain=before), side(is_certain=now)
    plan = AbPlan(*sides, tuple(KEYS[:3]), 4, trials=5, seed=1)
    assert plan.is_sampled is is_sampled
    assert (plan.calls, plan.calls_of(2)) == (30, 12)
    assert (plan.muted, plan.as_now, plan.unread) == (0, (), ())


def test_of_two_agents_every_case_can_differ() -> None:
    before, now = side(is_certain=True), side(is_certain=True)
    assert that_can_differ(before, now, KEYS) == tuple(KEYS)
