"""The dashboard as a person uses it."""

import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.events import Key

from evaltui.core.baseline import Baseline
from evaltui.core.errors import Problem, Severity
from evaltui.core.events import (
    BaselinePinned,
    CaseFinished,
    CaseMuted,
    CasesStale,
    ProblemFound,
    ProjectChecked,
    ProjectRead,
    RunStarted,
)
from evaltui.core.result import CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.tool import ToolRegistry
from evaltui.settings.keymap import make_keymap
from evaltui.tui.app import DashboardApp
from evaltui.tui.command import Command
from evaltui.tui.commands import BY_ID, COMMANDS
from evaltui.tui.log import EventLog
from evaltui.tui.navigation import PaneId
from evaltui.tui.order import Order
from evaltui.tui.screens.dashboard import DashboardScreen
from evaltui.tui.view import View
from tests.driver import EACH_SIZE, driving, piloted
from tests.tui import scene
from tests.tui.fake_session import FakeEdit, FakeSession

ROOT = Path(__file__).parent.parent.parent
MUTED = "evals/send_email.labeled.json"


def session(cases: int = 48, **options: object) -> FakeSession:
    made = scene.suites(cases)
    return FakeSession(on_open=list(scene.opened(made, at=time.time() - 240)), **options)  # type: ignore[arg-type]


def words(lines: Iterable[str]) -> str:
    return "\n".join(lines)


@pytest.mark.parametrize("size", EACH_SIZE)
@pytest.mark.parametrize("theme", ["dark", "light"])
async def test_every_size_shows_the_worst_case_first_and_fills_the_screen(
    size: tuple[int, int], theme: str
) -> None:
    async with driving(session(), size=size, theme=theme) as driver:
        driver.sees("2 Cases 48", "gs-get-weather-003", "? help", "✓36 ✗6")
        strips = driver.app.screen._compositor.render_strips()
        assert len(strips) == size[1]
        assert {strip.cell_length for strip in strips} == {size[0]}


async def test_panes_by_width() -> None:
    async with driving(session()) as driver:
        driver.sees("1 Suites", "2 Cases", "3 Detail")
        await driver.resize(100, 30)
        driver.sees("2 Cases", "3 Detail", "▾ evals/get_weather.golden.json")
        driver.misses("1 Suites")
        await driver.resize(60, 20)
        driver.sees("2 Cases")
        driver.misses("3 Detail", "1 Suites")


async def test_narrow_enter_pushes_the_detail_and_escape_comes_back() -> None:
    async with driving(session(), size=(60, 20)) as driver:
        await driver.press("enter")
        driver.sees("3 Detail", "Cases › gs-get-weather-003")
        driver.misses("2 Cases")
        driver.stands_in(PaneId.DETAIL)
        await driver.press("escape")
        driver.sees("2 Cases")
        driver.stands_in(PaneId.CASES)


async def test_a_folded_suite_says_so_where_its_cases_would_be() -> None:
    said = "This suite is folded: l shows its cases."
    async with driving(session(), size=(60, 20)) as driver:
        driver.misses("is folded")
        await driver.press("h")
        driver.misses("is folded")
        await driver.press("1", "j", "enter")
        driver.sees("2 Cases 8/48, 2 folded", "▸ evals/get_weather.golden.json")
        driver.misses("is folded")
        await driver.press("h")
        driver.sees("2 Cases 8/48, 8 folded", said)
        await driver.press("k", "l")
        driver.sees("gs-get-weather-003")
        driver.misses("is folded")
        await driver.press("h")
        driver.sees(said)


async def test_where_every_suite_is_folded_it_says_which_key_shows_the_cases() -> None:
    host = session()
    host.config = replace(host.config, keys={"move.in": "U"})
    async with driving(host, size=(60, 20)) as driver:
        for _ in range(2 * len(scene.suites(48))):
            await driver.press("h", "j")
        driver.sees("Every suite is folded: U shows the cases of the one", "2 Cases 48, 48 folded")


async def test_escape_never_quits() -> None:
    async with driving(session()) as driver:
        await driver.press("3", *["escape"] * 12)
        driver.sees("2 Cases 48")
        assert driver.app.is_running


async def test_a_suite_narrows_the_cases() -> None:
    async with driving(session()) as driver:
        await driver.press("1", "j")
        driver.sees("2 Cases 8/48")
        await driver.press("escape", "escape")
        driver.sees("2 Cases 48")


