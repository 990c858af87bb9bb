"""A reason keeps its room: other columns give way first, and only what is worth a look has one."""

import time

import pytest
from msgspec.structs import replace

from evaltui.core.events import CaseFinished, ProjectRead
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.tool import ToolRegistry
from evaltui.store.row import Row
from evaltui.store.store import Store
from evaltui.tui.render.case_columns import GOOD_STRIP, REASON, Needs, lay_out
from evaltui.tui.render.case_line import case_line
from tests.driver import Driver, driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession
from tests.tui.render.test_lines import LOOK


def session() -> FakeSession:
    return FakeSession(on_open=list(scene.opened(scene.suites(48), at=time.time() - 240)))


def reason_width(driver: Driver) -> int:
    lines = driver.app.dashboard.controller.layout.cases.lines
    width = driver.app.dashboard.controller.layout.cases.scrollable_content_region.width
    return lines.columns(width).note


@pytest.mark.parametrize(
    ("width", "height"),
    [(100, 30), (120, 35), (130, 40), (160, 45), (220, 50)],
)
async def test_of_at_least_forty_cells(width: int, height: int) -> None:
    async with driving(session(), size=(width, height)) as driver:
        assert reason_width(driver) >= REASON == 40


async def test_where_that_is_not_to_be_had_it_has_all_but_the_name() -> None:
    async with driving(session(), size=(60, 20)) as driver:
        layout = driver.app.dashboard.controller.layout
        columns = layout.cases.lines.columns(layout.cases.scrollable_content_region.width)
        others = (columns.description, columns.suite, columns.recent)
        assert others == (0, 0, 0)


async def test_the_suite_that_its_column_has_no_room_for_stands_in_the_title_of_the_detail() -> (
    None
):
    async with driving(session(), size=(160, 45)) as driver:
        layout = driver.app.dashboard.controller.layout
        assert not layout.cases.lines.columns(layout.cases.scrollable_content_region.width).suite
        row = layout.cases.row
        assert row is not None
        driver.sees(f"3 Detail {row.key.case} · {row.suite.short_name}")


SHORT = Needs(17, 12, 2)
LONG = Needs(17, 12, 10)


@pytest.mark.parametrize(
    ("cells", "needs", "wanted"),
    [
        (81, SHORT, ("recent", "description")),  # the cases pane at 160 columns
        (81, LONG, ("recent", "description")),
        (100, SHORT, ("suite", "recent", "description")),
        (120, LONG, ("suite", "recent", "description")),
        (74, LONG, ("recent", "description")),
        (60, SHORT, ()),
    ],
)
def test_other_columns_have_what_it_need_not_have(
    cells: int, needs: Needs, wanted: tuple[str, ...]
) -> None:
    columns = lay_out(cells, needs)
    assert columns.note >= min(REASON, cells - 26)
    shown = {name for name in ("suite", "recent", "description") if getattr(columns, name)}
    assert shown == set(wanted)


def test_a_long_strip_leaves_the_suite_its_name() -> None:
    for cells in range(85, 120):
        for suite in (8, 12):
            columns = lay_out(cells, Needs(17, suite, 10))
            assert columns.note >= REASON
            assert columns.recent <= GOOD_STRIP or columns.suite in (0, suite)
            if cells >= 90:
                assert columns.recent >= GOOD_STRIP and columns.suite >= suite - 1


@pytest.mark.parametrize("recent", [0, 2, 10])
def test_a_suite_has_a_column_where_most_of_its_name_has_room(recent: int) -> None:
    """What only its beginning would have room for is the reason's."""
    for cells in range(60, 130):
        for suite in (4, 8, 12, 30):
            columns = lay_out(cells, Needs(20, suite, recent))
            assert columns.suite == 0 or columns.suite >= min(suite, 20) * 3 // 4
    first, later = (lay_out(81, Needs(20, 12, recent)) for recent in (0, 2))
    assert (first.suite, later.suite) == (0, 0), "as wide as the pane is at 160 columns"


async def test_one_row_with_a_time_changes_no_column_of_the_others() -> None:
    made = scene.suites(48)
    case = scene.cases_of(made)[0]
    async with driving(session(), size=(100, 30)) as driver:
        cases = driver.app.dashboard.controller.layout.cases
        lines = cases.lines
        seen = []
        for took in (2.0, 4321.0):
            result = replace(scene.result(case, scene.P, at=time.time()), duration_ms=took)
            await driver.hear(CaseFinished("run-9", result))
            cases.sort()
            assert cases.go_to(case.key)
            await driver.settle()
            seen.append(lines.columns(100))
        assert driver.row(case.id).rstrip().endswith("4.3s")
        before, after = seen
        assert before.recent
        assert before.description
        assert after == replace(before, recent=before.recent + 1, note=before.note - 1)


