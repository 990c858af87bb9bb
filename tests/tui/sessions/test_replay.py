"""Recorded runs, played again: what is shown, what keys say, and files that are none."""

from pathlib import Path

import pytest

from evaltui.core.config import Config
from evaltui.core.errors import NO_RECORDED_RUN, UserError
from evaltui.core.events import Event
from evaltui.core.watch_state import WatchState
from evaltui.disk.codec import encode_event
from evaltui.tui.command import Group
from evaltui.tui.commands import BY_ID, COMMANDS
from evaltui.tui.sessions.offline_session import OfflineSession
from evaltui.tui.sessions.replay import play
from tests.driver import Driver, driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession

ACTS = frozenset(
    {
        *("run.selection", "run.everywhere", "run.due", "run.all", "run.failed", "run.errored"),
        *("run.again", "run.ab", "run.cancel", "watch.pause", "baseline.pin", "baseline.menu"),
        *("accept", "capture", "promote", "evaluators", "mute", "undo", "redo"),
    }
)


def recorded(path: Path, events: list[Event]) -> Path:
    path.write_bytes(b"\n".join(encode_event(event) for event in events) + b"\n")
    return path


def a_run(folder: Path) -> Path:
    made = scene.suites(12)
    events = [*scene.opened(made), *scene.run(scene.cases_of(made))]
    return recorded(folder / "run.jsonl", events)


def offline() -> OfflineSession:
    return OfflineSession(Config(Path("/project")), is_replay=True)


def offered(driver: Driver) -> set[str]:
    return {command.id for command in driver.app.dashboard.controller.layout.footer.commands}


async def ended(driver: Driver) -> None:
    assert driver.app.live is not None
    await driver.app.live.wait()
    await driver.settle()


@pytest.mark.slow
async def test_a_recording_rebuilds_the_board(tmp_path: Path) -> None:
    session, times = FakeSession(), list[float]()
    await play(a_run(tmp_path), session, times.append)
    assert times[-1] == max(times) < scene.NOW + 3_600, "it is the time of the recording"
    board = session.store.board(scene.AGENT)
    assert len(board.rows) == 12
    assert board.runs.last is not None
    assert board.runs.last.done == 12


async def test_no_key_is_offered_that_a_recorded_run_cannot_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaltui.tui.sessions.replay.LONGEST_S", 0.0)
    async with driving(offline(), replay=a_run(tmp_path)) as driver:
        assert not offered(driver) & ACTS
        await ended(driver)
        driver.sees("REPLAY", "OFFLINE replay", "rg-get-weather-001")
        for key in ("1", "2", "3", "4", "5"):
            await driver.press(key)
            assert "app.help" in offered(driver)
            assert not offered(driver) & ACTS
        await driver.press("2")
        assert {"edit.case", "move.open", "problem.next"} <= offered(driver)


@pytest.mark.slow
async def test_keys_that_would_act_say_that_it_is_a_recorded_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaltui.tui.sessions.replay.LONGEST_S", 0.0)
    async with driving(offline(), replay=a_run(tmp_path)) as driver:
        await ended(driver)
        for name in sorted(ACTS):
            reason = BY_ID[name].reason_against(driver.app.dashboard.controller)
            assert reason == "this is a recorded run; open the project with `evaltui` to run"
        await driver.press("r")
        driver.sees("Rerun: this is a recorded run")
        await driver.press("j", "enter", "]", "F", "p", "i", "d", "S", "f")
        assert not [toast for toast in driver.app._notifications if "No project" in toast.message]


def test_every_key_that_acts_on_the_project_is_named() -> None:
    acting = {command.id for command in COMMANDS if command.needs_project}
    groups = (Group.RUN, Group.BASELINE, Group.EDIT)
    only_looking = {"run.walk", "edit.case", "edit.tool"}
    assert acting == {one.id for one in COMMANDS if one.group in groups} - only_looking == ACTS


def test_what_is_asked_all_the_same_is_refused_with_the_reason() -> None:
    with pytest.raises(UserError, match=r"This is a recorded run\. Open the project with"):
        offline().requests.rerun(())
    opening = OfflineSession(Config(Path("/project")))
    assert opening.state is WatchState.STARTING
    with pytest.raises(UserError, match="Wait until it is read"):
        opening.requests.rerun(())


@pytest.mark.parametrize(
    ("content", "place", "why"),
    [
        ("", "notes.jsonl", "it holds no event of a run"),
        ("\nnotes\n", "notes.jsonl:2", "the line is not an event of a run"),
    ],
)
async def test_a_file_that_is_no_recorded_run_ends_in_words(
    tmp_path: Path, content: str, place: str, why: str
) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text(content)
    session = offline()
    async with driving(session, replay=path) as driver:
        await ended(driver)
        (problem,) = session.store.problems.reported
        assert problem.place == (tmp_path / place).as_posix()
        assert problem.code == NO_RECORDED_RUN
        driver.sees("There is nothing to play: this is not a recorded run.", "4 shows")
        driver.misses("Reading the")
        await driver.press("5")
        driver.misses("Reading the")
        await driver.press("4")
        driver.sees(f"this is not a recorded run: {why}")
        driver.misses("Reading the")
        assert not offered(driver) & ACTS


@pytest.mark.slow
async def test_a_run_that_does_not_say_its_cases_ends_in_words(tmp_path: Path) -> None:
    events = list(scene.run([]))
    session = offline()
    async with driving(session, replay=recorded(tmp_path / "run.jsonl", events)) as driver:
        await ended(driver)
        driver.sees("There is nothing to play")
        assert [problem.code for problem in session.store.problems.reported] == [NO_RECORDED_RUN]


async def test_until_the_first_event_it_says_what_is_read() -> None:
    async with driving(OfflineSession(Config(Path("/project")), is_replay=True)) as driver:
        driver.sees("Reading the recorded run…")
        driver.misses("Reading the project…")
