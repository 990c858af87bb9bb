"""Several agents side by side: columns, totals, what differs, and whose results are meant."""

import time

import pytest
from msgspec.structs import replace

from evaltui.core.case import Case
from evaltui.core.events import CaseFinished, CaseMuted, Event, RunStarted
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.tui.navigation import PaneId
from tests.driver import EACH_SIZE, SIZES, Driver, driving
from tests.tui import scene
from tests.tui.fake_session import FakeEstimate, FakeSession

AGENTS = ("embedded/1:strict", "mini", "down")
WEATHER = "gs-get-weather-000"


def session(agents: tuple[str, ...] = AGENTS, cases: int = 48) -> FakeSession:
    """The first as in every scene, the second passes everything, the third is down."""
    made = scene.suites(cases)
    host = FakeSession(agents=agents)
    at = time.time() - 240
    always = {"mini": CaseStatus.PASSED, "down": CaseStatus.ERROR}
    events: list[Event] = []
    for number, agent in enumerate(agents):
        opened = list(scene.opened(made, agent=agent, at=at))
        events += opened[1 if number else 0 :]  # the project is read once
        events += [
            CaseFinished("run-1", judged_once(case, always[agent], agent, at))
            for case in (scene.cases_of(made) if agent in always else ())
        ]
    host.on_open = events
    return host


def judged_once(case: Case, status: CaseStatus, agent: str, at: float) -> CaseResult:
    result = scene.result(case, status, agent=agent, at=at)
    return replace(result, passes=int(status is CaseStatus.PASSED))


async def finish(driver: Driver, case: str, status: CaseStatus, agent: str) -> None:
    found = next(c for c in scene.cases_of(scene.suites(48)) if c.key.case == case)
    await driver.hear(CaseFinished("run-2", judged_once(found, status, agent, time.time())))


@pytest.mark.parametrize("size", EACH_SIZE)
async def test_every_agent_has_a_column_with_glyph_and_word(size: tuple[int, int]) -> None:
    async with driving(session(), size=size) as driver:
        heading = driver.lines[driver.place("3 agents, @ next")[0]]
        row = driver.row("gs-get-weather-003")
        words = ("✗ fa", "✓ ok", "! er") if size[0] == 60 else ("✗ fail", "✓ pass", "! error")
        for name, word in zip(("›stri", "mini", "down"), words, strict=True):
            assert name in heading
            assert word in row
        at = [row.index(word) for word in words]
        pane = driver.app.dashboard.controller.layout.cases
        left = pane.content_region.x - pane.region.x
        names = heading[pane.content_region.x :]
        assert [left + names.index(name) for name in ("stri", "mini", "down")] == at
        driver.sees("@strict")


@pytest.mark.parametrize("size", EACH_SIZE)
async def test_totals_stand_below_the_names(size: tuple[int, int]) -> None:
    async with driving(session(), size=size) as driver:
        y, _ = driver.place("of 48 differ")
        assert "6 of 48 differ" in driver.lines[y]
        totals = driver.lines[y]
        for told in ("✓48", "!48"):
            assert told in totals, totals


async def test_one_agent_has_no_columns_and_no_heading() -> None:
    async with driving(session(AGENTS[:1])) as driver:
        driver.misses("agents,", "of 48 differ", "@strict", "✗ fail ")


async def test_only_those_that_fit_stand_there_the_shown_one_among_them() -> None:
    many = tuple(f"agent-{number}" for number in range(9))
    made = scene.suites(12)
    host = FakeSession(agents=many)
    host.on_open = [event for agent in many for event in scene.opened(made, agent=agent)]
    async with driving(host, size=(60, 20)) as driver:
        y, _ = driver.place("9 agents")
        assert "+" in driver.lines[y]
        for _ in range(8):
            await driver.press("@")
        assert "›agen" in driver.lines[y]
        assert "@agent-8" in driver.lines[0]
        assert driver.lines[y].split()[-1] in {"+4", "+5", "+6"}


async def test_the_next_agent_keeps_the_case_under_the_cursor() -> None:
    async with driving(session()) as driver:
        await driver.press("j", "j")
        before = driver.app.dashboard.controller.layout.cases.row
        assert before is not None
        await driver.press("@")
        after = driver.app.dashboard.controller.layout.cases.row
        assert after is not None
        assert after.key == before.key
        assert after.result is not None
        assert after.result.agent == "mini"
        driver.sees("@mini", "›mini")


async def test_a_click_on_a_name_shows_that_agent() -> None:
    async with driving(session()) as driver:
        y, _ = driver.place("3 agents")
        await driver.pilot.click(offset=(driver.lines[y].index("down"), y))
        await driver.settle()
        driver.sees("@down", "›down")
        assert driver.app.dashboard.controller.layout.cases.board.agent == AGENTS[2]


