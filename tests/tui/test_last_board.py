"""The first frame shows the last known board; the real one takes its place without a jump."""

import asyncio
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from evaltui.core.config import Config
from evaltui.core.events import ResultsLoaded
from evaltui.core.watch_state import WatchState
from evaltui.disk.history.history import History
from evaltui.disk.history.run_record import RunRecord
from evaltui.tui.app import DashboardApp
from evaltui.tui.exit_summary import exit_summary
from evaltui.tui.layout import PaneLayout
from evaltui.tui.navigation import PaneId
from evaltui.tui.start import make_app, show_last_results
from tests.driver import EACH_SIZE, piloted, until
from tests.tui import scene
from tests.tui.fake_session import FakeSession

MADE = scene.suites(400, 40)


@dataclass
class SlowSession(FakeSession):
    """Opens when the test lets it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.may_open, self.has_opened = asyncio.Event(), asyncio.Event()

    async def open(self) -> None:
        await self.may_open.wait()
        await super().open()

    async def watch(self) -> None:
        self.has_opened.set()


def leave_behind(root: Path) -> None:
    """What a run of all cases leaves in the history."""
    history = History.open(root / ".evaltui", root / "results")
    (loaded,) = (event for event in scene.opened(MADE) if isinstance(event, ResultsLoaded))
    run = RunRecord("run-1", history.next_number(), scene.AGENT, "asked for")
    history.record(run, loaded.results)
    history.close()
    for suite in MADE:
        (root / suite.id).parent.mkdir(parents=True, exist_ok=True)
        (root / suite.id).touch()


@pytest.fixture
def session(tmp_path: Path) -> SlowSession:
    leave_behind(tmp_path)
    return SlowSession(
        config=Config(tmp_path),
        on_open=list(scene.opened(MADE))[:2],
        state=WatchState.STARTING,
        agents=(),
    )


def text_of(app: DashboardApp, place: PaneId | str) -> list[str]:
    pane = app.dashboard.query_one(f"#{place}")
    return [pane.render_line(y).text for y in range(pane.size.height)]


def counts_in(line: str) -> dict[str, str]:
    """Numbers by their glyph."""
    return dict(re.findall(r"([^\w\s,])([\d,]+)", line))


async def opened(session: SlowSession) -> None:
    session.agents, session.state = (scene.AGENT,), WatchState.WATCHING
    session.may_open.set()
    await asyncio.wait_for(session.has_opened.wait(), 20)


async def until_shown(app: DashboardApp, pilot: Pilot[Any]) -> None:
    """The frame after the reading, which comes when the pump says."""
    await until(pilot, lambda: "LAST KNOWN" not in text_of(app, "footer")[0])
    await pilot.pause()


async def test_the_detail_is_empty_until_it_is_mounted(
    session: SlowSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def leave_bare(_: PaneLayout) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(PaneLayout, "mount_detail_panes", leave_bare)
    app = make_app(session)
    async with piloted(app, (160, 45)):
        detail = app.dashboard.controller.layout.detail
        lines = detail.render_lines(detail.outer_size.region)[1:]
        assert len(lines) > 30
        assert {strip.text.strip(" │") for strip in lines} == {""}


@pytest.mark.parametrize("size", EACH_SIZE)
async def test_the_same_lines_stand_there_before_and_after(
    session: SlowSession, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINES", str(size[1]))
    app = make_app(session)
    async with piloted(app, size) as pilot:
        await pilot.pause()
        cases = app.dashboard.controller.layout.cases
        title, shown = cases.count, text_of(app, "cases")
        before = cases.arrangement.keys[: len(shown)]
        height, cursor = cases.virtual_size.height, cases.cursor
        assert "400" in title
        assert "LAST KNOWN BOARD OF" in text_of(app, "footer")[0]
        assert any("failed" in line or "gs-" in line or "ls-" in line for line in shown)
        await opened(session)
        await until_shown(app, pilot)
        assert cases.arrangement.keys[: len(before)] == before
        assert (cases.count, cases.cursor) == (title, cursor)
        assert cases.virtual_size.height == height


async def test_its_age_is_said_and_the_totals_are_true(session: SlowSession) -> None:
    app = make_app(session)
    async with piloted(app, (160, 45)) as pilot:
        await pilot.pause()
        (header,), (footer,) = text_of(app, "header"), text_of(app, "footer")
        assert "last results" in header
        assert f"LAST KNOWN BOARD OF {scene.AGENT}" in footer, "the settings may name another one"
        assert re.search(r"\b\d+[smhd]\b", text_of(app, "cases")[0])
        before = counts_in(text_of(app, "suites")[0])
        await opened(session)
        await until_shown(app, pilot)
        after = counts_in(text_of(app, "suites")[0])
        assert after == before
        assert "LAST KNOWN BOARD" not in text_of(app, "footer")[0]


async def test_regressions_and_stale_cases_are_known_once_it_is_read(session: SlowSession) -> None:
    session.on_open = list(scene.opened(MADE))
    app = make_app(session)
    async with piloted(app, (160, 45)) as pilot:
        await pilot.press("j", "j", "j")
        row = app.dashboard.controller.layout.cases.row
        before = counts_in(text_of(app, "suites")[0])
        await opened(session)
        await until_shown(app, pilot)
        after = counts_in(text_of(app, "suites")[0])
        assert after["✗"] == before["✗"]
        assert {"↓", "◷"} <= after.keys() - before.keys()
        assert row is not None and app.dashboard.controller.layout.cases.row is not None
        assert app.dashboard.controller.layout.cases.row.key == row.key


async def test_the_cursor_stays_on_its_case(session: SlowSession) -> None:
    app = make_app(session)
    async with piloted(app, (160, 45)) as pilot:
        await pilot.press("j", "j", "j")
        cases = app.dashboard.controller.layout.cases
        row, line = cases.row, cases.screen_line
        assert row is not None
        await opened(session)
        assert cases.row is not None
        assert (cases.row.key, cases.screen_line) == (row.key, line)


@pytest.mark.slow
async def test_keys_that_need_rows_say_why_not(session: SlowSession) -> None:
    app = make_app(session)
    async with piloted(app, (160, 45)) as pilot:
        for key in ("r", "a", "b", "u", "x", "F", "y", "d"):
            app.clear_notifications()
            await pilot.press(key)
            await pilot.pause()
            assert any("still reading" in toast.message for toast in app._notifications), key
        assert not [request for request in session.requested if request[0] != "open"]


async def test_of_an_agent_that_cannot_be_made_it_says_why_nothing_more_comes(
    session: SlowSession,
) -> None:
    session.why_not_asked = {scene.AGENT: "its settings cannot be used: 4 says why"}
    app = make_app(session)
    async with piloted(app, (160, 45)) as pilot:
        await opened(session)
        await pilot.pause()
        detail = " ".join(" ".join(text_of(app, "detail")).split())
        assert "Reading the project" not in detail


@pytest.mark.parametrize(
    "keys", [("left",), pytest.param(("left", "enter"), marks=pytest.mark.slow)]
)
async def test_a_filter_that_is_typed_meanwhile_filters_what_comes(
    session: SlowSession, keys: tuple[str, ...]
) -> None:
    wanted = next(suite.cases[-1] for suite in MADE[::-1])
    app = make_app(session)
    async with piloted(app, (160, 45)) as pilot:
        await pilot.press("slash", *wanted.id, *keys)
        await pilot.pause()
        assert app.is_running
        assert not list(app._notifications)
        await opened(session)
        await until_shown(app, pilot)
        cases = app.dashboard.controller.layout.cases
        assert cases.arrangement.filter.text == wanted.id
        assert wanted.key in cases.arrangement.keys
        assert all(key.case == wanted.id for key in cases.arrangement.keys)
        assert "400" in cases.count


async def test_files_that_were_deleted_since_are_not_shown(session: SlowSession) -> None:
    gone = MADE[::3]
    for suite in gone:
        (session.config.root / suite.id).unlink()
    app = make_app(session)
    async with piloted(app, (160, 45)) as pilot:
        await pilot.pause()
        cases = app.dashboard.controller.layout.cases
        left = sum(len(suite.cases) for suite in MADE if suite not in gone)
        assert 0 < left < 400
        assert cases.count.split()[0] == f"{left}"
        shown = {key.suite for key in cases.arrangement.keys}
        assert shown
        assert shown.isdisjoint(suite.id for suite in gone)


async def test_a_replay_does_not_show_it(session: SlowSession, tmp_path: Path) -> None:
    app = make_app(session, replay=tmp_path / "run.jsonl")
    assert not session.store.boards
    assert not app._make_screen().controller.board.is_cached


async def test_a_muted_case_is_counted_as_muted_in_the_first_frame(session: SlowSession) -> None:
    (loaded,) = (event for event in scene.opened(MADE) if isinstance(event, ResultsLoaded))
    failed = next(one for one in loaded.results if one.status is scene.F)
    mutes = session.config.root / ".evaltui" / "mutes.json"
    mutes.write_text(json.dumps({str(failed.key): "known"}), encoding="utf-8")
    show_last_results(session)
    board = session.store.board(scene.AGENT)
    assert board.is_cached
    assert board.rows[failed.key].muted == "known"
    assert board.counts.all.muted == 1
    assert board.counts.all.total == 400
    assert board.counts.all.failed == sum(one.status is scene.F for one in loaded.results) - 1


def test_the_exit_summary_says_of_them_that_they_are_the_last_known_ones(
    session: SlowSession,
) -> None:
    show_last_results(session)
    said = exit_summary(session)
    assert said[0] == "The last known results, as the project was not read to its end:"
    assert said[1].startswith(f"{scene.AGENT}: ")


@pytest.mark.parametrize("lines", [24, 70])
def test_as_many_rows_are_read_as_are_in_sight(
    session: SlowSession, lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINES", str(lines))
    show_last_results(session)
    board = session.store.board(scene.AGENT)
    assert lines <= len(board.rows) <= 2 * lines  # in order of the cases, or by suites
    assert board.counts.all.total == len([case for suite in MADE for case in suite.cases])
