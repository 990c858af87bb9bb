"""What is spent, what may be, and how many requests a minute."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.agent_name import ALL_JUDGING
from evaltui.core.asked import AgentTraits
from evaltui.core.budget import BudgetSpentError
from evaltui.core.config import AgentProfile, Config, JudgeConfig
from evaltui.core.events import Event, SpendingChanged
from evaltui.core.joint_payer import JointPayer
from evaltui.core.payer import Payer
from evaltui.core.spent import Spent
from evaltui.session.judge_in_force import JudgeInForce
from evaltui.session.money.budgets import Budgets
from evaltui.session.money.spending import Spending
from evaltui.session.project_state import ProjectState
from tests.session.priced import FREE, named, spending


def test_all_agents_spend_from_one_budget_within_their_own_limits() -> None:
    budgets = spending(max_cost_usd=5.0).budgets
    budgets.follow_settings({"mini": AgentProfile(), "dear": AgentProfile(max_cost_usd=0.5)})
    assert (budgets.budget("mini").left_usd, budgets.budget("dear").left_usd) == (
        5.0,
        0.5,
    )
    payer = budgets.meter("mini", AgentTraits()).payer
    assert payer is not None
    held = payer.try_reserve(4.75)
    assert held is not None
    held.settle(4.75)
    assert (budgets.budget("mini").left_usd, budgets.budget("dear").left_usd) == (
        0.25,
        0.25,
    )


def test_what_was_spent_stays_spent_whatever_the_settings_say_next() -> None:
    budgets = spending(max_cost_usd=5.0).budgets
    for limit in (1.0, 2.0, None):
        budgets.follow_settings({"mini": AgentProfile(max_cost_usd=limit)})
        payer = budgets.meter("mini", AgentTraits()).payer
        assert payer is not None
        held = payer.try_reserve(0.5)
        assert held is not None
        held.settle(0.5)
    assert budgets.budget("mini").left_usd == 3.5


@pytest.mark.parametrize(("own", "wanted"), [(None, 30.0), (5.0, 5.0)])
def test_requests_a_minute_of_an_agent_win_over_those_for_all(
    own: float | None, wanted: float
) -> None:
    budgets = spending(max_requests_per_minute=30.0).budgets
    budgets.follow_settings({"mini": AgentProfile(max_requests_per_minute=own)})
    assert budgets.rate("mini").per_minute == wanted
    assert budgets.meter("mini", FREE.traits).rate is budgets.rate("mini"), "from run to run"


@pytest.mark.parametrize(
    ("is_free", "may_tell_costs", "is_counted"),
    [(False, False, True), (False, True, True), (True, True, True), (True, False, False)],
)
def test_what_is_free_is_counted_where_its_answers_say_what_they_cost(
    is_free: bool, may_tell_costs: bool, is_counted: bool
) -> None:
    traits = AgentTraits(is_free=is_free, may_tell_costs=may_tell_costs)
    budgets = spending().budgets
    assert (budgets.meter("mini", traits).payer is not None) is is_counted
    judge = cast("Agent", SimpleNamespace(name="judge", traits=traits))
    assert (budgets.judge_meter(judge, "mini").payer is not None) is is_counted


@pytest.mark.parametrize(("own", "per_minute"), [(None, 60.0), (10.0, 10.0)])
def test_requests_to_a_judge_have_a_minute_of_their_own(
    own: float | None, per_minute: float
) -> None:
    profile = AgentProfile("judge", "openai", max_requests_per_minute=own)
    config = Config(Path(), max_requests_per_minute=60.0, judge=JudgeConfig(profile))
    state = cast("ProjectState", SimpleNamespace(config=config))
    budgets = Spending(state, JudgeInForce(state)).budgets
    meter = budgets.judge_meter(named("judge"), "mini")
    assert meter.rate.per_minute == per_minute
    assert budgets.rate("judge") is not meter.rate  # an agent under test may be called so
    assert meter.rate is not budgets.rate("mini")
    assert isinstance(meter.payer, JointPayer)
    assert meter.payer.second.budget is budgets.budget("mini")


def unpriced(budgets: Budgets, name: str) -> str:
    """Whose answer without a price this one's limits have to bear."""
    bearing = budgets.budget(name).bears_unpriced
    return "" if bearing is None else bearing.worst_unpriced[0]


