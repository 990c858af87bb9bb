"""noToolErrors in its three settings."""

import pytest

from evaltui.core.json_value import Json, JsonObject
from evaltui.core.response import Execution, ToolCall
from evaltui.core.verdict import VerdictStatus
from tests.expectations.judging import judge, judge_one

PASSED, FAILED = VerdictStatus.PASSED, VerdictStatus.FAILED
REAL, STUBS, ROUTING = Execution.REAL, Execution.STUBS, Execution.ROUTING


@pytest.mark.parametrize(
    ("success", "stubs", "execution", "status", "reason"),
    [
        (True, None, REAL, PASSED, "1 of 1 calls worked"),
        (False, None, REAL, FAILED, "`t` failed: no network"),
        (None, None, REAL, FAILED, "did not report `success`"),
        (None, None, ROUTING, PASSED, "not executed"),
        (False, None, ROUTING, PASSED, "not executed"),
        (None, {"t": {}}, STUBS, PASSED, "1 of 1"),
        (None, {"u": {}}, STUBS, FAILED, "no stub"),
        (None, {}, STUBS, FAILED, "no stub"),
        (None, {}, ROUTING, FAILED, "no stub"),
        (True, {"t": {}}, REAL, PASSED, "1 of 1"),
        (False, {"t": {}}, REAL, FAILED, "failed"),
        (True, {"u": {}}, REAL, FAILED, "no stub"),
    ],
)
async def test_settings(
    success: bool | None,
    stubs: JsonObject | None,
    execution: Execution,
    status: VerdictStatus,
    reason: str,
) -> None:
    call = ToolCall("t", {}, success, error="" if success else "no network")
    verdict = await judge_one({"noToolErrors": True}, "x", call, stubs=stubs, execution=execution)
    assert verdict.status is status
    assert verdict.reason.startswith("noToolErrors: ")
    assert reason in verdict.reason


@pytest.mark.parametrize("value", [False, None])
async def test_it_is_not_asserted(value: Json) -> None:
    assert await judge({"noToolErrors": value}, "x", ToolCall("t", {}, success=False)) == ()


@pytest.mark.parametrize("value", ["true", 1, [], {}])
async def test_anything_else_fails(value: Json) -> None:
    verdict = await judge_one({"noToolErrors": value})
    assert verdict.status is FAILED
    assert "expected true or false" in verdict.reason
