"""What is proven does not depend on which files of the project somebody named."""

import asyncio
import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.events import ProjectChecked
from evaltui.core.former_prints import FormerPrints
from evaltui.core.proof import Standing
from evaltui.core.statistics.trials import Trials
from evaltui.core.watch_state import WatchState
from evaltui.disk.history.history_file import HistoryError
from evaltui.disk.history.history_trials import Of, Runs
from evaltui.disk.history.known_trials import KnownTrials
from evaltui.project import Project, read_project
from evaltui.session.trials.cases_beside import CasesBeside
from tests.projects import ORDERS, case, make_project, write_suite
from tests.session.test_session import MUSIC_TOO, all_keys, opened
from tests.session.trials.test_further_trials import edit, failing, pinned
from tests.session.trials.test_trials_of_renamed import edit_back
from tests.simulated_agent import World, simulate, simulated_project

CASES = 20
REGRESSED = Standing.REGRESSED


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return simulate(monkeypatch)


async def fallen_project(root: Path, world: World) -> Path:
    """Two files of twenty cases; after an edit one case of the first failed three times."""
    simulated_project(root, CASES)
    others = [case(f"ot-{n:03}", "find_order", "find_order") for n in range(CASES)]
    write_suite(root, "other_orders", others)
    await pinned(root, world, Trials(20, 0))
    edit(root)
    world.rate = failing("gs-002")
    async with opened(root) as (session, _):
        for _ in range(3):
            await session.run(all_keys(session))
    return next((root / "evals").glob("find_order*"))


async def test_the_bar_counts_the_cases_of_files_that_were_not_named(
    tmp_path: Path, world: World
) -> None:
    named = await fallen_project(tmp_path, world)
    found = []
    for evals in ({}, {"evals": (str(named.relative_to(tmp_path)),)}):
        async with opened(tmp_path, **evals) as (session, _):
            evidence = session.evidence("mine")
            await evidence.load()
            (row,) = [one for one in session.store.board("mine").rows.values() if one.moved]
            found.append((evidence.level.affected, row.proof, len(session.store.suites)))
    assert found == [(2 * CASES, found[0][1], 2), (2 * CASES, found[0][1], 1)]
    assert found[0][1] is not None
    assert found[0][1].further == 1


