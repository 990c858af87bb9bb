"""Rows keep their order while a run is on, and the cursor its row, whatever the window does."""

import time

import pytest
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.events import ProjectRead, RunEnd, RunFinished
from evaltui.tui.pane import Pane
from tests.driver import Driver, driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession


def session(cases: int = 48) -> FakeSession:
    return FakeSession(on_open=list(scene.opened(scene.suites(cases), at=time.time() - 240)))


def keys(driver: Driver) -> tuple[CaseKey, ...]:
    return driver.app.dashboard.controller.layout.cases.arrangement.keys


def under_cursor(driver: Driver) -> CaseKey:
    row = driver.app.dashboard.controller.layout.cases.row
    assert row is not None
    return row.key


@pytest.mark.parametrize("moves", [pytest.param((), marks=pytest.mark.slow), ("j", "j", "j")])
async def test_resizing_while_a_run_is_on_sorts_nothing(moves: tuple[str, ...]) -> None:
    made = scene.suites(48)
    async with driving(session()) as driver:
        await driver.press(*moves)
        before, here = keys(driver), under_cursor(driver)
        cases = list(reversed(scene.cases_of(made)))  # others fail than did before
        await driver.hear(*scene.run(cases, done=40, at=time.time()))
        await driver.resize(100, 30)
        assert under_cursor(driver) == here
        await driver.resize(160, 45)
        assert keys(driver) == before
        assert under_cursor(driver) == here
        await driver.press("S", "S")
        assert keys(driver) != before
        if moves:  # else nobody has put the cursor anywhere, and it goes to the worst case
            assert under_cursor(driver) == here


@pytest.mark.parametrize("moves", [pytest.param((), marks=pytest.mark.slow), ("j", "j", "j")])
async def test_an_eval_file_that_is_saved_while_a_run_is_on_sorts_nothing(
    moves: tuple[str, ...],
) -> None:
    first, *others = scene.suites(48)
    gone = first.cases[0]
    new = replace(gone, key=CaseKey(first.id, "gs-get-weather-new"))
    saved = (replace(first, cases=(*first.cases[1:], new)), *others)
    async with driving(session()) as driver:
        await driver.press(*moves)
        before, here = keys(driver), under_cursor(driver)
        cases = list(reversed(scene.cases_of((first, *others))))  # others fail than did before
        await driver.hear(*scene.run(cases, done=40, at=time.time()))
        await driver.hear(ProjectRead(saved, scene.registry(), (), (first.id,)))
        assert keys(driver) == (*(key for key in before if key != gone.key), new.key)
        if moves:
            assert under_cursor(driver) == here
        await driver.hear(RunFinished("run-42", scene.AGENT, RunEnd.CANCELLED, 7.0))
        assert keys(driver)[0] != before[0], "with the end of the run they are put in order"


async def test_a_save_that_breaks_a_run_off_sorts_nothing_before_what_is_left_has_run() -> None:
    cases = list(reversed(scene.cases_of(scene.suites(48))))  # others fail than did before
    async with driving(session()) as driver:
        before = keys(driver)
        await driver.hear(*scene.run(cases, done=40, at=time.time()))
        await driver.hear(RunFinished("run-42", scene.AGENT, RunEnd.SUPERSEDED, 7.0))
        assert keys(driver) == before, "the run of the save is being prepared"
        await driver.hear(*scene.run(cases[38:], number=43, at=time.time(), done=4))
        assert keys(driver) == before
        await driver.hear(RunFinished("run-43", scene.AGENT, RunEnd.COMPLETED, 7.0))
        assert keys(driver) != before


async def test_narrowing_while_a_run_is_on_sorts_nothing() -> None:
    made = scene.suites(48)
    async with driving(session()) as driver:
        before = keys(driver)
        cases = list(reversed(scene.cases_of(made)))
        await driver.hear(*scene.run(cases, done=40, at=time.time()))
        await driver.press("slash")
        await driver.write("tool:send_email")
        assert len(keys(driver)) == 8
        assert keys(driver) == tuple(key for key in before if "send_email" in key.suite)
        await driver.press("escape")
        assert keys(driver) == before


async def test_the_title_says_where_the_cursor_is_when_not_all_is_in_sight() -> None:
    async with driving(session(2_002)) as driver:
        driver.sees("2 Cases 2,002 · 1/2,002")
        await driver.press("j", "j")
        driver.sees("2 Cases 2,002 · 3/2,002")
        controller = driver.app.dashboard.controller
        await driver.press("pagedown")
        page = controller.layout.cases.cursor - 2
        assert page > 16
        await driver.press("pageup")
        driver.sees("2 Cases 2,002 · 3/2,002")
        await driver.press("G")
        driver.sees("2 Cases 2,002 · 2,002/2,002")
    async with driving(session(12)) as driver:
        driver.sees("2 Cases 12")
        driver.misses("1/12")


async def test_another_title_draws_no_row_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async with driving(session(2_002)) as driver:
        cases = driver.app.dashboard.controller.layout.cases
        drawn: list[int] = []
        line = cases.source.line

        def counted(index: int, *others: object) -> object:
            drawn.append(index)
            return line(index, *others)  # type: ignore[arg-type]

        monkeypatch.setattr(cases.source, "line", counted)
        cases._written_title = ""
        Pane.update_title(cases)
        await driver.settle()
        assert drawn == []
        driver.sees("2 Cases 2,002 · 1/2,002")
