"""Ages on the screen: all of one moment, and painted again only where they read otherwise."""

import re
import time
from dataclasses import dataclass

import pytest
from msgspec.structs import replace
from rich.segment import Segment
from textual.geometry import Region

from evaltui.core.events import CasesStale, CaseStarted
from evaltui.core.staleness import Degree, DueCase
from evaltui.store.changes import Changes
from evaltui.tui.panes import header
from evaltui.tui.render.header_facts import Facts
from evaltui.tui.render.header_line import header_line
from evaltui.tui.render.look import Look
from tests.driver import Driver, driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession

CASE = "gs-get-weather-003"


@dataclass
class Clock:
    now: float = scene.NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(time, "time", made)
    return made


async def stale_board(driver: Driver) -> None:
    """Every case has an old result, 38 s old."""
    cases = scene.cases_of(scene.suites(48))
    stale = tuple(DueCase(case.key, Degree.AFFECTED, ("x changed",)) for case in cases)
    await driver.hear(*scene.opened(scene.suites(48), at=scene.NOW - 38))
    await driver.hear(CasesStale(scene.AGENT, stale, 48))


def age_in(line: str) -> str:
    """Of a row, which says it shorter where the reason needs the room, or of the detail."""
    found = re.search(r" (\d+[smh])( |$)", line)
    assert found, line
    return found[1]


def detail_age(driver: Driver) -> str:
    """In the facts of the detail's head."""
    return age_in(next(line for line in driver.lines if "embedded · live" in line).split("live")[1])


@pytest.mark.slow
async def test_row_and_detail_are_of_one_age_at_each_moment(clock: Clock) -> None:
    async with driving(FakeSession()) as driver:
        layout = driver.app.dashboard.controller.layout
        await stale_board(driver)
        assert age_in(driver.row(CASE)) == "38s"
        for later, age in ((1, "39s"), (21, "59s"), (22, "1m"), (3700, "1h")):
            clock.now = scene.NOW + later
            await driver.press("j", "k")  # paints rows and detail, between two ticks
            assert age_in(driver.row(CASE)) == detail_age(driver)
            layout.refresh_ages()
            await driver.settle()
            assert age_in(driver.row(CASE)) == detail_age(driver) == age


async def test_only_what_reads_otherwise_is_painted_again(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with driving(FakeSession()) as driver:
        await stale_board(driver)
        cases = driver.app.dashboard.controller.layout.cases
        painted: list[int] = []

        def refresh(*regions: Region, **_: object) -> None:
            painted.extend(region.y for region in regions)

        monkeypatch.setattr(cases, "refresh", refresh)
        clock.now += 0.4
        driver.app.dashboard.controller.layout.refresh_ages()
        assert painted == []
        clock.now += 1
        driver.app.dashboard.controller.layout.refresh_ages()
        assert painted == list(cases.in_sight)
        assert len(painted) < 48


async def test_the_header_is_worked_out_once_for_what_is_painted_anyway(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with driving(FakeSession()) as driver:
        await stale_board(driver)
        layout, made = driver.app.dashboard.controller.layout, list[int]()
        line = header_line

        def counted(facts: Facts, width: int, look: Look) -> list[Segment]:
            made.append(width)
            return line(facts, width, look)

        monkeypatch.setattr(header, "header_line", counted)
        clock.now += 5
        layout.refresh_from(Changes(is_run_changed=True))
        assert not made
        await driver.settle()
        assert len(made) == 1


async def test_a_case_that_runs_says_for_how_long(clock: Clock) -> None:
    made = scene.suites(48)
    async with driving(FakeSession()) as driver:
        await driver.hear(*scene.opened(made, at=scene.NOW - 38))
        started, *_ = scene.run(scene.cases_of(made), done=0, at=scene.NOW)
        key = next(case.key for case in scene.cases_of(made) if case.id == CASE)
        await driver.hear(started, CaseStarted("run-42", scene.AGENT, key, at=scene.NOW))
        clock.now += 7
        await driver.sees_soon(" 7s")
        assert " 7s" in driver.row(CASE)


async def test_a_row_that_waits_keeps_its_reason_and_its_age(clock: Clock) -> None:
    made = scene.suites(48)
    async with driving(FakeSession(), size=(100, 30)) as driver:
        await driver.hear(*scene.opened(made, at=clock.now - 38))
        before = driver.row(CASE)
        assert 'expected "Paris"' in before
        started, *_ = scene.run(scene.cases_of(made), done=0, at=scene.NOW)
        await driver.hear(started)
        row = driver.row(CASE)
        assert 'expected "Paris"' in row
        assert "38s ago" in row
        assert "◌" in row


async def test_what_waits_for_its_first_run_says_so(clock: Clock) -> None:
    made = scene.suites(48)
    read, *_ = scene.opened(made, at=clock.now)
    started, *_ = scene.run(scene.cases_of(made), done=0, at=scene.NOW)
    async with driving(FakeSession(), events=[read, replace(started)]) as driver:
        assert "queued" in driver.row(CASE)


async def test_header_footer_and_rows_are_of_one_moment(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaltui.tui.controller.TICK_S", 3600.0)  # it ticks when it is told to
    made = scene.suites(48)
    async with driving(FakeSession()) as driver:
        layout = driver.app.dashboard.controller.layout
        await driver.hear(*scene.opened(made, at=scene.NOW - 38))
        started, *_ = scene.run(scene.cases_of(made), done=0, at=scene.NOW)
        key = next(case.key for case in scene.cases_of(made) if case.id == CASE)
        await driver.hear(started, CaseStarted("run-42", scene.AGENT, key, at=scene.NOW))
        clock.now += 5
        layout.header.refresh()  # painted for another reason, between two ticks
        await driver.pilot.pause()
        assert "00:00" in driver.lines[0] and " 0s" in driver.row(CASE)
        driver.app.dashboard.controller.tick()
        await driver.settle()
        assert "00:05" in driver.lines[0] and " 5s" in driver.row(CASE)


async def test_a_recording_has_the_time_in_which_it_was_made(clock: Clock) -> None:
    """Elapsed time and eta count from then, whenever it is played."""
    made = scene.suites(48)
    async with driving(FakeSession()) as driver:
        controller = driver.app.dashboard.controller
        controller.show_time(scene.NOW - 9_000)
        started, *_ = scene.run(scene.cases_of(made), done=0, at=scene.NOW - 9_000)
        await driver.hear(*scene.opened(made, at=scene.NOW - 9_038), started)
        assert "run #42 00:00" in driver.lines[0]
        clock.now += 4
        controller.tick()
        await driver.settle()
        assert "run #42 00:04" in driver.lines[0]
