"""What was due of an agent that costs money at the opening waits for a person, not for a save."""

from pathlib import Path

from evaltui.core.watch_state import WatchState
from evaltui.session import Session
from tests.projects import MUSIC, ORDERS, with_description, write_suite, write_tools
from tests.session.test_paid_agents import (
    BOTH,
    PAID,
    finished,
    held,
    project,
    runs_by_itself,
    watching,
)
from tests.session.test_session import Ear, all_keys, asking, opened

FIRST, SECOND = (str(case["id"]) for case in ORDERS)
SONG = str(MUSIC[0]["id"])
OTHER_SONG = {**MUSIC[0], "input": {"message": "Play another song"}}


async def with_one_due(root: Path, **of_agent: bool) -> Path:
    """All ran, and one case was changed while no dashboard was open."""
    project(root, **of_agent)
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
    write_suite(root, "find_order", (asking("Show order SO-9"), ORDERS[1]))
    return root


def due(session: Session) -> list[str]:
    return [key.case for key in session.requests.due_keys(PAID, possibly=False)]


async def test_pausing_and_resuming_asks_nothing(tmp_path: Path) -> None:
    async with watching(await with_one_due(tmp_path), has_run=False) as (session, ear):
        assert held(session) == 1
        session.watch_loop.pause()
        assert session.watch_loop.pending(session.agents[0]) == 0, "nothing that resuming would run"
        session.watch_loop.resume()
        assert held(session) == 1
        assert due(session) == [FIRST]
        assert await runs_by_itself(session, ear) == []


async def test_a_free_agent_is_asked_by_then(tmp_path: Path) -> None:
    root = await with_one_due(tmp_path, is_free=True)
    async with watching(root, has_run=False) as (session, ear):
        await ear.until(lambda: bool(ear.runs()))
        assert (finished(ear), due(session)) == ([FIRST], [])


async def asked_after_saving_a_song(session: Session, ear: Ear, root: Path) -> list[str]:
    write_suite(root, "play_music", (OTHER_SONG,))
    await ear.until(lambda: SONG in due(session))
    if session.state is WatchState.PAUSED:
        assert session.watch_loop.pending(session.agents[0]) == 1
        session.watch_loop.resume()
    await ear.until(lambda: bool(ear.runs()))
    return finished(ear)


async def test_a_save_of_another_case_asks_that_one_only(tmp_path: Path) -> None:
    root = await with_one_due(tmp_path)
    async with watching(root, has_run=False) as (session, ear):
        assert await asked_after_saving_a_song(session, ear, root) == [SONG]
        assert (due(session), held(session)) == ([FIRST], 1)


async def test_what_was_saved_while_paused_is_asked_and_nothing_else(tmp_path: Path) -> None:
    root = await with_one_due(tmp_path)
    async with watching(root, has_run=False) as (session, ear):
        session.watch_loop.pause()
        assert await asked_after_saving_a_song(session, ear, root) == [SONG]
        assert (due(session), held(session)) == ([FIRST], 1)


async def test_a_save_that_may_affect_it_is_no_reason(tmp_path: Path) -> None:
    root = await with_one_due(tmp_path)
    async with watching(root, has_run=False) as (session, ear):
        write_tools(root, with_description("play_music", "Plays any song."))
        await ear.until(lambda: bool(ear.runs()))
        assert {*finished(ear)} == {SONG, "gs-find-order-002"}, "the latter was not due, and failed"
        assert due(session) == [FIRST]


async def test_a_save_that_changes_the_case_itself_asks_it(tmp_path: Path) -> None:
    root = await with_one_due(tmp_path)
    async with watching(root, has_run=False) as (session, ear):
        write_suite(root, "find_order", (asking("Show order SO-7"), ORDERS[1]))
        await ear.until(lambda: bool(ear.runs()))
        assert (finished(ear), due(session), held(session)) == ([FIRST], [], 0)


async def test_settings_that_change_no_answer_ask_nothing(tmp_path: Path) -> None:
    root = await with_one_due(tmp_path)
    async with watching(root, has_run=False) as (session, ear):
        settings = root / "evaltui.toml"
        settings.write_text(settings.read_text() + "max_cost_usd = 5\n")
        await ear.until(lambda: session.config.agents[0].max_cost_usd == 5)
        assert await asked_after_saving_a_song(session, ear, root) == [SONG]
        assert due(session) == [FIRST]


async def test_an_agent_that_a_save_changes_is_asked_everything(tmp_path: Path) -> None:
    root = await with_one_due(tmp_path)
    async with watching(root, has_run=False) as (_, ear):
        mine = root / "mine.py"
        mine.write_text(mine.read_text().replace("done", "finished"))
        await ear.until(lambda: bool(ear.runs()))
        assert sorted(finished(ear)) == sorted((FIRST, SECOND, SONG))


async def test_once_it_was_asked_by_hand_a_save_asks_it_as_any_other(tmp_path: Path) -> None:
    root = await with_one_due(tmp_path)
    async with watching(root, has_run=False) as (session, ear):
        (key,) = session.requests.due_keys(PAID)
        session.requests.rerun((key,))
        await ear.until(lambda: bool(ear.runs()))
        ear.heard.clear()
        write_suite(root, "find_order", (ORDERS[0], BOTH))
        await ear.until(lambda: bool(ear.runs()))
        assert finished(ear) == [FIRST, SECOND]


async def test_what_is_taken_back_waits_for_nobody_any_more(tmp_path: Path) -> None:
    async with watching(await with_one_due(tmp_path), has_run=False) as (session, ear):
        assert (due(session), held(session)) == ([FIRST], 1)
        write_suite(tmp_path, "find_order", ORDERS)
        await ear.until(lambda: not due(session) and held(session) == 0)
        assert await runs_by_itself(session, ear) == []
