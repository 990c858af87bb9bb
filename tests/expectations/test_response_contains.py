"""What must stand in the response, and how verdicts on it are worded."""

import pytest

from evaltui.core.json_value import Json
from evaltui.core.verdict import VerdictStatus
from tests.expectations.judging import judge, judge_one

PASSED, FAILED, SKIPPED = VerdictStatus.PASSED, VerdictStatus.FAILED, VerdictStatus.SKIPPED


async def test_the_contracts_words() -> None:
    missing = await judge_one({"responseContains": ["Tokyo"]}, "It is sunny.")
    assert missing.reason == "responseContains: expected 'Tokyo' in response but not found"
    assert missing.label == "responseContains[0]"
    assert missing.evidence == {"expected": "Tokyo", "actual": "It is sunny."}
    leaked = await judge_one({"responseNotContains": ["fetchedAt"]}, '{"fetchedAt": 1}')
    assert leaked.reason == 'responseNotContains: found "fetchedAt" in response'


@pytest.mark.parametrize(
    ("value", "text", "statuses"),
    [
        (["22", "Paris"], "22 in Paris", [PASSED, PASSED]),
        (["22", "paris", "x"], "22 in Paris", [PASSED, FAILED]),
        ("Paris", "Paris", [PASSED]),
        ("Paris", "is", [FAILED]),
        ([22, True], "22 true", [PASSED, PASSED]),
        ([""], "", [PASSED]),
        ([], "", []),
        (None, "", []),
        ([None], "null", [FAILED]),
        ([["a"]], "a", [FAILED]),
        (5, "5", [FAILED]),
        ({"a": 1}, "a", [FAILED]),
        (["{{seed:a}}"], "one", [PASSED]),
        (["${{seed:n}}"], "$7", [PASSED]),
        (["{{seed:no}}", "x"], "x", [SKIPPED, PASSED]),
        (["{{name}}"], "name", [FAILED]),
    ],
)
async def test_contains(value: Json, text: str, statuses: list[VerdictStatus]) -> None:
    verdicts = await judge({"responseContains": value}, text, seed={"a": "one", "n": 7})
    assert [verdict.status for verdict in verdicts] == statuses


@pytest.mark.parametrize(
    ("token", "seed", "why"),
    [
        ("{{seed:no}}", None, "there is no seed manifest"),
        ("{{seed:no}}", {}, "the seed manifest has no such value"),
        ("{{snapshot:no}}", {}, "no snapshot was captured"),
    ],
)
async def test_a_skip_says_why(token: str, seed: Json, why: str) -> None:
    verdict = await judge_one({"responseContains": [token]}, seed=seed)
    assert verdict.reason == (
        f"responseContains: skipped, warning: `{token}` could not be resolved: {why}"
    )


async def test_a_long_response_is_not_copied_into_every_verdict() -> None:
    text = "a" * 500_000 + "needle" + "b" * 500_000
    found = await judge_one({"responseContains": ["needle"]}, text)
    assert "needle" in str(found.evidence["actual"])
    missing = await judge_one({"responseContains": ["x" * 100_000]}, text)
    assert len(str(found.evidence["actual"])) + len(missing.reason) < 2_000
