"""Nothing in a text acts or hides; what people write stays as it is."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.inert_text import first_acting, inert
from evaltui.reporters.ansi import json_text, plain
from evaltui.tui.render.sanitize import one_line


@given(st.text(st.characters(exclude_categories=())))
def test_no_control_or_format_character_is_left(text: str) -> None:
    for character in inert(text):
        kind = unicodedata.category(character)
        assert kind not in ("Cc", "Cs", "Zl", "Zp") or character in "\n\t"
        assert kind != "Cf" or character in "\u200c\u200d" or ord(character) in SHOWN


SHOWN = {
    *range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD,
    *range(0x13430, 0x13440),
}  # fmt: skip
"""Format characters that are seen."""


def test_each_is_spelled_and_what_people_write_stays() -> None:
    assert inert("a\x1b\u202e\ufeff\U000e0041b") == "a\\x1b\\u202e\\ufeff\\U000e0041b"
    for text in ("one\ttwo\nthree", "👩\u200d🚀 ❤\ufe0f", "می\u200cخواهم", "e\u0301 ü 日本"):
        assert inert(text) == text
    assert inert("a\r\nb\rc") == "a\nb\\x0dc"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("find\u200dorder", "find\\u200dorder"),
        ("\u200dfind", "\\u200dfind"),
        ("find-\u200d", "find-\\u200d"),
        ("é\u200dü", "é\\u200dü"),
        ("👩\u200d🚀 👁\ufe0f\u200d🗨", ""),
        ("क्\u200dष ශ්\u200dරී", ""),
        ("ه\u200d. ش", ""),
    ],
)
def test_a_joiner_acts_beside_latin_letters_and_joins_emoji_and_other_letters(
    text: str, shown: str
) -> None:
    assert inert(text) == plain(text) == (shown or text)
    assert json_text(text) == f'"{shown or text}"'
    assert first_acting(text) == ("\u200d" if shown else "")
    assert (one_line(text).count("\\u200d") == 1) is bool(shown)


def test_the_first_that_acts_is_found_and_none_in_what_people_write() -> None:
    assert first_acting("plain") == first_acting("é\tü") == ""
    assert first_acting("a\u202eb\x1b") == "\u202e"
    assert first_acting("a\x1bb") == "\x1b"
