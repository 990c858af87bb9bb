"""Which name is pinned under, what is pinned of it, and what others pinned meanwhile."""

import asyncio
from pathlib import Path
from threading import Event

import pytest

from evaltui.core.baseline import Baseline
from evaltui.core.errors import UserError
from evaltui.core.events import BaselinePinned, ProblemFound
from evaltui.core.result import CaseStatus
from evaltui.disk.baselines.baselines import Baselines as Pins
from evaltui.disk.baselines.pins import PINS
from evaltui.expectations.call_diff import DiffTarget
from evaltui.session import Session
from tests.projects import make_project, with_description, write_tools
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
        (baseline,) = session.store.board(AGENT).standards.baselines.values()
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


async def test_a_point_in_time_is_pinned_as_it_was_then_and_taken_back(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        keys = all_keys(session)
        (first,) = await session.run(keys)
        write_tools(tmp_path, with_description("find_order", "Bakes bread."))
    async with opened(tmp_path) as (session, ear):
        (second,) = await session.run(keys)
        now, then = session.history.timeline(AGENT, tuple(session.store.mutes))
        assert (now.run_id, then.run_id) == (second.run_id, first.run_id)
        await session.baselines.pin_at(keys[:2], AGENT, then, "then")
        assert pinned(ear)[-1] == ("default", "Pinned 2 cases as `then`")
        assert session.undo.can_undo == "Pinned 2 cases as `then`"
        await session.baselines.use("then", AGENT)
        assert compared(session) == [True, True, False]
        (baseline,) = session.store.board(AGENT).standards.baselines.values()
        assert baseline.run_id == first.run_id
        assert [one.status for one in baseline.cases.values()] == [CaseStatus.PASSED] * 2
        assert any(row.regressed for row in session.store.board(AGENT).rows.values())
        session.undo.undo()
        assert compared(session) == [False, False, False]


async def test_a_point_whose_file_is_gone_cannot_be_pinned(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        keys = all_keys(session)
        await session.run(keys)
        for file in (tmp_path / "evals" / "results").iterdir():
            file.unlink()
        (point,) = session.history.timeline(AGENT, tuple(session.store.mutes))
        with pytest.raises(UserError):
            await session.baselines.pin_at(keys, AGENT, point, "then")
        assert session.baselines.named(AGENT) == ()


async def test_what_keys_ask_for_is_done_in_the_background_and_told_of(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, ear):
        keys = all_keys(session)
        await session.run(keys)
        ear.heard.clear()
        await session.baselines.pin(keys, AGENT, "mine")
        await ear.until(lambda: len(pinned(ear)) == 1)
        await session.baselines.use("mine", AGENT)
        await ear.until(lambda: len(pinned(ear)) == 2)
        assert compared(session) == [True, True, True]
        await session.baselines.unpin(keys[:1], AGENT, "mine")
        await ear.until(lambda: len(pinned(ear)) == 3)
        assert compared(session) == [False, True, True]
        assert pinned(ear) == [
            ("default", "Pinned 3 cases as `mine`"),
            ("mine", "Comparing with baseline mine"),
            ("mine", "Unpinned 1 case as `mine`"),
        ]


async def test_what_a_later_process_pins_has_its_calls_and_its_answer(tmp_path: Path) -> None:
    """As `evaltui baseline pin` after `evaltui run`."""
    async with opened(make_project(tmp_path)) as (session, _):
        keys = all_keys(session)
        await session.run(keys)
    async with opened(tmp_path) as (session, _):
        await session.baselines.pin(keys, AGENT)
        for key in keys:
            result = session.earlier(key, AGENT, DiffTarget.BASELINE)
            assert result is not None and result.response is not None
            called = [call.name for call in result.response.tool_calls]
            assert called == ["play_music" if "music" in key.suite else "find_order"]
            assert result.response.text


async def test_a_pin_is_told_once_however_long_telling_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others' pins are looked for meanwhile, and this one is on disk already."""
    async with opened(make_project(tmp_path)) as (session, ear):
        await session.run(all_keys(session))
        entered, told = Event(), Event()
        in_force = Pins.in_force

        def slow(pins: Pins, *names: str, **more: str) -> tuple[Baseline, ...]:
            if not entered.is_set():
                entered.set()
                assert told.wait(10)
            return in_force(pins, *names, **more)

        monkeypatch.setattr(Pins, "in_force", slow)
        ear.heard.clear()
        pinning = asyncio.create_task(session.baselines.pin(all_keys(session), AGENT))
        await asyncio.to_thread(entered.wait)
        await session.baselines.follow((AGENT,))  # a list that was just written is left for now
        following = asyncio.create_task(session.baselines.follow((AGENT,)))
        await asyncio.wait({following}, timeout=0.1)
        assert pinned(ear) == []
        told.set()
        await asyncio.gather(pinning, following)
        assert pinned(ear) == [("default", "Pinned 3 cases")]
