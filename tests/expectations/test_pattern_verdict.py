"""What is said of a pattern that cannot be tried: whose fault it is decides what it counts as."""

from collections.abc import Awaitable

import pytest

from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.expectations import pattern_verdict
from evaltui.expectations.pattern_process import PatternCrash, PatternInvalid, PatternTimeout
from evaltui.expectations.pattern_verdict import Match
from evaltui.expectations.response_matches import ResponseMatches

SLOW = "(a|b)+c+"
"""Left to the process."""
CHECK = ResponseMatches(SLOW, "responseMatches[0]")


@pytest.mark.parametrize(
    ("error", "status", "category", "reason"),
    [
        (
            PatternCrash("it died"),
            VerdictStatus.ERROR,
            "judge_error",
            "responseMatches: pattern /(a|b)+c+/ could not be tried: it died",
        ),
        (
            PatternInvalid("odd"),
            VerdictStatus.FAILED,
            "parse_error",
            "responseMatches: invalid pattern /(a|b)+c+/: odd",
        ),
        (
            PatternTimeout(),
            VerdictStatus.FAILED,
            "timeout",
            "responseMatches: pattern /(a|b)+c+/ did not finish within 1 s (catastrophic "
            "backtracking); write it without nested repetition",
        ),
    ],
)
async def test_why_a_pattern_gave_no_answer(
    error: Exception,
    status: VerdictStatus,
    category: str,
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def fail(pattern: str, text: str) -> bool:
        assert (pattern, text) == (SLOW, "xyz")
        raise error

    monkeypatch.setattr(pattern_verdict, "find_pattern", fail)
    said = Match(CHECK, SLOW, "xyz", "response", {"tool": "t"}).judge()
    assert isinstance(said, Awaitable)
    assert await said == Verdict(
        "responseMatches",
        status,
        reason,
        "responseMatches[0]",
        evidence={"expected": SLOW, "actual": "xyz", "tool": "t"},
        category=category,
    )


@pytest.mark.parametrize(
    ("is_found", "status", "reason"),
    [
        (True, VerdictStatus.PASSED, "responseMatches: response matches /(a|b)+c+/"),
        (
            False,
            VerdictStatus.FAILED,
            "responseMatches: expected response to match /(a|b)+c+/ but it does not",
        ),
    ],
)
async def test_what_a_slow_pattern_found_decides(
    is_found: bool, status: VerdictStatus, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def find(*_: str) -> bool:
        return is_found

    monkeypatch.setattr(pattern_verdict, "find_pattern", find)
    said = Match(CHECK, SLOW, "xyz", "response").judge()
    assert isinstance(said, Awaitable)
    verdict = await said
    assert (verdict.status, verdict.reason) == (status, reason)
