"""The problems and tools drawers."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.core.errors import Problem
from evaltui.core.events import CaseFinished, CasesStale, ProjectRead
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.tool import ToolRegistry
from evaltui.tui.panes.problems import ProblemsPane
from evaltui.tui.panes.tools import ToolsPane
from evaltui.tui.render.glyphs import DUE
from evaltui.tui.render.look import Look
from evaltui.tui.render.problems import Entry, Group, write_problems
from evaltui.tui.render.text_builder import TextBuilder
from tests.driver import piloted, until
from tests.tui.panes.stage import (
    AGENT,
    NOW,
    Stage,
    StagedSession,
    key,
    make_case,
    make_result,
    registry,
    staged,
)
from tests.tui.panes.test_detail import seen

SIZES = [(160, 16), (100, 16), (80, 20), (60, 20)]
BROKEN = '[\n  {"id": "x",\n   "assertion": "equal",\n'


@pytest.fixture
def project(tmp_path: Path) -> StagedSession:
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals" / "broken.golden.json").write_text(BROKEN)
    return staged(tmp_path)


@pytest.mark.parametrize("size", SIZES)
async def test_problems_are_grouped_counted_and_framed(
    project: StagedSession, size: tuple[int, int]
) -> None:
    pane = ProblemsPane()
    async with piloted(Stage(pane, project), size) as pilot:
        pane.focus()
        await pilot.pause()
        await pilot.pause()
        shown = seen(pane)
        assert "▾ file mistakes 1" in shown
        assert "Did you mean equals?" in shown
        assert '> 3 |    "assertion": "equal",' in shown
        frame = shown.split("\n")
        (at,) = [i for i, line in enumerate(frame) if line.endswith("^")]
        assert frame[at - 1][frame[at].index("^") :].startswith('"equal"')
        assert pane.count == "2, 1 regressed, 1 due, 2 overlapping"
        room = pane.sheet.scrollable_content_region.width
        assert all(line.width <= room for line in pane.sheet.lines)
        everything = "\n".join(line.plain for line in pane.sheet.lines)
        for word in ("regressions 1", "due results 1", "overlapping tools 2", "outputs that"):
            assert word in everything


async def test_enter_leads_to_the_file_and_to_the_case(project: StagedSession) -> None:
    pane = ProblemsPane()
    app = Stage(pane, project)
    async with piloted(app, (100, 20)) as pilot:
        pane.focus()
        for number, line in enumerate(pane.sheet.lines):
            if line.anchor.startswith(("file mistakes:", "regressions:")):
                pane.go(number)
                pane.on_opened()
        await pilot.pause()
        await pilot.pause()
        assert app.heard == [
            ("file", "evals/broken.golden.json", 3),
            ("case", "ls-get-weather-004"),
        ]


async def test_a_vanished_file_and_no_problems_at_all(project: StagedSession) -> None:
    (project.config.root / "evals" / "broken.golden.json").unlink()
    pane = ProblemsPane()
    async with piloted(Stage(pane, project), (100, 20)) as pilot:
        pane.focus()
        await pilot.pause()
        await pilot.pause()
        assert "no such line any more" in seen(pane)
    pane = ProblemsPane()
    empty = StagedSession()
    empty.emit(ProjectRead((), ToolRegistry({}), (), at=NOW))
    async with piloted(Stage(pane, empty), (100, 20)) as pilot:
        await pilot.pause()
        assert "No problems: every file could be read" in seen(pane)
        assert pane.count == ""


async def test_a_key_beside_a_mistake_is_not_seen(project: StagedSession) -> None:
    written = '[agents.a]\napi_key = "sk-1234567"\nmodel = 5\n'
    (project.config.root / "evaltui.toml").write_text(written)
    wrong = Problem("evaltui.toml", "`model` is a number", "Write text.", 3, 9)
    project.emit(ProjectRead(project.store.suites, ToolRegistry({}), (wrong,), at=NOW))
    pane = ProblemsPane()
    async with piloted(Stage(pane, project), (100, 20)) as pilot:
        pane.focus()
        await pilot.pause()
        await pilot.pause()
        shown = seen(pane)
    assert "> 3 | model = 5" in shown
    assert '2 | api_key = "**********"' in shown
    assert "sk-" not in shown


async def test_thousands_of_stale_cases_stay_one_page(project: StagedSession) -> None:
    cases = tuple(make_case(f"c{number}") for number in range(2_000))
    suite = project.store.suites[0]
    changed = type(suite)(suite.id, suite.tool_name, suite.tier, cases, "def")
    why = ("get_weather.description changed",)
    stale = tuple(DueCase(case.key, Degree.AFFECTED, why) for case in cases)
    project.emit(ProjectRead((changed,), registry(), ()))
    project.emit(*(CaseFinished("run-43", make_result(case.key.case)) for case in cases))
    project.emit(CasesStale(AGENT, stale, 2_000))
    pane = ProblemsPane()
    async with piloted(Stage(pane, project), (100, 20)) as pilot:
        await pilot.pause()
        assert len(pane.sheet.lines) < 120, "two groups of them"
        everything = "\n".join(line.plain for line in pane.sheet.lines)
        assert "1,950 more: Enter shows the next" in everything


@pytest.mark.parametrize("size", SIZES)
async def test_tools_show_state_coverage_and_parameters(
    project: StagedSession, size: tuple[int, int]
) -> None:
    pane = ToolsPane(clock=lambda: NOW)
    async with piloted(Stage(pane, project), size) as pilot:
        pane.focus()
        await pilot.pause()
        everything = " ".join(" ".join(line.plain for line in pane.sheet.lines).split())
        assert "1 tool with no golden or labeled eval: send_email" in everything
        assert ("hash not checked" in everything) is (size[0] > 76)
        assert "search_web · not in the registry" in everything
        assert "3 cases ✓1 ✗1 ·1 ↓1 ◷1" in everything
        pane.go(1)
        assert pane.fold(False)
        await pilot.pause()
        plain = [line.plain for line in pane.sheet.lines]
        assert all(line.width <= pane.sheet.size.width for line in pane.sheet.lines)
        (city,) = [line for line in plain if line.lstrip().startswith("city ")]
        (units,) = [line for line in plain if line.lstrip().startswith("units ")]
        assert city.index("required") == units.index("optional")
        assert "tools/tools.exports.ts:12" in "".join(plain)
        assert 'one of "metric"|"imperial"' in "".join(plain)


async def test_tools_of_a_source_that_is_down_are_marked_with_their_age(
    project: StagedSession,
) -> None:
    marked = replace(project.store.registry, as_of={"get_weather": NOW - 3 * 3600})
    project.emit(ProjectRead(project.store.suites, marked, ()))
    pane = ToolsPane(clock=lambda: NOW)
    async with piloted(Stage(pane, project), (100, 16)) as pilot:
        await pilot.pause()
        lines = [line.plain for line in pane.sheet.lines]
        (line,) = [each for each in lines if "as of" in each]
        assert "get_weather" in line and "◷ as of 3h ago" in line
        pane.folds.state["tool:get_weather"] = 1
        pane.paint()
        await pilot.pause()
        unfolded = " ".join(line.plain for line in pane.sheet.lines)
        assert "its source cannot be read now: this is what it listed 3h ago" in unfolded


async def test_enter_on_a_tool_filters_the_cases(project: StagedSession) -> None:
    pane = ToolsPane(clock=lambda: NOW)
    app = Stage(pane, project)
    async with piloted(app, (100, 20)) as pilot:
        pane.focus()
        await pilot.pause()
        pane.go(1)
        pane.on_opened()
        await pilot.pause()
        assert app.heard == [("filter", "tool:get_weather")]


async def test_the_last_change_of_a_tool_is_named(project: StagedSession) -> None:
    pane = ToolsPane(clock=lambda: NOW + 60)
    async with piloted(Stage(pane, project), (100, 20)) as pilot:
        await pilot.pause()
        reader = project.store.reader()
        read = registry("Weather helper.")
        project.emit(ProjectRead(project.store.suites, read, (), ("tools.ts",), NOW + 30))
        pane.refresh_from(project.store.drain(reader)[0])
        pane.folds.state["tool:get_weather"] = 1
        pane.paint()
        await pilot.pause()
        assert "changed 30s ago: description" in seen(pane)


async def test_no_registry_teaches() -> None:
    session = StagedSession()
    session.emit(ProjectRead((), ToolRegistry(configured=False), (), at=NOW))
    pane = ToolsPane()
    async with piloted(Stage(pane, session), (60, 20)) as pilot:
        await pilot.pause()
        assert "No tool registry was found." in seen(pane)


async def test_counts_follow_results(project: StagedSession) -> None:
    pane = ToolsPane(clock=lambda: NOW)
    async with piloted(Stage(pane, project), (160, 20)) as pilot:
        reader = project.store.reader()
        project.emit(CaseFinished("run-43", make_result("ls-get-weather-006")))
        pane.refresh_from(project.store.drain(reader)[0])
        await until(pilot, lambda: "3 cases ✓1 ✗2 ↓1 ◷1" in seen(pane))
        assert project.store.board(AGENT).rows[key()].regressed


@pytest.mark.parametrize("width", [50, 58, 80])
def test_what_a_group_is_about_stands_in_one_column(width: int) -> None:
    names = ("gs-a", "ls-convert-currency-006", "evals/" + "deep/" * 20 + "end")
    entries = tuple(Entry(DUE, name, "the reason") for name in names)
    builder = TextBuilder(Look({}), width)
    write_problems(builder, (Group("due results", entries),))
    lines = [line.plain for line in builder.lines[1:]]
    assert len({line.index("the ") for line in lines}) == 1, lines
    assert "…" in lines[2]
    assert width < 56 or names[1] in lines[1]


async def test_what_a_result_makes_due_or_not_stands_there_in_the_same_frame(
    project: StagedSession,
) -> None:
    pane = ProblemsPane()
    async with piloted(Stage(pane, project), (160, 16)) as pilot:
        await pilot.pause()
        await pilot.pause()
        before = pane.count
        board = project.store.board(AGENT)
        due = next(row for row in board.rows.values() if row.is_due)
        reader = project.store.reader()
        project.store.handle(CaseFinished("run-9", make_result(due.case.id, run_id="run-9")))
        changes, _ = project.store.drain(reader)
        pane.refresh_from(changes)
        assert "1 due" in before and "due" not in pane.count
