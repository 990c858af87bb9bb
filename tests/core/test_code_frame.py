"""Source lines with a mark."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.cells import cells
from evaltui.core.code_frame import code_frame

TEXT = "one\ntwo\n\tthree: x\nfour\nfive\nsix\n"


def test_lines_around_and_a_mark() -> None:
    assert code_frame(TEXT, 3, 9, context=1) == [
        "  2 | two",
        "> 3 |  three: x",
        "    |         ^",
        "  4 | four",
    ]


def test_without_column_there_is_no_mark() -> None:
    assert code_frame("a\nb", 1, context=0) == ["> 1 | a"]


def test_a_line_that_is_not_there() -> None:
    assert code_frame("a", 2) == []
    assert code_frame("", 1) == []
    assert code_frame("a", 0) == []


def test_long_lines_are_cut_around_the_mark() -> None:
    line = "x" * 5000 + "HERE" + "y" * 5000
    shown, mark = code_frame(line, 1, 5001, context=0)
    assert len(shown) < 120
    assert shown[mark.index("^") :].startswith("HERE")
    assert "…" in shown


@pytest.mark.parametrize("width", [20, 40, 78])
def test_a_line_is_cut_only_where_it_or_the_mark_behind_it_does_not_fit(width: int) -> None:
    room = width - len("> 1 | ")
    for length, column, is_cut in (
        (room, 1, False),
        (room, room, False),
        (room - 1, room, False),
        (room + 1, 1, True),
        (room, room + 1, True),
    ):
        line = "x" * length
        shown, mark = code_frame(line, 1, column, 0, width)
        assert (shown == f"> 1 | {line}") is not is_cut
        assert ("…" in shown) is is_cut
        assert max(len(shown), len(mark)) <= width


@pytest.mark.parametrize("width", [20, 40, 78, 100])
@pytest.mark.parametrize("column", [1, 11, 39, 84, 91])
def test_no_row_is_wider_than_the_pane_and_the_mark_points_at_the_place(
    width: int, column: int
) -> None:
    line = "".join(chr(ord("A") + number % 58) for number in range(91))
    frame = code_frame(f"{line}\n{line}\n{line}", 2, column, 1, width)
    assert all(len(row) <= width for row in frame)
    assert frame[1][frame[2].index("^")] == line[column - 1]


def test_the_mark_stands_under_its_letter_behind_wide_ones() -> None:
    line = "天気" * 30 + "!" + "天" * 20
    shown, mark = code_frame(line, 1, 61, 0, 40)
    assert cells(shown) <= 40
    assert cells(shown[: shown.index("!")]) == mark.index("^")


def test_control_characters_are_never_printed() -> None:
    assert code_frame("a\x1b[31mb\r\n", 1, context=0) == ["> 1 | a·[31mb"]


@given(st.text(), st.integers(-2, 30), st.integers(-2, 300), st.integers(0, 3))
def test_any_place_in_any_text(text: str, line: int, column: int, context: int) -> None:
    assert all("\n" not in row for row in code_frame(text, line, column, context))


@given(st.text(max_size=200), st.integers(1, 300), st.integers(20, 60))
def test_any_line_stays_within_any_width(text: str, column: int, width: int) -> None:
    assert all(cells(row) <= width for row in code_frame(text, 1, column, 2, width))


def test_a_line_that_just_fits_is_shown_whole_and_a_longer_one_says_that_it_goes_on() -> None:
    assert code_frame("x" * 100, 1, context=0) == [f"> 1 | {'x' * 100}"]
    assert code_frame("x" * 101, 1, context=0) == [f"> 1 | {'x' * 99}…"]
    assert code_frame("x" * 14, 1, 0, 0, 20) == [f"> 1 | {'x' * 14}"]
    assert code_frame("x" * 15, 1, 0, 0, 20) == [f"> 1 | {'x' * 13}…"]


def test_marks_upon_letters_do_not_hide_that_a_line_goes_on() -> None:
    (shown,) = code_frame("e" + "\u0301" * 40 + "x" * 40, 1, 0, 0, 20)
    assert shown.endswith("…")
    assert cells(shown) <= 20


def test_a_mark_behind_the_end_of_a_line_that_just_fits_stays_within_the_width() -> None:
    for line in ("x" * 14, "x" * 10 + "天気"):
        shown, mark = code_frame(line, 1, len(line) + 1, 0, 20)
        assert cells(mark) <= 20
        assert mark.index("^") == cells(shown)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ('  "apiKey": "sk-1234",', '  "apiKey": "*******",'),
        ('{"a": 1, "Authorization": "Bearer x\\"y"}', '{"a": 1, "Authorization": "***********"}'),
        ("api_key = 'abc'", "api_key = '***'"),
        ('api_key = "${KEY}"', 'api_key = "${KEY}"'),
        ('"message": "hello"', '"message": "hello"'),
    ],
)
def test_a_secret_beside_a_mistake_is_not_shown(line: str, shown: str) -> None:
    for text, number in ((f"{line}\nx", 1), (f"x\n{line}", 1), (f"{line}\nx", 2)):
        frame = code_frame(text, number, 1, hides_secrets=True)
        assert any(row.endswith(f"| {shown}") for row in frame)
        assert any(row.endswith(f"| {line}") for row in code_frame(text, number, 1))
