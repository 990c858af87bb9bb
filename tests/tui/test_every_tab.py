"""Every tab, drawer and dialog at four sizes over nasty cases, held against general rules."""

import re
import time
from collections import Counter
from collections.abc import Iterable, Sequence

import pytest
from rich.segment import Segment
from textual.widgets import OptionList

from evaltui.tui.navigation import PaneId
from evaltui.tui.panes.detail_tabs import Tab, tabs_of
from evaltui.tui.panes.line_list import LineList
from evaltui.tui.panes.page import Page
from evaltui.tui.render import glyphs, marks, problems, tools
from evaltui.tui.render.clip import width_of
from evaltui.tui.render.glyphs import Mark
from evaltui.tui.render.look import Look
from tests.driver import EACH_SIZE, SIZES, Driver, driving
from tests.tui import nasty, scene

DIALOGS = ("question_mark", "colon", "T", "B", "Y", "L")
STATES = ("case-", "severity-", "diff-")
WORDS = {
    # Said in words of their own, or inside of a sentence that says which state it is.
    "case-running": ("running", "writing now"),
    "case-queued": ("queued",),
    "case-stale": ("stale", "not reported", "uncovered", "not checked", "not in the registry"),
    "case-flaky": ("attempts", "flaky", "of"),
    "case-unknown": ("not run",),
    "case-passed": ("called", "assistant"),
    "case-error": ("error",),
    "severity-error": ("cannot be judged", "error"),
    "diff-changed": ("changed", "differs"),
    "diff-removed": ("- ", "→", "->"),
    "diff-actual": ("+ ", "→", "->"),
    "diff-added": ("+ ",),
}


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: scene.NOW + 3)


