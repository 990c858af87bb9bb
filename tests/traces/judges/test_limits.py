"""Judges of limits: a bound may be reached, and what was not measured holds none."""

from typing import Any

import pytest

from evaltui.core.verdict import VerdictStatus
from tests.traces.judges.test_judges import call, judged, result, say

PASSED, FAILED, SKIPPED = VerdictStatus.PASSED, VerdictStatus.FAILED, VerdictStatus.SKIPPED
USAGE = {"token_usage": {"input_tokens": 100, "output_tokens": 50}}


@pytest.mark.parametrize(
    ("config", "status"),
    [
        ({"max_input_tokens": 110}, PASSED),
        ({"max_input_tokens": 109}, FAILED),
        ({"max_total_tokens": 160, "max_output_tokens": 50}, PASSED),
        ({"max_cost_usd": 0.5}, FAILED),
        ({"max_cost_usd": 0.21, "input_cost_per_1k": 1, "output_cost_per_1k": 2}, PASSED),
        ({"max_cost_usd": 0.2, "input_cost_per_1k": 1, "output_cost_per_1k": 2}, FAILED),
        ({}, SKIPPED),
    ],
)
def test_a_budget_counts_what_case_and_events_tell(config: Any, status: VerdictStatus) -> None:
    event = say("x", attributes={"gen_ai.usage.input_tokens": 10})
    found = judged("cost_budget", event, metadata=USAGE, config=config)
    assert (found.status, found.hard) == (status, False)


def test_what_was_not_measured_is_no_limit_exceeded() -> None:
    found = judged("cost_budget", config={"max_input_tokens": 1})
    assert (found.reason, found.category) == (
        *("what cost_budget limits is not told", "contract_violation"),
    )
    config = {"max_input_tokens": 1, "max_cost_usd": 1}
    found = judged("cost_budget", metadata=USAGE, config=config)
    assert (found.reason, found.value) == ("budget violations", 0)


@pytest.mark.parametrize("kind", ["input", "output"])
def test_a_total_of_which_one_part_is_not_told_holds_no_limit(kind: str) -> None:
    used = {"token_usage": {f"{kind}_tokens": 1}}
    found = judged("cost_budget", metadata=used, config={"max_total_tokens": 100})
    assert (found.status, found.reason) == (FAILED, "what cost_budget limits is not told")


def test_the_score_is_the_share_of_the_limits_that_hold() -> None:
    config = {"max_input_tokens": 1, "max_output_tokens": 50}
    found = judged("cost_budget", metadata=USAGE, config=config)
    assert (found.value, found.category) == (0.5, "policy_failure")


def test_latencies_may_have_fractions_and_percentiles_are_by_nearest_rank() -> None:
    events = [say("x", latency_ms=n + 0.5) for n in range(1, 21)]
    for name, value in (("event", 20.5), ("total", 220), ("p95", 19.5), ("p99", 20.5)):
        limit = f"max_{name}_latency_ms"
        assert judged("latency_slo", *events, config={limit: value}).status is PASSED
        assert judged("latency_slo", *events, config={limit: value - 0.1}).status is FAILED
    assert judged("latency_slo", say("x"), config={"max_event_latency_ms": 1}).status is FAILED
    assert judged("latency_slo", *events).status is SKIPPED


def test_the_same_call_again_and_again_is_a_storm() -> None:
    calls = [step for _ in range(3) for step in (call("a", {"q": 1}), result("a"))]
    assert judged("retry_storm", *calls).status is PASSED
    assert judged("retry_storm", *calls, call("a", {"q": 1})).status is FAILED
    assert judged("retry_storm", *calls, call("a", {"q": 2})).status is PASSED
    assert judged("retry_storm", *calls, config={"max_total_retries": 1}).status is FAILED
    assert judged("retry_storm", say("x")).status is SKIPPED


def test_a_loop_is_stopped() -> None:
    assert judged("loop_guard", *[say("x")] * 3).status is PASSED
    assert judged("loop_guard", *[say("x")] * 4).status is FAILED
    assert judged("loop_guard", *[say("x"), say(" x\n")] * 2).status is FAILED
    for nothing in ("", "  ", {"a": 1}, 7):
        assert judged("loop_guard", *[say(nothing)] * 4).status is PASSED
    assert judged("loop_guard", *[call("a")] * 41).status is FAILED
    attempts = [say(str(n), attempt=n) for n in range(4)]
    assert judged("loop_guard", *attempts).status is FAILED
    assert judged("loop_guard", *attempts, config={"max_attempts": 4}).status is PASSED


def test_a_limit_that_is_no_number_does_not_pass() -> None:
    found = judged("loop_guard", say("x"), config={"max_steps": "40"})
    assert (found.status, found.category) == (VerdictStatus.ERROR, "judge_error")
