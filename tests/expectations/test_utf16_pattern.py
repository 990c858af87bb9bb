"""Patterns see UTF-16 units, as JavaScript's without flags do (contract B9)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.expectations.pattern import find_pattern, find_quickly, validate_pattern
from evaltui.expectations.utf16_pattern import utf16_pattern, utf16_text

EMOJI, HIGH, LOW = "😀", "\ud83d", "\ude00"


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("^.$", EMOJI, False),
        ("^..$", EMOJI, True),
        (".{2}", EMOJI, True),
        ("^.{1,3}$", EMOJI * 3, False),
        (f"^{EMOJI}+$", EMOJI * 2, False),
        (f"^{EMOJI}+$", EMOJI, True),
        (f"^[{EMOJI}]{{2}}$", EMOJI, True),
        (f"[{EMOJI}]", HIGH, True),
        (f"[^{EMOJI}]", LOW, False),
        ("^[^a]$", EMOJI, False),
        (f"^[^-{EMOJI}]$", "A", True),
        (r"\ud83d", EMOJI, True),
        (r"^\ud83d\ude00$", EMOJI, True),
        (r"[\ud800-\udbff]", EMOJI, True),
        (r"[\udc00-\udfff]", HIGH, False),
        (r"^[\u0000-\uffff]$", HIGH, True),
        (r"^[a-\uffff]$", LOW, True),
        (r"[^\u0000-\uffff]", EMOJI, False),
        (r"[\ue000-\uffff]", EMOJI, False),
        (r"[\d-\uffff]", LOW, False),
        (HIGH, EMOJI, True),
        (f"^{HIGH}", EMOJI, True),
        (f"{LOW}$", EMOJI, True),
        (r"\u{41}", "A", False),
        (r"^\u{41}$", "u" * 41, True),
        (r"^[\u{41}]+$", "u{41}", True),
        (r"^[\u{41}]+$", "A", False),
        (r"(?<n>a)\k<n>", "aa", True),
        (r"^\c\u{2}$", r"\cuu", True),
        (rf"^[\c\u{EMOJI}]$", "\\", True),
        (rf"^[\cu{EMOJI}]$", "\x15", True),
    ],
)
async def test_a_pattern_finds_what_javascript_finds(pattern: str, text: str, found: bool) -> None:
    assert find_quickly(pattern, text) in (None, found)
    assert await find_pattern(pattern, text) is found


@pytest.mark.parametrize(
    "pattern",
    [
        r"\b+",
        r"\B*",
        r"\b?a",
        r"a\b{2}",
        r"\u{41}+",
        r"[\ue000-\ud800]",
        f"[{EMOJI}-a]",
        f"{HIGH}++",
    ],
)
def test_what_javascript_refuses_is_refused(pattern: str) -> None:
    assert validate_pattern(pattern)
    assert find_quickly(pattern, "a") is None


@pytest.mark.parametrize(
    "pattern", [r"\b", r"a\b", r"\\b+", r"[\b]+", r"\b{", r"\u{41}", "[a-\uffff]"]
)
def test_what_javascript_reads_is_read(pattern: str) -> None:
    assert validate_pattern(pattern) is None


@given(st.text(st.characters(categories=None) | st.sampled_from("[]^-\\ucxb{}<>(?" + HIGH)))
def test_no_half_of_a_pair_is_left(text: str) -> None:
    utf16_pattern(text).encode()
    assert len(utf16_text(text)) == len(text.encode("utf-16-le", "surrogatepass")) // 2
