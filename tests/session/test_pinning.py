"""Which name is pinned under, what is pinned of it, and what others pinned meanwhile."""

from pathlib import Path

from evaltui.core.events import BaselinePinned, ProblemFound
from evaltui.disk.pins import PINS
from evaltui.session import Session
from tests.projects import make_project
from tests.session.test_session import AGENT, Ear, all_keys, opened


def compared(session: Session) -> list[bool]:
    rows = session.store.board(AGENT).rows.values()
    return [row.baseline is not None for row in rows]


def pinned(ear: Ear) -> list[tuple[str, str]]:
    """Name and message of each change of what is in force."""
    told = [event for event in ear.heard if isinstance(event, BaselinePinned)]
    return [(event.name, event.message) for event in told]


async def test_without_a_name_that_in_force_is_pinned_under(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        keys, baselines = all_keys(session), session.baselines
        await session.run(keys)
        await baselines.pin(keys[:1], AGENT)
        await baselines.use("mine", AGENT)
        assert baselines.name_in_force(AGENT) == "mine"
        assert compared(session) == [False, False, False]
        await baselines.pin(keys, AGENT)
        assert compared(session) == [True, True, True]
        await baselines.unpin(keys[:1], AGENT)
        assert compared(session) == [False, True, True]
        await baselines.use("default", AGENT)
        assert compared(session) == [True, False, False]
        await baselines.unpin(keys[:2], AGENT, "mine")
        assert compared(session) == [True, False, False]
        await baselines.use("mine", AGENT)
        assert compared(session) == [False, False, True]


async def test_only_cases_that_ran_can_be_pinned_and_only_those_that_were_chosen(
    tmp_path: Path,
) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        keys = all_keys(session)
        (first,) = await session.run(keys[:2])
        (second,) = await session.run(keys[:1])
        await session.baselines.pin((keys[0], keys[2]), AGENT)
        assert compared(session) == [True, False, False]
        (baseline,) = session.store.board(AGENT).baselines.values()
        assert (baseline.suite, baseline.run_id) == (keys[0].suite, second.run_id)
        assert first.run_id != second.run_id


async def test_what_others_pin_is_followed_once_it_is_wholly_written(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, ear):
        await session.run(all_keys(session))
        mine = session.baselines
        await mine.follow([AGENT])
        await mine.follow([AGENT])
        async with opened(tmp_path) as (beside, _):
            await beside.baselines.pin(all_keys(beside)[:1], AGENT)
        ear.heard.clear()
        await mine.follow([AGENT])
        assert pinned(ear) == [], "it may be written on"
        await mine.follow([AGENT])
        assert pinned(ear) == [("default", "Baseline default changed on disk")]
        assert compared(session) == [True, False, False]
        await mine.follow([AGENT])
        await mine.follow([AGENT])
        assert len(pinned(ear)) == 1


async def test_whoever_is_compared_with_a_run_follows_pins_again_once_one_is_chosen(
    tmp_path: Path,
) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        (run,) = await session.run(all_keys(session))
    async with opened(tmp_path, baseline_run_id=run.run_id) as (session, ear):
        for name, is_followed in (("", False), ("default", True)):
            if name:
                await session.baselines.use(name, AGENT)
            async with opened(tmp_path) as (beside, _):
                await beside.baselines.pin(all_keys(beside)[: 1 + is_followed], AGENT)
            ear.heard.clear()
            await session.baselines.follow([AGENT])
            await session.baselines.follow([AGENT])
            assert bool(pinned(ear)) is is_followed


async def test_what_is_wrong_with_a_file_is_said_once(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        await session.run(all_keys(session))
        await session.baselines.pin(all_keys(session), AGENT)
    for file in (tmp_path / "evals" / "baselines").rglob("*.json"):
        file.write_text("{")
    async with opened(tmp_path) as (session, ear):
        told = ear.all(ProblemFound)
        assert told
        await session.baselines.use("mine", AGENT)
        await session.baselines.use("default", AGENT)
        assert ear.all(ProblemFound) == told


async def test_each_broken_copy_is_told_of_once(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        await session.run(all_keys(session))
        await session.baselines.pin(all_keys(session), AGENT)
    folder = tmp_path / "evals" / "baselines"
    copies = [path for path in folder.rglob("*.json") if path.name != PINS]
    assert len(copies) == 2
    for path in copies:
        path.write_text("{")
    async with opened(tmp_path) as (session, ear):
        await session.baselines.use("mine", AGENT)
        await session.baselines.use("default", AGENT)
        told = [event.problem.file for event in ear.heard if isinstance(event, ProblemFound)]
        assert sorted(told) == sorted(map(str, copies))
        assert not any(compared(session))
