"""Random histories against a server that keeps a bill: limits hold whatever happens.

A history is a session: runs of cases with trials and turns, of which some are superseded by a save
and some resumed; requests are refused, fail, break off or never end, and answers cost now and then
twenty times as much as others.
"""

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec import field
from msgspec.structs import replace

from evaltui.agents.metered import metered
from evaltui.agents.tool_loop import ToolLoop
from evaltui.core.asked import AgentTraits
from evaltui.core.config import AgentProfile, Config
from evaltui.core.errors import AgentError
from evaltui.core.model import Model, ModelReply, ModelRequest
from evaltui.core.response import ToolCall, Usage
from evaltui.runner.job import Job
from evaltui.runner.retries import RetryPolicy
from evaltui.runner.run import run_cases
from evaltui.session.judge_in_force import JudgeInForce
from evaltui.session.money import budgets
from evaltui.session.money.spending import Spending
from evaltui.session.project_state import ProjectState
from tests.runner.fakes import job
from tests.runner.virtual_time import in_virtual_time
from tests.session.bill import Bill, Noting, held_usd

HISTORIES = 200


class TimedBill(Bill):
    sent_at: list[float] = field(default_factory=list)


class Priced(Model):
    """Answers, or not, as chance will have it."""

    fingerprint = "0" * 12
    traits = AgentTraits()

    def __init__(
        self,
        name: str,
        chance: random.Random,
        bill: TimedBill,
        *,
        most: float,
        **how: bool,
    ) -> None:
        self.name, self._chance, self._bill = name, chance, bill
        self._most, self._how = most, how

    async def most_usd(self, request: ModelRequest) -> float | None:  # noqa: ARG002
        return self._most if self._how["tells"] else None

    async def complete(self, request: ModelRequest) -> ModelReply:  # noqa: ARG002
        chance, bill, held = self._chance, self._bill, held_usd()
        bill.sent_at.append(asyncio.get_running_loop().time())
        cost = self._most / 20 * chance.uniform(0.2, 1) * chance.choice((1,) * 9 + (20,))
        kind = chance.choices(("ok", "refused", "broken", "hang"), (14, 1, 1, 1))[0]
        if kind == "refused":
            raise AgentError("HTTP 429", retryable=True, throttled=True, is_unpaid=True)
        lost = cost if self._how["tells"] else min(cost, bill.dearest_usd)
        try:
            await asyncio.sleep(chance.uniform(0.1, 3) if kind != "hang" else 1e6)
        except asyncio.CancelledError:
            bill.add(lost, held, came=False)
            raise
        if kind == "broken":
            bill.add(lost, held, came=False)
            raise AgentError("the stream ended", retryable=True)
        bill.add(cost, held, came=True)
        calls = (ToolCall("look", {}),) if chance.random() < 0.5 else ()
        return ModelReply("done", calls, Usage(10, 10, cost))


def cases(chance: random.Random) -> list[Job]:
    trials = chance.choice((1, 1, 3))
    stubs = chance.choice(({"look": "seen"}, None))
    return [job(n, trials=trials, stubs=stubs) for n in range(chance.randint(5, 40))]


async def history(
    seed: int, config: Config, profiles: dict[str, AgentProfile], limit: float, **how: bool
) -> TimedBill:
    """The bill of all agents together."""
    chance, bill = random.Random(seed), TimedBill()
    events = SimpleNamespace(clock=lambda: 0.0)
    state = cast("ProjectState", SimpleNamespace(config=config, events=events))
    spending = Spending(state, JudgeInForce(state))
    spending.budgets.follow_settings(profiles)
    at_once = config.concurrency * len(profiles)
    most = limit / (chance.choice((4, 20, 80)) if how["tells"] else at_once)
    agents = []
    for name in profiles:
        meter = spending.budgets.meter(name, AgentTraits())
        model = Priced(name, chance, bill, most=most, **how)
        agents.append(metered(ToolLoop(model), meter))

    async def run_one(agent: Any, jobs: list[Job], stopped_after_s: float | None) -> None:
        work = run_cases(
            jobs, agent, lambda _: None, run_id="r", concurrency=config.concurrency,
            timeout_s=20.0, retries=RetryPolicy(random=chance.random),
            rate=spending.budgets.rate(agent.name),
        )  # fmt: skip
        task = asyncio.create_task(work)
        await asyncio.wait({task}, timeout=stopped_after_s)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    for _ in range(chance.randint(1, 5)):
        jobs = cases(chance)
        stop = chance.choice((None, chance.uniform(0, 30)))
        await asyncio.gather(*(run_one(agent, jobs, stop) for agent in agents))
        if stop is not None and chance.random() < 0.5:
            await asyncio.gather(
                *(run_one(agent, jobs[len(jobs) // 2 :], None) for agent in agents)
            )
    assert bill.sent_at, "a history without a request shows nothing"
    return bill


def histories(
    count: int,
    *,
    agents: int = 1,
    rate: float | None = None,
    is_own: bool = False,
    **how: bool,
) -> Iterator[tuple[float, TimedBill]]:
    """The limit of each, and its bill; `is_own`: of the agent's profile, not of the session."""
    for seed in range(count):
        chance = random.Random(-seed)
        config = Config(
            Path(),
            concurrency=chance.choice((1, 2, 4, 8, 16)),
            max_cost_usd=chance.uniform(0.05, 5.0),
            max_requests_per_minute=rate,
        )
        limit = config.max_cost_usd or 0.0
        if is_own:
            config = replace(config, max_cost_usd=chance.choice((None, 3 * limit)))
        profile = AgentProfile(max_cost_usd=limit if is_own else None)
        profiles = {f"a{number}": profile for number in range(agents)}
        yield limit, in_virtual_time(history(seed, config, profiles, limit, **how))


@pytest.fixture(autouse=True)
def noting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "Payer", Noting)


COUNTS = [5, pytest.param(HISTORIES, marks=pytest.mark.slow)]


LIMITS = [(1, False), (2, False), pytest.param(1, True, id="of the profile")]
"""How many agents, and whether the limit is one's own."""


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize(("agents", "is_own"), LIMITS)
def test_with_a_known_worst_case_the_limit_is_never_exceeded(
    count: int, agents: int, is_own: bool
) -> None:
    shares = []
    for limit, bill in histories(count, agents=agents, is_own=is_own, tells=True):
        assert bill.excess_usd == 0
        assert bill.usd <= limit + 1e-9
        shares.append(bill.usd / limit)
    assert count < HISTORIES or max(shares) > 0.7, "the limits were reached"


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize(("agents", "is_own"), LIMITS)
def test_without_one_it_is_exceeded_by_what_answers_cost_above_their_reservations(
    count: int, agents: int, is_own: bool
) -> None:
    shares = []
    for limit, bill in histories(count, agents=agents, is_own=is_own, tells=False):
        assert bill.usd <= limit + bill.excess_usd + 1e-9
        assert bill.usd <= 2 * limit + 1e-9, "no answer costs more than limit / concurrency"
        shares.append(bill.usd / limit)
    assert count < HISTORIES or max(shares) > 1, "the limits were reached"


@pytest.mark.parametrize("count", COUNTS)
def test_in_no_minute_more_requests_are_sent_than_allowed(count: int) -> None:
    for _, bill in histories(count, rate=30.0, tells=True):
        sent = bill.sent_at
        assert all(
            later - sooner >= 60 - 1e-6 for sooner, later in zip(sent, sent[30:], strict=False)
        )
