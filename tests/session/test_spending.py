"""The guard of money: what may run without asking, and what a run would cost."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from evaltui.core.agent import Agent, AgentTraits
from evaltui.core.case import CaseKey
from evaltui.core.config import AgentProfile, Config
from evaltui.core.staleness import Degree, StaleCase
from evaltui.session.project_state import ProjectState
from evaltui.session.spending import Cause, Estimate, Spending, due_by_itself
from evaltui.store.board import Board, KnownCosts

KEYS = [CaseKey("a.json", str(number)) for number in range(4)]
FREE = cast("Agent", SimpleNamespace(traits=AgentTraits(is_free=True)))
PAID = cast("Agent", SimpleNamespace(traits=AgentTraits(is_free=False)))
UNKNOWN = cast("Agent", SimpleNamespace(traits=AgentTraits()))


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
    return Spending(cast("ProjectState", SimpleNamespace(config=config)))


def board(seconds: float | None, cost_usd: float | None) -> Board:
    """One whose cases took so much each, last time."""
    known = KnownCosts(seconds=seconds, cost_usd=cost_usd)
    return cast("Board", SimpleNamespace(known_costs=lambda _: known))


def test_costs_add_up_and_the_slowest_agent_tells_the_time() -> None:
    found = spending(concurrency=4).estimate([board(2.0, 0.25), board(1.0, 0.5)], KEYS, 3)
    assert found == Estimate(24, 9.0, 6.0)


def test_what_is_not_known_of_one_agent_is_left_out() -> None:
    found = spending(concurrency=0).estimate([board(None, None), board(1.0, None)], KEYS)
    assert found == Estimate(8, None, 4.0)


def test_nothing_known_is_nothing_told() -> None:
    assert spending().estimate([board(None, None)], KEYS) == Estimate(4, None, None)


@pytest.mark.parametrize(
    ("cause", "agent", "each_usd", "may_run"),
    [
        (Cause.OPENED, FREE, None, True),
        (Cause.OPENED, PAID, None, False),
        (Cause.OPENED, UNKNOWN, None, False),
        (Cause.SAVED, FREE, None, True),
        (Cause.SAVED, PAID, None, True),
        (Cause.SAVED, PAID, 0.25, True),
        (Cause.SAVED, PAID, 0.26, False),
        (Cause.SAVED, UNKNOWN, 0.26, False),
        (Cause.ASKED, PAID, 100.0, True),
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
    payer = guard.meter("mini", is_free=False).payer
    assert payer is not None
    held = payer.try_reserve(4.75)
    assert held is not None
    held.settle(4.75)
    assert (guard.budget("mini").left_usd, guard.budget("dear").left_usd) == (0.25, 0.25)


def test_what_was_spent_stays_spent_whatever_the_settings_say_next() -> None:
    guard = spending(max_cost_usd=5.0)
    for limit in (1.0, 2.0, None):
        guard.follow_settings({"mini": AgentProfile(max_cost_usd=limit)})
        payer = guard.meter("mini", is_free=False).payer
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
    assert guard.meter("mini", is_free=True).rate is guard.rate("mini"), "from run to run"
