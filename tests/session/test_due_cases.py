"""What a change has run by itself."""

import pytest

from evaltui.core.agent import Agent
from evaltui.core.case import CaseKey
from evaltui.core.staleness import Degree, StaleCase
from evaltui.session.due_cases import due_by_itself
from tests.session.priced import FREE, KEYS, PAID, UNKNOWN


@pytest.mark.parametrize(("agent", "due"), [(FREE, KEYS), (PAID, KEYS[:1]), (UNKNOWN, KEYS[:1])])
def test_only_a_free_agent_reruns_what_is_possibly_affected(
    agent: Agent, due: list[CaseKey]
) -> None:
    first, *rest = KEYS
    stale = [StaleCase(first, Degree.AFFECTED, ("case changed",))]
    stale += [StaleCase(key, Degree.POSSIBLY, ("another tool changed",)) for key in rest]
    stale += [StaleCase(CaseKey("a.json", "kept"), Degree.TO_JUDGE, ("case changed",))]
    assert list(due_by_itself(agent, stale)) == due


def test_what_is_dear_to_judge_is_due_as_for_an_agent_that_costs_money() -> None:
    first, second, third, fourth = KEYS
    stale = [
        StaleCase(first, Degree.AFFECTED, ("case changed",)),
        StaleCase(second, Degree.POSSIBLY, ("another tool changed",)),
        StaleCase(third, Degree.NEVER_RUN, ("never run",)),
        StaleCase(fourth, Degree.POSSIBLY, ("another tool changed",)),
    ]
    assert list(due_by_itself(FREE, stale, expensive=KEYS[:3])) == [first, fourth]
