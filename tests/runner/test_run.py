"""So many at once, every job once, nothing partial, whatever the agent does."""

import asyncio
import contextlib
import random
import time
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.agents.http.agent import make
from evaltui.core.agent import AgentRequest
from evaltui.core.errors import AgentError
from evaltui.core.events import CaseFinished, CaseStarted, Event
from evaltui.core.response import AgentResponse
from evaltui.core.result import CaseStatus
from evaltui.runner.job import Job
from evaltui.runner.run import run_cases
from tests.agents.servers import Asked, answer, serving
from tests.runner.fakes import QUICK, Ear, FakeAgent, job, run, says


@given(
    count=st.integers(0, 40),
    concurrency=st.integers(1, 12),
    faults=st.lists(st.sampled_from(["ok", "429", "500", "broken", "bug", "none"]), max_size=40),
    trials=st.integers(1, 3),
)
def test_every_job_finishes_exactly_once(
    count: int, concurrency: int, faults: list[str], trials: int
) -> None:
    to_come = iter(faults)

    async def respond(_: AgentRequest) -> AgentResponse | None:
        await asyncio.sleep(0)
        match next(to_come, "ok"):
            case "429":
                raise AgentError("no", retryable=True, throttled=True)
            case "500":
                raise AgentError("no", retryable=True)
            case "broken":
                raise AgentError("no")
            case "bug":
                raise KeyError("x")
            case "none":
                return None
        return AgentResponse("ok")

    agent = FakeAgent(respond)
    ear = asyncio.run(
        run([job(n, trials=trials) for n in range(count)], agent, concurrency=concurrency)
    )
    assert len(ear.results) == count
    assert agent.most_in_flight <= concurrency
    assert agent.in_flight == 0
    started = [event for event in ear.events if isinstance(event, CaseStarted)]
    assert len(started) == count * trials


async def test_exactly_c_in_flight_and_jobs_pulled_only_as_needed() -> None:
    pulled = 0

    def jobs() -> Iterator[Job]:
        nonlocal pulled
        for number in range(100):
            pulled += 1
            yield job(number)

    gate = asyncio.Event()

    async def wait(_: AgentRequest) -> AgentResponse:
        await gate.wait()
        return AgentResponse("ok")

    agent = FakeAgent(wait)
    ear = Ear()
    task = asyncio.create_task(run_cases(jobs(), agent, ear, run_id="r", concurrency=7))
    for _ in range(20):
        await asyncio.sleep(0)
    assert agent.in_flight == 7
    assert pulled <= 8
    gate.set()
    await task
    assert len(ear.results) == 100
    assert agent.most_in_flight == 7


@given(st.integers(0, 10_000))
def test_cancelled_at_any_moment_nothing_is_partial(seed: int) -> None:
    chance = random.Random(seed)

    async def respond(_: AgentRequest) -> AgentResponse:
        for _step in range(chance.randrange(4)):
            await asyncio.sleep(0)
        if chance.random() < 0.2:
            raise AgentError("busy", retryable=True, throttled=True)
        return AgentResponse("ok")

    async def cancelled() -> tuple[FakeAgent, Ear]:
        agent, ear = FakeAgent(respond), Ear()
        jobs = (job(n, trials=chance.randrange(1, 3)) for n in range(30))
        task = asyncio.create_task(
            run_cases(jobs, agent, ear, run_id="r", concurrency=5, retries=QUICK)
        )
        for _ in range(chance.randrange(60)):
            await asyncio.sleep(0)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        heard = len(ear.events)
        await asyncio.sleep(0.005)
        assert len(ear.events) == heard, "an event after the end"
        return agent, ear

    agent, ear = asyncio.run(cancelled())
    assert agent.in_flight == 0
    for result in ear.results.values():
        told = result.error.removeprefix("1 of 1 attempts passed; ")
        assert result.status is CaseStatus.PASSED or told.startswith("agent: busy")


async def test_cancel_drops_requests_on_the_wire() -> None:
    arrived = asyncio.Event()

    async def hang(asked: Asked, _: asyncio.StreamWriter) -> None:
        if asked.number == 2:
            arrived.set()
        await asyncio.sleep(3600)

    ear = Ear()
    async with serving(hang) as server:
        agent = make("http", {"url": server.url})
        task = asyncio.create_task(
            run_cases([job(n) for n in range(9)], agent, ear, run_id="r", concurrency=3)
        )
        await arrived.wait()
        before = asyncio.get_running_loop().time()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert asyncio.get_running_loop().time() - before < 0.5
        await agent.close()
    assert len(server.asked) == 3
    assert ear.results == {}


