"""A menu says all of its lines and its title, at every size: they may say what something costs."""

import re

import pytest

from evaltui.tui.screens.menu import Menu
from evaltui.tui.screens.picker import Choice
from tests.driver import driving
from tests.tui.fake_session import FakeSession

TITLE = "40 of 60 cases can differ: 400 trials, about 1m 20s, about $12.34"
CONFIRM = "The same, then rerun undecided cases: at most 2,400 trials, about $74.00"
FRESH = "After 20 fresh trials of each, about $24.00"
NOTE = "can prove a later regression"
WHY = "asks first above $0.10 (confirm_above); $87.50 left to spend"


def whole(lines: list[str]) -> str:
    """What is read, without frames and line ends."""
    return re.sub(r"\s+", " ", " ".join(re.sub(r"[│┃┌┐└┘─]", " ", line) for line in lines))


@pytest.mark.parametrize(
    "size",
    [
        (60, 20),
        *(
            pytest.param(size, marks=pytest.mark.slow)
            for size in ((160, 45), (120, 35), (100, 30), (80, 24))
        ),
    ],
)
async def test_nothing_of_it_is_cut(size: tuple[int, int]) -> None:
    choices = [
        Choice("go", "Run 200 trials a side", "a", heading=WHY),
        Choice("confirm", CONFIRM, "c"),
        Choice("fresh", FRESH, "f", NOTE),
        Choice("not", "Not this one", "n", why_not="nothing of it ran, and there is nothing to"),
    ]
    async with driving(FakeSession(), size=(160, 45)) as driver:
        driver.app.push_screen(Menu(TITLE, choices))
        await driver.settle()
        await driver.press("down")
        await driver.resize(*size)
        said = whole(driver.lines)
        for text in (TITLE, CONFIRM, f"{FRESH} {NOTE}", WHY, "there is nothing to"):
            assert text in said
        if size[0] >= 120:
            assert any(f"{FRESH}  {NOTE}" in line for line in driver.lines)
            assert any(CONFIRM in line for line in driver.lines), "there is room for it"
        await driver.press("enter")
