"""Random histories of saves while watching: what each has run, or judged again, by itself keeps to
`confirm_above`, and all of them together to `max_cost_usd`, though prices change from save to save.

The server keeps the bill, and knows what had been told when a case was begun.
"""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from msgspec import Struct, field

from evaltui.agents import AGENTS, AgentType
from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.asked import AgentTraits
from evaltui.core.case import RubricCase
from evaltui.core.errors import AgentError
from evaltui.core.json_value import Json
from evaltui.core.response import AgentResponse, Execution, ToolCall, Usage
from evaltui.session import Session
from evaltui.session.money import budgets
from tests.projects import case, write_suite, write_tools
from tests.session.bill import Bill, Noting, held_usd
from tests.session.test_session import Ear, all_keys, opened

pytestmark = pytest.mark.slow

HISTORIES, SAVES, TOOLS = 6, 4, 3
JUDGED = '{"score": 1, "rationale": "fine"}'


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
        try:
            for _ in range(chance.randint(0, 9)):
                await asyncio.sleep(0)
        except asyncio.CancelledError:
            self.charge(min(cost, self.bill.dearest_usd), held, came=False)
            raise
        kind = chance.choices(("ok", "refused", "broken"), (28, 1, 1))[0]
        if kind == "refused":
            raise AgentError("HTTP 429", is_unpaid=True)
        came = kind == "ok"
        cost = cost if came else min(cost, self.bill.dearest_usd)
        self.charge(cost, held, came=came)
        if not came:
            raise AgentError("the stream ended")
        save.told_usd += cost
        calls = (ToolCall(request.message, {}),) if chance.random() < 0.9 else ()
        usage = Usage(1, 1, cost)
        return AgentResponse(JUDGED, calls, execution=Execution.ROUTING, usage=usage)

    def charge(self, cost_usd: float, held_usd: float, *, came: bool) -> None:
        self.save.usd += cost_usd
        self.bill.add(cost_usd, held_usd, came=came)


class Priced(Agent):
    fingerprint = "0" * 12

    def __init__(self, name: str, server: Server, *, is_billed: bool) -> None:
        self.name, self._server, self._is_billed = name, server, is_billed
        self.traits = AgentTraits(is_free=not is_billed)

    async def respond(self, request: AgentRequest) -> AgentResponse:
        if not self._is_billed:
            return AgentResponse("done", execution=Execution.ROUTING)
        return await self._server.answer(request)


def tools(numbers: Mapping[int, int]) -> list[dict[str, object]]:
    """Each with the number of its edits in its description."""
    return [
        {"name": f"tool_{n}", "description": f"Does {n}, {times}.", "parameters": {}}
        for n, times in numbers.items()
    ]


def write_rubric(root: Path, n: int, count: int, times: int) -> None:
    """The number of its edits stands in its criteria."""
    criteria = {"dimension": "kind", "maxScore": 1, "criteria": f"1: kind, {times}. 0: else."}
    cases = [
        {"id": f"gs-{n}-{k:02}", "input": {"message": f"tool_{n}"}, "rubric": [criteria]}
        for k in range(count)
    ]
    document = {"metadata": {"toolName": f"tool_{n}"}, "cases": cases}
    (root / "evals").mkdir(exist_ok=True)
    (root / f"evals/tool_{n}.rubric.json").write_text(json.dumps(document))


def read_of(session: Session) -> list[str]:
    """What was last read of all that a history edits, in file order."""
    project = session.project
    criteria = [
        one.criteria
        for suite in project.suites
        for case in suite.cases
        if isinstance(case.body, RubricCase)
        for one in case.body.dimensions
    ]
    return [*(str(tool.description) for tool in project.registry), *criteria]


async def over(session: Session, ear: Ear, before: list[str], times: int) -> None:
    """After so many places were read that differ from `before`, and what they had run."""

    def is_read() -> bool:
        now = read_of(session)
        return sum(a != b for a, b in zip(before, now, strict=True)) == times

    await ear.until(is_read)
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
    is_judged: bool
    """Its agent is free, and a judge is paid; edited is what that is asked."""
    cases: list[int]
    """Of each tool."""
    saves: list[Save] = field(default_factory=list)


