"""Headings of what the last save did, and the title above them, say what is so now."""

import re

import pytest
from msgspec.structs import replace

from evaltui.core.events import (
    CaseFinished,
    CaseMuted,
    CasesStale,
    ProjectRead,
    RunEnd,
    RunFinished,
    RunStarted,
)
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.tool import ToolRegistry
from evaltui.tui.arranged_lines import name_of
from evaltui.tui.panes.cases import CasesPane
from tests.driver import SIZES, Driver, driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession

MADE = scene.suites(48)


async def after_a_save(driver: Driver) -> None:
    """A run of 16 cases within one frame, of which one asks nobody; the cursor is on one that
    failed as before."""
    await driver.hear(*scene.run(scene.cases_of(MADE)[:16]))
    await driver.press("g", "j", "j", "j")
    driver.sees("2 Cases 48 · this save 15", "STILL FAILING 2", "NOT TOUCHED 33")


def session() -> FakeSession:
    return FakeSession(on_open=list(scene.opened(MADE)))


async def test_a_run_shorter_than_a_frame_is_grouped_as_the_header_says() -> None:
    async with driving(session()) as driver:
        await after_a_save(driver)
        driver.sees("15 ran · 0 worse · 0 better · 1 in error · 14 as before", "ERROR 1")


async def test_what_a_key_ran_is_grouped_as_what_a_save_ran_but_for_one_case() -> None:
    async with driving(session()) as driver:
        await driver.hear(*scene.run(scene.cases_of(MADE)[:1], trigger=()))
        driver.sees("1 ran", "2 Cases 48 · 1/48")
        driver.misses("NOT TOUCHED", "this run")
        await driver.hear(*scene.run(scene.cases_of(MADE)[:16], number=43, trigger=()))
        driver.sees("15 ran · 0 worse", "2 Cases 48 · this run 15", "STILL FAILING 2")
        await driver.press("escape")
        driver.misses("NOT TOUCHED", "this run")


async def test_a_first_run_of_which_the_header_says_nothing_is_not_grouped() -> None:
    opened = list(scene.opened(MADE))
    async with driving(FakeSession(on_open=[opened[0]])) as driver:
        await driver.hear(*scene.run(scene.cases_of(MADE)[:3], trigger=()))
        driver.sees("3 ran", "2 Cases 48")
        driver.misses("worse", "NEW 3", "this run")


async def test_a_save_that_runs_nothing_takes_the_headings_of_the_one_before_away() -> None:
    async with driving(session()) as driver:
        await after_a_save(driver)
        await driver.hear(CasesStale(scene.AGENT, (), 48, ("evals/get_weather.golden.json",)))
        driver.misses("STILL FAILING", "NOT TOUCHED", "this save")
        driver.sees("2 Cases 48")


async def test_the_headings_of_what_is_as_before_add_up_to_the_header() -> None:
    async with driving(session(), size=(160, 45)) as driver:
        await after_a_save(driver)
        found = re.search(r"(\d+) as before", driver.lines[0])
        assert found, driver.lines[0]
        total = int(found[1])
        driver.sees("STILL FAILING 2, as before")
        driver.sees(f"AS BEFORE {total - 2}, {total} with those still failing")


async def test_a_case_that_is_muted_leaves_its_heading_and_every_figure() -> None:
    async with driving(session()) as driver:
        await after_a_save(driver)
        row = driver.app.dashboard.controller.row
        assert row is not None
        await driver.hear(CaseMuted(row.key, "known"))
        driver.sees("2 Cases 48 · this save 15", "STILL FAILING 1", "MUTED 1")
        driver.sees("15 ran · 0 worse · 0 better · 1 in error · 13 as before · 1 muted")
        assert driver.app.dashboard.controller.row is row
        await driver.hear(CaseMuted(row.key, ""))
        driver.sees("15 ran", "2 Cases 48 · this save 15", "STILL FAILING 2", "NOT TOUCHED 33")


async def test_the_view_of_this_save_has_as_many_cases_as_the_header_says_ran() -> None:
    async with driving(session()) as driver:
        await after_a_save(driver)
        row = driver.app.dashboard.controller.row
        assert row is not None
        await driver.hear(CaseMuted(row.key, "known"))
        await driver.press("F")
        driver.sees("15 ran")
        assert re.search(r"This save +15\b", driver.text), driver.text
        await driver.press("s")
        driver.sees("2 Cases 15/48 this save")