async def test_misbehaving_servers_cost_one_case_each() -> None:
    """One endpoint, a different sin for each message; the cases between them pass."""
    flood = b"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n"

    async def behave(asked: Asked, writer: asyncio.StreamWriter) -> bool | None:
        match int(asked.json["message"].split()[1]):
            case 1:
                await asyncio.sleep(3600)
            case 2:
                writer.write(answer()[:-10])
                return False
            case 3:
                writer.write(answer("<html>", kind="text/html"))
            case 4:
                writer.write(answer("oops", status="500 Internal Server Error"))
            case 5:
                writer.write(answer('{"response":'))
            case 6:
                writer.write(flood + b"x" * 100_000)
            case 7:
                writer.write(answer({"response": 1, "toolCalls": []}))
            case 8:
                writer.transport.abort()
                return False
            case _:
                writer.write(answer())
        return None

    async with serving(behave) as server:
        agent = make("http", {"url": server.url})
        jobs = [job(n) for n in range(12)]
        ear = await run(jobs, agent, concurrency=2, timeout_s=0.3)
        await agent.close()
    assert len(ear.results) == 12
    status = {number: ear.results[f"gs-{number}"].status for number in range(12)}
    assert status[1] is CaseStatus.FAILED
    assert ear.results["gs-1"].error.startswith("timeout")
    assert ear.results["gs-1"].duration_ms >= 299
    for number in range(2, 9):
        assert status[number] is CaseStatus.ERROR, number
        assert ear.results[f"gs-{number}"].error.startswith("agent: ")
    for number in (0, 9, 10, 11):
        assert status[number] is CaseStatus.PASSED


@pytest.mark.slow
async def test_memory_stays_flat_while_jobs_stream_through() -> None:
    agent = FakeAgent(says("ok"))
    agent.asked = _Forgetful()

    def forget(_: Event) -> None: ...

    async def peak(count: int) -> int:
        tracemalloc.start()
        await run_cases((job(n) for n in range(count)), agent, forget, run_id="r", concurrency=8)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    await peak(2_500)  # fills the free lists of the interpreter
    assert await peak(2_000) < await peak(200) + 200_000


class _Forgetful(list[AgentRequest]):
    def append(self, item: AgentRequest) -> None: ...


async def test_a_listener_that_raises_ends_the_run_with_its_own_error() -> None:
    def bad(event: Event) -> None:
        if isinstance(event, CaseFinished):
            raise ZeroDivisionError

    agent = FakeAgent()
    with pytest.raises(ZeroDivisionError):
        await run_cases([job(n) for n in range(9)], agent, bad, run_id="r", concurrency=3)
    assert agent.in_flight == 0


async def test_no_jobs_no_events() -> None:
    assert (await run([], FakeAgent(), concurrency=4)).events == []


async def test_an_agent_that_never_waits_leaves_the_others_their_turn() -> None:
    async def respond(_: AgentRequest) -> AgentResponse:
        until = time.perf_counter() + 0.002
        while time.perf_counter() < until:
            pass
        return AgentResponse("ok")

    turns = 0

    async def tick() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    ticking = asyncio.create_task(tick())
    ear = await run([job(n) for n in range(100)], FakeAgent(respond))
    ticking.cancel()
    assert len(ear.results) == 100
    assert turns >= 10  # 200 ms in steps of 8 ms and a case


async def test_answers_in_hand_are_told_though_the_run_is_cancelled_in_that_turn() -> None:
    async def respond(_: AgentRequest) -> AgentResponse:
        if len(agent.asked) == 3:
            running.cancel()
            await asyncio.sleep(10)
        return AgentResponse("ok")

    agent = FakeAgent(respond)
    ear = Ear()
    jobs = [job(number) for number in range(5)]
    running = asyncio.ensure_future(run_cases(jobs, agent, ear, run_id="r", concurrency=1))
    with contextlib.suppress(asyncio.CancelledError):
        await running
    assert list(ear.results) == [each.case.key.case for each in jobs[:2]]


async def test_a_last_refusal_with_a_long_retry_after_does_not_hold_the_run() -> None:
    async def respond(_: AgentRequest) -> AgentResponse:
        raise AgentError("no", throttled=True, retry_after_s=25.0)

    async with asyncio.timeout(5):
        ear = await run([job()], FakeAgent(respond))
    assert len(ear.results) == 1
