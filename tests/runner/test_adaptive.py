"""How many at once an endpoint takes is found quickly, kept, and tried again now and then."""

import asyncio
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.agent import AgentRequest
from evaltui.core.errors import AgentError
from evaltui.core.response import AgentResponse
from evaltui.runner.adaptive import AdaptiveLimit
from tests.runner.fakes import QUICK, FakeAgent, job, run


def test_a_burst_of_refusals_ends_where_the_endpoint_began_to_refuse() -> None:
    limit = AdaptiveLimit(64)
    for still in range(63, 19, -1):
        limit.refused(still, 0.0, 1.0)
    assert limit.limit == 20
    assert limit.resumes_at == 0


def test_the_refused_level_is_tried_again_after_a_hold_that_doubles() -> None:
    limit, now = AdaptiveLimit(64), 0.0
    tries: list[float] = []
    limit.refused(20, now, 0)
    while len(tries) < 4:
        now += 0.05
        if int(limit.limit) > 20:
            tries.append(now)
            limit.refused(20, now, 0)
        limit.answered(int(limit.limit), now)
    gaps = [later - sooner for sooner, later in pairwise(tries)]
    assert gaps[0] < gaps[1] < gaps[2]


def test_more_room_is_found_in_growing_steps() -> None:
    limit, now = AdaptiveLimit(500), 0.0
    limit.refused(5, now, 0)
    while limit.limit < 500 and now < 120:
        now += 0.05 / limit.limit  # so many at once, 50 ms each
        limit.answered(int(limit.limit), now)
    assert now < 60


def test_when_nothing_gets_through_everything_pauses() -> None:
    limit = AdaptiveLimit(4)
    for still in (3, 2, 1, 0):
        limit.refused(still, 10.0, 7.0)
    assert (limit.limit, limit.resumes_at) == (1.0, 17.0)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 40), st.floats(0, 3)), max_size=200))
def test_always_between_one_and_the_most(events: list[tuple[bool, int, float]]) -> None:
    limit, now = AdaptiveLimit(30), 0.0
    for is_refusal, in_flight, passed in events:
        now += passed
        if is_refusal:
            limit.refused(in_flight, now, 0.1)
        else:
            limit.answered(in_flight, now)
        assert 1 <= limit.limit <= 30


@pytest.mark.parametrize("retry_after", [None, 0.05])
async def test_against_an_endpoint_that_allows_five_at_once(retry_after: float | None) -> None:
    active = refused = 0

    async def respond(_: AgentRequest) -> AgentResponse:
        nonlocal active, refused
        await asyncio.sleep(0)
        if active >= 5:
            refused += 1
            raise AgentError("full", retryable=True, throttled=True, retry_after_s=retry_after)
        active += 1
        try:
            await asyncio.sleep(0.004)
        finally:
            active -= 1
        return AgentResponse("ok")

    ear = await run([job(n) for n in range(200)], FakeAgent(respond), concurrency=40, retries=QUICK)
    assert {result.status for result in ear.results.values()} == {"passed"}
    assert len(ear.results) == 200
    assert refused < 80
