"""Columns of a terminal: ASCII, wide letters, marks, joined emoji."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evaltui.core.cells import cells, fit_cells

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("", 0),
        ("Paris", 5),
        ("東京", 4),
        ("München", 7),
        ("e\u0301", 1),
        (FAMILY, 2),
        ("❤\ufe0f", 2),
        ("a\x1fb", 2),
        ("東\x1f京", 4),
        ("\x1b[31ma", 5),
        ("\x1b) ", 2),
    ],
)
def test_columns_of_a_text(text: str, width: int) -> None:
    assert cells(text) == width


@pytest.mark.parametrize(
    ("text", "width", "fitted"),
    [
        ("Paris", 7, "Paris  "),
        ("Paris", 4, "Par…"),
        ("東京都庁", 6, "東京… "),
        ("東京都庁", 7, "東京都…"),
        ("東京", 4, "東京"),
    ],
)
def test_a_text_is_filled_up_or_cut_with_a_mark(text: str, width: int, fitted: str) -> None:
    assert fit_cells(text, width) == fitted


@given(st.text(max_size=40), st.integers(1, 30))
@example("\x1b)", 2)
def test_it_always_fits_exactly(text: str, width: int) -> None:
    fitted = fit_cells(text, width)
    assert cells(fitted) == width
    assert fitted.rstrip().endswith("…") or fitted.startswith(text)