def chosen(chance: Random, *, is_judged: bool) -> tuple[History, Server]:
    concurrency, trials = chance.choice((1, 2, 4)), chance.choice((1, 1, 2))
    trials = 1 if is_judged else trials  # of several no answer is judged again
    most = chance.uniform(0.05, 1.0)
    cases = [chance.randint(1, 15) for _ in range(TOOLS)]
    whole = most * chance.choice((3, 20))
    made = History(concurrency, trials, most, whole, Bill(), is_judged, cases)
    dearest = most / concurrency / trials
    return made, Server(chance, dearest, most / chance.choice((10, 30, 90)), made.bill)


def write_project(root: Path, of: History, chance: Random) -> None:
    root.mkdir()
    write_tools(root, tools(dict.fromkeys(range(TOOLS), 0)))
    for n, count in enumerate(of.cases):
        if of.is_judged:
            write_rubric(root, n, count, 0)
            continue
        cases = [case(f"gs-{n}-{k:02}", f"tool_{n}", f"tool_{n}") for k in range(count)]
        write_suite(root, f"tool_{n}", cases)
    audit = f"audit = {chance.choice((0, 5))}\naudit_idle = {chance.choice(('true', 'false'))}"
    judge = 'is_billed = false\n[judge]\ntype = "priced"\n' if of.is_judged else ""
    (root / "evaltui.toml").write_text(
        f'agent = "mine"\nconcurrency = {of.concurrency}\ntrials = {of.trials}\n'
        f"confirm_above = {of.confirm_above!r}\nmax_cost_usd = {of.max_cost_usd!r}\n"
        f"[watch]\ndebounce_ms = 0\n[regressions]\n{audit}\n"
        f'[agents.mine]\ntype = "priced"\n{judge}'
    )


def save(root: Path, of: History, edits: dict[int, int], saved: list[int]) -> int:
    """Write these once more; returns in how many places they differ now."""
    for n in saved:
        edits[n] += 1
        if of.is_judged:
            write_rubric(root, n, of.cases[n], edits[n])
    if not of.is_judged:
        write_tools(root, tools(edits))
    return sum(of.cases[n] for n in saved) if of.is_judged else len(saved)


async def history(
    root: Path, seed: int, monkeypatch: pytest.MonkeyPatch, *, is_judged: bool = False
) -> History:
    chance = Random(seed)
    made, server = chosen(chance, is_judged=is_judged)
    write_project(root, made, chance)

    def make(name: str, options: Mapping[str, Json], **_: object) -> Agent:
        return Priced(name, server, is_billed=options.get("is_billed", True) is True)

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
            before = read_of(session)
            saved = chance.sample(range(TOOLS), chance.randint(1, TOOLS))
            await over(session, ear, before, save(root, made, edits, saved))
        await session.close()
        await watch
    return made


@pytest.fixture(autouse=True)
def priced(monkeypatch: pytest.MonkeyPatch) -> None:
    there = AgentType(f"{__name__}:make", "tests.session.billed_run:BilledProfile")
    monkeypatch.setitem(AGENTS, "priced", there)
    monkeypatch.setattr(budgets, "Payer", Noting)


@pytest.mark.parametrize("is_judged", [False, True], ids=["of the agent", "of the judge"])
async def test_each_save_keeps_to_what_it_may_spend_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_judged: bool
) -> None:
    shares = []
    for seed in range(HISTORIES):
        one = await history(tmp_path / str(seed), seed, monkeypatch, is_judged=is_judged)
        assert one.bill.usd <= one.max_cost_usd + one.bill.excess_usd + 1e-9
        for save in one.saves:
            most = one.confirm_above
            assert save.told_at_begin_usd < most, "no case begins when all is spent"
            assert save.usd <= 2 * most + 1e-9, "no case costs more than it / concurrency"
            shares.append(save.usd / most)
    assert max(shares) > 0.9, "it was reached"
