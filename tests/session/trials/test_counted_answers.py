"""Each answer that somebody gave counts once, by whatever way it is heard of."""

import asyncio
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.core.agent import AgentRequest
from evaltui.core.events import CaseFinished, RunEnd, TrialFinished
from evaltui.core.response import AgentResponse
from evaltui.session import Session
from tests.projects import case, write_suite
from tests.session.test_session import all_keys, opened
from tests.session.test_two_dashboards import until, watching
from tests.session.trials.test_further_trials import edit, failing, pinned
from tests.session.trials.test_trials_of_renamed import edit_back
from tests.simulated_agent import Simulated, World, simulate, simulated_project

CASE = "gs-000"


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return simulate(monkeypatch)


async def sides(session: Session) -> str:
    await session.evidence("mine").load()
    session.evidence("mine").tell()
    row = next(iter(session.store.board("mine").rows.values()))
    assert row.proof is not None
    return str(row.proof.sides)


async def sides_now(root: Path) -> str:
    async with opened(root) as (session, _):
        return await sides(session)


def write_case(root: Path, **expected: object) -> None:
    """Without stubs, so that its kept answer can be judged again."""
    one = case(CASE, "find_order", "find_order", **expected)
    del one["stubs"]
    write_suite(root, "find_order", [one])


def forget(root: Path) -> None:
    for path in (root / ".evaltui").glob("history.sqlite3*"):
        path.unlink()


async def test_a_history_made_anew_counts_an_answer_that_was_judged_again_once(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path, 1)
    write_case(root)
    await pinned(root, world)
    edit(root)
    world.rate = failing(CASE)
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
    for number in range(4):
        write_case(root, **({} if number % 2 else {"responseContains": ["gone"]}))
        async with opened(root) as (session, _):
            (run,) = await session.run(all_keys(session), is_rejudging=True)
            assert [one.was_judged_again for suite in run.suites for one in suite.cases] == [True]
            assert await sides(session) == "20/20 → 0/1"
    forget(root)
    assert await sides_now(root) == "20/20 → 0/1"
    assert len(world.asked) == 1


async def test_what_was_seen_of_a_run_that_was_on_when_somebody_pinned_counts_for_nothing(
    tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = simulated_project(tmp_path, 2, "concurrency = 2")
    gate, respond = asyncio.Event(), Simulated.respond

    async def held(self: Simulated, request: AgentRequest) -> AgentResponse:
        if request.key.case != CASE:
            await gate.wait()
        return await respond(self, request)

    monkeypatch.setattr(Simulated, "respond", held)
    async with opened(root) as (session, ear):
        keys = all_keys(session)
        run = asyncio.create_task(session.run(keys, trials=6))
        await ear.until(lambda: bool(ear.all(CaseFinished)))
        await session.baselines.pin(keys[:1], "mine")
        gate.set()
        await run
        await session.run(keys, trials=3)
        assert await sides(session) == "3/3 → 0/0", "what came after the pin"
    assert await sides_now(root) == "3/3 → 0/0"
    edit(root)
    world.rate = failing(CASE)
    async with opened(root) as (session, _):
        (finished,) = await session.run(keys, trials=8)
        assert (await sides(session), finished.proven) == ("3/3 → 0/8", (keys[0],))


async def test_beside_another_process_what_it_tried_before_is_known_once_its_run_is_over(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path, 1)
    await pinned(root, world)
    edit(root)
    world.rate = failing(CASE)
    async with opened(root) as (session, _):
        keys = all_keys(session)
        await session.run(keys, trials=4)
    edit_back(root)
    world.rate = failing()
    async with opened(root) as (session, _):
        await session.run(keys)
    async with watching(root) as (beside, _):
        beside.watch_loop.pause()
        assert await sides(beside) == "21/21 → 0/0"
        edit(root)
        world.rate = failing(CASE)
        async with opened(root) as (session, _):
            await session.run(keys)
            assert await sides(session) == "21/21 → 0/5"
        await until(lambda: beside.store.board("mine").rows[keys[0]].is_proven)
        assert await sides(beside) == "21/21 → 0/5"


async def test_attempts_of_a_run_that_was_stopped_count_once_though_another_goes_on_with_them(
    tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = simulated_project(tmp_path, 1, "concurrency = 1")
    await pinned(root, world)
    edit(root)
    world.rate = failing(CASE)
    respond = Simulated.respond

    async def held(self: Simulated, request: AgentRequest) -> AgentResponse:
        if len(world.asked) > 4:
            await asyncio.Event().wait()
        return await respond(self, request)

    async with opened(root) as (session, ear):
        keys = all_keys(session)
        await session.run(keys)
        monkeypatch.setattr(Simulated, "respond", held)
        run = asyncio.create_task(session.run(keys, trials=8))
        await ear.until(lambda: len(ear.all(TrialFinished)) == 4)
        session.requests.cancel()
        (finished,) = await run
        assert (finished.end, finished.proven) == (RunEnd.CANCELLED, keys)
        assert await sides(session) == "20/20 → 0/5"
    assert await sides_now(root) == "20/20 → 0/5"
    monkeypatch.setattr(Simulated, "respond", respond)
    monkeypatch.chdir(root)
    assert await asyncio.to_thread(run_command, ["run", "--resume"]) == 1
    assert await sides_now(root) == "20/20 → 0/9"
    assert len(world.asked) == 9
