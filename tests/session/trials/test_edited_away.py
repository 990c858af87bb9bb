"""How many cases an edit can affect does not fall because somebody edits cases away afterwards."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.events import EvidenceWeighed
from evaltui.core.proof import Standing
from evaltui.core.statistics.trials import Trials
from evaltui.session import Session
from tests.projects import case, write_suite
from tests.session.test_session import all_keys, opened
from tests.session.trials.test_further_trials import edit, failing, pinned
from tests.simulated_agent import World, simulate, simulated_project

CASES = 12
FALLEN = "gs-000", "gs-001"
LEFT = 4
"""Of so few cases two that failed twice would be proven to be worse; of `CASES` they are not."""
WRITTEN = [case(f"gs-{n:03}", "find_order", "find_order") for n in range(CASES)]


def deleted(root: Path) -> None:
    write_suite(root, "find_order", WRITTEN[:LEFT])


def emptied(root: Path) -> None:
    nothing = [{**one, "expect": {}} for one in WRITTEN[LEFT:]]
    write_suite(root, "find_order", [*WRITTEN[:LEFT], *nothing])


def renamed(root: Path) -> None:
    others = [{**one, "id": f"new-{one['id']}"} for one in WRITTEN[LEFT:]]
    write_suite(root, "find_order", [*WRITTEN[:LEFT], *others])


def moved(root: Path) -> None:
    deleted(root)
    write_suite(root, "more", WRITTEN[LEFT:], "find_order")


def left_out(root: Path) -> None:
    moved(root)
    (root / "evals" / "more.golden.json").rename(root / "more.golden.json")


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return simulate(monkeypatch)


def listed(session: Session) -> tuple[int, set[str]]:
    """How many the edit can affect, and which cases are proven to be worse."""
    evidence = session.evidence("mine")
    worse = (key for key, one in evidence.proofs.items() if one.standing is Standing.REGRESSED)
    return evidence.level.affected, {key.case for key in worse}


async def fallen(root: Path, world: World) -> None:
    """Twelve pinned cases, of which two failed twice after an edit."""
    simulated_project(root, CASES)
    await pinned(root, world, Trials(20, 0))
    edit(root)
    world.rate = failing(*FALLEN)
    async with opened(root) as (session, _):
        keys = all_keys(session)
        await session.run(keys)
        await session.run([key for key in keys if key.case in FALLEN])
        assert listed(session) == (CASES, set())


@pytest.mark.parametrize("away", [deleted, emptied, renamed, moved, left_out])
async def test_cases_that_are_edited_away_after_the_trials_make_nothing_proven(
    tmp_path: Path, world: World, away: Callable[[Path], None]
) -> None:
    await fallen(tmp_path, world)
    away(tmp_path)
    named = "evals/find_order.golden.json"
    for evals in ({}, {"evals": (named,)}):
        async with opened(tmp_path, **evals) as (session, _):
            await session.evidence("mine").load()
            assert listed(session) == (CASES, set()), "by what is pinned, whatever is named"
            keys = [key for key in all_keys(session) if key.suite == named]
            run = (await session.run(keys[LEFT - 1 :]))[0]
            assert (listed(session), run.proven) == ((CASES, set()), ())
            board = session.store.board("mine")
            assert board.affected == CASES


async def test_cases_that_are_edited_away_while_it_is_watched_count_on(
    tmp_path: Path, world: World
) -> None:
    await fallen(tmp_path, world)
    async with opened(tmp_path) as (session, ear):
        await session.evidence("mine").load()
        watching = asyncio.create_task(session.watch())
        await asyncio.sleep(0)
        ear.heard.clear()
        deleted(tmp_path)
        await ear.until(lambda: bool(ear.all(EvidenceWeighed)))
        assert len(session.evidence("mine").proofs) == LEFT
        assert listed(session) == (CASES, set())
        await session.close()
        await watching


async def test_pins_of_deleted_cases_count_until_they_are_unpinned(
    tmp_path: Path, world: World
) -> None:
    await fallen(tmp_path, world)
    deleted(tmp_path)
    gone = {CaseKey("evals/find_order.golden.json", one["id"]) for one in WRITTEN[LEFT:]}
    async with opened(tmp_path) as (session, _):
        evidence = session.evidence("mine")
        await evidence.load()
        assert listed(session) == (CASES, set())
        session.baselines.find_left_behind(session.project)
        assert session.baselines.gone("mine") == gone
        await session.baselines.unpin(gone, "mine")
        await evidence._tell_pins()
        assert listed(session) == (LEFT, {*FALLEN})
        assert session.baselines.gone("mine") == set()
