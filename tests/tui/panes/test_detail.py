"""The detail pane: opens on what went wrong, remembers its tab, repaints only for its case."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual.geometry import Offset
from textual.selection import Selection

from evaltui.core.events import (
    CaseFinished,
    CaseStarted,
    ResultsLoaded,
    RunStarted,
    ToolCalled,
    TurnFinished,
)
from evaltui.core.response import ToolCall
from evaltui.core.result import CaseStatus
from evaltui.expectations.call_diff import DiffTarget
from evaltui.tui.pane import Pane
from evaltui.tui.panes.detail import DetailPane
from evaltui.tui.panes.detail_tabs import Tab, tabs_of
from evaltui.tui.render.calls import write_calls
from evaltui.tui.render.look import Look
from evaltui.tui.render.text_builder import TextBuilder
from evaltui.tui.themes import load_theme_named
from tests.driver import EACH_SIZE, driving, piloted
from tests.tui import nasty
from tests.tui.panes.stage import (
    AGENT,
    HOSTILE,
    NOW,
    Stage,
    StagedSession,
    key,
    make_response,
    make_result,
    staged,
)


@asynccontextmanager
async def on_stage(
    size: tuple[int, int] = (100, 30), session: StagedSession | None = None, **more: Any
) -> AsyncIterator[tuple[DetailPane, StagedSession, Any]]:
    pane = DetailPane(clock=lambda: NOW)
    session = session or staged()
    app = Stage(pane, session, **more)
    async with piloted(app, size) as pilot:
        await pilot.pause()
        yield pane, session, pilot


def seen(pane: Pane) -> str:
    """What is really on the screen."""
    compositor = pane.screen._compositor
    return "\n".join(strip.text.rstrip() for strip in compositor.render_strips())


@pytest.mark.parametrize("size", EACH_SIZE)
async def test_it_opens_on_the_parameter_that_differs(size: tuple[int, int]) -> None:
    async with on_stage(size) as (pane, _, pilot):
        pane.show(key())
        await pilot.pause()
        shown = seen(pane)
        assert 'city: "Paris" → "Pariss"' in shown
        assert "✗ failed  ↓ regressed  ls-get-weather-004" in shown
        assert "get_weather.description changed" in shown
        assert "[Diff]" in shown
        assert "3 assertions run" in shown
        line = pane.sheet.line
        assert line is not None and "city" in line.plain


@pytest.mark.parametrize("size", EACH_SIZE)
@pytest.mark.parametrize("tab", tabs_of(False))
async def test_every_tab_fits(size: tuple[int, int], tab: Tab) -> None:
    async with on_stage(size) as (pane, _, pilot):
        pane.choose(tab)
        pane.show(key())
        await pilot.pause()
        room = pane.sheet.scrollable_content_region.width
        assert all(line.width <= room for line in pane.sheet.lines)
        assert f"[{tab.value}]" in seen(pane)


async def test_a_wrong_choice_of_tools_leads_to_its_reasons() -> None:
    async with on_stage() as (pane, session, pilot):
        pane.show(key())
        await pilot.pause()
        assert "the Calls tab says why" in seen(pane)
        assert "why  get_weather 0.71 · get_forecast 0.65" in seen(pane), (
            "it fails as it did before"
        )
        pane.choose(Tab.CALLS)
        await pilot.pause()
        assert any("0.71" in line.plain for line in pane.sheet.lines)
        session.emit(CaseFinished("run-42", make_result(response=make_response(explanation={}))))
        pane.choose(Tab.DIFF)
        await pilot.pause()
        assert "the Calls tab says why" not in seen(pane)


async def test_the_tab_stays_from_case_to_case() -> None:
    async with on_stage() as (pane, _, pilot):
        pane.show(key())
        pane.next_tab(1)
        assert pane.tab is Tab.CALLS
        pane.show(key("ls-get-weather-005"))
        await pilot.pause()
        assert pane.tab is Tab.CALLS
        assert "▾ 1 get_weather" in seen(pane)
        pane.next_tab(-1)
        pane.next_tab(-1)
        assert pane.tab.value == "Raw"


async def test_folding_and_unfolding_with_the_cursor() -> None:
    async with on_stage() as (pane, _, pilot):
        pane.show(key())
        pane.choose(Tab.CALLS)
        pane.focus()
        await pilot.pause()
        pane.move(1)
        assert pane.fold(True)
        await pilot.pause()
        assert "▸ 1 get_weather" in seen(pane)
        assert '"Pariss"' not in seen(pane).partition("▸ 1 get_weather")[2].partition("▾")[0]
        assert pane.fold(False)
        await pilot.pause()
        assert "▾ 1 get_weather" in seen(pane)
        pane.on_opened()
        await pilot.pause()
        assert "▸ 1 get_weather" in seen(pane)


async def test_searching_finds_what_is_folded() -> None:
    async with on_stage() as (pane, _, pilot):
        pane.show(key())
        await pilot.pause()
        assert "imperial" not in seen(pane)
        assert pane.search("imperial") == 1
        await pilot.pause()
        assert "imperial" in seen(pane)
        assert pane.search("get_") > 2
        first = pane.sheet.cursor
        assert pane.next_match(1)
        assert pane.sheet.cursor != first
        assert pane.next_match(-1)
        assert pane.sheet.cursor == first
        assert pane.search("") == 0
        assert not pane.next_match(1)
        await pilot.pause()
        assert "imperial" not in seen(pane)


async def test_another_theme_repaints_with_its_colours() -> None:
    async with on_stage() as (pane, _, pilot):
        pane.show(key())
        await pilot.pause()
        before = pane.sheet.lines[1].segments[0].style
        light = load_theme_named("light").theme()
        pane.app.register_theme(light)
        pane.app.theme = light.name
        await pilot.pause()
        await pilot.pause()
        after = pane.sheet.lines[1].segments[0].style
        assert before is not None and after is not None
        assert before.color != after.color


async def test_a_search_ends_with_the_case() -> None:
    async with on_stage() as (pane, _, pilot):
        pane.show(key())
        assert pane.search("city")
        pane.show(key("ls-get-weather-005"))
        await pilot.pause()
        assert not pane.sheet.matches
        assert not pane.folds.is_all_open


async def test_copying_yields_the_whole_value() -> None:
    async with on_stage() as (pane, _, pilot):
        pane.show(key())
        await pilot.pause()
        assert pane.copy_text() == '"Pariss"'
        assert 'city: "Paris" → "Pariss"' in pane.diff_text()
        selection = Selection(Offset(0, 0), Offset(8, 0))
        got = pane.sheet.get_selection(selection)
        assert got is not None and got[0] == pane.sheet.lines[0].plain[:8]


async def test_comparing_with_baseline_and_previous() -> None:
    async with on_stage() as (pane, session, pilot):
        pane.show(key())
        assert pane.next_against() == "baseline"
        await pilot.pause()
        assert "against baseline" in seen(pane)
        assert "baseline run" in seen(pane)
        assert pane.next_against() == "previous"
        await pilot.pause()
        assert "No earlier run of this case is kept." in seen(pane)
        assert pane.next_against() == "expected"
        session.before.clear()
        pane.show(key("ls-get-weather-005"))
        pane.next_against()
        await pilot.pause()
        assert "b pins this result" in seen(pane)


async def test_a_case_never_run_teaches_the_key() -> None:
    async with on_stage() as (pane, _, pilot):
        await pilot.pause()
        assert "No case is under the cursor." in seen(pane)
        pane.show(key("ls-get-weather-006"))
        await pilot.pause()
        assert "· not run" in seen(pane)
        assert "r runs it" in seen(pane)
        assert "asks Should I bring an umbrella" in seen(pane)


@pytest.mark.parametrize("size", [(56, 40), (100, 20)])
async def test_a_case_that_cannot_be_judged_says_what_to_do(size: tuple[int, int]) -> None:
    session, events = nasty.session()
    async with driving(session, size=size, events=events) as driver:
        controller = driver.app.dashboard.controller
        controller.open(next(key for key in controller.board.rows if key.case == "rg-invalid"))
        await driver.settle()
        driver.sees("cannot be judged: `expect.toolsCalled`", "o opens it at its line")
        driver.misses("`r` runs it;")
        controller.open(next(key for key in controller.board.rows if key.case == "gs-error"))
        await driver.settle()
        sheet = driver.app.dashboard.query_one(DetailPane).sheet
        page = "\n".join(line.plain for line in sheet.lines)
        assert "r runs it again; E runs every case" in page


async def test_a_long_name_does_not_part_a_mark_from_its_word() -> None:
    for width in range(24, 70):
        builder = TextBuilder(Look({}), width)
        write_calls(builder, (ToolCall("search_documents_everywhere", {}, success=True),), None)
        assert any("✓ succeeded" in line.plain for line in builder.lines), builder.plain


async def test_text_and_calls_stream_while_the_case_runs() -> None:
    async with on_stage() as (pane, session, pilot):
        reader = session.store.reader()
        pane.show(key())
        pane.choose(Tab.CONVERSATION)
        session.emit(
            RunStarted("run-43", AGENT, 43, (key(),), "asked for"),
            CaseStarted("run-43", AGENT, key()),
            ToolCalled("run-43", AGENT, key(), ToolCall("get_weather", {"city": "Oslo"})),
            TurnFinished("run-43", AGENT, key(), 1, "It is snowing"),
        )
        changes, reader = session.store.drain(reader)
        pane.refresh_from(changes)
        await pilot.pause()
        shown = seen(pane)
        assert "▶ running" in shown
        assert "It is snowing" in shown
        assert "Oslo" in shown
        pane.choose(Tab.CALLS)
        await pilot.pause()
        assert "1 call so far" in seen(pane)
        session.emit(CaseFinished("run-43", make_result(status=CaseStatus.PASSED, error="")))
        changes, reader = session.store.drain(reader)
        pane.refresh_from(changes)
        await pilot.pause()
        assert "▶ running" not in seen(pane)


async def test_it_repaints_only_for_its_own_case() -> None:
    async with on_stage() as (pane, session, pilot):
        pane.show(key())
        await pilot.pause()
        painted: list[int] = []
        put = pane.sheet.put

        def noting(*args: Any, **more: Any) -> None:
            painted.append(1)
            put(*args, **more)

        pane.sheet.put = noting  # type: ignore[method-assign]
        reader = session.store.reader()
        session.emit(CaseFinished("run-42", make_result("ls-get-weather-005")))
        changes, reader = session.store.drain(reader)
        pane.refresh_from(changes)
        assert painted == []
        session.emit(CaseFinished("run-42", make_result()))
        changes, reader = session.store.drain(reader)
        pane.refresh_from(changes)
        assert painted == [1]


async def test_the_readers_place_stays_when_its_case_is_painted_again() -> None:
    async with on_stage((60, 20)) as (pane, session, pilot):
        pane.show(key())
        pane.choose(Tab.RAW)
        pane.focus()
        await pilot.pause()
        pane.go(40)
        await pilot.pause()
        before = (pane.sheet.cursor, pane.sheet.scroll_offset.y)
        assert before[1] > 0
        reader = session.store.reader()
        session.emit(CaseFinished("run-42", make_result()))
        pane.refresh_from(session.store.drain(reader)[0])
        await pilot.pause()
        assert (pane.sheet.cursor, pane.sheet.scroll_offset.y) == before


async def test_a_light_result_is_completed_once() -> None:
    session = staged()
    light = make_result(verdicts=(), response=None, run_id="run-43")
    session.emit(ResultsLoaded(AGENT, (light,)))
    async with on_stage(session=session) as (pane, _, pilot):
        pane.show(key())
        await pilot.pause()
        pane.paint()
        assert session.requested.count(("load_detail", key())) == 1
        assert "Reading the verdicts" in seen(pane)
        reader = session.store.reader()
        session.emit(ResultsLoaded(AGENT, (make_result(),)))
        pane.refresh_from(session.store.drain(reader)[0])
        await pilot.pause()
        assert 'city: "Paris" → "Pariss"' in seen(pane)


async def test_scrolling_while_the_focus_is_elsewhere() -> None:
    async with on_stage((60, 20)) as (pane, _, pilot):
        pane.show(key())
        pane.choose(Tab.RAW)
        pane.screen.set_focus(None)
        await pilot.pause()
        pane.scroll_text(3)
        await pilot.pause()
        assert pane.sheet.scroll_offset.y == 3
        pane.scroll_text(-1)
        assert pane.sheet.scroll_offset.y == 2


async def test_a_click_on_a_tab_and_on_a_fold() -> None:
    async with on_stage() as (pane, _, pilot):
        pane.show(key())
        await pilot.pause()
        bar = pane.query_one("TabBar")
        await pilot.click(bar, offset=(9, 0))
        await pilot.pause()
        assert pane.tab is Tab.CALLS
        await pilot.click(pane.sheet, offset=(2, 1))
        await pilot.pause()
        assert "▸ 1 get_weather" in seen(pane)


async def test_hostile_and_huge_results_are_shown_quickly() -> None:
    session = staged()
    huge = "x" * 1_000_000
    call = ToolCall("get_weather", {"city": HOSTILE, "blob": huge}, result={"blob": huge})
    session.emit(
        CaseFinished(
            "run-42",
            make_result(response=make_response(tool_calls=(call,), text=huge, messages=())),
        )
    )
    async with on_stage(session=session) as (pane, _, pilot):
        for tab in Tab:
            pane.choose(tab)
            begin = time.thread_time()
            pane.show(None)
            pane.show(key())
            assert time.thread_time() - begin < 2, tab
            await pilot.pause()
            assert "\x1b" not in "".join(line.plain for line in pane.sheet.lines)


async def test_ascii_draws_nothing_else() -> None:
    async with on_stage(is_ascii=True) as (pane, _, pilot):
        pane.show(key())
        for tab in Tab:
            pane.choose(tab)
            await pilot.pause()
            assert all(line.plain.isascii() for line in pane.sheet.lines)


def test_targets_go_round() -> None:
    assert DiffTarget.PREVIOUS.next() is DiffTarget.EXPECTED