async def test_filter_is_live_and_escape_takes_it_back() -> None:
    async with driving(session()) as driver:
        await driver.press("slash")
        await driver.write("status:err")
        driver.sees("2 Cases 3/48", "FILTER status:err")
        await driver.press("escape")
        driver.sees("2 Cases 48")
        await driver.press("slash")
        await driver.write("tool:send_email")
        await driver.press("enter")
        driver.sees("2 Cases 8/48")
        driver.stands_in(PaneId.CASES)


@pytest.mark.slow
async def test_ctrl_c_clears_the_filter_and_one_types_on(monkeypatch: pytest.MonkeyPatch) -> None:
    edited: list[object] = []
    monkeypatch.setattr("evaltui.tui.editor.open_in_editor", lambda *given: edited.append(given))
    async with driving(session()) as driver:
        await driver.press("slash")
        await driver.write("abc")
        driver.sees("filter: abc", "Ctrl+C clear", "2 Cases 0/48")
        await driver.press("ctrl+c")
        driver.sees("2 Cases 48")
        await driver.press("o")
        driver.sees("filter: o", "FILTER o")
        assert not edited
        await driver.press("escape")
        driver.misses("FILTER")


@pytest.mark.slow
async def test_ctrl_c_leaves_an_empty_filter_bar() -> None:
    async with driving(session()) as driver:
        await driver.press("slash")
        await driver.write("abc")
        await driver.press("ctrl+c", "ctrl+c")
        driver.misses("filter:", "FILTER", "quits")
        driver.stands_in(PaneId.CASES)
        await driver.press("j")
        driver.sees("2 Cases 48")


@pytest.mark.parametrize("size", [pytest.param((160, 45), marks=pytest.mark.slow), (60, 20)])
async def test_a_filter_that_is_not_understood_is_not_kept(size: tuple[int, int]) -> None:
    async with driving(session(), size=size) as driver:
        await driver.press("/")
        await driver.write("colour:red")
        bar = next(line for line in driver.lines if "filter: colour:red" in line)
        assert "colour: is unknown" in bar and bar.endswith(("…", "id, tag")), bar
        await driver.press("enter")
        driver.sees("Correct")
        driver.sees("filter: colour:red")
        await driver.press("escape")
        driver.misses("colour:red", "FILTER")


async def test_a_filter_that_finds_nothing_teaches() -> None:
    async with driving(session()) as driver:
        await driver.press("slash")
        await driver.write("nowhere")
        driver.sees("No case matches nowhere.", "Esc clears the filter")


async def test_rows_stay_while_a_run_is_on_and_are_sorted_when_it_ends() -> None:
    made = scene.suites(48)
    host = session()
    async with driving(host) as driver:
        await driver.press("G")
        here = driver.app.dashboard.controller.layout.cases.row
        assert here is not None
        line = driver.place(here.key.case)[0]
        order = driver.app.dashboard.controller.layout.cases.arrangement.keys
        running = list(scene.run(scene.cases_of(made), done=40, at=time.time()))
        await driver.hear(*running)
        assert driver.app.dashboard.controller.layout.cases.arrangement.keys == order
        assert driver.place(here.key.case)[0] == line
        await driver.hear(*list(scene.run(scene.cases_of(made), at=time.time()))[-5:])
        assert driver.app.dashboard.controller.layout.cases.row is here
        assert driver.place(here.key.case)[0] == line


async def test_the_header_tells_a_run() -> None:
    made = scene.suites(48)
    async with driving(session()) as driver:
        await driver.hear(*scene.run(scene.cases_of(made), done=32, at=time.time() - 7))
        header = driver.lines[0]
        for part in ("● WATCH", "tools.exports.ts", "run #42 00:07", "32/48", "eta", "$0.0", "×4"):
            assert part in header, header


@pytest.mark.parametrize(("key", "count"), [("r", 1), ("R", 3), ("a", 48), ("f", 6), ("E", 3)])
async def test_keys_that_run(key: str, count: int) -> None:
    async with driving(session()) as driver:
        await driver.press(key)
        [(keys, trials, _)] = driver.requested("rerun")
        assert len(keys) == count
        assert trials is None
        assert driver.session.by_outcome == [key in "fE"]


