"""Only what may be sent again is, after the right wait, and the wait is nobody's latency."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.agents.http.agent import make
from evaltui.core.agent import AgentRequest
from evaltui.core.errors import AgentError
from evaltui.core.response import AgentResponse
from evaltui.core.result import CaseStatus
from evaltui.runner.retries import RetryPolicy
from tests.agents.servers import Asked, answer, serving
from tests.runner.fakes import FakeAgent, job, run, run_one


@given(retries=st.integers(0, 9), chance=st.floats(0, 1))
def test_back_off_grows_with_jitter_up_to_its_bound(retries: int, chance: float) -> None:
    policy = RetryPolicy(max_retries=10, first_delay_s=1, longest_delay_s=8, random=lambda: chance)
    delay = policy.delay_s(AgentError("x", retryable=True), retries)
    full = min(8, 2**retries)
    assert delay is not None and full / 2 <= delay <= full


@given(retries=st.integers(0, 5), now=st.floats(0, 1), then=st.floats(0, 1))
def test_each_wait_is_longer_than_the_last_one(retries: int, now: float, then: float) -> None:
    error = AgentError("x", retryable=True, max_retries=9)
    first = RetryPolicy(random=lambda: now).delay_s(error, retries)
    second = RetryPolicy(random=lambda: then).delay_s(error, retries + 1)
    assert first is not None and second is not None and second > first * 1.1


@given(asked=st.floats(0, 300), chance=st.floats(0, 1))
def test_never_before_retry_after(asked: float, chance: float) -> None:
    policy = RetryPolicy(random=lambda: chance)
    delay = policy.delay_s(AgentError("x", retryable=True, retry_after_s=asked), 0)
    assert delay is not None and asked <= delay <= asked * 1.1 + 0.05


def test_when_to_give_up() -> None:
    policy = RetryPolicy(max_retries=2)
    assert policy.delay_s(AgentError("x"), 0) is None
    assert policy.delay_s(AgentError("x", retryable=True), 2) is None
    assert policy.delay_s(AgentError("x", retryable=True, max_retries=3), 2) is not None
    assert policy.delay_s(AgentError("x", retryable=True, retry_after_s=301), 0) is None


def test_what_may_be_chance_is_sent_again_more_often_than_the_end_of_the_server() -> None:
    policy, broken = RetryPolicy(), AgentError("x", retryable=True)
    assert policy.delay_s(broken, 3) is not None
    assert policy.delay_s(broken, 4, 1.0) is None, "others broke off too"
    assert policy.delay_s(broken, 4, 1.0, 121.0) is None
    assert policy.delay_s(broken, 7, 1.0, 119.0) is not None
    assert policy.delay_s(broken, 8, 1.0, 1.0) is None
    told = AgentError("x", retryable=True, max_retries=1)
    assert policy.delay_s(told, 1, 1.0, 1.0) is None, "as often as the profile says"


@pytest.mark.parametrize("answers_others", [True, False])
async def test_a_case_is_given_up_later_while_others_are_answered(answers_others: bool) -> None:
    async def respond(request: AgentRequest) -> AgentResponse:
        if request.key.case != "gs-0" and answers_others:
            return AgentResponse("ok")
        raise AgentError("broke off", retryable=True)

    agent = FakeAgent(respond)
    quick = RetryPolicy(2, 5, first_delay_s=0.001, longest_delay_s=0.002)
    ear = await run([job(n) for n in range(2)], agent, retries=quick)
    asked = [request for request in agent.asked if request.key.case == "gs-0"]
    assert len(asked) == (6 if answers_others else 3)
    assert ear.results["gs-0"].status is CaseStatus.ERROR


async def test_a_retried_case_shows_its_retries_outside_the_latency() -> None:
    tries = 0

    async def respond(_: AgentRequest) -> AgentResponse:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise AgentError("busy", retryable=True)
        return AgentResponse("ok", duration_ms=1.0)

    result = await run_one(FakeAgent(respond))
    assert result.status is CaseStatus.PASSED
    assert result.response is not None and result.response.retries == 2
    assert result.duration_ms == 1.0
    assert result.queued_ms >= 2.0
    assert result.response.queued_ms == result.queued_ms


async def test_giving_up_says_after_how_many() -> None:
    async def respond(_: AgentRequest) -> AgentResponse:
        raise AgentError("busy", retryable=True, max_retries=1)

    agent = FakeAgent(respond)
    result = await run_one(agent)
    assert (result.status, result.error) == (CaseStatus.ERROR, "agent: busy (after 1 retry)")
    assert len(agent.asked) == 2


async def test_the_plain_http_agent_is_asked_once_unless_retries_are_set() -> None:
    async def busy(asked: Asked, writer: asyncio.StreamWriter) -> None:
        status = "503 Service Unavailable" if asked.number % 2 == 0 else "200 OK"
        writer.write(answer(status=status))

    async with serving(busy) as server:
        plain = make("http", {"url": server.url})
        result = await run_one(plain)
        assert (result.status, len(server.asked)) == (CaseStatus.ERROR, 1)
        await plain.close()
    async with serving(busy) as server:
        patient = make("http", {"url": server.url, "retries": 2})
        result = await run_one(patient)
        assert (result.status, len(server.asked)) == (CaseStatus.PASSED, 2)
        await patient.close()


async def test_a_waiting_case_holds_no_slot() -> None:
    order: list[str] = []

    async def respond(request: AgentRequest) -> AgentResponse:
        order.append(request.key.case)
        if len(order) == 1:
            raise AgentError("later", retryable=True, retry_after_s=0.02)
        await asyncio.sleep(0.005)
        return AgentResponse("ok")

    await run([job(n) for n in range(9)], FakeAgent(respond), concurrency=1)
    assert order[0] == "gs-0"
    assert order.index("gs-0", 1) not in {1, 9}
    assert len(order) == 10
