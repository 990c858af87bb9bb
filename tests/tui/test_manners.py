"""Small things that a terminal program is judged by: Esc, toasts, previews, marks."""

import time
from collections.abc import Iterator, Mapping
from importlib import import_module
from itertools import product
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest
from msgspec.structs import replace
from textual.widgets._toast import Toast

import evaltui.tui.render
from evaltui.core.comparison import Effect
from evaltui.core.config import Config
from evaltui.core.result import CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.store.row import Row
from evaltui.store.row_status import Attention, RowMark, RowStatus
from evaltui.tui.navigation import PaneId
from evaltui.tui.render.glyphs import ATTENTION, ROW_STATUS, Mark
from evaltui.tui.themes import load_themes
from tests.driver import Driver, driving
from tests.tui import scene
from tests.tui.fake_session import FakeEdit, FakeSession


def session(cases: int = 48, root: str = "/project") -> FakeSession:
    made = scene.suites(cases)
    return FakeSession(config=Config(Path(root)), on_open=list(scene.opened(made, at=time.time())))


@pytest.mark.slow
async def test_escape_goes_back_in_the_panes_before_it_closes_the_guide() -> None:
    async with driving(session(), guide=True) as driver:
        await driver.press("3")
        driver.stands_in(PaneId.DETAIL)
        await driver.press("escape")
        driver.stands_in(PaneId.CASES)
        driver.sees("1/3")
        await driver.press("slash")
        await driver.write("weather")
        await driver.press("enter", "escape")
        driver.sees("2 Cases 48", "1/3")
        await driver.press("escape")
        driver.misses("1/3")


@pytest.mark.parametrize("has_regressed", [True, pytest.param(False, marks=pytest.mark.slow)])
async def test_the_guide_says_what_happened(has_regressed: bool) -> None:
    cases = scene.cases_of(scene.suites(48))
    host = FakeSession(on_open=[next(scene.opened(scene.suites(48)))])
    async with driving(host, guide=True) as driver:
        if has_regressed:
            await driver.hear(*scene.pinned(scene.suites(48)))
        await driver.hear(*scene.run(cases, at=time.time()))
        driver.sees("3/3")
        assert ("↓ passed before and fails now" in driver.text) is has_regressed
        assert ("Nothing that passed before" in driver.text) is not has_regressed
        await driver.hear(*scene.run(cases, done=3, number=43, at=time.time()))
        driver.sees("2/3")


def toasts(driver: Driver) -> list[str]:
    return [str(toast.render()) for toast in driver.app.screen.query(Toast)]


async def test_there_is_one_toast_at_a_time() -> None:
    async with driving(session()) as driver:
        await driver.press("z", "z")
        assert len(toasts(driver)) == 1
        driver.sees("Undo: there is nothing to undo")
        await driver.press("y")
        assert len(toasts(driver)) == 1
        driver.sees("Copied.")


@pytest.mark.slow
async def test_toasts_leave_nothing_behind() -> None:
    async with driving(session()) as driver:
        for number in range(5):
            driver.app.dashboard.controller.say(f"said {number}")
            await driver.settle()
        assert len(driver.app.screen.query("ToastHolder")) == 1
        driver.sees("said 4")


@pytest.mark.parametrize(
    ("file", "shown"),
    [("/project/evals/a.golden.json", " evals/a.golden.json"), ("/other/b.json", " /other/b.json")],
)
async def test_what_is_written_is_named_as_seen_from_the_project(file: str, shown: str) -> None:
    host = session()
    host.edits.preview_accept = lambda *_: FakeEdit(file=Path(file))
    async with driving(host) as driver:
        await driver.press("u")
        driver.sees(shown)


def colors(driver: Driver) -> set[str]:
    """Backgrounds on the screen, outside dialogs."""
    strip = driver.app.screen._compositor.render_strips()[3]
    return {
        segment.style.bgcolor.get_truecolor().hex
        for segment in strip
        if segment.style is not None and segment.style.bgcolor is not None
    }


@pytest.mark.slow
async def test_a_theme_is_seen_in_its_own_colours() -> None:
    themes, _ = load_themes()
    async with driving(session()) as driver:
        await driver.press("T")
        for _ in themes:
            await driver.press("down")
            chosen = themes[driver.app.theme].colors["background"]
            assert chosen in colors(driver)


def marks() -> Iterator[Mark]:
    """Every mark that some module of the drawing names."""
    for module in iter_modules(evaltui.tui.render.__path__):
        for value in vars(import_module(f"evaltui.tui.render.{module.name}")).values():
            yield from _marks_in(value)


def _marks_in(value: Any) -> Iterator[Mark]:
    if isinstance(value, Mark):
        yield value
    elif isinstance(value, Mapping):
        yield from (one for one in value.values() if isinstance(one, Mark))


def test_a_glyph_in_ascii_stands_for_one_glyph() -> None:
    meant: dict[str, set[str]] = {}
    for mark in marks():
        meant.setdefault(mark.plain, set()).add(mark.glyph)
    assert len(meant) > 10
    assert {plain: glyphs for plain, glyphs in meant.items() if len(glyphs) > 1} == {}


def test_every_state_of_a_case_has_a_mark() -> None:
    assert ATTENTION.keys() == set(Attention)
    assert ROW_STATUS.keys() == set(RowStatus)


@pytest.mark.parametrize("status", CaseStatus)
def test_the_glyph_of_a_suite_is_what_its_worst_case_counts_as(status: CaseStatus) -> None:
    """Whatever else is marked at it: the glyph changes only when a case counts as another."""
    suite, *_ = scene.suites(1, 1)
    (case,) = suite.cases
    stale = DueCase(case.key, Degree.AFFECTED, ("changed",))
    many = product((None, *Effect), (None, *RowMark), (None, stale), (1, 2), ("", "m"))
    for changed, against, due, trials, muted in many:
        row = Row(case.key, case, suite, replace(scene.result(case, status), trials=trials))
        row.changed, row.against = changed, against
        row.due, row.muted = due, muted
        assert ATTENTION[row.attention] is ROW_STATUS[row.status], row
