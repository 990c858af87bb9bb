"""Tools that must not be called."""

import pytest

from evaltui.core.json_value import Json
from evaltui.core.verdict import VerdictStatus
from tests.expectations.judging import calls, judge_one

PASSED, FAILED = VerdictStatus.PASSED, VerdictStatus.FAILED


@pytest.mark.parametrize(
    ("forbidden", "status"),
    [(["c"], PASSED), ([], PASSED), (["c", "b"], FAILED), ("b", FAILED), ([None], FAILED)],
)
async def test_tools_not_called(forbidden: Json, status: VerdictStatus) -> None:
    verdict = await judge_one({"toolsNotCalled": forbidden}, "x", *calls("a", "b"))
    assert verdict.status is status
    assert verdict.reason.startswith("toolsNotCalled: ")
