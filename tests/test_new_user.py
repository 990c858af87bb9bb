"""Somebody who has never seen it: every key is read off the screen, none is known beforehand."""

import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from evaltui.assets import asset_folder
from evaltui.session import Session
from evaltui.settings.load import load_config
from tests.driver import Driver, driving

pytestmark = pytest.mark.slow

SIZES = ((100, 30), (80, 24))
TOOL = "tools/shop/cancel-order.tool.ts"
BEFORE = "call off a purchase. Not for returns: use refund_order instead."
AFTER = "call off a purchase, return an item or get their money back."
NAMES = {
    "Enter": "enter",
    "Esc": "escape",
    "↓": "down",
    "?": "question_mark",
    "]": "right_square_bracket",
}


class Newcomer:
    """Reads the footer and what panes say; presses only what stands there."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver

    async def press(self, label: str) -> None:
        """The key that stands before a label in the footer, or before a line of the dialog."""
        line = self.driver.lines[-1]
        found = re.search(rf"(\S+) {re.escape(label)}(?=  |$)", line)
        if found is None:
            found = re.search(rf"│ (\S+) .*\b{re.escape(label)}", self.driver.text)
        assert found, f"nothing on the screen says which key does `{label}`:\n{self.driver.text}"
        await self.driver.press(NAMES.get(found[1], found[1]))

    async def press_named(self, sentence: str) -> None:
        """The key that a sentence in a pane names, between backticks where it has no colour."""
        found = re.search(sentence.replace("KEY", "`?(.)`?"), self.driver.text)
        assert found, f"no such hint on the screen:\n{self.driver.text}"
        await self.driver.press(found[1])

    async def go_to(self, case: str) -> None:
        """To the next problem, as the footer has it, until the detail is about the case."""
        for _ in range(20):
            if f"3 Detail {case}" in self.driver.text:
                return
            await self.press("next problem")
        raise AssertionError(f"`{case}` never came up:\n{self.driver.text}")

    def reads(self, *texts: str) -> None:
        flat = " ".join(self.driver.text.split())
        for text in texts:
            assert text in flat, f"`{text}` is not on the screen:\n{self.driver.text}"


@asynccontextmanager
async def newcomer(tmp_path: Path, size: tuple[int, int]) -> AsyncIterator[Newcomer]:
    """At the sample project, after its first run."""
    project = tmp_path / "shop"
    own = shutil.ignore_patterns(".evaltui", "results", "baselines")
    shutil.copytree(asset_folder("sample_evals"), project, ignore=own)
    session = Session(load_config(project).config)
    async with driving(session, size=size, is_alone=False) as driver:
        await driver.sees_soon(" ran" if size[0] >= 130 else "✗9")
        await driver.sees_soon("✗9")
        await driver.settle()
        yield Newcomer(driver)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_why_a_case_failed(tmp_path: Path, size: tuple[int, int]) -> None:
    async with newcomer(tmp_path, size) as person:
        await person.go_to("ls-move-event-008")
        person.reads("✗ failed ls-move-event-008", "create_event.time was not sent")
        await person.press("open")
        person.reads("[Diff] Calls Conversation Verdicts History Raw")
        await person.press("back")
        person.reads("2 Cases")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_which_parameter_differs(tmp_path: Path, size: tuple[int, int]) -> None:
    async with newcomer(tmp_path, size) as person:
        await person.go_to("ls-move-event-007")
        person.reads("expected move_event.date to equal")
        assert re.search(r"≠ date: .* → ", person.driver.text), person.driver.text


@pytest.mark.parametrize(
    "size",
    [SIZES[0], *(pytest.param(size, marks=pytest.mark.slow) for size in SIZES[1:])],
    ids=lambda size: f"{size[0]}x{size[1]}",
)
async def test_how_to_pin_and_what_changed_since(tmp_path: Path, size: tuple[int, int]) -> None:
    async with newcomer(tmp_path, size) as person:
        driver = person.driver
        await person.press("pin")
        await driver.settle()
        if "Pins 1 failing case" in driver.text:
            await driver.press("a")
        await driver.sees_soon("Pinned 1 case")
        await person.press("help")
        person.reads("type to find")
        await driver.write("pin")
        person.reads("Pin a suite or all, use named baselines, unpin")
        key = re.search(r"│ (\S) +Pin a suite or all", driver.text)
        assert key is not None
        await driver.press("escape", key[1])
        person.reads("Pin all 46 cases", "Enter chooses")
        await driver.press("down", "down", "enter")
        await driver.settle()
        driver.sees("failing cases")
        await driver.press("a")
        await driver.sees_soon("Pinned 46 cases")
        path = driver.session.config.root / TOOL
        path.write_text(path.read_text("utf-8").replace(BEFORE, AFTER), "utf-8")
        await driver.sees_soon("↓1")
        driver.app.clear_notifications()
        await driver.settle()
        await person.go_to("gs-refund-order-003")
        person.reads("✗ failed ↓ regressed", "baseline passed")
        await person.press("open")
        await person.press_named("passed in the pinned baseline: KEY compares with it")
        driver.app.clear_notifications()  # which lies above the last lines until it has been read
        await driver.settle()
        person.reads("against baseline", "missing 1 refund_order", "unexpected 1 cancel_order")


async def test_an_empty_folder_says_what_to_do(tmp_path: Path) -> None:
    for size in (*SIZES, (60, 20)):
        session = Session(load_config(tmp_path).config)
        async with driving(session, size=size, is_alone=False) as driver:
            await driver.sees_soon("No eval files here yet.")
            person = Newcomer(driver)
            person.reads("evaltui demo", "evaltui init", "? shows every key, q quits.")
            assert "…" not in driver.app.dashboard.controller.layout.cases.render_line(3).text


async def test_broken_settings_are_named_where_one_looks(tmp_path: Path) -> None:
    (tmp_path / "evaltui.toml").write_text('agent = "embedded\n', "utf-8")
    session = Session(load_config(tmp_path).config)
    async with driving(session, size=(80, 24), is_alone=False) as driver:
        await driver.sees_soon("1 problem in settings or files: 4 says what and where.")
        person = Newcomer(driver)
        found = re.search(r"(\S) shows 1 problem", driver.lines[-1])
        assert found is not None
        await driver.press(found[1])
        person.reads("4 Problems 1", "evaltui.toml:1", "Not valid TOML")


async def test_mistakes_in_keys_theme_and_agents_are_listed_with_their_lines(
    tmp_path: Path,
) -> None:
    text = (
        'theme = "drak"\nagent = "mine"\n[keys]\n"run.al" = "w"\n[agents.mine]\nurl = 5\n'
        '[agents.other]\ntype = "htpp"\n'
    )
    (tmp_path / "evaltui.toml").write_text(text, "utf-8")
    read = load_config(tmp_path)
    session = Session(read.config, problems=read.problems)
    async with driving(session, size=(140, 40), is_alone=False) as driver:
        await driver.sees_soon("4 problems in settings or files")
        await driver.press("4")
        person = Newcomer(driver)
        person.reads("evaltui.toml:1", "There is no theme `drak`")
        person.reads("evaltui.toml:4", "There is no command `run.al`")
        person.reads("evaltui.toml:6", "`url` is a number, not text")
        person.reads("evaltui.toml:8", "There is no agent type `htpp`")