async def test_what_only_its_checks_changed_is_judged_again_and_not_asked() -> None:
    async with driving(session()) as driver:
        host = driver.session
        first, *others = host.requests.due_keys(host.agents[0])
        stale = [DueCase(key, Degree.AFFECTED, ("case changed",)) for key in others]
        stale.append(DueCase(first, Degree.TO_JUDGE, ("case changed",)))
        await driver.hear(CasesStale(host.agents[0], tuple(stale), 48))
        await driver.press("R")
        assert driver.requested("rejudge") == [((first,), (host.agents[0],))]
        [(keys, _, _)] = driver.requested("rerun")
        assert set(keys) == set(others)


async def test_repeat_asks_how_often() -> None:
    async with driving(session()) as driver:
        await driver.press("x", "backspace", "backspace")
        await driver.write("zq")
        driver.misses("zq")
        await driver.write("99990")
        await driver.press("enter")
        driver.sees("9999", "a number from 1 to 1000")
        driver.misses("99990")
        await driver.press(*["backspace"] * 4, "5", "enter")
        assert driver.requested("rerun")[0][1:] == (5, "5 times")


async def test_choosing_several_cases() -> None:
    async with driving(session()) as driver:
        await driver.press("space", "space", "v")
        driver.sees("3 CHOSEN")
        await driver.press("b", "a")
        [(keys, _)] = driver.requested("pin")
        assert len(keys) == 3
        await driver.press("escape")
        driver.misses("CHOSEN")
        await driver.press("g", "shift+down", "shift+down")
        driver.sees("3 CHOSEN")


async def test_pausing_and_cancelling() -> None:
    host = session()
    async with driving(host) as driver:
        await driver.press("c")
        driver.sees("Cancel: nothing is running")
        host.pending = 2
        await driver.press("p")
        driver.sees("PAUSED 2 queued", "● PAUSED")
        await driver.press("p")
        driver.misses("PAUSED")


async def test_a_run_of_ones_own_is_cancelled() -> None:
    async with driving(session()) as driver:
        await driver.hear(*scene.run(scene.cases_of(scene.suites(48)), done=4))
        await driver.press("c")
        assert driver.requested("cancel") == [()]
        driver.misses("nothing is running", "another process")


async def test_accept_shows_the_change_and_asks() -> None:
    async with driving(session()) as driver:
        await driver.press("u")
        driver.sees("Accept the calls", '-  "city": "Paris"', '+  "city": "Pariss"')
        assert driver.requested("apply") == []
        await driver.press("enter")
        assert len(driver.requested("apply")) == 1


@pytest.mark.parametrize("size", EACH_SIZE)
async def test_the_preview_is_as_high_as_the_change_and_a_long_one_scrolls(
    size: tuple[int, int],
) -> None:
    host = session()
    async with driving(host, size=size) as driver:
        await driver.press("u")
        short = driver.app.screen.query_one("#box").region
        assert short.height <= 8, driver.text
        await driver.press("escape")
        lines = tuple(f"- line {number} {'word ' * 20}" for number in range(60))
        edit = FakeEdit(diff=(*lines, "+ the last line"))
        host.edits.preview_accept = lambda *_: edit
        await driver.press("u")
        await driver.press("end")  # scrolls what has been laid out
        driver.sees("+ the last line", "Enter or y writes it")
        assert driver.app.screen.region.contains_region(driver.app.screen.query_one("#box").region)


@pytest.mark.slow
async def test_capture_asks_for_the_bug() -> None:
    async with driving(session()) as driver:
        await driver.press("C", "enter")
        driver.sees("name the bug")
        await driver.write("bug-12")
        await driver.press("enter", "y")
        assert driver.requested("preview_capture")[0][1] == "bug-12"
        assert len(driver.requested("apply")) == 1


async def test_mute_asks_for_a_reason() -> None:
    async with driving(session()) as driver:
        await driver.press("m")
        await driver.write("model changed")
        await driver.press("enter")
        assert driver.requested("mute")[0][0] == "model changed"


async def test_a_mistake_with_words_becomes_a_toast() -> None:
    made = session()
    made.can_undo = "pinned 3 cases"
    async with driving(made) as driver:
        await driver.press("z")
        driver.sees("The file was changed since. Undo it there.")


