"""That a suite is outdated is said once in words: by a line of the suite, else by the heading of
the last save's, else by its rows."""

import pytest
from msgspec.structs import replace

from evaltui.core.events import ProjectRead
from evaltui.store.row import Row
from evaltui.store.row_status import RowStatus
from evaltui.tui.render.case_columns import Columns
from evaltui.tui.render.case_line import case_line
from tests.driver import Driver, driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession
from tests.tui.render.test_lines import LOOK

MADE = scene.suites(12, 2)


def session(outdated: int = len(MADE)) -> FakeSession:
    read, *others = scene.opened(MADE)
    assert isinstance(read, ProjectRead)
    ids = tuple(suite.id for suite in MADE[:outdated])
    return FakeSession(on_open=[replace(read, outdated=ids), *others])


def fresh(driver: Driver) -> list[str]:
    """The rows of cases that passed, as far as nothing else is to be said of them."""
    rows = driver.app.dashboard.controller.layout.cases.arrangement.keys
    found = (driver.app.dashboard.controller.board.rows[key] for key in rows)
    passed = [
        row
        for row in found
        if row.status is RowStatus.PASSED and not row.is_due and len(row.case.description) < 20
    ]
    assert passed
    return [driver.row(row.key.case) for row in passed]


@pytest.mark.parametrize("size", [(100, 45), (160, 45)])
async def test_rows_have_the_glyph_alone_where_their_suites_have_a_line(
    size: tuple[int, int],
) -> None:
    async with driving(session(), size=size) as driver:
        for line in fresh(driver):
            assert " · ⚠ " in line, "behind the description, which has the place of the reason"


async def after_a_save(driver: Driver) -> None:
    await driver.hear(*scene.run(scene.cases_of(MADE)))
    await driver.press("G", "l", "g")
    driver.sees("AS BEFORE 9")


async def test_a_heading_of_the_last_save_says_it_for_all_its_cases() -> None:
    async with driving(session(), size=(100, 45)) as driver:
        await after_a_save(driver)
        driver.sees("STILL FAILING 2, as before · all 2 outdated")
        assert not [line for line in driver.lines if "003" in line and "⚠" in line]
        driver.misses("· outdated")


async def test_below_a_heading_of_which_only_some_cases_are_those_have_the_word() -> None:
    async with driving(session(outdated=1), size=(120, 45)) as driver:
        await after_a_save(driver)
        driver.misses(" outdated ▸")
        assert not [line for line in driver.lines if " · all " in line]
        assert "outdated" in driver.row(MADE[0].cases[3].id)
        assert "outdated" not in driver.row(MADE[1].cases[1].id)


async def test_a_single_case_says_it_itself() -> None:
    async with driving(session(), size=(100, 45)) as driver:
        await after_a_save(driver)
        driver.sees("ERROR 1")
        driver.misses("ERROR 1 ·")


def test_the_word_is_never_cut_and_its_glyph_takes_its_place() -> None:
    case = MADE[0].cases[0]
    made = replace(scene.result(case, scene.F), error="no call", duration_ms=1.0)
    row = Row(case.key, case, MADE[0], made, is_outdated=True)

    def ends(note: int) -> str:
        columns = Columns(18, 0, 0, note)
        line = "".join(part.text for part in case_line(row, columns, LOOK, now=scene.NOW))
        return line.partition("000  ")[2].rstrip()

    assert [ends(note) for note in (18, 17, 11, 10, 6)] == [
        "no call · outdated",
        "no call · ⚠",
        "no call · ⚠",
        "no call",
        "no ca…",
    ]