@pytest.mark.parametrize(("error", "is_whole"), [("too long " * 3, False), ("short", True)])
def test_a_duration_gives_way_to_the_reason_and_the_reason_to_its_age(
    error: str, is_whole: bool
) -> None:
    suite = scene.suites(6)[0]
    case = suite.cases[0]
    made = replace(scene.result(case, scene.F), error=error.strip(), duration_ms=4321.0)
    row = Row(case.key, case, suite, made)
    columns = lay_out(60, Needs(17, 0, 0))

    def line() -> str:
        return "".join(part.text for part in case_line(row, columns, LOOK, now=scene.NOW + 38))

    assert error.strip() in line()
    assert ("4.3s" in line()) is is_whole
    row.due = DueCase(case.key, Degree.AFFECTED, ("it changed",))
    assert line().endswith("38s ago")


@pytest.mark.parametrize(
    "names", [("embedded", "careless"), ("gpt-5-mini-2026", "sonnet-4.5-long")]
)
async def test_with_two_agents_beside_each_other_too(names: tuple[str, str]) -> None:
    made = scene.suites(48)
    opened = [
        event for name in names for event in scene.opened(made, agent=name, at=time.time() - 240)
    ]
    two = FakeSession(on_open=opened, agents=names)
    async with driving(two, size=(160, 45)) as driver:
        assert reason_width(driver) >= REASON


@pytest.mark.parametrize(
    ("usual", "took", "said"),
    [
        (15.0, 20.0, ""),
        (15.0, 40.0, "40ms"),
        (90.0, 99.0, ""),
        (90.0, 110.0, "110ms"),
        (0.5, 9.0, ""),  # by chance
    ],
)
def test_a_time_is_shown_when_it_is_long_or_twice_the_usual(
    usual: float, took: float, said: str
) -> None:
    made = scene.suites(1)
    (case,) = scene.cases_of(made)
    store = Store()
    store.handle(ProjectRead(made, ToolRegistry(configured=False), ()))
    for number, duration in enumerate((usual, usual, took)):
        result = scene.result(case, scene.P, at=scene.NOW)
        timed = replace(result, run_id=f"run-{number}", duration_ms=duration)
        store.handle(CaseFinished(timed.run_id, timed))
    row = store.board(scene.AGENT).rows[case.key]
    parts = case_line(row, lay_out(100, Needs(17)), LOOK, now=scene.NOW)
    line = "".join(part.text for part in parts)
    assert (said in line) if said else ("ms" not in line), line


@pytest.mark.parametrize("error", ["short", "too long " * 20])
@pytest.mark.parametrize(("cells", "has_air"), [(60, False), (67, True), (80, True), (100, True)])
def test_no_text_touches_the_border_unless_the_reason_needs_the_cell(
    cells: int, has_air: bool, error: str
) -> None:
    case = scene.suites(6)[0].cases[0]
    made = replace(scene.result(case, scene.F), error=error.strip(), duration_ms=4321.0)
    row = Row(case.key, case, scene.suites(6)[0], made)
    line = "".join(
        part.text for part in case_line(row, lay_out(cells, Needs(17)), LOOK, now=scene.NOW)
    )
    assert len(line) == cells and line.endswith(" ") is has_air


@pytest.mark.parametrize("needs", [SHORT, LONG])
@pytest.mark.parametrize("cells", [78, 81, 100, 120])
def test_an_age_leaves_the_reason_its_room(cells: int, needs: Needs) -> None:
    """As while it runs, is due or waits."""
    suite = scene.suites(6)[0]
    made = replace(scene.result(suite.cases[0], scene.F), error="a" * 60)
    row = Row(made.key, suite.cases[0], suite, made, recent=(scene.F,) * 10)
    row.due = DueCase(made.key, Degree.AFFECTED, ("it changed",))
    columns = lay_out(cells, needs)
    line = "".join(part.text for part in case_line(row, columns, LOOK, now=scene.NOW + 38))
    assert line.count("a" * (REASON - 1)) == 1
    assert "38s" in line
