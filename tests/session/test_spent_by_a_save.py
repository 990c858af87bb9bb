"""What a save has run by itself stays below `confirm_above`, whatever its answers cost."""

import asyncio
from pathlib import Path

import pytest

from evaltui.core.budget import Budget
from evaltui.core.events import ProblemFound, SpendingChanged
from evaltui.core.response import AgentResponse, Usage
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.session.money.allowance import Allowance
from tests.projects import write_tools
from tests.runner.fakes import job
from tests.session.test_session import Ear, all_keys, opened
from tests.session.trials.test_audit import project, tools, watching
from tests.simulated_agent import World, simulate

SETTINGS = "audit = 10\naudit_idle = true"
EACH_USD = 0.004
"""23 cases at that price are $0.092: below the $0.10 of `confirm_above`."""


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return simulate(monkeypatch)


def one_at_once(root: Path) -> Path:
    project(root, SETTINGS, EACH_USD)
    path = root / "evaltui.toml"
    path.write_text(f"concurrency = 1\n{path.read_text()}")
    return root


def held(ear: Ear) -> int:
    told = [one.held for one in ear.heard if isinstance(one, SpendingChanged)]
    return told[-1] if told else 0


@pytest.mark.parametrize("times", [2, 10], ids=["some of those drawn ran", "none of them did"])
async def test_answers_that_turn_out_dearer_end_it(
    tmp_path: Path, world: World, times: int
) -> None:
    async with watching(one_at_once(tmp_path), world) as (session, ear):
        world.cost_usd = lambda usd: usd * times
        write_tools(tmp_path, tools("Waves at somebody."))
        await ear.until(lambda: held(ear) > 0)
        assert len(world.asked) * EACH_USD * times <= 0.1
        assert ear.runs()[0].audited is None, "those that ran are no fair sample"
        assert held(ear) == 13 - len(world.asked)
        (problem,) = [one.problem for one in ear.heard if isinstance(one, ProblemFound)]
        assert f": {held(ear)} case" in problem.what
        asked = len(world.asked)
        session.requests.rerun(all_keys(session)[-1:], reason="somebody wants it")
        await ear.until(lambda: len(ear.runs()) == 2)
        assert len(world.asked) == asked + 1, "and nothing more of the save"
        board = session.store.board("mine")
        told_usd = board.counts.all.ran * EACH_USD * times
        assert board.spent_usd == pytest.approx(told_usd), "of those that the headline tells of"


async def test_answers_that_tell_no_cost_end_it_where_none_did_before(
    tmp_path: Path, world: World
) -> None:
    async with watching(one_at_once(tmp_path), world):
        pass
    world.asked.clear()
    world.cost_usd = lambda _: None
    async with opened(tmp_path) as (session, ear):
        watch = asyncio.create_task(session.watch())
        await asyncio.sleep(0)
        write_tools(tmp_path, tools("Waves at somebody."))
        await ear.until(lambda: held(ear) > 0)
        assert len(world.asked) == 1
        await session.close()
        await watch


def test_what_is_under_way_and_what_never_came_count_too() -> None:
    budget, jobs = Budget(), [job(number) for number in range(3)]
    allowance = Allowance(budget, 0.1, 0.04, [one.case.key for one in jobs])
    assert [allowance.may_begin(one) for one in jobs] == [True, True, False]
    assert [*allowance.held.values()] == jobs[2:]
    response = AgentResponse("", usage=Usage(1, 1, 0.01))
    answered = CaseResult(jobs[0].case.key, "r", "a", CaseStatus.PASSED, response=response)
    budget.spent_usd += 0.01
    allowance.ended(answered)
    assert allowance.may_go_on, "the mean is 0.025 now, and one is under way"
    budget.lose(3, "a")
    assert not allowance.may_go_on


def test_what_costs_nothing_always_begins() -> None:
    allowance = Allowance(Budget(), 0.0, 0.04, ())
    assert allowance.may_begin(job())
