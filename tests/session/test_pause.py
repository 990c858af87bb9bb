"""Pausing: changes are followed and counted, nothing runs by itself until watching goes on."""

from pathlib import Path

from evaltui.core.events import RunStarted, WatchPaused, WatchResumed
from evaltui.core.watch_state import WatchState
from tests.projects import MUSIC, make_project, write_suite
from tests.session.test_session import MUSIC_TOO, opened, watched


async def test_paused_changes_are_counted_and_run_once_on_resume(tmp_path: Path) -> None:
    async with watched(make_project(tmp_path)) as (session, ear):
        session.watch_loop.pause()
        write_suite(tmp_path, "play_music", (MUSIC[0], MUSIC_TOO))
        await ear.until(lambda: session.watch_loop.pending == 1)
        assert session.state is WatchState.PAUSED
        assert not ear.started()
        session.watch_loop.resume()
        await ear.until(lambda: bool(ear.runs()))
        assert session.watch_loop.pending == 0
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