async def test_trials_that_could_not_be_read_once_are_read_before_the_next_run(
    tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = await fallen_project(tmp_path, world)
    world.rate = lambda _, request: float(not request.key.case.startswith("ot-"))
    async with opened(tmp_path) as (session, _):
        await session.run(all_keys(session)[CASES:], trials=12)
        there = {key: row.proof for key, row in session.store.board("mine").rows.items()}
        assert {key for key, proof in there.items() if proof and proof.standing is REGRESSED} == {
            *all_keys(session)[CASES:],
            all_keys(session)[2],
        }
    async with opened(tmp_path, evals=(str(named.relative_to(tmp_path)),)) as (session, _):
        evidence = session.evidence("mine")
        own, others = KnownTrials.of, []

        def trials(
            known: KnownTrials, agent: str, wanted: Iterable[Of], former: FormerPrints, on: Runs
        ) -> Mapping[Of, Trials]:
            asked = [*wanted]
            if any(key.case.startswith("ot-") for key, _ in asked):
                others.append(asked)
                if len(others) == 1:  # those of the pins are read behind them
                    raise HistoryError("locked")
            return own(known, agent, asked, former, on)

        monkeypatch.setattr(KnownTrials, "of", trials)
        with pytest.raises(HistoryError):
            await evidence.load()
        await evidence.load()
        for key, row in session.store.board("mine").rows.items():
            assert row.proof == there[key], "those of the other file fell too"


async def test_the_files_beside_are_read_once_for_each_reading_of_the_project(
    tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = await fallen_project(tmp_path, world)
    read: list[Project] = []

    def noted(*asked: Any) -> Project:
        read.append(read_project(*asked))
        return read[-1]

    monkeypatch.setattr("evaltui.session.trials.cases_beside.read_project", noted)
    async with opened(tmp_path, evals=(str(named.relative_to(tmp_path)),)) as (session, ear):
        for _ in range(3):
            await session.run(all_keys(session)[:1])
        assert len(read) == 1
        watching = asyncio.create_task(session.watch())
        await asyncio.sleep(0)
        edit(tmp_path, 2)
        ear.heard.clear()
        await ear.until(lambda: bool(ear.runs()))
        await session.close()
        await watching
    assert len(read) == 2


async def test_an_edit_affects_the_cases_beside_too_before_the_first_trial(
    tmp_path: Path, world: World
) -> None:
    simulated_project(tmp_path, CASES)
    others = [case(f"ot-{n:03}", "find_order", "find_order") for n in range(CASES)]
    write_suite(tmp_path, "other_orders", others)
    await pinned(tmp_path, world)
    async with opened(tmp_path, evals=("evals/find_order.golden.json",)) as (session, ear):
        evidence = session.evidence("mine")
        await session.run(all_keys(session)[:1])
        assert evidence.level.affected == 0
        ear.heard.clear()
        watching = asyncio.create_task(session.watch())
        await asyncio.sleep(0)
        edit(tmp_path)
        await ear.until(lambda: bool(ear.runs()))
        assert evidence.level.affected == 2 * CASES
        await session.close()
        await watching


async def test_a_file_alone_is_told_as_on_the_board_also_by_what_fell_elsewhere(
    tmp_path: Path, world: World
) -> None:
    """Where several fall, each takes less: those of the other file count for that too."""
    named = await fallen_project(tmp_path, world)
    world.rate = lambda _, request: float(not request.key.case.startswith("ot-"))
    async with opened(tmp_path) as (session, _):
        for _ in range(3):
            await session.run(all_keys(session))
        known = session.store.board("mine").rows
        there = {key: row.proof for key, row in known.items()}
    async with opened(tmp_path, evals=(str(named.relative_to(tmp_path)),)) as (session, _):
        await session.evidence("mine").load()
        for key, row in session.store.board("mine").rows.items():
            assert row.proof == there[key]


async def test_they_are_those_of_now_and_none_where_no_file_was_named(tmp_path: Path) -> None:
    make_project(tmp_path)
    order, song = "evals/find_order.golden.json", "evals/play_music.golden.json"
    async with opened(tmp_path, evals=(order,)) as (session, _):
        (queue,) = session._queues.by_name.values()
        beside = CasesBeside(queue.agent, queue.board, queue._state)
        beside.follow()
        assert {key.suite for key in beside.rows} == {song}
        assert not beside.are_counted
        beside.are_counted = True
        beside.follow()
        assert beside.are_counted, "nothing was read again since"
        write_suite(tmp_path, "play_music", [MUSIC_TOO])
        write_suite(tmp_path, "find_order", ORDERS[:1])
        await queue._state.reread_project([tmp_path / order])
        beside.follow()
        assert [key.case for key in beside.rows] == [MUSIC_TOO["id"]]
    async with opened(tmp_path) as (session, _):
        (queue,) = session._queues.by_name.values()
        beside = CasesBeside(queue.agent, queue.board, queue._state)
        beside.follow()
        assert (beside.rows, beside.are_counted) == ({}, True)


@pytest.mark.parametrize("is_named", [False, True])
async def test_a_fresh_copy_counts_what_never_ran_there_by_its_inputs(
    tmp_path: Path, world: World, is_named: bool
) -> None:
    """An edit since the pin can affect what would run with other inputs than the pinned ones."""
    named = (await fallen_project(tmp_path, world)).relative_to(tmp_path)
    for folder in ".evaltui", "evals/results":
        shutil.rmtree(tmp_path / folder)
    evals = {"evals": (str(named),)} if is_named else {}
    edit_back(tmp_path)
    written = json.loads((tmp_path / named).read_text())
    written["cases"][2]["expect"]["maxToolCalls"] = 5
    (tmp_path / named).write_text(json.dumps(written))
    async with opened(tmp_path, **evals) as (session, _):
        evidence = session.evidence("mine")
        await evidence.load()
        assert evidence.level.affected == 1
        await session.run(all_keys(session))
        assert evidence.level.affected == 1


async def test_a_save_can_affect_what_never_ran(tmp_path: Path, world: World) -> None:
    path = simulated_project(tmp_path, CASES) / "evaltui.toml"
    type_ = 'type = "simulated"'
    path.write_text(path.read_text().replace(type_, f"{type_}\ncost_usd = 1.0"))
    await pinned(tmp_path, world, Trials(20, 0))
    for folder in ".evaltui", "evals/results":
        shutil.rmtree(tmp_path / folder)
    async with opened(tmp_path) as (session, ear):
        evidence = session.evidence("mine")
        await evidence.load()
        watching = asyncio.create_task(session.watch())
        await ear.until(lambda: session.watch_loop.state is WatchState.WATCHING)
        session.watch_loop.pause()
        await ear.until(lambda: bool(ear.all(ProjectChecked)))
        assert evidence.level.affected == 0
        edit(tmp_path)
        await ear.until(lambda: evidence.level.affected == CASES)
        assert not world.asked
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
