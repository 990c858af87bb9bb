"""Pausing: changes are followed and counted, nothing runs by itself until watching goes on."""

from pathlib import Path

from evaltui.core.events import RunStarted, WatchPaused, WatchResumed
from evaltui.core.watch_state import WatchState
from tests.projects import MUSIC, ORDERS, make_project, write_suite
from tests.session.test_followed_headlines import FIND, PLAY
from tests.session.test_session import MUSIC_TOO, asking, opened, watched


async def test_paused_changes_are_counted_and_run_once_on_resume(tmp_path: Path) -> None:
    async with watched(make_project(tmp_path)) as (session, ear):
        session.watch_loop.pause()
        write_suite(tmp_path, "play_music", (MUSIC[0], MUSIC_TOO))
        await ear.until(lambda: session.watch_loop.pending(session.agents[0]) == 1)
        assert session.state is WatchState.PAUSED
        assert not ear.started()
        session.watch_loop.resume()
        await ear.until(lambda: bool(ear.runs()))
        assert session.watch_loop.pending(session.agents[0]) == 0
    told = [type(event) for event in ear.heard]
    assert told.index(WatchPaused) < told.index(WatchResumed) < told.index(RunStarted)
    assert len(ear.started()) == 1


async def test_only_watching_can_be_paused_and_only_what_is_paused_goes_on(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, ear):
        session.watch_loop.pause()
        session.watch_loop.resume()
        assert session.state is WatchState.OFF
    assert not ear.all(WatchPaused)
    assert not ear.all(WatchResumed)


async def test_each_agent_counts_its_own(tmp_path: Path) -> None:
    """As the header does: of a board of two cases no three wait."""
    (make_project(tmp_path) / "mine.py").write_text("def answer(message):\n    return message\n")
    settings = 'agent = ["embedded", "mine"]\n[agents.mine]\ntype = "python"\n'
    (tmp_path / "evaltui.toml").write_text(
        f'registry = "tools.json"\n{settings}function = "mine.py:answer"\nis_free = true\n'
    )
    async with watched(tmp_path) as (session, ear):
        mine, embedded = (session.store.board(agent) for agent in session.agents)
        await ear.until(lambda: not (mine.counts.all.not_run or embedded.counts.all.not_run))
        session.watch_loop.pause()
        write_suite(tmp_path, "play_music", (MUSIC[0], MUSIC_TOO))
        pending = session.watch_loop.pending
        await ear.until(lambda: [*map(pending, session.agents)] == [1, 1])
        assert pending("no such agent") == 0


async def test_what_a_key_ran_meanwhile_is_no_doing_of_the_next_save(tmp_path: Path) -> None:
    async with watched(make_project(tmp_path)) as (session, ear):
        (agent,) = session.agents
        session.watch_loop.pause()
        write_suite(tmp_path, "play_music", (MUSIC[0], MUSIC_TOO))
        await ear.until(lambda: session.watch_loop.pending(agent) == 1)
        session.requests.rerun(session.requests.due_keys(agent))
        await ear.until(lambda: bool(ear.runs()) and not session.is_running)
        write_suite(tmp_path, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        await ear.until(lambda: session.watch_loop.pending(agent) == 1)
        save = session.store.board(agent).headline.save
        assert save is not None and save.trigger == (FIND,)
        session.watch_loop.resume()
        await ear.until(lambda: len(ear.runs()) == 2)
    assert [run.trigger for run in ear.started()] == [(), (FIND,)]


async def test_what_a_key_left_counts_with_the_next_save(tmp_path: Path) -> None:
    more = tuple({**MUSIC[0], "id": f"gs-play-music-00{number}"} for number in (2, 3))
    async with watched(make_project(tmp_path)) as (session, ear):
        (agent,) = session.agents
        session.watch_loop.pause()
        write_suite(tmp_path, "play_music", (MUSIC[0], *more))
        await ear.until(lambda: session.watch_loop.pending(agent) == 2)
        session.requests.rerun(session.requests.due_keys(agent)[:1])
        await ear.until(lambda: bool(ear.runs()) and not session.is_running)
        write_suite(tmp_path, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        await ear.until(lambda: session.watch_loop.pending(agent) == 2)
        session.watch_loop.resume()
        await ear.until(lambda: len(ear.runs()) == 2)
    assert [run.trigger for run in ear.started()] == [(), (FIND, PLAY)]
