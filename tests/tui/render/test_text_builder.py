"""Lines never wider than the sheet, nothing lost, nothing that moves the cursor."""

import time
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from evaltui.tui.render.line import Folds
from evaltui.tui.render.look import Look
from evaltui.tui.render.sanitize import sanitize
from evaltui.tui.render.text_builder import PAGE, TextBuilder
from evaltui.tui.render.wrapping import breaks

texts = st.text(st.sampled_from("ab  é東京👩‍👧\u0301.-"), max_size=60)


def builder(width: int = 40, folds: Folds | None = None, is_ascii: bool = False) -> TextBuilder:
    return TextBuilder(Look({}, is_ascii), width, folds)


@given(texts | st.text("ab ", max_size=80), st.integers(2, 20), st.integers(2, 20))
@example("aa \u0301", 2, 2)
@example("\u200d\u200daa京", 2, 3)
@example("\u6771 a  ", 2, 2)
def test_lines_fit_and_only_blanks_are_lost(text: str, width: int, first: int) -> None:
    lines = breaks(text, width, first)
    assert lines[0][0] == 0
    assert lines[-1][1] == len(text)
    for number, (start, end) in enumerate(lines):
        room = first if number == 0 else width
        assert cell_len(text[start:end]) <= room or len(text[start:end].strip()) <= 4
    for (_, end), (start, _) in pairwise(lines):
        assert text[end:start] in ("", " ")


@pytest.mark.parametrize(
    ("said", "width"),
    [
        (['[["find_free_slot"],', '["list_events"]]'], 21),
        (['[["東京_slot"],', '["list_events"],', '["x"]]'], 20),
        (["tools/orders/", "find-order-and-more.ts"], 22),
        (["the_whole_week_from_", "monday_on"], 21),
        (["pneumonoultramicrosco", "picsilicovolcano"], 21),
        (["東京東京東京東京東京", "東京東京"], 21),
        (["one of ", "[one_of_them,", "two_of_them_all]"], 16),
        (["one of [a,two,", "two_of_them_all]"], 16),
        (["one, two " + "x" * 11, "x" * 20, "xxx"], 20),
    ],
)
def test_a_word_that_fits_on_no_line_is_broken_at_its_joints(said: list[str], width: int) -> None:
    text = "".join(said)
    lines = [text[start:end] for start, end in breaks(text, width)]
    assert lines == [line.rstrip() for line in said]


@given(st.text(max_size=60), st.integers(8, 40), st.integers(0, 6))
def test_whatever_is_written_fits_the_sheet(text: str, width: int, indent: int) -> None:
    sheet = builder(width)
    sheet.write("lead: ", text, indent=indent, hang=2)
    assert all(line.width <= width for line in sheet.lines)
    shown = sheet.plain.replace("\n", "").replace(" ", "")
    assert shown == sanitize(f"lead: {text}").replace("\n", "").replace(" ", "")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "\\e[2J"),
        ("[bold]x[/bold]", "[bold]x[/bold]"),
        ("a\u202eb", "a\\u202eb"),
        ("a\tb\r\nc\rd\x07", "a    b\nc\\x0dd\\x07"),
        ("\ud800", "\\ud800"),
        ("שלום 東京 👩‍👧", "שלום 東京 👩👧"),
    ],
)
def test_control_codes_are_spelled_out(text: str, shown: str) -> None:
    assert sanitize(text) == shown


@given(st.text(max_size=40))
def test_ascii_is_ascii(text: str) -> None:
    assert sanitize(text, is_ascii=True).isascii()


def test_a_long_value_says_how_much_more_there_is_and_opens_page_by_page() -> None:
    text = "x" * 50_000
    folds = Folds()
    sheet = builder(folds=folds)
    sheet.long(text, "v")
    notice = next(line for line in sheet.lines if line.is_more)
    assert "49,400 more characters: Enter" in "".join(line.plain for line in sheet.lines)
    assert notice.copy is not None and notice.copy() == text
    folds.state[notice.fold] = notice.pages + 1
    sheet = builder(folds=folds)
    sheet.long(text, "v")
    assert f"{50_000 - 600 - PAGE:,} more" in sheet.plain.replace("\n", " ")


def test_a_megabyte_is_quick() -> None:
    text = "東京 x\x1b" * 200_000
    begin = time.thread_time()
    sheet = builder(80)
    sheet.long(text, "v")
    assert time.thread_time() - begin < 1
    assert "more characters" in sheet.plain


def test_folding_is_remembered_by_name() -> None:
    folds = Folds()
    assert builder(folds=folds).opens("x", True)[0]
    folds.state["x"] = 0
    assert not builder(folds=folds).opens("x", True)[0]
    folds.is_all_open = True
    assert builder(folds=folds).opens("x")[0]
