"""Of a save the dashboard that follows tells what the one that runs it tells."""

import asyncio
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.comparison import Effect
from evaltui.session import Session
from evaltui.session.watch_loop import WatchLoop
from evaltui.store.reach import Reach
from tests.projects import MUSIC, ORDERS, write_suite
from tests.session.test_session import asking
from tests.session.test_two_dashboards import PAID, asked, both, project, until

FIND = "evals/find_order.golden.json"
PLAY = "evals/play_music.golden.json"


def headline(session: Session) -> tuple[tuple[str, ...], int, dict[Effect, int], Reach | None]:
    """The files of the headline, how many ran, what became of them, and how far it reaches."""
    board = session.store.board(PAID)
    counts = board.counts.all
    files = board.headline.save.trigger if board.headline.save is not None else ()
    return files, counts.ran, {**counts.by_effect}, board.headline.reach


async def test_a_run_that_is_heard_of_before_its_save_is_looked_into_is_that_saves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The runner may be done before the other was told of the file at all."""
    async with both(project(tmp_path)) as (runner, _, follower, other_ear):
        may_look, look_into = asyncio.Event(), WatchLoop._look_into

        async def late(loop: WatchLoop, paths: Collection[Path]) -> Any:
            if loop is follower.watch_loop:
                await may_look.wait()
            await look_into(loop, paths)

        monkeypatch.setattr(WatchLoop, "_look_into", late)
        write_suite(tmp_path, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        await other_ear.until(lambda: bool(other_ear.runs()))
        await until(lambda: headline(follower) == headline(runner))
        assert headline(follower)[:2] == ((FIND,), 1)
        may_look.set()
        write_suite(tmp_path, "play_music", ({**MUSIC[0], "input": {"message": "Play jazz"}},))
        await other_ear.until(lambda: len(other_ear.runs()) == 2)
        await until(lambda: headline(follower) == headline(runner))
        assert headline(follower)[:2] == ((PLAY,), 1)
    assert len(asked(tmp_path)) == 5


async def test_a_save_that_led_to_no_run_is_over_for_whoever_follows_too(tmp_path: Path) -> None:
    async with both(project(tmp_path)) as (runner, _, follower, _):
        for file in (FIND, PLAY):
            (tmp_path / file).write_text("[")
            both_tell = [(file,), (file,)]
            await until(lambda: [headline(each)[0] for each in (runner, follower)] == both_tell)  # noqa: B023
            await until(lambda: all(is_idle(each) for each in (runner, follower)))


async def test_what_is_left_to_a_runner_that_never_ran_it_is_run_by_whoever_takes_over(
    tmp_path: Path,
) -> None:
    """Two saves, of which the first was over long before the second."""
    async with both(project(tmp_path)) as (runner, _, follower, other_ear):
        runner.watch_loop.pause()
        write_suite(tmp_path, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        await until(lambda: headline(follower)[0] == (FIND,) and is_idle(follower))
        write_suite(tmp_path, "play_music", ({**MUSIC[0], "input": {"message": "Play jazz"}},))
        await until(lambda: headline(follower)[0] == (PLAY,) and is_idle(follower))
        other_ear.heard.clear()
        await runner.close()
        await other_ear.until(lambda: bool(other_ear.runs()))
        (run,) = other_ear.started()
        assert (run.trigger, len(run.cases)) == ((FIND, PLAY), 2)
    assert sorted(asked(tmp_path)[3:]) == ["Play jazz", "Show order SO-9"]


def is_idle(session: Session) -> bool:
    """Whether its last save is over: what is saved now is another."""
    return not session.watch_loop._to_run.are_there
