"""Patterns: the quick way, the process, and Node as the judge of both."""

import json
import random
import shutil
import subprocess

import pytest

from evaltui.expectations.pattern import find_pattern, find_quickly, is_quick, validate_pattern

ENDLESS = "(?:(?:a+)+)+$"

ATOMS = [
    r"a",
    r"b",
    r"\d",
    r"\w",
    r"\s",
    r".",
    r"^",
    r"$",
    r"(a)",
    r"(?:b)",
    r"[ab]",
    r"[^a]",
    r"\b",
    r"|",
    r"a*",
    r"b+",
    r"a?",
    r"{",
    r"}",
    r"a{2}",
    r"\-",
    r"\/",
    r"-",
    r"]",
    r"\u0061",
    r"\0",
]

ATOMS += [r"(?=a)", r"(?!b)", r"(?<=a)", r"\1", r"\2", r"\01", r"\c", r"\k<n>", r"\p{L}", "+", "*"]

ATOMS += ["😀", "[😀]", "[^😀]", "[a-😀]", "é", "\ud83d", "\ude00", r"\ud83d", r"[\ud800-\udfff]"]

ATOMS += [r"\u{41}", r"[\u{41}]", r"[\u0000-\uffff]", r"[^\u0000-\ud83d]", r"[\ue000-\ud800]"]

SUBJECTS = ["", "a", "ab", "b a", "aab1", "\n", "-/", "a{", "]", "é1 b", "A", "u" * 41]

SUBJECTS += ["😀", "😀😀", "a😀b", "\ud83d", "\ude00\ud83d", "k<n>", "\x01", "c", "p{L}"]

TESTED = (
    "const {patterns,texts}=JSON.parse(require('fs').readFileSync(0));"
    "console.log(JSON.stringify(patterns.map(p=>{try{const r=new RegExp(p);"
    "return texts.map(t=>r.test(t))}catch(e){return null}})))"
)


@pytest.mark.parametrize(
    "pattern", ["^plain", "plain$", "^plain text$", "text", "^", r"\w+ t", ".$", "n|z"]
)
@pytest.mark.parametrize("text", ["plain text", "a plain", "", "text\n"])
async def test_the_quick_way_and_the_process_agree(pattern: str, text: str) -> None:
    assert find_quickly(pattern, text) is await find_pattern(pattern, text)


@pytest.mark.parametrize(
    "pattern", [ENDLESS, "(a|a)*$", r"(a*)\1", "a*a*a*b", "(a?){30}a{30}", "(?:a|b)c", "(?i)x", "["]
)
def test_what_may_take_long_or_is_invalid_is_left_to_the_process(pattern: str) -> None:
    assert find_quickly(pattern, "aaaa") is None


def test_a_long_text_is_left_to_the_process_unless_the_pattern_is_plain() -> None:
    assert find_quickly(r"\d+x", "1" * 1001) is None
    assert find_quickly("1x", "1" * 1001 + "x") is True
    assert find_quickly(r"\d+x", "1" * 999 + "x") is True


@pytest.mark.external
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
async def test_node_agrees_on_random_patterns() -> None:
    draw = random.Random(7)
    patterns = ["".join(draw.choices(ATOMS, k=draw.randint(1, 6))) for _ in range(4000)]
    said = subprocess.run(  # noqa: ASYNC221  (nothing else runs here)
        ["node", "-e", TESTED],
        input=json.dumps({"patterns": patterns, "texts": SUBJECTS}),
        capture_output=True,
        check=True,
        text=True,
    )
    for pattern, found in zip(patterns, json.loads(said.stdout), strict=True):
        assert (validate_pattern(pattern) is None) is (found is not None), pattern
        for text, expected in zip(SUBJECTS, found or (), strict=False):
            quick = find_quickly(pattern, text)
            assert quick in (None, expected), (pattern, text)
            if quick is None:
                assert await find_pattern(pattern, text) is expected, (pattern, text)


def test_only_short_patterns_with_one_choice_are_tried_without_a_process() -> None:
    assert is_quick("a" * 199 + "*", "text")
    assert not is_quick("a" * 200 + "*", "text")
    assert not is_quick("a*b*", "text")
    assert not is_quick(r"(a)\1", "text")
