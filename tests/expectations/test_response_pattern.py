"""responseMatches: ECMAScript patterns, invalid ones, and one that would never end."""

import asyncio
import json
import random
import shutil
import subprocess
import time

import pytest

from evaltui.core.json_value import Json
from evaltui.core.verdict import VerdictStatus
from evaltui.expectations.pattern import find_pattern, find_quickly, validate_pattern
from tests.expectations.judging import judge, judge_one

PASSED, FAILED = VerdictStatus.PASSED, VerdictStatus.FAILED
ENDLESS = "(?:(?:a+)+)+$"


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("plain text", "some plain text", True),
        ("", "", True),
        ("^it", "it is", True),
        ("^is", "it is", False),
        ("is$", "it is\n", False),
        ("^it is$", "it is", True),
        ("^$", "x", False),
        (r"\d+ degrees", "22 degrees", True),
        (r"^\d$", "٣", False),
        (r"^.$", "\u2028", False),
        (r"\bfoo\b", "éfoo", True),
        (r"(?<year>\d{4})-\k<year>", "2024-2024", True),
        (r"(?<=\$)\d+", "$42", True),
        (r"[^]", "\n", True),
        (r"a{,2}", "a{,2}", True),
        (r"^\w+$", "café", False),
        (r"\cJ", "\n", True),
        (r"^\s$", "\ufeff", True),
        ("x\ud83d", "y", False),
        (r".", "\ud83d", True),
    ],
)
async def test_patterns_mean_what_they_mean_in_javascript(
    pattern: str, text: str, found: bool
) -> None:
    verdict = await judge_one({"responseMatches": [pattern]}, text)
    assert (verdict.status is PASSED) is found
    assert verdict.reason.startswith("responseMatches: ")
    assert validate_pattern(pattern) is None


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


@pytest.mark.parametrize("pattern", ["(?i)paris", "(?P<n>x)", "[", "a**", "(" * 5000])
async def test_an_invalid_pattern_fails_its_case_and_is_known_to_lint(pattern: str) -> None:
    verdict = await judge_one({"responseMatches": [pattern]}, "Paris")
    assert verdict.status is FAILED
    assert verdict.reason.startswith("responseMatches: invalid pattern ")
    assert verdict.category == "parse_error"
    assert validate_pattern(pattern)


@pytest.mark.parametrize(
    ("value", "statuses"),
    [("22", [PASSED]), (["2", None], [PASSED, FAILED]), (5, [FAILED]), (["{{seed:a}}"], [FAILED])],
)
async def test_shapes(value: Json, statuses: list[VerdictStatus]) -> None:
    verdicts = await judge({"responseMatches": value}, "22", seed={"a": "22"})
    assert [verdict.status for verdict in verdicts] == statuses


async def test_endless_backtracking_fails_the_case_while_the_loop_goes_on() -> None:
    longest = 0.0

    async def beat() -> None:
        nonlocal longest
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.01)
            longest = max(longest, time.perf_counter() - before)

    heart = asyncio.create_task(beat())
    started = time.perf_counter()
    verdict = await judge_one({"responseMatches": [ENDLESS]}, "a" * 40 + "b")
    elapsed = time.perf_counter() - started
    heart.cancel()
    assert verdict.status is FAILED
    assert "did not finish within 1 s" in verdict.reason
    assert verdict.category == "timeout"
    assert 0.9 < elapsed < 5
    assert longest < 0.5
    assert (await judge_one({"responseMatches": [r"\d\d"]}, "22")).status is PASSED


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
ATOMS += [r"(?=a)", r"(?!b)", r"(?<=a)", r"(?<n>a)", r"\1"]
SUBJECTS = ["", "a", "ab", "b a", "aab1", "\n", "-/", "a{", "]", "é1 b"]
TESTED = (
    "const {patterns,texts}=JSON.parse(require('fs').readFileSync(0));"
    "console.log(JSON.stringify(patterns.map(p=>{try{const r=new RegExp(p);"
    "return texts.map(t=>r.test(t))}catch(e){return null}})))"
)


@pytest.mark.external
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
async def test_node_agrees_on_random_patterns() -> None:
    draw = random.Random(7)
    patterns = ["".join(draw.choices(ATOMS, k=draw.randint(1, 5))) for _ in range(600)]
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
            assert await find_pattern(pattern, text) is expected, (pattern, text)