async def test_what_cannot_be_undone_is_said_and_greyed() -> None:
    made = session()
    async with driving(made) as driver:
        controller = driver.app.dashboard.controller
        await driver.press("z")
        driver.sees("Undo: there is nothing to undo")
        await driver.press("Z")
        driver.sees("Redo: there is nothing to redo")
        assert BY_ID["undo"].reason_against(controller) == "there is nothing to undo"
        made.can_undo = made.can_redo = "pinned 3 cases"
        assert BY_ID["undo"].reason_against(controller) is None
        assert BY_ID["redo"].reason_against(controller) is None
        await driver.press("Z")
        driver.sees("Redone: pinned 3 cases")


@pytest.mark.slow
async def test_copying_uses_the_terminals_clipboard() -> None:
    async with driving(session()) as driver:
        await driver.press("y")
        assert driver.app.clipboard.startswith("gs-get-weather-003: What about")
        await driver.press("Y", *["down"] * 5, "enter")
        assert driver.app.clipboard == (
            "evaltui run evals/get_weather.golden.json::gs-get-weather-003 --agent embedded"
            " -C /project"
        )


@pytest.mark.slow
async def test_the_baseline_menu() -> None:
    async with driving(session()) as driver:
        await driver.press("B", "s", "a")
        [(keys, name)] = driver.requested("pin")
        assert len(keys) == 8
        assert name == ""
        await driver.press("B", *["j"] * 3, "enter")
        await driver.write("before-it")
        await driver.press("enter", "p")
        assert driver.requested("pin")[1][1] == "before-it"


async def test_the_board_stays_in_sight_behind_a_dialog() -> None:
    async with driving(session()) as driver:
        above = driver.lines[:4]
        await driver.press("B")
        driver.sees("Baselines", "Pin all 48 cases")
        assert driver.lines[:4] == above
        shown = driver.app.screen._compositor.render_strips()[0]
        behind = driver.app.dashboard._compositor.render_strips()[0]
        assert [part.style for part in shown] != [part.style for part in behind], "not dimmed"


@pytest.mark.slow
async def test_help_finds_and_runs() -> None:
    async with driving(session()) as driver:
        await driver.press("question_mark")
        driver.sees("Help: keys and signs", "Rerun the chosen cases")
        await driver.write("view")
        await driver.press("down", "up")
        await driver.press("escape")
        driver.misses("Help: keys and signs")
        assert not driver.requested("rerun")
        await driver.press("question_mark")
        await driver.write("run every case")
        await driver.press("enter")
        driver.misses("Help: keys and signs")
        assert [len(keys) for keys, *_ in driver.requested("rerun")] == [48]


async def test_the_run_of_another_process_is_not_cancelled_here() -> None:
    host = session()
    host.is_run_elsewhere = True
    async with driving(host) as driver:
        host.emit(RunStarted("run-9", scene.AGENT, 9, (), "evaltui run"))
        await driver.press("c")
        driver.sees("Cancel: another process runs it: cancel it there")
        assert not driver.requested("cancel")


@pytest.mark.slow
async def test_the_palette_greys_what_cannot_run_and_says_why() -> None:
    async with driving(session()) as driver:
        await driver.press("colon")
        await driver.write("cancel")
        driver.sees("not now: nothing is running")
        await driver.press("escape", "ctrl+p")
        await driver.write("run all")
        await driver.press("enter")
        assert len(driver.requested("rerun")[0][0]) == 48


@pytest.mark.slow
async def test_themes_are_seen_while_one_chooses() -> None:
    async with driving(session()) as driver:
        await driver.press("T", "down")
        assert driver.app.theme != "dark"
        await driver.press("escape")
        assert driver.app.theme == "dark"
        await driver.press("T", "down", "enter")
        assert driver.app.theme != "dark"


async def test_walking_through_the_failures() -> None:
    async with driving(session()) as driver:
        await driver.press("i")
        driver.sees("WALK 1/9")
        driver.stands_in(PaneId.DETAIL)
        await driver.press(*["i"] * 8)
        driver.sees("WALK 9/9")
        await driver.press("i")
        driver.misses("WALK")


