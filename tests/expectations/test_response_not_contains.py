"""What must not stand in the response."""

import pytest

from evaltui.core.json_value import Json
from evaltui.core.verdict import VerdictStatus
from tests.expectations.judging import judge

PASSED, FAILED, SKIPPED = VerdictStatus.PASSED, VerdictStatus.FAILED, VerdictStatus.SKIPPED


@pytest.mark.parametrize(
    ("value", "text", "statuses"),
    [
        (["x", "y"], "abc", [PASSED, PASSED]),
        (["x", "b"], "abc", [PASSED, FAILED]),
        ("abc", "ab", [PASSED]),
        (["{{snapshot:no}}", "b"], "abc", [SKIPPED, FAILED]),
        (["{{user}}"], "Hello {{user}}", [FAILED]),
        ([None], "abc", [FAILED]),
    ],
)
async def test_not_contains(value: Json, text: str, statuses: list[VerdictStatus]) -> None:
    verdicts = await judge({"responseNotContains": value}, text)
    assert [verdict.status for verdict in verdicts] == statuses
