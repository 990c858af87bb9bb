"""That a suite is outdated is said once in words: by a line of the suite, else by its rows."""

from msgspec.structs import replace

from evaltui.core.events import ProjectRead
from evaltui.store.row import Row, RowStatus
from tests.driver import Driver, driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession

MADE = scene.suites(12, 2)


def session() -> FakeSession:
    read, *others = scene.opened(MADE)
    assert isinstance(read, ProjectRead)
    outdated = tuple(suite.id for suite in MADE)
    return FakeSession(on_open=[replace(read, outdated=outdated), *others])


def ends(driver: Driver) -> set[str]:
    """The last words of the rows of cases that passed, of which nothing else is to be said."""
    rows = driver.app.dashboard.controller.layout.cases.arrangement.lines
    found = (row for row in rows if isinstance(row, Row))
    passed = [row for row in found if row.status is RowStatus.PASSED]
    assert passed
    return {driver.row(row.key.case).rstrip("│ ").split()[-1] for row in passed if not row.is_due}


async def test_rows_below_the_heading_of_their_suite_have_the_glyph_alone() -> None:
    async with driving(session(), size=(100, 45)) as driver:
        assert ends(driver) == {"⚠"}


async def test_rows_of_many_suites_have_the_word_and_those_of_one_the_glyph() -> None:
    async with driving(session(), size=(160, 45)) as driver:
        assert ends(driver) == {"outdated"}
        await driver.press("1", "j")
        assert ends(driver) == {"⚠"}