async def test_what_a_cancelled_run_leaves_due_is_in_sight_and_as_many_as_the_header_says() -> None:
    cases = scene.cases_of(MADE)[:16]
    stale = tuple(DueCase(case.key, Degree.AFFECTED, ("it changed",)) for case in cases)
    async with driving(session(), size=(160, 45)) as driver:
        await driver.hear(
            CasesStale(scene.AGENT, stale, 48, ("tools/tools.exports.ts",)),
            *scene.run(cases, done=6),
        )
        await driver.hear(
            RunFinished("run-42", scene.AGENT, RunEnd.CANCELLED, 2.0, finished_at=scene.NOW + 2)
        )
        driver.sees("DUE 10", "NOT TOUCHED 32", "◷10", cases[10].id)
        await driver.hear(*scene.run(cases[:11], number=43))
        driver.sees("DUE 5", "NOT TOUCHED 32", "◷5")


async def test_what_ran_for_another_reason_is_not_told_as_not_run() -> None:
    cases = scene.cases_of(MADE)
    async with driving(session(), size=(160, 45)) as driver:
        await driver.hear(CasesStale(scene.AGENT, (), 48, ("tools/tools.exports.ts",)))
        await driver.hear(*scene.run(cases[:6]))
        started, *others = scene.run(cases[6:26], number=43, trigger=())
        assert isinstance(started, RunStarted)
        await driver.hear(replace(started, is_rest=True), *others)
        driver.sees("this save 6", "RAN BESIDES 19", "NOT TOUCHED 23", cases[6].id)
        await driver.press("2", "g")
        while "RAN BESIDES" not in driver.lines[cursor_line(driver)]:
            await driver.press("j")
        driver.sees("They ran for another reason")


async def test_a_filter_or_a_view_opens_the_groups_of_what_it_finds() -> None:
    passed, untouched = (scene.cases_of(MADE)[index].key for index in (0, 20))
    async with driving(session(), size=(160, 45)) as driver:
        cases = driver.app.dashboard.controller.layout.cases
        arrangement = cases.arrangement
        await after_a_save(driver)
        assert not {passed, untouched} & {*arrangement.keys}
        await driver.press("/", "0", "enter")
        assert {passed, untouched} <= {*arrangement.keys}
        driver.sees("AS BEFORE", "NOT TOUCHED")
        cases.go(arrangement.index_of("save:AS BEFORE"))
        await driver.press("h")
        assert passed not in arrangement.keys and untouched in arrangement.keys
        await driver.press("escape")
        assert not {passed, untouched} & {*arrangement.keys}
        await driver.press("F", "s")
        driver.sees("2 Cases 15/48 this save")
        assert passed in arrangement.keys


async def test_a_filter_opens_the_suites_of_what_it_finds() -> None:
    first = scene.cases_of(MADE)[3].key  # the first that fails: below the first heading
    async with driving(session(), size=(100, 30)) as driver:
        arrangement = driver.app.dashboard.controller.layout.cases.arrangement
        await driver.press("2", "g", "h")
        assert first not in arrangement.keys
        await driver.press("/", "0", "enter")
        assert first in arrangement.keys
        await driver.press("escape")
        assert first not in arrangement.keys


@pytest.mark.parametrize("is_held", [False, True])
async def test_a_save_with_everything_as_before_leaves_its_cases_in_sight(is_held: bool) -> None:
    case = scene.cases_of(MADE)[0]  # of the first file: it passed before
    async with driving(session()) as driver:
        controller = driver.app.dashboard.controller
        if is_held:
            assert driver.app.dashboard.query_one(CasesPane).go_to(case.key)
        await driver.hear(CasesStale(scene.AGENT, (), 48, ()))
        await driver.hear(*scene.run([case]))
        driver.sees("1 ran · 0 worse · 0 better · 1 as before", "AS BEFORE 1", "NOT TOUCHED 47")
        driver.misses("is folded", "No case is under the cursor")
        row = controller.row
        assert row is not None and row.key == case.key
        trigger = ("tools/tools.exports.ts",)
        await driver.hear(CasesStale(scene.AGENT, (), 48, trigger))
        await driver.hear(*scene.run(scene.cases_of(MADE)[:16], number=43))
        driver.sees("STILL FAILING 2", "AS BEFORE 12")
        is_in_sight = scene.cases_of(MADE)[1].id in driver.text
        assert is_in_sight is is_held, "it is folded again, but for the case under the cursor"


