"""What a run would cost and take, from what the cases took last time."""

from types import SimpleNamespace
from typing import cast

import pytest
from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.asked import AgentTraits
from evaltui.core.case import CaseKey, RubricCase, ScenarioCase
from evaltui.core.config import AgentProfile
from evaltui.core.result import CaseStatus
from evaltui.session.money.estimate import Estimate
from tests.session.priced import FREE, KEYS, PAID, board, named, spending


def test_costs_add_up_and_the_slowest_agent_tells_the_time() -> None:
    asked = [(PAID, board(2.0, 0.25)), (named("other"), board(1.0, 0.5))]
    found = spending(concurrency=4).estimator.estimate(asked, KEYS, 3)
    assert found == Estimate(24, 9.0, 6.0, asks_first=True)


def test_what_is_not_known_of_one_agent_is_not_known_of_all() -> None:
    asked = [(PAID, board(None, None)), (named("other"), board(1.0, 0.1))]
    found = spending(concurrency=0).estimator.estimate(asked, KEYS)
    assert found == Estimate(8, None, 4.0, asks_first=True)


def test_answers_that_told_no_cost_are_none_that_never_came() -> None:
    estimate = spending(judge=PAID).estimator.estimate
    assert estimate([(PAID, board(1.0, None))], KEYS).is_untold
    assert not estimate([(PAID, board(None, None, 4))], KEYS).is_untold
    assert not estimate([(PAID, board(1.0, 0.1))], KEYS).is_untold
    failed = board(1.0, None)
    for row in failed.rows.values():
        assert row.result is not None
        row.result = replace(row.result, status=CaseStatus.ERROR)
    assert not estimate([(PAID, failed)], KEYS).is_untold
    judged = board(1.0, None)
    for row in judged.rows.values():
        row.case = replace(row.case, body=ScenarioCase("", success_criteria="it helps"))
    assert estimate([(FREE, judged)], KEYS).is_untold


def test_what_is_free_costs_nothing_whatever_it_says() -> None:
    asked = [(FREE, board(1.0, 9.0, 4)), (PAID, board(1.0, 0.1))]
    assert spending().estimator.estimate(asked, KEYS) == Estimate(8, 0.4, 4.0)
    assert spending().estimator.estimate([(FREE, board(None, None, 4))], KEYS) == Estimate(
        4, None, None
    )


@pytest.mark.parametrize(
    ("each_usd", "never_run", "asks"),
    [(0.25, 0, False), (0.26, 0, True), (None, 0, True), (0.01, 1, False), (0.01, 2, True)],
)
def test_what_is_not_known_to_be_cheap_asks_first(
    each_usd: float | None, never_run: int, asks: bool
) -> None:
    asked = [(PAID, board(1.0, each_usd, never_run))]
    assert spending().estimator.estimate(asked, KEYS).asks_first is asks


def test_an_estimate_says_what_may_be_spent_still() -> None:
    guard = spending(max_cost_usd=5.0)
    asked = [(PAID, board(1.0, 0.1)), (named("dear"), board(1.0, 0.1))]
    guard.budgets.follow_settings({"paid": AgentProfile(), "dear": AgentProfile(max_cost_usd=0.5)})
    assert guard.estimator.estimate(asked, KEYS).left_usd == 0.5
    assert guard.estimator.estimate(asked[:1], KEYS).left_usd == 5.0


def test_judging_kept_answers_again_is_free_where_no_judge_is_paid() -> None:
    found = spending().estimator.estimate([(PAID, board(1.0, 5.0))], KEYS, is_rejudging=True)
    assert (found.cost_usd, found.asks_first) == (None, False)


def test_judging_again_costs_nothing_of_what_an_agent_told_that_its_answers_cost() -> None:
    traits = AgentTraits(is_free=True, may_tell_costs=True)
    local = cast("Agent", SimpleNamespace(name="l", traits=traits))
    asked = [(local, board(1.0, 0.1))]
    assert spending().estimator.estimate(asked, KEYS).cost_usd == 0.4
    found = spending().estimator.estimate(asked, KEYS, is_rejudging=True)
    assert (found.cost_usd, found.asks_first) == (None, False)


def test_costs_of_one_side_are_not_told_as_those_of_both() -> None:
    """Agents on this machine that tell costs: one was asked before, the other never."""
    local = cast(
        "Agent", SimpleNamespace(name="l", traits=AgentTraits(is_free=True, may_tell_costs=True))
    )
    asked = [(local, board(1.0, 0.1)), (local, board(None, None))]
    found = spending().estimator.estimate(asked, KEYS)
    assert (found.cost_usd, found.without_sum) == (None, "cost not known yet")
    assert spending().estimator.estimate(asked[:1], KEYS).cost_usd == 0.4


def test_who_says_that_an_agent_is_free_is_believed_until_it_tells_a_cost() -> None:
    traits = AgentTraits(is_free=True, may_tell_costs=True, is_said_free=True)
    local = cast("Agent", SimpleNamespace(name="l", traits=traits))
    never = spending().estimator.estimate([(local, board(None, None))], KEYS)
    assert (never.cost_usd, never.without_sum) == (None, "free")
    assert spending().estimator.estimate([(local, board(1.0, 0.1))], KEYS).cost_usd == 0.4


def test_what_a_model_judges_is_expensive_only_while_that_model_costs_money() -> None:
    made = board(1.0, 0.1)
    body = ScenarioCase("", success_criteria="it helps")
    made.rows[KEYS[0]].case = replace(made.rows[KEYS[0]].case, body=body)
    expensive = spending(judge=PAID).estimator.expensive_beside_agent
    assert expensive(made, [*KEYS, CaseKey("a.json", "gone")]) == {KEYS[0]}
    assert spending(judge=FREE).estimator.expensive_beside_agent(made, KEYS) == frozenset()
    assert spending().estimator.expensive_beside_agent(made, KEYS) == frozenset()


def test_a_rubric_is_counted_and_priced_only_where_somebody_can_judge_it() -> None:
    made = board(1.0, 0.1)
    made.rows[KEYS[0]].case = replace(made.rows[KEYS[0]].case, body=RubricCase(""))
    made.rows[KEYS[0]].result = None
    nobody, judge = spending().estimator, spending(judge=FREE).estimator
    found = nobody.estimate([(PAID, made)], KEYS)
    assert (found.cases, found.never_run) == (3, 0)
    assert found.cost_usd == pytest.approx(0.3)
    assert nobody.to_run(made, KEYS) == tuple(KEYS[1:])
    found = judge.estimate([(PAID, made)], KEYS)
    assert (found.cases, found.never_run) == (4, 1)
    assert found.cost_usd == pytest.approx(0.4)
    assert judge.to_run(made, KEYS) == tuple(KEYS)
