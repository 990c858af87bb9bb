"""The guard of money: what may run without asking, and what a run would cost."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from evaltui.core.agent import Agent, AgentTraits
from evaltui.core.case import Case, CaseKey, ContractCase, Tier
from evaltui.core.config import AgentProfile, Config, JudgeConfig
from evaltui.core.response import AgentResponse, Usage
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import Degree, StaleCase
from evaltui.core.suite import Suite
from evaltui.session.judge_in_force import JudgeInForce
from evaltui.session.project_state import ProjectState
from evaltui.session.spending import Cause, Estimate, Spending, due_by_itself
from evaltui.store.board import Board
from evaltui.store.row import Row

KEYS = [CaseKey("a.json", str(number)) for number in range(4)]
OTHER = CaseKey("a.json", "another")


def named(name: str, *, is_free: bool = False) -> Agent:
    return cast("Agent", SimpleNamespace(name=name, traits=AgentTraits(is_free=is_free)))


FREE = named("free", is_free=True)
PAID = named("paid")
UNKNOWN = named("unknown")


def spending(
    *,
    concurrency: int = 1,
    confirm_above: float = 1.0,
    max_cost_usd: float | None = None,
    max_requests_per_minute: float | None = None,
) -> Spending:
    config = Config(
        Path(),
        concurrency=concurrency,
        confirm_above=confirm_above,
        max_cost_usd=max_cost_usd,
        max_requests_per_minute=max_requests_per_minute,
    )
    state = cast("ProjectState", SimpleNamespace(config=config))
    return Spending(state, JudgeInForce(state))


def board(seconds: float | None, cost_usd: float | None, never_run: int = 0) -> Board:
    """One whose cases took so much each, last time."""
    made = Board("any")
    others = [OTHER] * (never_run == len(KEYS))
    for number, key in enumerate(KEYS[:never_run] if seconds is None else (*KEYS, *others)):
        case = Case(key, ContractCase(""))
        row = made.rows[key] = Row(key, case, Suite(key.suite, "", Tier.GOLDEN, (case,), ""))
        if seconds is not None and number >= never_run:
            row.result = CaseResult(
                key,
                "run-1",
                "any",
                CaseStatus.PASSED,
                duration_ms=1000 * seconds,
                response=AgentResponse("", usage=Usage(cost_usd=cost_usd)),
            )
    return made


def test_costs_add_up_and_the_slowest_agent_tells_the_time() -> None:
    asked = [(PAID, board(2.0, 0.25)), (named("other"), board(1.0, 0.5))]
    found = spending(concurrency=4).estimate(asked, KEYS, 3)
    assert found == Estimate(24, 9.0, 6.0, asks_first=True)


def test_what_is_not_known_of_one_agent_is_not_known_of_all() -> None:
    asked = [(PAID, board(None, None)), (named("other"), board(1.0, 0.1))]
    found = spending(concurrency=0).estimate(asked, KEYS)
    assert found == Estimate(8, None, 4.0, asks_first=True)


def test_what_is_free_costs_nothing_whatever_it_says() -> None:
    asked = [(FREE, board(1.0, 9.0, 4)), (PAID, board(1.0, 0.1))]
    assert spending().estimate(asked, KEYS) == Estimate(8, 0.4, 4.0)
    assert spending().estimate([(FREE, board(None, None, 4))], KEYS) == Estimate(4, None, None)


@pytest.mark.parametrize(
    ("each_usd", "never_run", "asks"),
    [(0.25, 0, False), (0.26, 0, True), (None, 0, True), (0.01, 1, False), (0.01, 2, True)],
)
def test_what_is_not_known_to_be_cheap_asks_first(
    each_usd: float | None, never_run: int, asks: bool
) -> None:
    asked = [(PAID, board(1.0, each_usd, never_run))]
    assert spending().estimate(asked, KEYS).asks_first is asks


def test_an_estimate_says_what_may_be_spent_still() -> None:
    guard = spending(max_cost_usd=5.0)
    asked = [(PAID, board(1.0, 0.1)), (named("dear"), board(1.0, 0.1))]
    guard.follow_settings({"paid": AgentProfile(), "dear": AgentProfile(max_cost_usd=0.5)})
    assert guard.estimate(asked, KEYS).left_usd == 0.5
    assert guard.estimate(asked[:1], KEYS).left_usd == 5.0


@pytest.mark.parametrize(
    ("cause", "agent", "each_usd", "may_run"),
    [
        (Cause.OPENED, FREE, None, True),
        (Cause.OPENED, PAID, None, False),
        (Cause.OPENED, UNKNOWN, None, False),
        (Cause.SAVED, FREE, None, True),
        (Cause.SAVED, PAID, None, False),
        (Cause.SAVED, PAID, 0.25, True),
        (Cause.SAVED, PAID, 0.26, False),
        (Cause.SAVED, UNKNOWN, 0.26, False),
    ],
)
def test_what_may_run_without_asking_when_more_than_a_dollar_asks_first(
    cause: Cause, agent: Agent, each_usd: float | None, may_run: bool
) -> None:
    assert spending().may_run(cause, agent, board(1.0, each_usd), KEYS) is may_run


@pytest.mark.parametrize(("agent", "due"), [(FREE, KEYS), (PAID, KEYS[:1]), (UNKNOWN, KEYS[:1])])
def test_only_a_free_agent_reruns_what_is_possibly_affected(
    agent: Agent, due: list[CaseKey]
) -> None:
    first, *rest = KEYS
    stale = [StaleCase(first, Degree.AFFECTED, ("case changed",))]
    stale += [StaleCase(key, Degree.POSSIBLY, ("another tool changed",)) for key in rest]
    stale += [StaleCase(CaseKey("a.json", "kept"), Degree.TO_JUDGE, ("case changed",))]
    assert list(due_by_itself(agent, stale)) == due


def test_all_agents_spend_from_one_budget_within_their_own_limits() -> None:
    guard = spending(max_cost_usd=5.0)
    guard.follow_settings({"mini": AgentProfile(), "dear": AgentProfile(max_cost_usd=0.5)})
    assert (guard.budget("mini").left_usd, guard.budget("dear").left_usd) == (5.0, 0.5)
    payer = guard.meter("mini", AgentTraits()).payer
    assert payer is not None
    held = payer.try_reserve(4.75)
    assert held is not None
    held.settle(4.75)
    assert (guard.budget("mini").left_usd, guard.budget("dear").left_usd) == (0.25, 0.25)


def test_what_was_spent_stays_spent_whatever_the_settings_say_next() -> None:
    guard = spending(max_cost_usd=5.0)
    for limit in (1.0, 2.0, None):
        guard.follow_settings({"mini": AgentProfile(max_cost_usd=limit)})
        payer = guard.meter("mini", AgentTraits()).payer
        assert payer is not None
        held = payer.try_reserve(0.5)
        assert held is not None
        held.settle(0.5)
    assert guard.budget("mini").left_usd == 3.5


@pytest.mark.parametrize(("own", "wanted"), [(None, 30.0), (5.0, 5.0)])
def test_requests_a_minute_of_an_agent_win_over_those_for_all(
    own: float | None, wanted: float
) -> None:
    guard = spending(max_requests_per_minute=30.0)
    guard.follow_settings({"mini": AgentProfile(max_requests_per_minute=own)})
    assert guard.rate("mini").per_minute == wanted
    assert guard.meter("mini", FREE.traits).rate is guard.rate("mini"), "from run to run"


@pytest.mark.parametrize(
    ("is_free", "may_tell_costs", "is_counted"),
    [(False, False, True), (False, True, True), (True, True, True), (True, False, False)],
)
def test_what_is_free_is_counted_where_its_answers_say_what_they_cost(
    is_free: bool, may_tell_costs: bool, is_counted: bool
) -> None:
    traits = AgentTraits(is_free=is_free, may_tell_costs=may_tell_costs)
    assert (spending().meter("mini", traits).payer is not None) is is_counted


def test_what_is_dear_to_judge_is_due_as_for_an_agent_that_costs_money() -> None:
    first, second, third, fourth = KEYS
    stale = [
        StaleCase(first, Degree.AFFECTED, ("case changed",)),
        StaleCase(second, Degree.POSSIBLY, ("another tool changed",)),
        StaleCase(third, Degree.NEVER_RUN, ("never run",)),
        StaleCase(fourth, Degree.POSSIBLY, ("another tool changed",)),
    ]
    assert list(due_by_itself(FREE, stale, dear=KEYS[:3])) == [first, fourth]


def test_judging_kept_answers_again_is_free_where_no_judge_is_paid() -> None:
    found = spending().estimate([(PAID, board(1.0, 5.0))], KEYS, is_rejudging=True)
    assert (found.cost_usd, found.asks_first) == (None, False)


@pytest.mark.parametrize(("own", "per_minute"), [(None, 60.0), (10.0, 10.0)])
def test_requests_to_a_judge_have_a_minute_of_their_own(
    own: float | None, per_minute: float
) -> None:
    profile = AgentProfile("judge", "openai", max_requests_per_minute=own)
    config = Config(Path(), max_requests_per_minute=60.0, judge=JudgeConfig(profile))
    state = cast("ProjectState", SimpleNamespace(config=config))
    guard = Spending(state, JudgeInForce(state))
    meter = guard.judge_meter(named("judge"), "mini")
    assert meter.rate.per_minute == per_minute
    assert guard.rate("judge") is not meter.rate  # an agent under test may be called so
    assert meter.rate is not guard.rate("mini")
    assert meter.payer is not None
    assert meter.payer.budget is guard.budget("mini")


def test_settings_that_are_read_anew_may_state_the_price_that_was_missing() -> None:
    guard = spending(max_cost_usd=1.0)
    guard.follow_settings({"mini": AgentProfile()})
    guard.budget("mini").miss_price("mini")
    assert guard.budget("other").who_is_unpriced == "mini"
    guard.follow_settings({"mini": AgentProfile()})
    assert not guard.budget("mini").who_is_unpriced
    assert not guard.budget("other").who_is_unpriced
