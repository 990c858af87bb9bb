"""The side pane turned to the tools: their lines, their page, and what keys are about there."""

import pytest
from msgspec.structs import replace

from evaltui.core.comparison import Effect
from evaltui.core.events import (
    CaseFinished,
    CasesStale,
    ProjectRead,
    RunEnd,
    RunFinished,
    RunStarted,
)
from evaltui.core.result import CaseStatus
from evaltui.core.tool import ToolDefinition, ToolRegistry
from evaltui.expectations.coverage import cover
from evaltui.store.counts import Counts
from evaltui.store.row import Row
from evaltui.store.row_status import RANK, RowMark, RowStatus
from evaltui.tui.navigation import PaneId
from evaltui.tui.render.look import Look
from evaltui.tui.render.tool_line import Columns, bar, tool_line
from tests.driver import Driver, driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession

SUITES = scene.suites(48)


def session() -> FakeSession:
    return FakeSession(on_open=tuple(scene.opened(SUITES)))


def naming(host: FakeSession, tool: str) -> list[Row]:
    """The cases that name a tool."""
    (entry,) = (one for one in cover(scene.registry(), SUITES) if one.tool == tool)
    rows = host.store.board(scene.AGENT).rows
    return [rows[key] for key in rows if key in entry.naming]


def lines(driver: Driver) -> list[str]:
    """The side pane's, at the width of 160 columns."""
    return [line[:30].rstrip() for line in driver.lines[2:8]]


async def test_the_key_again_turns_suites_into_tools_and_back() -> None:
    async with driving(session()) as driver:
        await driver.press("1")
        driver.sees("1 Suites 6")
        await driver.press("1")
        driver.sees("1 Tools 5", "3 Detail create_issue", "description hash")
        assert driver.app.dashboard.controller.layout.navigation.pane is PaneId.SUITES
        await driver.press("1")
        driver.sees("1 Suites 6", "3 Detail gs-get-weather-003")


async def test_a_line_has_the_counts_of_the_cases_that_name_the_tool() -> None:
    host = session()
    async with driving(host) as driver:
        await driver.press("1", "1")
        tools = driver.app.dashboard.controller.layout.suites.tool_lines.tools
        assert len(tools) == len(scene.registry())
        for tool, line in zip(tools, lines(driver), strict=False):
            counts = Counts.of(naming(host, tool.name))
            assert tool.name[:10] in line
            assert f"{counts.passed}/{counts.judged}" in line
            assert 0 < counts.passed < counts.judged


async def test_enter_narrows_the_cases_to_those_that_name_the_tool() -> None:
    host = session()
    async with driving(host) as driver:
        await driver.press("1", "1", "j")
        tool = driver.app.dashboard.controller.layout.suites.tool
        rows = naming(host, tool)
        driver.sees(f"3 Detail {tool}", "2 Cases 48")
        await driver.press("enter")
        driver.sees(f"FILTER tool:{tool}", f"2 Cases {len(rows)}/48")
        driver.misses(f"3 Detail {tool}")
        driver.stands_in(PaneId.CASES)


async def test_a_key_is_about_the_cases_of_the_tool() -> None:
    host = session()
    async with driving(host) as driver:
        await driver.press("1", "1", "r")
        tool = driver.app.dashboard.controller.layout.suites.tool
        keys = tuple(row.key for row in naming(host, tool))
        assert [request[0] for request in driver.requested("rerun")] == [keys]
        await driver.press("3", "r")
        assert driver.requested("rerun")[1][0] == keys
        await driver.press("2", "r")
        assert driver.requested("rerun")[2][0] != keys


async def test_a_tab_of_the_detail_leads_back_to_the_case() -> None:
    async with driving(session()) as driver:
        await driver.press("1", "1", "3")
        driver.sees("3 Detail create_issue")
        await driver.press("right_square_bracket")
        driver.sees("3 Detail gs-get-weather-003", "[Calls]")


async def test_a_save_marks_the_tool_and_its_page_shows_the_words() -> None:
    host = session()
    async with driving(host) as driver:
        await driver.press("1", "1", "j", "j")
        case = next(c for c in SUITES[0].cases if c.key.case.endswith("-000"))
        before = scene.registry()
        told = replace(before.tools["get_weather"], description="Tells get_weather.")
        now = ToolRegistry({**before.tools, "get_weather": told})
        failed = replace(scene.result(case, CaseStatus.FAILED), run_id="run-9")
        await driver.hear(
            ProjectRead(SUITES, now, (), ("a.ts",)),
            CasesStale(scene.AGENT, (), 48, ("a.ts",)),
            RunStarted("run-9", scene.AGENT, 9, (case.key,), "why", ("a.ts",)),
            CaseFinished("run-9", failed),
            RunFinished("run-9", scene.AGENT, RunEnd.COMPLETED, 1.0),
        )
        await driver.sees_soon("+ Tells get_weather.")
        driver.sees("- Does get_weather.", "changed in this save")
        (line,) = [line for line in lines(driver) if "get_weather" in line]
        assert "↓1" in line


