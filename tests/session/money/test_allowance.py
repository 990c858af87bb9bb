"""What a save may spend by itself: how many attempts fit, by what was expected and what came."""

from types import SimpleNamespace
from typing import cast

import pytest

from evaltui.core.budget import Budget, Unpriced
from evaltui.core.case import CaseKey
from evaltui.core.response import AgentResponse, Usage
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.runner.job import Job
from evaltui.session.money.allowance import Allowance
from tests.session.priced import KEYS, OTHER


def job(key: CaseKey, trials: int = 1) -> Job:
    return cast("Job", SimpleNamespace(case=SimpleNamespace(key=key), trials=trials))


def result(key: CaseKey, cost_usd: float | None, trials: int = 1) -> CaseResult:
    response = AgentResponse("", usage=Usage(cost_usd=cost_usd))
    return CaseResult(key, "r", "a", CaseStatus.PASSED, response=response, trials=trials)


def test_as_many_begin_as_fit_to_the_cent_and_the_others_are_held() -> None:
    made = Allowance(Budget(), 0.5, 0.25, KEYS)
    assert [made.may_begin(job(key)) for key in KEYS] == [True, True, False, False]
    assert made.may_begin(job(OTHER)), "it costs nothing"
    assert [*made.held] == KEYS[2:]


def test_a_case_takes_as_much_as_all_its_trials() -> None:
    made = Allowance(Budget(), 0.5, 0.25, KEYS)
    assert not made.may_begin(job(KEYS[0], 3))
    assert made.may_begin(job(KEYS[1], 2))
    assert not made.may_begin(job(KEYS[2]))


def test_what_is_over_makes_room_by_what_it_did_cost() -> None:
    budget = Budget()
    made = Allowance(budget, 1.0, 0.25, KEYS)
    assert [made.may_begin(job(key)) for key in KEYS] == [True] * 4
    may_go_on = [made.may_go_on]
    for key, cost_usd in ((OTHER, 0.0), (KEYS[0], 0.125), (KEYS[1], 0.5)):
        budget.give_back(0.0, cost_usd)
        made.ended(result(key, cost_usd))
        may_go_on.append(made.may_go_on)
    assert may_go_on == [False, False, True, False], "what is under way may cost as much"


@pytest.mark.parametrize(("cost_usd", "began"), [(0.0, [KEYS[:2], KEYS[2:]]), (0.25, [KEYS[:2]])])
def test_what_did_not_fit_beside_others_begins_when_they_cost_less(
    cost_usd: float, began: list[list[CaseKey]]
) -> None:
    budget = Budget()
    made = Allowance(budget, 0.5, 0.25, KEYS)
    found = []
    for those in made.fitting(map(job, KEYS)):
        found.append([one.case.key for one in those])
        for key in found[-1]:
            budget.give_back(0.0, cost_usd)
            made.ended(result(key, cost_usd))
    assert found == began


def test_of_several_attempts_that_come_as_one_each_counts_with_its_share() -> None:
    made = Allowance(Budget(), 1.0, 0.25, KEYS)
    made.ended(result(KEYS[0], 1.0, trials=4))
    assert made.may_begin(job(KEYS[1], 4))


def test_what_was_paid_counts_before_the_result_is_there() -> None:
    budget = Budget()
    budget.give_back(0.0, 5.0)
    made = Allowance(budget, 1.0, 0.25, KEYS)
    assert (made.spent_usd, made.may_begin(job(KEYS[0]))) == (0.0, True), "others spent that"
    budget.give_back(0.0, 0.5)
    assert made.spent_usd == 0.5
    assert not made.may_go_on


def test_an_answer_that_never_came_may_cost_as_much_as_one_under_way() -> None:
    budget = Budget()
    made = Allowance(budget, 0.5, 0.25, KEYS)
    budget.lost = 1
    assert made.may_begin(job(KEYS[0]))
    assert not made.may_begin(job(KEYS[1]))


@pytest.mark.parametrize(
    ("dearest", "may"), [({}, False), ({"other": 0.1}, False), ({"a": 0.1}, True)]
)
def test_nothing_goes_on_where_somebody_answered_whose_price_nobody_knows(
    dearest: dict[str, float], may: bool
) -> None:
    budget = Budget()
    budget.unpriced, budget.dearest = {"a": Unpriced(1, had_price=False)}, dearest
    assert Allowance(budget, 1.0, 0.25, KEYS).may_go_on is may