@pytest.mark.slow
async def test_disagreement_is_a_view_and_a_filter() -> None:
    async with driving(session()) as driver:
        await driver.press("F", "x")
        driver.sees("2 Cases 6/48 differs", "VIEW differs")
        await driver.press("escape", "slash")
        await driver.write("is:differs")
        driver.sees("2 Cases 6/48")
        await driver.press("escape", "slash")
        await driver.pilot.press("@")
        await driver.write("mini:passed")
        driver.sees("2 Cases 48")
        await driver.press("escape", "slash")
        await driver.pilot.press("@")
        await driver.write("nobody:passed")
        driver.sees("@nobody is not an agent; there is @strict, @mini")


async def test_an_agent_that_is_down_differs_from_nobody() -> None:
    agents = (AGENTS[0], AGENTS[2])
    async with driving(session(agents)) as driver:
        driver.sees("0 of 48 differ")


@pytest.mark.parametrize("size", EACH_SIZE)
async def test_a_result_of_another_agent_shows_at_once(size: tuple[int, int]) -> None:
    async with driving(session(), size=size) as driver:
        before = driver.app.dashboard.controller.layout.cases.arrangement.keys
        await finish(driver, "gs-get-weather-003", CaseStatus.FAILED, "mini")
        row = driver.row("gs-get-weather-003")
        assert row.count("✗ fa") == 2, row
        driver.sees("5 of 48 differ")
        assert driver.app.dashboard.controller.layout.cases.arrangement.keys == before


async def test_a_case_that_comes_to_differ_appears_in_that_view() -> None:
    async with driving(session()) as driver:
        await driver.press("F", "x")
        await finish(driver, WEATHER, CaseStatus.FAILED, "mini")
        driver.sees("2 Cases 7/48 differs", WEATHER)


async def test_a_run_of_another_agent_shows_how_far_it_is() -> None:
    async with driving(session()) as driver:
        keys = tuple(case.key for case in scene.cases_of(scene.suites(48)))
        await driver.hear(
            RunStarted("run-9", "mini", 9, keys, "asked for", (), 4, 1, time.time(), None)
        )
        driver.sees("▶0/48")
        assert "run #9" not in driver.lines[0]


async def test_a_suite_heading_has_the_figures_of_its_rows_for_every_agent() -> None:
    async with driving(session(), size=(100, 30)) as driver:
        y, _ = driver.place("▾ get_weather.golden")
        assert "✗2" in driver.lines[y]
        assert "✓2" in driver.lines[y]
        assert "!2" in driver.lines[y]
        await driver.press("g", "h")
        driver.sees("▸ get_weather.golden")


async def test_detail_follows_the_agent_that_is_shown() -> None:
    async with driving(session()) as driver:
        driver.sees("✗ failed")
        await driver.press("@")
        driver.sees("✓ passed")
        driver.stands_in(PaneId.CASES)


@pytest.mark.slow
async def test_keys_act_on_the_agent_that_is_shown_and_say_so() -> None:
    host = session()
    async with driving(host) as driver:
        await driver.press("@", "r")
        assert host.asked_of == [("rerun", ("mini",))]
        driver.sees("Running 1 case with @mini.")
        await driver.press("b")
        assert host.asked_of[1:] == [("pin", ("mini",))]
        driver.sees("Pinned 1 case of @mini as baseline")
        await driver.press("B")
        driver.sees("Baselines of @mini")


async def test_one_key_reruns_with_every_agent() -> None:
    host = session()
    async with driving(host) as driver:
        await driver.press("A")
        assert host.asked_of == [("rerun", AGENTS)]
        driver.sees("Running 1 case with every agent.")
    host = session(AGENTS[:1])
    async with driving(host) as driver:
        await driver.press("A")
        assert host.asked_of == []
        driver.sees("only one agent is configured")


async def test_a_dear_run_names_the_agent() -> None:
    host = session()
    host.estimated = FakeEstimate(cost_usd=3.5, asks_first=True)
    async with driving(host) as driver:
        await driver.press("@", "a")
        driver.sees("48 cases, about 12s, about $3.50 with @mini")


@pytest.mark.parametrize(
    "size",
    [SIZES[1], *(pytest.param(one, marks=pytest.mark.slow) for one in SIZES if one != SIZES[1])],
)
async def test_a_tab_compares_one_case_with_every_agent(size: tuple[int, int]) -> None:
    async with driving(session(), size=size) as driver:
        await driver.press("enter", "]", "+")
        driver.sees("[Agents]")
        shown = driver.text
        page = shown[shown.index("[Agents]") :]
        order = [page.index(text) for text in ("›strict  ✗ failed", " mini    ✓ passed", " down ")]
        assert order == sorted(order)
        assert "! error" in page
        assert "✓ get_weather" in page
        assert "$0.0004" in page
        if size == SIZES[0]:
            assert "mini  mean difference +" in page, "against strict, over all cases"
            assert "down  mean" not in page, "it was judged on none of them"
        await driver.press("+", "[", "[")
        driver.misses("[Agents]")


