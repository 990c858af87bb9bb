"""Every request is counted before it is sent, and no time limit runs while it waits for that."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from evaltui.agents.metered import Meter, metered
from evaltui.agents.tool_loop import ToolLoop
from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.asked import AgentTraits
from evaltui.core.budget import Budget
from evaltui.core.errors import AgentError
from evaltui.core.model import Model, ModelReply, ModelRequest
from evaltui.core.payer import Payer
from evaltui.core.rate_window import RateWindow
from evaltui.core.response import AgentResponse, ToolCall, Usage
from tests.runner.fakes import FakeAgent, job, run, run_one

PAID = AgentTraits()


def paying(limit_usd: float | None = 1.0) -> tuple[Budget, Meter]:
    budget = Budget(limit_usd)
    return budget, Meter(Payer("fake", budget))


def costing(usd: float | None) -> FakeAgent:
    async def respond(_: AgentRequest) -> AgentResponse:
        await asyncio.sleep(0.001)
        return AgentResponse("ok", usage=Usage(1, 1, usd))

    return FakeAgent(respond)


class Turns(Model):
    """Calls a tool `turns - 1` times and then says what it was told; each turn costs `usd`."""

    name = "turns"
    fingerprint = "0" * 12
    traits = PAID

    def __init__(
        self,
        turns: int,
        usd: float = 0.1,
        before: Callable[[int], Awaitable[None]] | None = None,
        worst_usd: float | None = None,
    ) -> None:
        self.turns, self.usd, self.before, self.worst_usd = turns, usd, before, worst_usd
        self.asked: list[float] = []

    async def most_usd(self, request: ModelRequest) -> float | None:  # noqa: ARG002
        return self.worst_usd

    async def complete(self, request: ModelRequest) -> ModelReply:
        self.asked.append(asyncio.get_running_loop().time())
        if self.before is not None:
            await self.before(request.turn)
        calls = (ToolCall("look", {}),) if request.turn + 1 < self.turns else ()
        return ModelReply("done", calls, Usage(1, 1, self.usd))


def loop_of(model: Model, meter: Meter) -> Agent:
    return metered(ToolLoop(model), meter)


STUBBED = {"look": "seen"}


async def test_the_run_stops_when_the_money_is_spent_and_says_so() -> None:
    agent, (_, meter) = costing(0.10), paying()
    ear = await run([job(n) for n in range(50)], metered(agent, meter), concurrency=8)
    assert len(ear.results) == len(agent.asked) == 10
    assert ear.problems == ["`max_cost_usd` of $1 is spent ($1): 40 cases were not run"]


async def test_a_budget_holds_from_one_run_to_the_next() -> None:
    agent, (_, meter) = costing(0.10), paying()
    for _ in range(3):
        await run([job(n) for n in range(4)], metered(agent, meter), concurrency=2)
    assert len(agent.asked) == 10


@pytest.mark.parametrize("usd", [0.10, 0.0])
async def test_money_that_suffices_is_no_problem(usd: float) -> None:
    ear = await run([job(n) for n in range(5)], metered(costing(usd), paying()[1]))
    assert (len(ear.results), ear.problems) == (5, [])


async def test_an_unknown_price_stops_after_the_one_request_that_was_to_tell_it() -> None:
    agent, (_, meter) = costing(None), paying()
    ear = await run([job(n) for n in range(20)], metered(agent, meter), concurrency=4)
    assert len(ear.results) == len(agent.asked) == 1
    assert ear.problems == [
        "`max_cost_usd` is set, and what `fake` costs is not known: 19 cases were not run"
    ]


async def test_an_unknown_price_without_a_limit_stops_nothing() -> None:
    ear = await run([job(n) for n in range(3)], metered(costing(None), paying(None)[1]))
    assert (len(ear.results), ear.problems) == (3, [])


async def test_trials_left_over_make_no_result() -> None:
    jobs = [job(n, trials=4) for n in range(3)]
    ear = await run(jobs, metered(costing(0.10), paying(0.55)[1]))
    assert list(ear.results) == ["gs-0"]
    assert "2 cases were not run" in ear.problems[0]


async def test_turns_of_attempts_that_fail_or_time_out_are_counted() -> None:
    async def fail(turn: int) -> None:
        if turn == 2:
            raise AgentError("HTTP 500")

    async def hang(turn: int) -> None:
        if turn == 2:
            await asyncio.sleep(60)

    for last in (fail, hang):
        budget, meter = paying(1.0)
        model = Turns(4, 0.1, last)
        jobs = [job(n, stubs=STUBBED) for n in range(20)]
        await run(jobs, loop_of(model, meter), concurrency=2, timeout_s=0.03)
        assert len(model.asked) == 10, "0.1 each, those too that brought no answer"
        assert budget.spent_usd == pytest.approx(1.0)


async def test_a_retried_request_is_paid_each_time_and_a_refused_one_never() -> None:
    for unpaid, spent in ((False, 0.4), (True, 0.2)):
        budget, meter = paying()
        tries = 0

        async def now_and_then(_: int, unpaid: bool = unpaid) -> None:
            nonlocal tries
            tries += 1
            if tries in (2, 3):
                raise AgentError("no", retryable=True, is_unpaid=unpaid)

        await run([job(n) for n in range(2)], loop_of(Turns(1, 0.1, now_and_then), meter))
        assert budget.spent_usd == pytest.approx(spent)


async def test_the_worst_case_is_never_exceeded_whatever_else_happens() -> None:
    budget, meter = paying(0.35)
    model = Turns(3, 0.1, worst_usd=0.1)
    await run([job(n, stubs=STUBBED) for n in range(9)], loop_of(model, meter), concurrency=9)
    assert budget.spent_usd == pytest.approx(0.3)


async def test_requests_a_minute_count_every_turn_before_it_is_sent() -> None:
    model, meter = Turns(5, 0.0), Meter(rate=RateWindow(7))
    jobs = [job(n, stubs=STUBBED) for n in range(3)]
    task = asyncio.create_task(run(jobs, loop_of(model, meter), concurrency=3))
    await asyncio.sleep(0.05)
    assert len(model.asked) == 7
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_no_time_limit_runs_while_a_turn_waits_to_be_sent() -> None:
    # A window of a minute, told to be 0.12 s here: 2 requests in each.
    window = RateWindow(2)
    seen = window.wait_s

    class Quick(RateWindow):
        def wait_s(self, now: float) -> float:
            return seen(now * 500) / 500

        def count(self, now: float) -> None:
            window.count(now * 500)

    model, meter = Turns(3, 0.0), Meter(rate=Quick(2))
    result = await run_one(loop_of(model, meter), job(stubs=STUBBED), timeout_s=0.05)
    assert len(model.asked) == 3
    assert model.asked[2] - model.asked[0] > 0.11, "the third waited for longer than the limit"
    assert result.status == "passed"
    assert result.queued_ms > 50, "which is no time of the agent's"
    assert result.duration_ms < 50


async def test_what_free_agents_answer_is_not_counted() -> None:
    agent = costing(0.10)
    ear = await run([job(n) for n in range(50)], metered(agent, Meter()))
    assert len(ear.results) == 50


@pytest.mark.parametrize(("usd", "spent", "answered"), [(None, 0.0, 50), (0.10, 1.0, 10)])
async def test_one_taken_for_free_is_held_to_the_limit_by_the_costs_that_it_tells(
    usd: float | None, spent: float, answered: int
) -> None:
    budget = Budget(1.0)
    meter = Meter(Payer("fake", budget, is_free=True))
    agent = costing(usd)
    ear = await run([job(n) for n in range(50)], metered(agent, meter), concurrency=5)
    assert budget.spent_usd == pytest.approx(spent)
    assert sum(result.status == "passed" for result in ear.results.values()) == answered
