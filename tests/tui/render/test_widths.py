"""What is drawn is as wide in a terminal as the panes take it to be."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from wcwidth import wcwidth

from evaltui.tui.render.clip import fit
from evaltui.tui.render.sanitize import sanitize
from tests.projects import case, make_project, write_suite
from tests.terminal import terminal

NAMES = (
    "🌦️",
    "❤️☺️1️⃣",
    "👨‍👩‍👧",
    "🏳️‍🌈",
    "🇩🇪🇯🇵",
    "👍🏽",
    "東京",
    "שלום",
    "e\u0301o\u0308",
    "क्‍ष",
)


ASSIGNED = st.characters(exclude_categories=("Cn", "Co", "Cs"))
"""Of the others nobody knows how wide they will be."""


def terminal_cells(text: str) -> int:
    """Of a terminal that knows nothing of joined signs."""
    return sum(max(0, wcwidth(sign)) for sign in text)


@given(st.text(st.one_of(ASSIGNED, st.sampled_from("".join(NAMES))), max_size=12))
def test_all_measures_agree_on_what_is_drawn(text: str) -> None:
    drawn = sanitize(text).replace("\n", "")
    assert cell_len(drawn) == terminal_cells(drawn)
    fitted = fit(text, 20)
    assert cell_len(fitted) == terminal_cells(fitted) == 20


@pytest.mark.parametrize("name", NAMES)
def test_what_is_drawn_can_still_be_told(name: str) -> None:
    assert sanitize(name).strip()


def test_a_flag_becomes_its_letters() -> None:
    assert sanitize("🇩🇪 🌦️ 👍🏽") == "DE 🌦 👍"


@pytest.mark.parametrize("size", [(134, 30), pytest.param((160, 45), marks=pytest.mark.slow)])
def test_no_name_shifts_the_frame(tmp_path: Path, size: tuple[int, int]) -> None:
    root = make_project(tmp_path)
    for number, name in enumerate(NAMES):
        made = case(f"gs-{name}-{number:03d}", f"Look up {name}", "find_order")
        write_suite(root, f"s{number}_{name}", [{**made, "description": f"{name} {name}"}])
    with terminal(root, size=size) as shown:
        shown.shows("13", "WATCH")
        shown.until(lambda: "gs-DEJP-004" in shown.text)
        while shown.read(0.3):
            pass
        buffer, width, height = shown.screen.buffer, *size
        borders = [x for x in range(width) if buffer[height - 3][x].data in "│┃"]
        assert len(borders) == 2
        for y in range(2, height - 2):
            assert all(buffer[y][x].data in "│┃" for x in borders), shown.lines[y]
