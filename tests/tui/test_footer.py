"""The footer has the keys of a pane that do something there now, as each command says itself."""

import time

import pytest

from evaltui.core.events import CaseMuted, CasesStale, RunnerChanged, WatchPaused, WatchResumed
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.watch_state import WatchState
from evaltui.tui.command import Command
from evaltui.tui.commands import COMMANDS
from evaltui.tui.navigation import PaneId
from evaltui.tui.panes.footer import footer_commands
from tests.driver import Driver, driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession


def opened(total: int = 12) -> FakeSession:
    return FakeSession(on_open=list(scene.opened(scene.suites(total), at=time.time())))


def shown(driver: Driver) -> list[str]:
    return [command.id for command in driver.app.dashboard.controller.layout.footer.commands]


async def test_it_asks_each_command_why_it_cannot_run() -> None:
    async with driving(opened()) as driver:
        controller = driver.app.dashboard.controller
        for key in ("1", "2", "3", "4", "5"):
            await driver.press(key)
            here = footer_commands(COMMANDS, controller.layout.navigation.pane)
            able = [command.id for command in here if command.reason_here(controller) is None]
            assert shown(driver) == able
            assert able


async def test_without_cases_no_key_that_needs_one_is_shown() -> None:
    async with driving(opened(0)) as driver:
        assert "run.all" not in shown(driver)
        assert "cases.filter" not in shown(driver)
        assert "app.help" in shown(driver)


async def test_on_a_heading_no_key_is_shown_that_is_about_one_case() -> None:
    async with driving(opened(), size=(100, 30)) as driver:
        assert "edit.case" in shown(driver)
        await driver.press("g")
        assert driver.app.dashboard.controller.row is None
        assert "edit.case" not in shown(driver)
        await driver.press("j")
        assert "edit.case" in shown(driver)


def test_help_comes_first_then_what_is_done_only_there() -> None:
    ids = [command.id for command in footer_commands(COMMANDS, PaneId.DETAIL)]
    assert ids[0] == "app.help"
    ahead = [one.id for one in COMMANDS if PaneId.DETAIL in one.ahead.split()]
    assert set(ids[1 : 1 + len(ahead)]) == set(ahead)


def test_importance_decides_among_the_others() -> None:
    def row(name: str, footer: int, panes: str = "") -> Command:
        return Command(name, name, name, COMMANDS[0].group, "app.help", footer=footer, panes=panes)

    rows = [row("low", 1), row("none", 0), row("high", 9), row("elsewhere", 99, "tools")]
    assert [one.id for one in footer_commands(rows, PaneId.CASES)] == ["high", "low"]


async def test_the_screen_follows_pauses_that_no_key_made() -> None:
    async with driving(opened()) as driver:
        driver.session.state = WatchState.PAUSED
        await driver.hear(WatchPaused())
        assert "PAUSED" in driver.lines[0]
        assert "PAUSED" in driver.lines[-1]
        driver.session.state = WatchState.WATCHING
        await driver.hear(WatchResumed())
        driver.misses("PAUSED")


async def test_a_follower_says_who_runs_and_offers_no_key_that_would() -> None:
    async with driving(opened()) as driver:
        assert "rerun" in driver.lines[-1]
        session = driver.session
        session.state, session.other_runner = WatchState.FOLLOWING, "pid 4711"
        session.why_not_run = "the dashboard with pid 4711 runs here"
        await driver.hear(RunnerChanged("pid 4711"))
        assert "FOLLOWS" in driver.lines[0]
        assert "FOLLOWS pid 4711" in driver.lines[-1]
        assert "rerun" not in driver.lines[-1]
        await driver.press("r")
        driver.sees("Rerun: the dashboard with pid 4711 runs here")
        await driver.press("a", "f", "R", "p", "c")
        assert not [request for request in session.requested if request[0] in ("rerun", "cancel")]
        session.state, session.other_runner, session.why_not_run = WatchState.WATCHING, "", ""
        await driver.hear(RunnerChanged(""))
        driver.misses("FOLLOWS")
        assert "rerun" in driver.lines[-1]


@pytest.mark.slow
async def test_an_agent_that_cannot_be_asked_offers_no_key_that_would_and_says_why() -> None:
    async with driving(opened()) as driver:
        session = driver.session
        session.why_not_asked = {scene.AGENT: "the variable `KEY` is not set"}
        await driver.hear(RunnerChanged(""))
        assert "rerun" not in driver.lines[-1]
        for key in ("r", "a", "R", "x", "X"):
            await driver.press(key)
            driver.sees("the variable KEY is not set")
        assert not [request for request in session.requested if request[0] == "rerun"]
        await driver.press("p")
        driver.sees("PAUSED")


async def test_what_is_only_judged_again_needs_no_agent_that_can_be_asked() -> None:
    async with driving(opened()) as driver:
        session, controller = driver.session, driver.app.dashboard.controller
        session.why_not_asked = {scene.AGENT: "the variable `KEY` is not set"}
        to_judge, to_ask = list(controller.board.rows)[:2]
        due = (
            DueCase(to_judge, Degree.TO_JUDGE, ("case changed",)),
            DueCase(to_ask, Degree.AFFECTED, ("case changed",)),
        )
        await driver.hear(CasesStale(scene.AGENT, due, 12))
        await driver.press("R")
        driver.misses("is not set")
        assert driver.requested("rejudge") == [((to_judge,), (scene.AGENT,))]
        assert driver.requested("rerun") == []


async def test_p_asks_the_session_and_shows_what_it_answers() -> None:
    async with driving(opened()) as driver:
        await driver.press("p")
        assert "PAUSED" in driver.lines[0]
        await driver.press("p")
        driver.misses("PAUSED")


async def test_a_muted_case_is_shown_once_the_event_comes() -> None:
    async with driving(opened()) as driver:
        row = driver.app.dashboard.controller.row
        assert row is not None
        await driver.hear(CaseMuted(row.key, "flaky"))
        assert "muted: flaky" in driver.row(row.key.case)
