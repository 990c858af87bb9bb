"""Random histories of saves while watching: what each has run by itself keeps to `confirm_above`,
and all of them together to `max_cost_usd`, though prices change from save to save.

The server keeps the bill, and knows what had been told when a case was begun.
"""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from msgspec import Struct, field

from evaltui.agents import AGENTS, AgentType
from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.asked import AgentTraits
from evaltui.core.errors import AgentError
from evaltui.core.response import AgentResponse, Execution, ToolCall, Usage
from evaltui.session import Session
from evaltui.session.money import budgets
from tests.projects import case, write_suite, write_tools
from tests.session.bill import Bill, Noting, held_usd
from tests.session.test_session import Ear, all_keys, opened

pytestmark = pytest.mark.slow

HISTORIES, SAVES, TOOLS = 6, 4, 3


class Save(Struct):
    """What one save ran up."""

    usd: float = 0.0
    told_usd: float = 0.0
    """Of the answers that came."""
    told_at_begin_usd: float = 0.0
    """The most that had been told when a case began."""
    begun: int = 0


class Server(Struct):
    chance: Random
    most_usd: float
    """No answer costs more."""
    each_usd: float
    """About what one costs now."""
    bill: Bill = field(default_factory=Bill)
    save: Save = field(default_factory=Save)

    async def answer(self, request: AgentRequest) -> AgentResponse:
        chance, save, held = self.chance, self.save, held_usd()
        if request.trial == 0:
            save.begun += 1
            save.told_at_begin_usd = max(save.told_at_begin_usd, save.told_usd)
        cost = min(self.most_usd, self.each_usd * chance.uniform(0.5, 1.5))
        for _ in range(chance.randint(0, 9)):
            await asyncio.sleep(0)
        kind = chance.choices(("ok", "refused", "broken"), (28, 1, 1))[0]
        if kind == "refused":
            raise AgentError("HTTP 429", is_unpaid=True)
        came = kind == "ok"
        cost = cost if came else min(cost, self.bill.dearest_usd)
        save.usd += cost
        self.bill.add(cost, held, came=came)
        if not came:
            raise AgentError("the stream ended")
        save.told_usd += cost
        calls = (ToolCall(request.message, {}),) if chance.random() < 0.9 else ()
        return AgentResponse("", calls, execution=Execution.ROUTING, usage=Usage(1, 1, cost))


class Priced(Agent):
    fingerprint = "0" * 12
    traits = AgentTraits()

    def __init__(self, name: str, server: Server) -> None:
        self.name, self._server = name, server

    async def respond(self, request: AgentRequest) -> AgentResponse:
        return await self._server.answer(request)


def tools(numbers: Mapping[int, int]) -> list[dict[str, object]]:
    """Each with the number of its edits in its description."""
    return [
        {"name": f"tool_{n}", "description": f"Does {n}, {times}.", "parameters": {}}
        for n, times in numbers.items()
    ]


async def over(session: Session, ear: Ear, texts: set[str]) -> None:
    """After these descriptions were read, and what they had run."""
    await ear.until(lambda: {tool.description for tool in session.project.registry} == texts)
    loop = session.watch_loop
    async with asyncio.timeout(20):
        # That a save is over is not told.
        while loop._reading.locked() or loop._timer is not None or session.is_running:  # noqa: ASYNC110
            await asyncio.sleep(0.001)


class History(Struct):
    """What the settings of one say, its whole bill, and each save's part of it."""

    concurrency: int
    trials: int
    confirm_above: float
    max_cost_usd: float
    bill: Bill
    saves: list[Save] = field(default_factory=list)


def chosen(chance: Random) -> tuple[History, Server]:
    concurrency, trials = chance.choice((1, 2, 4)), chance.choice((1, 1, 2))
    most = chance.uniform(0.05, 1.0)
    made = History(concurrency, trials, most, most * chance.choice((3, 20)), Bill())
    dearest = most / concurrency / trials
    return made, Server(chance, dearest, most / chance.choice((10, 30, 90)), made.bill)


def write_project(root: Path, of: History, chance: Random) -> None:
    root.mkdir()
    write_tools(root, tools(dict.fromkeys(range(TOOLS), 0)))
    for n in range(TOOLS):
        count = chance.randint(1, 15)
        cases = [case(f"gs-{n}-{k:02}", f"tool_{n}", f"tool_{n}") for k in range(count)]
        write_suite(root, f"tool_{n}", cases)
    audit = f"audit = {chance.choice((0, 5))}\naudit_idle = {chance.choice(('true', 'false'))}"
    (root / "evaltui.toml").write_text(
        f'agent = "mine"\nconcurrency = {of.concurrency}\ntrials = {of.trials}\n'
        f"confirm_above = {of.confirm_above!r}\nmax_cost_usd = {of.max_cost_usd!r}\n"
        f"[watch]\ndebounce_ms = 0\n[regressions]\n{audit}\n"
        '[agents.mine]\ntype = "priced"\n'
    )


async def history(root: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> History:
    chance = Random(seed)
    made, server = chosen(chance)
    write_project(root, made, chance)

    def make(name: str, *_: object, **__: object) -> Agent:
        return Priced(name, server)

    monkeypatch.setattr(f"{__name__}.make", make, raising=False)
    edits, usual = dict.fromkeys(range(TOOLS), 0), server.each_usd
    async with opened(root) as (session, ear):
        await session.run(all_keys(session))
        watch = asyncio.create_task(session.watch())
        await asyncio.sleep(0)
        for _ in range(SAVES):
            server.save = Save()
            made.saves.append(server.save)
            server.each_usd = usual * chance.choice((0.2, 1, 1, 5, 30))
            for n in chance.sample(range(TOOLS), chance.randint(1, TOOLS)):
                edits[n] += 1
            saved = tools(edits)
            write_tools(root, saved)
            await over(session, ear, {str(tool["description"]) for tool in saved})
        await session.close()
        await watch
    return made


@pytest.fixture(autouse=True)
def priced(monkeypatch: pytest.MonkeyPatch) -> None:
    there = AgentType(f"{__name__}:make", "tests.session.billed_run:BilledProfile")
    monkeypatch.setitem(AGENTS, "priced", there)
    monkeypatch.setattr(budgets, "Payer", Noting)


async def test_each_save_keeps_to_what_it_may_spend_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares = []
    for seed in range(HISTORIES):
        one = await history(tmp_path / str(seed), seed, monkeypatch)
        assert one.bill.usd <= one.max_cost_usd + one.bill.excess_usd + 1e-9
        for save in one.saves:
            most = one.confirm_above
            assert save.told_at_begin_usd < most, "no case begins when all is spent"
            assert save.usd <= 2 * most + 1e-9, "no case costs more than it / concurrency"
            shares.append(save.usd / most)
    assert max(shares) > 0.9, "it was reached"
