"""Pausing: changes are followed and counted, nothing runs by itself until watching goes on."""

import asyncio
from pathlib import Path

import pytest

from evaltui.core.events import RunStarted, WatchPaused, WatchResumed
from evaltui.core.watch_state import WatchState
from evaltui.session import watch_loop
from tests.projects import MUSIC, make_project, write_suite
from tests.session.test_session import MUSIC_TOO, all_keys, opened, watched


async def test_paused_changes_are_counted_and_run_once_on_resume(tmp_path: Path) -> None:
    async with watched(make_project(tmp_path)) as (session, ear):
        session.pause()
        write_suite(tmp_path, "play_music", (MUSIC[0], MUSIC_TOO))
        await ear.until(lambda: session.pending == 1)
        assert session.state is WatchState.PAUSED
        assert not ear.started()
        session.resume()
        await ear.until(lambda: bool(ear.runs()))
        assert session.pending == 0
    told = [type(event) for event in ear.heard]
    assert told.index(WatchPaused) < told.index(WatchResumed) < told.index(RunStarted)
    assert len(ear.started()) == 1


async def test_however_quiet_it_is_nothing_runs_before_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch_loop, "QUIET_S", 0.0)
    monkeypatch.setattr(watch_loop, "GRACE_S", 0.0)
    async with watched(make_project(tmp_path)) as (session, ear):
        session.pause()
        write_suite(tmp_path, "play_music", (MUSIC[0], MUSIC_TOO))
        await ear.until(lambda: session.pending == 1)
        await asyncio.sleep(0)  # the timer, due at once, comes before what is begun after it
        await asyncio.sleep(0)
        session.rerun(all_keys(session)[:1], reason="by hand")
        await ear.until(lambda: bool(ear.runs()))
        assert [run.reason for run in ear.started()] == ["by hand"]
        assert session.pending == 1
        session.resume()
        await ear.until(lambda: len(ear.runs()) == 2)


async def test_only_watching_can_be_paused_and_only_what_is_paused_goes_on(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, ear):
        session.pause()
        session.resume()
        assert session.state is WatchState.OFF
    assert not ear.all(WatchPaused)
    assert not ear.all(WatchResumed)