async def test_enter_on_an_agent_in_that_tab_shows_its_board() -> None:
    async with driving(session()) as driver:
        await driver.press("enter", "]", "g")
        line, _ = driver.place(" mini    ✓ passed")
        first, _ = driver.place("›strict  ✗ failed")
        await driver.press(*["j"] * (line - first), "enter")
        driver.sees("@mini", "›mini    ✓ passed")


async def test_the_tab_follows_results_of_other_agents() -> None:
    async with driving(session()) as driver:
        await driver.press("enter", "]")
        driver.sees(" mini    ✓ passed")
        await finish(driver, "gs-get-weather-003", CaseStatus.FAILED, "mini")
        driver.sees(" mini    ✗ failed")


@pytest.mark.slow
async def test_a_muted_case_is_no_difference_over_all_cases() -> None:
    async with driving(session(), size=SIZES[0]) as driver:
        await driver.press("enter", "]", "+")
        driver.sees(", gained ")
        (before,) = [line for line in driver.lines if "mini  mean difference" in line]
        key = next(
            c.key for c in scene.cases_of(scene.suites(48)) if c.key.case == "gs-get-weather-003"
        )
        await driver.hear(CaseMuted(key, "flaky"))
        (now,) = [line for line in driver.lines if "mini  mean difference" in line]
        assert now != before
        driver.sees("without 1 muted case")


@pytest.mark.slow
async def test_the_figures_over_all_cases_follow_cases_that_are_not_shown() -> None:
    async with driving(session(), size=SIZES[0]) as driver:

        def said() -> str:
            (line,) = [one for one in driver.lines if "mini  mean difference" in one]
            return line

        await driver.press("enter", "]", "+")
        first = said()
        await finish(driver, "gs-get-weather-001", CaseStatus.FAILED, "mini")
        assert (second := said()) != first
        await driver.press("+", "1", "+")
        driver.misses("mean difference")
        await finish(driver, "gs-get-weather-002", CaseStatus.FAILED, "mini")
        await driver.press("+", "3", "+")
        assert said() not in {first, second}


@pytest.mark.slow
async def test_the_diff_goes_through_the_other_agents() -> None:
    async with driving(session()) as driver:
        await driver.press("3", "d", "d", "d")
        driver.sees("against agent mini", "mini calls")
        await driver.press("d")
        driver.sees("against agent down")
        await driver.press("@", "@")
        driver.sees("expected calls")
        await driver.press("d", "d", "d")
        driver.sees("against agent strict")


@pytest.mark.slow
async def test_no_mark_is_parted_from_its_word() -> None:
    for size in SIZES:
        async with driving(session(), size=size) as driver:
            await driver.press("enter", "right_square_bracket")
            driver.sees("[Agents]")
            ends = [line.rstrip(" ▐▌█│┃")[-1:] for line in driver.lines]
            assert not {"✗", "✓", "!", "↓", "⚠"} & set(ends), driver.text


async def test_one_agent_has_no_such_tab() -> None:
    async with driving(session(AGENTS[:1])) as driver:
        await driver.press("3")
        driver.sees("[Diff] Calls")
        driver.misses("Agents")
        await driver.press("d", "d", "d")
        driver.sees("expected calls")


async def test_ascii_has_words_too() -> None:
    async with driving(session(), is_ascii=True) as driver:
        row = driver.row("gs-get-weather-003")
        assert row[1:].isascii()
        for told in ("xv fail", "p  pass", "!  error"):
            assert told in row
        heading = driver.lines[driver.place("3 agents, @ next")[0]]
        assert ">strict" in heading


@pytest.mark.parametrize("lacking", [AGENTS[0], AGENTS[1]])
async def test_all_agents_that_can_be_asked_run_beside_one_that_cannot(lacking: str) -> None:
    host = session()
    host.why_not_asked = {lacking: "the variable `KEY` is not set"}
    async with driving(host) as driver:
        await driver.press("A")
        driver.misses("is not set")
        driver.sees("with every agent that can be asked")
        assert host.asked_of == [("rerun", tuple(one for one in AGENTS if one != lacking))]


async def test_all_agents_are_not_run_where_none_can_be_asked() -> None:
    host = session()
    host.why_not_asked = dict.fromkeys(AGENTS, "the variable `KEY` is not set")
    async with driving(host) as driver:
        await driver.press("A")
        driver.sees("the variable KEY is not set")
        assert host.asked_of == []
