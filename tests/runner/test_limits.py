"""Requests a minute and money: never more than was allowed, and the run says what it left out."""

import asyncio
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.agent import AgentRequest, AgentTraits
from evaltui.core.errors import AgentError
from evaltui.core.events import CaseFinished, ProblemFound
from evaltui.core.response import AgentResponse, Usage
from evaltui.runner.limits import Budget, Limits, RateWindow
from tests.runner.fakes import FakeAgent, job, run, says


@given(
    per_minute=st.one_of(st.integers(1, 50), st.floats(0.1, 0.9)),
    gaps=st.lists(st.floats(0, 20), max_size=100),
)
def test_never_more_than_allowed_in_any_minute(per_minute: float, gaps: list[float]) -> None:
    window, now, starts = RateWindow(per_minute), 0.0, []
    for gap in gaps:
        now += gap
        now += window.wait_s(now)
        assert window.wait_s(now) <= 1e-6
        window.count(now)
        starts.append(now)
    if per_minute >= 1:
        for start in starts:
            assert sum(start <= other < start + 59.999 for other in starts) <= per_minute
    else:
        for sooner, later in pairwise(starts):
            assert later - sooner >= 60 / per_minute - 1e-6


def test_several_requests_of_one_attempt_count() -> None:
    window = RateWindow(3)
    window.count(0.0)
    window.count(1.0, 2)
    assert window.wait_s(2.0) == 58.0


def test_budget_sends_the_first_alone_and_reserves_for_those_under_way() -> None:
    budget = Budget(1.0)
    assert budget.allows(0) and not budget.allows(1)
    budget.count(0.3)
    assert budget.allows(2) and not budget.allows(3)
    budget.count(0.8)
    assert budget.is_spent() and not budget.allows(0)


def _costing(usd: float | None) -> FakeAgent:
    async def respond(_: AgentRequest) -> AgentResponse:
        await asyncio.sleep(0.001)
        return AgentResponse("ok", usage=Usage(1, 1, usd))

    return FakeAgent(respond)


async def test_the_run_stops_when_the_money_is_spent_and_says_so() -> None:
    agent = _costing(0.10)
    ear = await run(
        [job(n) for n in range(50)], agent, concurrency=8, limits=Limits(max_cost_usd=1.0)
    )
    assert len(ear.results) == len(agent.asked) == 10
    assert ear.problems == ["`max_cost_usd` of $1 is spent ($1): 40 cases were not run"]


async def test_money_that_suffices_is_no_problem() -> None:
    for agent in (_costing(0.10), _costing(0.0)):
        agent.traits = AgentTraits()
        ear = await run([job(n) for n in range(5)], agent, limits=Limits(max_cost_usd=1.0))
        assert (len(ear.results), ear.problems) == (5, [])


async def test_a_budget_that_cannot_hold_says_so_once_and_at_once() -> None:
    agent = _costing(None)
    agent.traits = AgentTraits()
    jobs = [job(n) for n in range(20)]
    ear = await run(jobs, agent, concurrency=4, limits=Limits(max_cost_usd=1.0))
    assert len(ear.results) == 20
    assert ear.problems == [
        "`max_cost_usd` does not limit this run: what `fake` costs is not known"
    ]
    told = next(n for n, event in enumerate(ear.events) if isinstance(event, ProblemFound))
    finished = [n for n, event in enumerate(ear.events) if isinstance(event, CaseFinished)]
    assert told < finished[1], "while there is still time to stop it"


@pytest.mark.parametrize(
    ("is_free", "source", "limits"),
    [
        (True, "live", Limits(max_cost_usd=1.0)),
        (False, "replayed", Limits(max_cost_usd=1.0)),
        (False, "live", Limits()),
    ],
)
async def test_unknown_costs_matter_only_where_something_is_spent_and_limited(
    is_free: bool, source: str, limits: Limits
) -> None:
    agent = FakeAgent(says("ok", source=source))
    agent.traits = AgentTraits(is_free=is_free)
    ear = await run([job(n) for n in range(3)], agent, limits=limits)
    assert (len(ear.results), ear.problems) == (3, [])


async def test_trials_left_over_by_the_budget_make_no_result() -> None:
    ear = await run(
        [job(n, trials=4) for n in range(3)], _costing(0.10), limits=Limits(max_cost_usd=0.55)
    )
    assert list(ear.results) == ["gs-0"]
    assert "2 cases were not run" in ear.problems[0]


async def test_rate_limit_spreads_the_requests() -> None:
    loop = asyncio.get_running_loop()
    starts: list[float] = []

    async def respond(_: AgentRequest) -> AgentResponse:
        starts.append(loop.time())
        return AgentResponse("ok")

    jobs = [job(n) for n in range(3)]
    ear_task = asyncio.create_task(
        run(jobs, FakeAgent(respond), concurrency=3, limits=Limits(max_requests_per_minute=2))
    )
    await asyncio.sleep(0.05)
    assert len(starts) == 2
    assert not ear_task.done()
    ear_task.cancel()
    await asyncio.gather(ear_task, return_exceptions=True)


async def test_a_last_refusal_with_a_long_retry_after_does_not_hold_the_run() -> None:
    async def respond(_: AgentRequest) -> AgentResponse:
        raise AgentError("no", throttled=True, retry_after_s=25.0)

    async with asyncio.timeout(5):
        ear = await run([job()], FakeAgent(respond))
    assert len(ear.results) == 1