@pytest.mark.parametrize(
    "hides",
    [
        "suite",
        *(
            pytest.param(one, marks=pytest.mark.slow)
            for one in ("view", "filter", "filter while it is on")
        ),
    ],
)
async def test_the_walk_goes_on_where_something_hides_the_failures(hides: str) -> None:
    async with driving(session()) as driver:
        layout = driver.app.dashboard.controller.layout
        if hides == "view":
            await driver.press("F", "m")
            driver.sees("2 Cases 0/48 muted")
        elif hides == "suite":
            rows = driver.app.dashboard.controller.board.rows.values()
            failed = [one.key for one in rows if one.key.suite == MUTED and one.is_failing]
            await driver.hear(*(CaseMuted(key, "known") for key in failed))
            ids = [suite.id for suite in layout.suites.lines.suites]
            await driver.press("1", *["j"] * (ids.index(MUTED) + 1))
            driver.sees("2 Cases 8/48", f"3 Detail {MUTED}")
        else:
            if hides == "filter while it is on":
                await driver.press("i", "2")
            await driver.press("slash")
            await driver.write("is:passed")
            await driver.press("enter")
        await driver.press("i")
        walked = {"filter while it is on": "WALK 2/9", "suite": "WALK 1/8"}.get(hides, "WALK 1/9")
        driver.sees(walked, "2 Cases 48")
        driver.misses("That was the last failure.", "FILTER", "VIEW")
        row, walk = layout.cases.row, driver.app.dashboard.controller.walk
        assert row is not None and row.is_failing and row.key == walk.key == layout.shown
        assert not layout.suites.suite
        driver.sees(f"3 Detail {row.key.case}")


async def test_the_walk_shows_its_failure_in_place_of_the_page_of_a_suite() -> None:
    async with driving(session()) as driver:
        await driver.press("1", "j", "j")
        driver.sees("3 Detail evals/create_issue.regression.json")
        await driver.press("i")
        driver.sees("WALK 1/2", "2 Cases 8/48", "3 Detail rg-create-issue-003")


@pytest.mark.slow
async def test_next_problem_goes_round() -> None:
    async with driving(session()) as driver:
        seen = []
        for _ in range(10):
            await driver.press("n")
            row = driver.app.dashboard.controller.layout.cases.row
            assert row is not None
            seen.append(row.key)
        assert len(set(seen)) == 9
        assert seen[0] == seen[9]


@pytest.mark.slow
async def test_views_are_chosen_by_a_letter_and_gone_through_by_the_same_key() -> None:
    async with driving(session()) as driver:
        await driver.press("F")
        driver.sees("a  All  48 · in force", "p  Problems  9", "r  Regressions  3", "d  Due  3")
        await driver.press("p")
        driver.sees("2 Cases 9/48 problems", "VIEW problems")
        await driver.press("F", "F")
        driver.sees("2 Cases 3/48 regressions")
        await driver.press("F", "a")
        driver.sees("2 Cases 48")
        await driver.press("F", "p", "escape")
        driver.sees("2 Cases 48")


@pytest.mark.slow
async def test_an_open_menu_of_views_says_how_things_stand_now() -> None:
    async with driving(session()) as driver:
        await driver.press("F")
        await driver.press("down", "down")
        driver.sees("p  Problems  9", "d  Due  3")
        rows = driver.app.dashboard.controller.board.rows.values()
        failed = next(row.case for row in rows if row.is_failing and not row.muted)
        now = scene.result(failed, CaseStatus.PASSED, at=time.time())
        await driver.hear(CaseFinished("run-9", now), CasesStale(scene.AGENT, (), 48))
        driver.sees("p  Problems  8", "d  Due  0")
        await driver.press("enter")
        driver.sees("2 Cases 8/48 problems")


def test_every_view_and_order_has_a_letter_of_its_own() -> None:
    for kinds in (View, Order):
        letters = [kind.letter for kind in kinds]
        assert len({*letters, "j", "k"}) == len(kinds) + 2


@pytest.mark.slow
async def test_the_order_is_chosen_by_a_letter_and_stays() -> None:
    async with driving(session()) as driver:
        arrangement = driver.app.dashboard.controller.layout.cases.arrangement
        worst = arrangement.keys
        await driver.press("S")
        driver.sees("w  Worst first  in force", "f  File order", "n  Name", "t  Latest", "d  Slow")
        await driver.press("f")
        assert arrangement.keys == tuple(driver.app.dashboard.controller.board.rows)
        driver.sees("SORTED file order")
        await driver.press("S", "S")
        assert arrangement.keys == tuple(driver.app.dashboard.controller.board.rows)
        await driver.press("S", "w")
        assert arrangement.keys == worst
        driver.misses("SORTED")


