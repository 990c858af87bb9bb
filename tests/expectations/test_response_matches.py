"""responseMatches: ECMAScript patterns, invalid ones, and one that would never end."""

import asyncio
import time

import pytest

from evaltui.core.json_value import Json
from evaltui.core.verdict import VerdictStatus
from evaltui.expectations.pattern import validate_pattern
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
