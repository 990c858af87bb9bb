"""A server that allows so many requests a minute, and says no word of it, loses no case."""

import asyncio
import random
from collections import deque
from collections.abc import Callable

import pytest

from evaltui.core.agent import AgentRequest
from evaltui.core.errors import AgentError
from evaltui.core.response import AgentResponse
from evaltui.runner.retries import RetryPolicy
from tests.runner.fakes import Ear, FakeAgent, job, run
from tests.runner.virtual_time import in_virtual_time


def bucket(a_minute: float, burst: int) -> Callable[[float], bool]:
    """Whether a request at that time is let through: tokens that drip."""
    tokens, looked_at = float(burst), 0.0

    def lets_through(now: float) -> bool:
        nonlocal tokens, looked_at
        tokens = min(float(burst), tokens + (now - looked_at) * a_minute / 60)
        looked_at = now
        if tokens < 1:
            return False
        tokens -= 1
        return True

    return lets_through


def sliding(a_minute: int) -> Callable[[float], bool]:
    """As many in any minute, all at once if need be."""
    past: deque[float] = deque()

    def lets_through(now: float) -> bool:
        while past and past[0] <= now - 60:
            past.popleft()
        if len(past) >= a_minute:
            return False
        past.append(now)
        return True

    return lets_through


async def asked(
    lets_through: Callable[[float], bool], cases: int, concurrency: int, takes_s: float = 0.4
) -> tuple[Ear, float, int]:
    """What is heard, how long it took, how often it was refused."""
    loop = asyncio.get_running_loop()
    refusals = 0

    async def respond(_: AgentRequest) -> AgentResponse:
        nonlocal refusals
        await asyncio.sleep(0.01)
        if not lets_through(loop.time()):
            refusals += 1
            raise AgentError("HTTP 429", retryable=True, throttled=True)
        await asyncio.sleep(takes_s)
        return AgentResponse("ok")

    chance = random.Random(7)
    policy = RetryPolicy(random=chance.random)
    jobs = [job(n) for n in range(cases)]
    ear = await run(
        jobs, FakeAgent(respond), concurrency=concurrency, retries=policy, timeout_s=900
    )
    return ear, loop.time(), refusals


@pytest.mark.parametrize("concurrency", [1, 4, 8, 20])
@pytest.mark.parametrize(
    ("server", "ideal_s"),
    [
        (lambda: bucket(12, 1), 40 * 5.0),
        (lambda: bucket(12, 12), 28 * 5.0),
        (lambda: bucket(120, 2), 40 * 0.5),
        (lambda: bucket(2, 1), 40 * 30.0),
        (lambda: sliding(12), 3 * 60.0),
    ],
)
def test_no_case_is_lost(
    server: Callable[[], Callable[[float], bool]], ideal_s: float, concurrency: int
) -> None:
    ear, took_s, refusals = in_virtual_time(asked(server(), 40, concurrency))
    assert [result.status for result in ear.results.values()] == ["passed"] * 40
    assert took_s < 2.5 * ideal_s + 60, "nor is the time"
    assert refusals < 40 * 8


def test_a_server_that_lets_nothing_through_is_given_up() -> None:
    ear, took_s, _ = in_virtual_time(asked(lambda _: False, 40, 8))
    assert {result.status for result in ear.results.values()} == {"error"}
    assert took_s < 400


def test_so_many_at_once_is_no_rate_and_is_not_slowed_down() -> None:
    out = 0

    async def respond(_: AgentRequest) -> AgentResponse:
        nonlocal out
        if out >= 20:
            raise AgentError("HTTP 429", retryable=True, throttled=True)
        out += 1
        try:
            await asyncio.sleep(0.1)
        finally:
            out -= 1
        return AgentResponse("ok")

    async def all_of_them() -> tuple[Ear, float]:
        ear = await run(
            [job(n) for n in range(1000)],
            FakeAgent(respond),
            concurrency=100,
            retries=RetryPolicy(random=random.Random(7).random),
        )
        return ear, asyncio.get_running_loop().time()

    ear, took_s = in_virtual_time(all_of_them())
    assert {result.status for result in ear.results.values()} == {"passed"}
    assert took_s < 1.6 * 1000 / 20 * 0.1


def test_a_long_pause_is_said_once_and_only_while_something_is_left() -> None:
    async def respond(_: AgentRequest) -> AgentResponse:
        raise AgentError("no", throttled=True, retry_after_s=1e20)

    alone = in_virtual_time(run([job()], FakeAgent(respond)))
    assert alone.problems == []
    several = in_virtual_time(run([job(n) for n in range(3)], FakeAgent(respond)))
    (said,) = several.problems
    assert "wants fewer requests: the next one is sent in 30 s" in said
    kinds = several.kinds()
    assert kinds.index("ProblemFound") < len(kinds) - 1 - kinds[::-1].index("CaseFinished")