@pytest.mark.parametrize("size", [(100, 30), pytest.param((160, 45), marks=pytest.mark.slow)])
@pytest.mark.parametrize("pane", ["2", "3"])
@pytest.mark.parametrize("is_ascii", [False, pytest.param(True, marks=pytest.mark.slow)])
async def test_zoom_shows_one_pane_without_borders(
    size: tuple[int, int], pane: str, is_ascii: bool
) -> None:
    async with driving(session(), size=size, is_ascii=is_ascii) as driver:
        await driver.press(pane, "+")
        driver.misses("2 Cases", "3 Detail")
        current = driver.app.dashboard.controller.layout.current
        assert current.size == current.outer_size  # nothing of it is a border
        await driver.press("+")
        driver.sees("3 Detail")


async def test_ctrl_c_cancels_then_quits() -> None:
    made = scene.suites(48)
    async with driving(session()) as driver:
        await driver.hear(*scene.run(scene.cases_of(made), done=4))
        await driver.press("ctrl+c")
        assert driver.requested("cancel") == [()]
        assert driver.app.is_running
        await driver.pilot.press("ctrl+c")
        await driver.pilot.pause()
        assert driver.app.return_value == 0


async def test_mouse_clicks_choose_and_open() -> None:
    async with driving(session(), size=(160, 45)) as driver:
        await driver.click("ls-send-email-003")
        row = driver.app.dashboard.controller.layout.cases.row
        assert row is not None
        assert row.key.case == "ls-send-email-003"
        await driver.click("gs-get-weather-000", times=2)
        driver.stands_in(PaneId.DETAIL)
        await driver.click("? help")
        driver.sees("Help: keys and signs")


async def test_one_agent_has_no_next() -> None:
    async with driving(session()) as driver:
        await driver.press("@")
        driver.sees("Agent: only one agent is configured; [agents]", "evaltui.toml adds others")


async def test_a_case_that_is_no_trace_says_how_those_are_found() -> None:
    async with driving(session()) as driver:
        await driver.press("P")
        driver.sees("this is no trace; / finds", "tier:trace")


async def test_a_folder_without_evals_is_no_error() -> None:
    async with driving(FakeSession()) as driver:
        driver.sees("Reading the project…")
        await driver.hear(ProjectRead((), scene.registry(), (), at=1.0))
        driver.sees("No eval files here yet.", "evaltui init", "evaltui demo")
        driver.sees("Found 5 tools in tools/tools.exports.ts: 5 shows them.")
        driver.sees("Nothing to show yet: there are no cases.")
        driver.misses("Reading the project…")


@pytest.mark.parametrize("key", ["1", "3", "4", "5"])
async def test_no_pane_knows_better_than_another_while_the_project_is_read(key: str) -> None:
    async with driving(FakeSession()) as driver:
        await driver.press(key)
        driver.sees("Reading the project…")
        driver.misses("2 Cases 0", "No problems", "No tool registry", "No case is", "No suites")
        await driver.hear(ProjectRead((), ToolRegistry(configured=False), (), at=1.0))
        driver.misses("Reading the project…")
        driver.sees("2 Cases 0", "No eval files here yet.")
        driver.misses("Found")


async def test_the_footer_names_no_key_that_could_act_on_nothing() -> None:
    async with driving(FakeSession()) as driver:
        assert "r rerun" in driver.lines[-1]  # what there is nobody knows yet
        await driver.hear(ProjectRead((), scene.registry(), (), at=1.0))
        for told in ("rerun", "pin", "accept", "next problem", "run all"):
            assert told not in driver.lines[-1]
        assert "? help" in driver.lines[-1]
        assert "q quit" in driver.lines[-1]
        await driver.hear(*scene.opened(scene.suites(48)))
        for told in ("r rerun", "b pin", "n next problem", "f rerun failed", "R rerun due"):
            assert told in driver.lines[-1]
        await driver.hear(*scene.run(scene.cases_of(scene.suites(3, 3))))
        assert "f rerun failed" in driver.lines[-1]
        await driver.hear(*scene.opened(scene.suites(3, 3)))
        for told in ("rerun failed", "next problem"):
            assert told not in driver.lines[-1]


@pytest.mark.slow
async def test_problems_are_counted_where_they_are_seen() -> None:
    async with driving(session()) as driver:
        await driver.hear(ProblemFound(Problem("a.json", "Expected a comma", line=3)))
        driver.sees("4 shows 1 problem")
        await driver.press("4")
        driver.stands_in(PaneId.PROBLEMS)
        driver.sees("Expected a comma")
        await driver.press("4")
        driver.stands_in(PaneId.CASES)