async def test_a_suite_under_the_cursor_has_its_page_until_the_cases_have_the_focus() -> None:
    host = session()
    async with driving(host) as driver:
        await driver.press("1")
        driver.sees("3 Detail gs-get-weather-003")
        await driver.press("j")
        suite = driver.app.dashboard.controller.layout.suites.suite
        counts = host.store.board(scene.AGENT).counts.of(suite)
        driver.sees(f"3 Detail {suite}", f"{counts.passed}/{counts.judged} passed", "failing")
        await driver.press("3", "r")
        keys = tuple(row.key for row in host.store.board(scene.AGENT).rows.values())
        assert driver.requested("rerun")[0][0] == tuple(key for key in keys if key.suite == suite)
        await driver.press("2")
        driver.misses(f"3 Detail {suite}")
        driver.sees("3 Detail gs-")


async def test_a_tool_without_cases_says_so_and_narrow_screens_name_the_place() -> None:
    host = session()
    async with driving(host, size=(60, 20)) as driver:
        lonely = ToolRegistry({**scene.registry().tools, "lonely": ToolDefinition("lonely")})
        await driver.hear(ProjectRead(SUITES, lonely, ()))
        await driver.press("1", "1", "G")
        driver.sees("Tools", "›lonely", "none")
        await driver.press("3")
        driver.sees("Tools › lonely")


@pytest.mark.parametrize("total", [0, 16, 2002])
def test_lines_are_as_wide_as_the_pane(total: int) -> None:
    look, counts = Look({}, True), marked(total)
    named = {"get_weather": counts, "a_very_long_name_of_a_tool": Counts()}
    for width in range(24, 60):
        columns = Columns.of(named, width, look)
        line = tool_line("get_weather", counts, columns, look, "cursor")
        assert sum(len(segment.text) for segment in line) == width


@pytest.mark.parametrize("width", [16, 24, 28, 44])
def test_no_mark_is_left_out_in_silence(width: int) -> None:
    """Narrower than any pane, at 130 columns, at 160, and as wide as the pane becomes."""
    look, counts = Look({}, True), marked(16)
    columns = Columns.of({"get_weather": counts, "find_order": Counts()}, width, look)
    line = "".join(part.text for part in tool_line("get_weather", counts, columns, look, ""))
    close = line.replace(" ", "")
    assert close.endswith(("12/16v1^2!1~1*", "12/16v1^2!1~")[width < 24]), line
    assert (" get_" in line) is (width > 16)


def test_names_can_be_told_apart_before_all_marks_are_shown() -> None:
    look, many = Look({}, True), marked(2000)
    effects = (Effect.WORSE, Effect.BETTER, Effect.ERROR, Effect.CALLS_DIFFER)
    many.by_effect.update(dict(zip(effects, (101, 312, 1, 1459), strict=True)))
    named = {"tool_0": many, "tool_1": marked(5), "tool_2": Counts()}
    for width in (24, 30, 40):
        columns = Columns.of(named, width, look)
        drawn = [
            "".join(part.text for part in tool_line(name, counts, columns, look, ""))
            for name, counts in named.items()
        ]
        assert all(name in line for name, line in zip(named, drawn, strict=True)), drawn
        assert "1,500/2,000" in drawn[0]
        assert width < 40 or "v101^312!1~1,459" in drawn[0]
        assert width == 40 or drawn[0].rstrip().endswith("~"), "that marks are cut is said"


def marked(total: int) -> Counts:
    """With everything that a save can do to the cases of a tool."""
    counts = Counts()
    counts.by_status[RowStatus.PASSED] = total * 3 // 4
    counts.by_status[RowStatus.FAILED] = total - total * 3 // 4
    effects = (Effect.WORSE, Effect.BETTER, Effect.ERROR, Effect.CALLS_DIFFER)
    counts.by_effect.update(dict(zip(effects, (1, 2, 1, 1), strict=True)))
    counts.by_mark[RowMark.OUTDATED] = 3
    return counts


def test_a_bar_is_full_only_when_everything_passed() -> None:
    counts = Counts()
    counts.by_status[RowStatus.PASSED] = 999
    full = drawn(counts)
    counts.by_status[RowStatus.FAILED] = 1
    assert (full, drawn(counts)) == ("####", "###-")


def drawn(counts: Counts) -> str:
    return "".join(segment.text for segment in bar(counts, 4, Look({}, True), "background"))


async def test_of_equally_bad_tools_that_comes_first_of_which_least_passed() -> None:
    async with driving(FakeSession(on_open=list(scene.opened(scene.suites(48))))) as driver:
        await driver.press("1", "1")
        lines = driver.app.dashboard.controller.layout.suites.tool_lines
        counts = [lines.counts_of(tool.name) for tool in lines.tools]
        bad = [(RANK[one.worst], one.passed / one.judged) for one in counts if one.judged]
        assert bad == sorted(bad)
