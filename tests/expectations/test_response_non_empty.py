"""Whether there is a response at all."""

import pytest

from evaltui.core.verdict import VerdictStatus
from tests.expectations.judging import judge_one

PASSED, FAILED, SKIPPED = VerdictStatus.PASSED, VerdictStatus.FAILED, VerdictStatus.SKIPPED


@pytest.mark.parametrize(
    ("text", "status"),
    [("x", PASSED), ("", FAILED), (" \ufeff\n\u00a0", FAILED), ("\u0085", PASSED)],
)
async def test_non_empty(text: str, status: VerdictStatus) -> None:
    assert (await judge_one({"responseNonEmpty": True}, text)).status is status
