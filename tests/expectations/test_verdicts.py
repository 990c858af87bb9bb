"""How a verdict words what it found: long texts shortened, hits with what is around them."""

import pytest

from evaltui.core.check import CheckContext
from evaltui.core.response import AgentResponse
from evaltui.core.verdict import VerdictStatus
from evaltui.expectations.verdicts import EXCERPT, around, as_json, shorten, why_unresolved
from tests.expectations.judging import judge_one, make_case


def test_a_text_of_just_the_length_is_shown_whole() -> None:
    assert shorten("a" * EXCERPT) == "a" * EXCERPT
    assert shorten("a" * (EXCERPT + 1)) == "a" * EXCERPT + "… (1 more characters)"
    assert shorten("abcd", 3) == "abc… (1 more characters)"
    assert as_json(["a" * 300]) == '["' + "a" * 198 + "… (104 more characters)"


@pytest.mark.parametrize(
    ("start", "shown"),
    [
        (0, "<>" + "r" * 50 + "…"),
        (50, "l" * 50 + "<>" + "r" * 50 + "…"),
        (51, "…" + "l" * 50 + "<>" + "r" * 50 + "…"),
        (248, "…" + "l" * 50 + "<>" + "r" * 50),
        (247, "…" + "l" * 50 + "<>" + "r" * 50 + "…"),
        (298, "…" + "l" * 50 + "<>"),
    ],
)
def test_a_hit_is_shown_with_what_is_around_it(start: int, shown: str) -> None:
    """Dots only where something was left out."""
    text = "l" * start + "<>" + "r" * (298 - start)
    assert around(text, start, 2) == shown


def test_a_text_that_is_not_long_is_shown_whole_around_a_hit() -> None:
    assert around("l" * 100 + "<>" + "r" * 98, 100, 2) == "l" * 100 + "<>" + "r" * 98
    assert around("l" * 100 + "<>" + "r" * 99, 100, 2) == "…" + "l" * 50 + "<>" + "r" * 50 + "…"


def test_a_long_hit_is_shortened() -> None:
    text = "a" * 1000
    assert around(text, 100, 800) == "…" + "a" * 2 * EXCERPT + "… (500 more characters)…"


async def test_a_hit_at_the_start_of_a_long_answer_is_quoted_from_its_start() -> None:
    verdict = await judge_one({"responseContains": ["22"]}, "It is 22 degrees. " + "x" * 500)
    assert verdict.status is VerdictStatus.PASSED
    assert verdict.evidence["actual"] == "It is 22 degrees. " + "x" * 40 + "…"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{{seed:a}} {{seed:b}} {{seed:a}} {{seed:ok}}", "`{{seed:a}}`, `{{seed:b}}` could not"),
        (
            "{{snapshot:a}}",
            "`{{snapshot:a}}` could not be resolved: the snapshot has no such value",
        ),
        ("{{seed:a}}", "`{{seed:a}}` could not be resolved: the seed manifest has no such value"),
    ],
)
def test_each_missing_value_is_named_once(text: str, why: str) -> None:
    context = CheckContext(make_case({}), AgentResponse(""), {"ok": 1}, {})
    assert why_unresolved(text, context).startswith(why)