@pytest.mark.parametrize(
    "size", [(80, 24), *(pytest.param(size, marks=pytest.mark.slow) for size in SIZES[:2])]
)
async def test_what_got_worse_is_in_sight_wherever_the_cursor_stands(size: tuple[int, int]) -> None:
    worse = scene.cases_of(MADE)[3]
    was = replace(scene.result(worse, scene.P), finished_at=scene.NOW - 60)
    async with driving(session(), size=size) as driver:
        await driver.hear(CaseFinished("run-41", was))
        await driver.press("2", "G")
        await driver.hear(*scene.run(scene.cases_of(MADE)[:4]))
        driver.sees("WORSE 1", worse.id)
        row = driver.app.dashboard.controller.row
        assert row is not None and row.key.case in driver.text, "keys act on what is in sight"
        await driver.press("G")
        driver.misses("WORSE 1")
        await driver.hear(CaseMuted(scene.cases_of(MADE)[20].key, "known"))
        driver.misses("WORSE 1")  # only a save scrolls back


@pytest.mark.parametrize("fold", ["l", "h"])
async def test_the_position_is_one_among_the_cases_that_the_title_counts(fold: str) -> None:
    async with driving(session(), size=(60, 20)) as driver:
        await after_a_save(driver)
        while "AS BEFORE" not in driver.lines[cursor_line(driver)]:
            await driver.press("j")
        await driver.press(fold, "G", "l", "G")
        title = driver.lines[1]
        assert re.search(r"2 Cases 48 · this save 15 · 48/48", title), title


def cursor_line(driver: Driver) -> int:
    (y,) = (y for y, line in enumerate(driver.lines) if line.startswith("›"))
    return y


async def test_each_of_several_agents_has_headings_of_what_the_save_did_to_its_cases() -> None:
    agents = ("one", "two")
    host = FakeSession(agents=agents)
    for number, agent in enumerate(agents):
        opened = list(scene.opened(MADE, agent=agent))
        host.on_open = (*host.on_open, *opened[1 if number else 0 :])  # the project is read once
    async with driving(host) as driver:
        for agent, cases in zip(agents, (16, 4), strict=True):
            await driver.hear(*scene.run(scene.cases_of(MADE)[:cases], agent=agent))
        driver.sees("2 agents", "2 Cases 48 · this save 15", "STILL FAILING 2", "NOT TOUCHED 33")
        await driver.press("at")
        await driver.press("g")
        driver.sees("@two", "2 Cases 48 · this save 4", "NOT TOUCHED 41")
        await driver.press("escape")  # no headings of this save any more, for this agent
        driver.misses("NOT TOUCHED", "this save")
        await driver.press("at", "g")
        driver.sees("@one", "NOT TOUCHED 33")
        await driver.press("at")
        driver.sees("@two")
        driver.misses("NOT TOUCHED")


async def test_groups_of_a_save_that_are_folded_are_called_groups() -> None:
    async with driving(session(), size=(100, 30)) as driver:
        await driver.hear(CasesStale(scene.AGENT, (), 48, ()))
        await driver.hear(*scene.run([scene.cases_of(MADE)[0]]))
        await driver.press("2", "h")
        driver.sees("AS BEFORE 1", "NOT TOUCHED 47", "Every group is folded: l shows the cases")


async def test_a_group_is_folded_from_a_case_below_it() -> None:
    async with driving(session()) as driver:
        await after_a_save(driver)
        controller = driver.app.dashboard.controller
        cases, row = controller.layout.cases, controller.row
        assert row is not None
        group = cases.arrangement.heading_of(row.key)
        await driver.press("h")
        assert row.key not in cases.arrangement.keys
        assert cases.saved_group == group
        await driver.press("l")
        assert row.key in cases.arrangement.keys


async def test_a_save_that_breaks_into_the_second_run_of_one_moves_no_cursor() -> None:
    cases = scene.cases_of(MADE)
    was = replace(scene.result(cases[3], scene.P), finished_at=scene.NOW - 60)
    async with driving(session(), size=(80, 24)) as driver:
        await driver.hear(CaseFinished("run-41", was), *scene.run(cases[:16]))
        driver.sees("WORSE 1")
        await driver.hear(*scene.run(cases[16:30], number=43, done=4))
        await driver.press("2", "G", "k", "l", "G", "k", "k")
        pane = driver.app.dashboard.controller.layout.cases
        line = pane.line
        assert line is not None and pane.arrangement.is_by_save
        await driver.hear(CasesStale(scene.AGENT, (), 48, ("tools/other.ts",)))
        came = replace(scene.result(cases[24], scene.F), run_id="run-43")
        await driver.hear(CaseFinished("run-43", came))
        assert pane.arrangement.is_by_save
        assert pane.line is not None and name_of(pane.line) == name_of(line)
        driver.misses("WORSE 1")