def test_settings_of_an_agent_without_a_price_may_state_it_now() -> None:
    budgets = spending(max_cost_usd=1.0).budgets
    budgets.follow_settings({"mini": AgentProfile()})
    budgets.budget("mini").miss_price("mini")
    assert unpriced(budgets, "other") == "mini"
    budgets.follow_settings({"mini": AgentProfile(options={"price": {"input": 1.0}})})
    assert not unpriced(budgets, "mini")
    assert not unpriced(budgets, "other")


def test_settings_that_say_the_same_of_it_let_no_further_answer_without_a_price_be_paid() -> None:
    budgets = spending(max_cost_usd=1.0).budgets
    budgets.follow_settings({"mini": AgentProfile(), "other": AgentProfile()})
    budgets.budget("mini").miss_price("mini")
    budgets.follow_settings({"mini": AgentProfile(), "other": AgentProfile(max_cost_usd=2.0)})
    assert unpriced(budgets, "mini") == "mini"
    assert unpriced(budgets, "other") == "mini"


def test_a_price_that_one_states_does_not_help_another() -> None:
    budgets = spending(max_cost_usd=1.0).budgets
    priced = AgentProfile(options={"price": {"input": 1.0}})
    budgets.follow_settings({"mini": AgentProfile(), "other": AgentProfile()})
    for name in ("mini", "other"):
        budgets.budget(name).miss_price(name)
    budgets.follow_settings({"mini": AgentProfile(), "other": priced})
    assert unpriced(budgets, "mini") == "mini"
    budgets.follow_settings({"mini": priced, "other": priced})
    assert not unpriced(budgets, "mini")


def test_answers_without_a_price_count_once_the_settings_may_state_one() -> None:
    """Else each save of them would let more be paid than was counted."""
    budgets = spending(max_cost_usd=1.0, concurrency=8).budgets
    outer = budgets.budget("mini").chain()[-1]
    for times in range(1, 4):
        settings = AgentProfile(options={"temperature": times})
        budgets.follow_settings({"mini": settings})
        budgets.budget("mini").miss_price("mini")
        assert (budgets.budget("mini").lost, outer.lost) == (times - 1, times - 1)
    budgets.follow_settings({"mini": AgentProfile(options={"temperature": 0})})
    payer = budgets.meter("mini", AgentTraits()).payer
    assert isinstance(payer, Payer)
    with pytest.raises(BudgetSpentError, match="what `mini` costs is not known"):
        payer.try_reserve(None)
    answer = payer.try_reserve(0.1)
    assert answer is not None
    answer.settle(0.1)
    assert outer.spent_usd == pytest.approx(0.4)
    assert outer.lost == 0


def test_so_does_the_judge_until_its_own_settings_are_others() -> None:
    made = [
        JudgeConfig(AgentProfile("judge", "openai", options=options))
        for options in ({}, {"price": {"input": 1.0, "output": 1.0}})
    ]
    settings = SimpleNamespace(config=Config(Path(), max_cost_usd=1.0, judge=made[0]))
    state = cast("ProjectState", settings)
    budgets = Spending(state, JudgeInForce(state)).budgets
    budgets.follow_settings({"mini": AgentProfile()})
    payer = budgets.judge_meter(named("judge"), "mini").payer
    assert isinstance(payer, JointPayer)
    for one in (payer.first, payer.second):
        one.budget.miss_price("judge")
    budgets.follow_settings({"mini": AgentProfile()})
    assert unpriced(budgets, "mini") == "judge"
    settings.config = Config(Path(), max_cost_usd=1.0, judge=made[1])
    budgets.follow_settings({"mini": AgentProfile()})
    assert not unpriced(budgets, "mini")


def test_a_concurrency_that_is_set_anew_holds_for_judging_too() -> None:
    settings = SimpleNamespace(config=Config(Path(), concurrency=1))
    state = cast("ProjectState", settings)
    budgets = Spending(state, JudgeInForce(state)).budgets
    payer = budgets.judge_meter(named("judge"), "mini").payer
    assert isinstance(payer, JointPayer)
    both = (payer.first.budget, payer.second.budget)
    assert [budget.places for budget in both] == [1, 1]
    settings.config = Config(Path(), concurrency=3)
    budgets.follow_settings({"mini": AgentProfile()})
    assert [budget.places for budget in both] == [3, 3]


