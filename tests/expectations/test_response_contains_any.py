"""Groups of texts of which one must stand in the response."""

import pytest

from evaltui.core.json_value import Json
from evaltui.core.verdict import VerdictStatus
from tests.expectations.judging import judge

PASSED, FAILED, SKIPPED = VerdictStatus.PASSED, VerdictStatus.FAILED, VerdictStatus.SKIPPED


@pytest.mark.parametrize(
    ("value", "text", "statuses"),
    [
        ([["a", "b"], ["c"]], "bc", [PASSED, PASSED]),
        ([["a", "b"], ["c"]], "c", [FAILED]),
        (["sunny", "clear"], "clear", [PASSED]),
        ("sunny", "s", [FAILED]),
        (["a", ["b"]], "ab", [PASSED, PASSED]),
        ([[]], "a", [SKIPPED]),
        ([["{{seed:no}}"], ["a"]], "a", [SKIPPED, PASSED]),
        ([["{{seed:no}}", "a"]], "a", [PASSED]),
        ([["{{seed:no}}", "b"]], "a", [FAILED]),
        ([["a", None]], "a", [FAILED]),
        ({"a": 1}, "a", [FAILED]),
        ([], "a", []),
    ],
)
async def test_contains_any(value: Json, text: str, statuses: list[VerdictStatus]) -> None:
    verdicts = await judge({"responseContainsAny": value}, text, seed={})
    assert [verdict.status for verdict in verdicts] == statuses
    for verdict in verdicts:
        assert verdict.skipped_tokens in ((), ("{{seed:no}}",))
        assert (verdict.status is SKIPPED) <= ("warning" in verdict.reason)
