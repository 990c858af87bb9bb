"""A recorded answer that is given again is no trial, on neither side of a proof."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.core.result import CaseResult
from evaltui.core.statistics.trials import Trials
from evaltui.session import Session
from evaltui.store.row_status import RowMark
from tests.projects import case, write_suite
from tests.session.test_session import all_keys, opened
from tests.session.trials.test_further_trials import GOOD, edit, failing, pinned
from tests.simulated_agent import World, simulate, simulated_project

CASE = "gs-000"


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return simulate(monkeypatch)


def sides(session: Session) -> str:
    (row,) = session.store.board("mine").rows.values()
    assert row.proof is not None
    return str(row.proof.sides)


def result(session: Session) -> CaseResult:
    (row,) = session.store.board("mine").rows.values()
    assert row.result is not None
    return row.result


def forget(root: Path) -> None:
    for path in (root / ".evaltui").glob("history*"):
        path.unlink()


async def test_one_failure_that_is_read_again_and_again_proves_nothing(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path, 1)
    await pinned(root, world)
    edit(root)
    world.rate = failing(CASE)
    for number in range(4):
        async with opened(root, cassettes="auto") as (session, _):
            (run,) = await session.run(all_keys(session))
            assert (sides(session), run.proven) == ("20/20 → 0/1", ())
            assert result(session).was_counted is (number > 0)
    assert len(world.asked) == 1

    forget(root)  # the result files are counted again
    world.rate = lambda *_: 1.0
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
        assert sides(session) == "20/20 → 1/2"


async def test_nor_do_they_count_for_the_baseline(tmp_path: Path, world: World) -> None:
    root = simulated_project(tmp_path, 1)
    await pinned(root, world, Trials(0, 0))
    for _ in range(5):
        async with opened(root, cassettes="auto") as (session, _):
            await session.run(all_keys(session))
    edit(root)
    world.rate = failing(CASE)
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
        assert sides(session) == "1/1 → 0/1"


async def test_one_of_which_only_a_recording_is_there_is_settled_by_asking(
    tmp_path: Path, world: World
) -> None:
    """Somebody else recorded two attempts; the agent is asked beyond those."""
    root = simulated_project(tmp_path, 1)
    await pinned(root, world)
    edit(root)
    world.rate = failing(CASE)
    async with opened(root, cassettes="record", trials=2) as (session, _):
        await session.run(all_keys(session))
    forget(root)
    for path in (root / "evals" / "results").glob("*.json"):
        path.unlink()
    world.asked.clear()
    async with opened(root, cassettes="auto") as (session, _):
        (run,) = await session.run(all_keys(session), confirms=True)
        (row,) = session.store.board("mine").rows.values()
        assert (len(run.proven), row.against) == (1, RowMark.REGRESSED)
        assert sides(session) == f"20/20 → 0/{len(world.asked)}"
        told = [one.was_counted for one in result(session).attempts]
        assert told == [True, True] + [False] * len(world.asked)
    forget(root)
    async with opened(root) as (session, _):
        await session.evidence("mine").load()
        assert sides(session) == f"20/20 → 0/{len(world.asked)}", "by the result files too"


@pytest.mark.parametrize("is_of_earlier_version", [False, True])
async def test_nor_where_a_later_process_judges_it_again(
    tmp_path: Path, world: World, *, is_of_earlier_version: bool
) -> None:
    """Back and forth: with the checks it had at first it counts as little as with others."""
    root = simulated_project(tmp_path, 1)
    plain = [case(CASE, "find_order", "find_order")]
    del plain[0]["stubs"]
    strict = [{**plain[0], "expect": {**plain[0]["expect"], "toolsNotCalled": ["find_order"]}}]
    write_suite(root, "find_order", plain)
    async with opened(root, cassettes="auto") as (session, _):
        await session.run(all_keys(session))
    forget(root)
    shutil.rmtree(root / "evals" / "results")
    async with opened(root, cassettes="auto") as (session, _):
        keys = all_keys(session)
        await session.run(keys)
        await session.baselines.pin(keys, "mine", fresh=dict.fromkeys(keys, GOOD))
    if is_of_earlier_version:
        with closing(sqlite3.connect(root / ".evaltui" / "history.sqlite3")) as connection:
            connection.execute("UPDATE latest SET more=NULL")
            connection.commit()
    for cases in (strict, plain, strict):
        write_suite(root, "find_order", cases)
        async with opened(root) as (session, _):
            await session.run(all_keys(session), is_rejudging=True)
            await session.evidence("mine").load()
            assert result(session).was_counted
            assert sides(session) in ("20/20 → 0/0", "0/0 → 0/0")
            assert not session.store.problems.reported
    assert len(world.asked) == 1


async def test_a_replayed_answer_that_is_judged_again_counts_as_little(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path, 1)
    await pinned(root, world)
    edit(root)
    world.rate = failing(CASE)
    async with opened(root, cassettes="auto") as (session, _):
        for is_rejudging in (False, False, True):
            await session.run(all_keys(session), is_rejudging=is_rejudging)
            assert sides(session) == "20/20 → 0/1"
    async with opened(root) as (session, _):
        await session.evidence("mine").load()
        assert sides(session) == "20/20 → 0/1"


def test_where_nobody_is_asked_reports_say_that_nothing_was_weighed(
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = simulated_project(tmp_path, 2)
    monkeypatch.chdir(root)
    asyncio.run(pinned(root, world))
    edit(root)
    world.rate = failing(CASE)
    assert run_command(["run", "--cassettes", "record", "--fail-on", "never"]) == 0
    capsys.readouterr()
    reports = [f"--reporter={name}" for name in ("console", "markdown", "github", "junit")]
    assert run_command(["run", "--cassettes", "replay", "--fail-on", "proven", *reports]) == 1
    said = capsys.readouterr().out
    assert said.count("↓ REGRESSION") == 1
    assert said.count("a recorded answer, the same each time") == len(reports), "not of the other"