class Emitted:
    """Takes the part of a session's events: a clock that is set, and what was told."""

    def __init__(self) -> None:
        self.now, self.told = 100.0, list[Event]()
        self.emit = self.told.append

    def clock(self) -> float:
        return self.now


def test_what_was_spent_and_is_held_is_told_when_it_is_another() -> None:
    events, config = Emitted(), Config(Path(), max_cost_usd=5.0)
    state = cast("ProjectState", SimpleNamespace(config=config, events=events))
    budgets = Spending(state, JudgeInForce(state)).budgets
    budgets.hold("mini", 0)
    assert events.told == [SpendingChanged("mini", 0.0, 5.0, 0)], "the limit is news"
    budgets.hold("mini", 3)
    budgets.hold("mini", 3)
    budgets.budget("mini").take_over(Spent(1.5))
    budgets.tell()
    assert events.told[1:] == [
        SpendingChanged("mini", 0.0, 5.0, 3),
        SpendingChanged("mini", 1.5, 3.5, 3),
    ]
    budgets.budget("mini").take_over(Spent(0.5))
    budgets.tell(is_late=True)
    assert len(events.told) == 3, "it was told just now"
    events.now += 3600.0
    budgets.tell(is_late=True)
    assert events.told[3:] == [SpendingChanged("mini", 2.0, 3.0, 3)]


def test_that_limits_are_raised_is_told_when_none_refuses_any_more() -> None:
    events = Emitted()
    made = JudgeConfig(AgentProfile("judge", "openai", max_cost_usd=0.5))
    settings = SimpleNamespace(config=Config(Path(), judge=made), events=events)
    state = cast("ProjectState", settings)
    budgets = Spending(state, JudgeInForce(state)).budgets

    def follow(own: float | None, of_judge: float) -> list[Event]:
        judge = JudgeConfig(replace(made.profile, max_cost_usd=of_judge))
        settings.config = Config(Path(), judge=judge)
        before = len(events.told)
        budgets.follow_settings({"mini": AgentProfile(max_cost_usd=own)})
        return events.told[before:]

    def spend(payer: Payer | JointPayer | None, usd: float) -> None:
        assert payer is not None
        held = payer.try_reserve(usd)
        assert held is not None
        held.settle(usd)
        with pytest.raises(BudgetSpentError):
            payer.try_reserve(usd)

    assert follow(1.0, 0.5) == follow(1.25, 0.5) == follow(1.0, 0.5) == [], "none refused"
    spend(budgets.judge_meter(named("judge"), "mini").payer, 0.5)
    spend(budgets.meter("mini", AgentTraits()).payer, 0.5)
    assert follow(1.0, 0.5) == follow(0.75, 0.5) == [], "nobody has more"
    assert follow(2.0, 0.5) == [], "the judge has no more"
    assert follow(2.0, 0.75) == [SpendingChanged("mini", 1.0, 1.0, is_freed=True)]
    assert follow(None, 0.75) == [], "it was told"


def test_where_there_is_no_limit_and_nothing_was_spent_there_is_nothing_to_tell() -> None:
    events = Emitted()
    state = cast("ProjectState", SimpleNamespace(config=Config(Path()), events=events))
    budgets = Spending(state, JudgeInForce(state)).budgets
    budgets.hold("mini", 0)
    budgets.tell()
    assert events.told == []


def test_what_was_spent_before_counts_for_who_spent_it() -> None:
    budgets = spending(max_cost_usd=1.0).budgets
    mini = budgets.budget("mini")
    budgets.take_over(Spent(0.5), ALL_JUDGING)
    assert (budgets.of_judging.usd, mini.left_usd) == (0.5, 1.0), "agents paid that already"
    budgets.take_over(Spent(0.25), None)
    assert (mini.spent_usd, mini.left_usd) == (0.0, 0.75)
    budgets.take_over(Spent(0.25), "mini")
    assert (mini.spent_usd, mini.left_usd) == (0.25, 0.5)
    assert budgets.of_judging.usd == 0.5