@pytest.mark.parametrize("size", EACH_SIZE)
async def test_ascii_prints_ascii(size: tuple[int, int]) -> None:
    made = scene.suites(20)
    plain = [case for case in scene.PLACES if case.isascii()]
    assert plain
    async with driving(session(20), size=size, is_ascii=True) as driver:
        await driver.hear(*scene.run(scene.cases_of(made), done=12, at=time.time()))
        header, footer = driver.lines[0], driver.lines[-1]
        assert header.isascii(), header
        assert footer.isascii(), footer


async def test_the_guide_walks_on_by_itself() -> None:
    made = scene.suites(48)
    async with driving(session(), guide=True) as driver:
        driver.sees("1/3", "tools/tools.exports.ts")
        await driver.hear(*scene.run(scene.cases_of(made), done=4))
        driver.sees("2/3")
        await driver.press("escape")
        driver.misses("2/3")


async def test_the_log_says_what_happened() -> None:
    async with driving(session()) as driver:
        await driver.press("L")
        driver.sees("read 6 suites, 48 cases, 5 tools")


@pytest.mark.slow
async def test_lines_of_the_log_hang_below_their_words() -> None:
    made = scene.suites(48)
    async with driving(session(), size=(80, 24)) as driver:
        await driver.hear(*scene.run(scene.cases_of(made), done=16))
        await driver.press("L")
        for size in ((80, 24), (60, 20), (100, 30)):
            await driver.resize(*size)
            box = driver.app.screen.query_one("#box").content_region
            inner = [line[box.x : box.right] for line in driver.lines[box.y : box.bottom]]
            assert any("embedded: " in line for line in inner), driver.text
            for line in filter(str.strip, inner):
                assert line[2] == ":" or line.startswith(" " * 10), driver.text


async def test_the_users_own_keys() -> None:
    host = session()
    from msgspec.structs import replace

    host.config = replace(host.config, keys={"run.all": "ctrl+a"})
    async with driving(host) as driver:
        await driver.press("a")
        assert driver.requested("rerun") == []
        await driver.press("ctrl+a")
        assert len(driver.requested("rerun")) == 1


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.id)
def test_a_key_that_comes_before_the_panes_are_mounted_does_nothing(command: Command) -> None:
    keymap = make_keymap()
    made = session()
    screen = DashboardScreen(made, keymap, EventLog(made.store))
    for key in command.keys:
        assert not screen.take(Key(key, key if len(key) == 1 else None))


async def test_keys_typed_ahead_of_the_first_frame_are_no_crash() -> None:
    class Hasty(DashboardApp):
        CSS_PATH = str(ROOT / "evaltui" / "tui" / "dashboard.tcss")

        def get_default_screen(self) -> DashboardScreen:
            for key in ("j", "enter", "b", "question_mark", "3"):
                self.post_message(Key(key, None))
            return super().get_default_screen()

    made, keymap = session(), make_keymap()
    log = EventLog(made.store)
    app = Hasty(made, lambda: DashboardScreen(made, keymap, log), lambda _: None)
    async with piloted(app, (100, 30)) as pilot:
        await pilot.pause()
        assert app.dashboard.controller.is_started


def test_the_log_speaks_of_a_baseline_only_where_something_is_pinned() -> None:
    made = session()
    log = EventLog(made.store)
    log.handle(BaselinePinned(scene.AGENT, "default", ()))
    assert "nothing is pinned" in log.lines[-1][1]
    pinned = Baseline("evals/a.golden.json", "run-1", "default", {})
    log.handle(BaselinePinned(scene.AGENT, "default", (pinned,)))
    assert "compared with the baseline default" in log.lines[-1][1]


def test_the_log_counts_problems_when_they_are_others_and_not_before_anybody_looked() -> None:
    made = session()
    log = EventLog(made.store)
    read = next(iter(made.on_open))
    found = (Problem("evals/a.json", "?"), Problem("evals/b.json", "?", severity=Severity.LINT))
    for event in (read, ProjectChecked(found), read, ProjectChecked(found[:1])):
        made.emit(event)
        log.handle(event)
    assert [text for _, text in log.lines if "problem" in text] == [
        "2 problems now: 4 shows them",
        "no problems any more",
        "1 problem now: 4 shows them",
    ]