def ids(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


@pytest.mark.parametrize(
    ("agents", "every"), [(1, 8), *(pytest.param(n, 2, marks=pytest.mark.slow) for n in (1, 2))]
)
@pytest.mark.parametrize(
    "size",
    [pytest.param(size, marks=pytest.mark.slow) for size in SIZES[:3]] + [SIZES[3]],
    ids=ids,
)
async def test_every_tab_of_every_case(size: tuple[int, int], agents: int, every: int) -> None:
    session, events = nasty.session(agents=agents, under_way=agents == 1)
    async with driving(session, size=size, events=events) as driver:
        controller = driver.app.dashboard.controller
        for key in tuple(controller.board.rows)[SIZES.index(size) % every :: every]:
            controller.open(key)
            await driver.settle()
            seen: list[str] = []
            while (tab := chosen_tab(driver)) not in seen:
                seen.append(tab)
                hold(driver, f"{key.case} {tab}")
                await driver.press("right_square_bracket")
            assert len(seen) == len(tabs_of(agents > 1)), seen
        await driver.press("escape")
        for digit in "1245":
            await driver.press(digit)
            for _ in range(2):
                hold(driver, f"pane {digit}")
                await driver.press("j", "l")
            await driver.press("escape")


@pytest.mark.parametrize(
    "size", [pytest.param(size, marks=pytest.mark.slow) for size in SIZES], ids=ids
)
async def test_everything_in_ascii(size: tuple[int, int]) -> None:
    session, events = nasty.session(agents=2)
    async with driving(session, size=size, is_ascii=True, events=events) as driver:
        controller = driver.app.dashboard.controller
        for key in tuple(controller.board.rows)[: 3 if size is not SIZES[3] else 1]:
            controller.open(key)
            for _ in Tab:
                await driver.press("right_square_bracket")
                hold(driver, key.case)
                assert driver.text.isascii(), not_ascii(driver)
        for keys in ("1", "4", "5", "slash", *DIALOGS):
            await driver.press(keys)
            assert driver.text.isascii(), not_ascii(driver)
            await driver.press("escape", "escape")


@pytest.mark.parametrize(
    "size",
    [pytest.param(size, marks=pytest.mark.slow) for size in SIZES[:3]] + [SIZES[3]],
    ids=ids,
)
@pytest.mark.parametrize("key", DIALOGS)
async def test_dialogs_fit_their_screen(size: tuple[int, int], key: str) -> None:
    session, events = nasty.session()
    async with driving(session, size=size, events=events) as driver:
        await driver.press(key)
        box = driver.app.screen.query_one("#box").region
        assert driver.app.screen.region.contains_region(box)
        for options in driver.app.screen.query(OptionList):
            room = options.scrollable_content_region.width
            for option in options.options:
                for text in str(option.prompt).splitlines():
                    assert width_of(text.rstrip()) <= room, text
        driver.sees("Esc closes")


@pytest.mark.parametrize("size", EACH_SIZE, ids=ids)
async def test_the_filter_takes_one_line(size: tuple[int, int]) -> None:
    session, events = nasty.session()
    async with driving(session, size=size, events=events) as driver:
        before = driver.lines
        await driver.press("slash", "x")
        (y,) = [y for y, line in enumerate(driver.lines) if "filter: x" in line]
        assert y == size[1] - 2
        await driver.press("escape")
        assert driver.lines == before


@pytest.mark.slow
async def test_no_text_of_a_reason_is_lost_by_wrapping() -> None:
    for size in SIZES[1::2]:
        session, events = nasty.session()
        async with driving(session, size=size, events=events) as driver:
            await driver.sees_soon("[Diff]" if size[0] >= 80 else "2 Cases")
            await driver.settle()
            controller = driver.app.dashboard.controller
            for key, row in controller.board.rows.items():
                if row.result is None or not row.result.verdicts:
                    continue
                controller.open(key)
                controller.layout.detail.choose(Tab.VERDICTS)  # type: ignore[attr-defined]
                await driver.settle()
                shown = "".join("".join(line.plain.split()) for line in page(driver).lines)
                for verdict in row.result.verdicts:
                    assert "".join(verdict.reason.split())[:600] in shown


def hold(driver: Driver, what: str) -> None:
    """The general rules, for everything that is on the screen now."""
    screen, controller = driver.app.dashboard, driver.app.dashboard.controller
    where = f"{what} at {screen.size}:\n{driver.text}"
    for shown in screen.query(Page):
        room = shown.scrollable_content_region.width
        if shown.is_on_screen and room:
            for line in shown.lines:
                assert line.width <= room, f"{line.plain!r} is wider than {room}, {where}"
            said_not_only_coloured([line.segments for line in shown.lines[:300]], shown.look, where)
    for rows in screen.query(LineList):
        width = rows.scrollable_content_region.width
        if rows.is_on_screen and width:
            for index in range(rows.source.count):
                text = "".join(part.text for part in rows.source.line(index, width, rows.look, ""))
                assert width_of(text) == width, f"{text!r} is not {width} wide, {where}"
            whole_or_marked(driver, rows, width, where)
    figures_agree(driver, where)
    for strip in (controller.layout.header.render_line(0), controller.layout.footer.render_line(0)):
        assert width_of(strip.text) == screen.size.width, where
    assert driver.lines[-1].startswith(" ? help"), where


def whole_or_marked(driver: Driver, rows: LineList, width: int, where: str) -> None:
    """The id of a case stands there whole or has the mark of a cut."""
    cases = driver.app.dashboard.controller.layout.cases
    if rows is not cases:
        return
    mark = cases.look.symbols.cut
    for key in cases.arrangement.keys:
        index = cases.arrangement.index_of(key)
        text = "".join(part.text for part in cases.source.line(index, width, cases.look, ""))
        assert key.case in text or mark in text, f"{key.case} is cut without a mark, {where}"


def said_not_only_coloured(lines: Sequence[tuple[Segment, ...]], look: Look, where: str) -> None:
    """Whatever has a state's colour says the state by glyph or word, there or just above."""
    signs = signs_by_color(look)
    before = ""
    for segments in lines:
        plain = "".join(segment.text for segment in segments)
        said = before + " " + plain
        for segment in segments:
            color = segment.style.color if segment.style else None
            wanted = signs.get(color.name) if color and segment.text.strip() else None
            if wanted is not None:
                assert any(sign in said for sign in wanted), (
                    f"only a colour says the state of {segment.text!r}, {where}"
                )
        # A paragraph that goes on, or a value below its name, is said by its first line.
        before = said[-400:] if plain.startswith(" ") or not plain else plain


def signs_by_color(look: Look) -> dict[str, set[str]]:
    known: dict[str, set[str]] = {}
    for mark in all_marks():
        signs = known.setdefault(mark.variable, set())
        signs |= {look.symbol(mark), mark.word}
    for variable, words in WORDS.items():
        known.setdefault(variable, set()).update(words)
    by_color: dict[str, set[str]] = {}
    for variable, signs in known.items():
        color = look.style(variable).color
        if variable.startswith(STATES) and color is not None:
            by_color.setdefault(color.name, set()).update(signs)
    for variable in ("foreground", "quiet", "strong", "aged"):
        color = look.style(variable).color
        if color is not None:
            by_color.pop(color.name, None)
    return by_color


def chosen_tab(driver: Driver) -> str:
    (found,) = re.findall(r"\[([A-Z]\w+)\]", driver.text)
    return str(found)


def all_marks() -> Iterable[Mark]:
    for module in (glyphs, marks, problems, tools):
        for value in vars(module).values():
            if isinstance(value, Mark):
                yield value
            elif isinstance(value, dict):
                yield from (mark for mark in value.values() if isinstance(mark, Mark))


def figures_agree(driver: Driver, where: str) -> None:
    """Header, suites and headings say what the rows of the board say."""
    controller = driver.app.dashboard.controller
    look = controller.layout.cases.look
    rows = list(controller.board.rows.values())
    status = Counter(row.status for row in rows)
    truth = {
        **{mark: status[kind] for kind, mark in glyphs.ROW_STATUS.items()},
        glyphs.REGRESSED: sum(row.regressed for row in rows),
        glyphs.FLAKY: sum(row.is_flaky for row in rows),
        glyphs.DUE: sum(row.is_due for row in rows),
        glyphs.OUTDATED: sum(row.is_outdated for row in rows),
    }
    header = driver.lines[0]
    for mark, number in truth.items():
        sign, dot = map(re.escape, (look.symbol(mark), look.symbols.separator))
        found = re.findall(rf"(?<![^\s{dot}]){sign}([\d,]+)(?=[\s{dot}]|$)", header)
        assert not number or str(number) in found, f"{mark.word} in the header, {where}"
    suites = controller.layout.suites
    if suites.is_on_screen and PaneId.SUITES in controller.layout.navigation.visible:
        width = suites.scrollable_content_region.width
        first = "".join(part.text for part in suites.source.line(0, width, look, ""))
        known = {look.symbol(mark): number for mark, number in truth.items()}
        for sign, number in re.findall(r" (\S)(\d+)(?=\s|$)", first):
            assert known.get(sign, int(number)) == int(number), f"{first}, {where}"
    if PaneId.CASES in controller.layout.navigation.visible and not suites.suite:
        assert str(controller.layout.cases.border_title).startswith(f"2 Cases {len(rows)}"), where


def page(driver: Driver) -> Page:
    return driver.app.dashboard.controller.layout.panes[PaneId.DETAIL].query_one(Page)


def not_ascii(driver: Driver) -> str:
    return "\n".join(line for line in driver.lines if not line.isascii())