@pytest.mark.parametrize("is_asked", [True, False])
async def test_words_of_a_description_head_cases_that_were_asked_not_those_judged_again(
    is_asked: bool,
) -> None:
    case, before = scene.cases_of(MADE)[0], scene.registry()
    told = replace(before.tools["get_weather"], description="Tells get_weather.")
    now = ToolRegistry({**before.tools, "get_weather": told})
    trigger = ("tools/tools.exports.ts", "evals/evaluators/city.py")
    failed = replace(scene.result(case, scene.F), run_id="run-9")
    started = RunStarted("run-9", scene.AGENT, 9, (case.key,), "why", trigger)
    async with driving(session(), size=(160, 45)) as driver:
        await driver.hear(
            ProjectRead(MADE, now, (), trigger),
            CasesStale(scene.AGENT, (), 48, trigger),
            replace(started, is_rejudging=not is_asked),
            CaseFinished("run-9", failed),
            RunFinished("run-9", scene.AGENT, RunEnd.COMPLETED, 1.0),
        )
        driver.sees("WORSE 1", case.id)
        await driver.press("g", "j")
        await driver.sees_soon(f"3 Detail {case.id}")
        for words in ('get_weather - "Does" + "Tells"', "changed in this save"):
            assert (words in driver.text) is is_asked, words


async def test_the_verdicts_of_a_case_are_all_there_when_a_command_beside_adds_one() -> None:
    cases = scene.cases_of(MADE)
    was = replace(scene.result(cases[3], scene.P), finished_at=scene.NOW - 60)
    again = replace(scene.result(cases[3], scene.F), run_id="run-44")
    started = RunStarted("run-44", scene.AGENT, 44, (cases[3].key,), "evaltui run", command="one")
    async with driving(session(), size=(120, 35)) as driver:
        await driver.hear(CaseFinished("run-41", was), *scene.run(cases[:16]))
        driver.sees("WORSE 1")
        assert "✓✓✓✓✗✓✗ " in driver.row(cases[3].id)
        await driver.hear(started, CaseFinished("run-44", again))
        assert "✓✓✓✓✗✓✗✗ " in driver.row(cases[3].id)
        driver.sees("WORSE 1")


async def test_what_a_command_leaves_otherwise_stands_below_no_words_of_the_save() -> None:
    cases = scene.cases_of(MADE)
    worse, fine = cases[3], cases[0]
    did = "1 worse · 0 better · 1 in error"
    started = RunStarted("run-44", scene.AGENT, 44, (worse.key,), "evaltui run", command="one")
    async with driving(session(), size=(160, 45)) as driver:
        await driver.hear(CaseFinished("run-41", scene.result(worse, scene.P, at=scene.NOW - 60)))
        await driver.hear(*scene.run(cases[:16]))
        driver.sees("WORSE 1", did)
        for case, status in ((worse, scene.P), (fine, scene.F)):
            now = replace(scene.result(case, status), run_id="run-44")
            await driver.hear(replace(started, cases=(case.key,)), CaseFinished("run-44", now))
        driver.sees("RAN BESIDES 2, 2 of them ran in the save too", did)
        driver.misses("WORSE 1")
        await driver.hear(CaseFinished("run-44", scene.result(worse, scene.F)))
        driver.sees("WORSE 1", "RAN BESIDES 1, 1 of them ran in the save too", did)


async def test_the_verdicts_of_a_case_are_all_there_while_a_key_tries_it_again() -> None:
    cases = scene.cases_of(MADE)
    was = replace(scene.result(cases[3], scene.P), finished_at=scene.NOW - 60)
    again = replace(scene.result(cases[3], scene.F), run_id="run-43")
    keys = tuple(case.key for case in cases[3:6])
    started = RunStarted("run-43", scene.AGENT, 43, keys, "asked for", (), is_repeat=True)
    async with driving(session(), size=(120, 35)) as driver:
        await driver.hear(CaseFinished("run-41", was), *scene.run(cases[:16]))
        await driver.hear(started, CaseFinished("run-43", again))
        driver.sees("WORSE 1", "1/3")
        assert "✓✓✓✓✗✓✗✗ " in driver.row(cases[3].id)
