"""Failures of one cause have the words of Agent Eval Suite, so that packs of both programs compared
with one another tell them as one cluster."""

from typing import Any

import pytest

from evaltui.core.verdict import VerdictStatus
from tests.traces.judges.test_judges import call, judged, result, say

LATE = {"max_total_latency_ms": 1}
SCHEMA: dict[str, Any] = {"json_schema": {"type": "object"}}
CONTRACT: dict[str, Any] = {"tool_contracts": {"look": {"required_args": ["q"]}}}


@pytest.mark.parametrize(
    ("judge", "events", "config", "fields", "reason"),
    [
        ("trajectory_step", [call("look")], {}, {}, "trajectory step violations"),
        ("trajectory_step", [result("look")], {}, {}, "trajectory step violations"),
        ("trajectory_step", [], {}, {}, "empty trace"),
        ("tool_contract", [call("look")], {}, CONTRACT, "tool contract violations"),
        (
            "tool_contract",
            [say("a")],
            {},
            CONTRACT,
            "tool contracts configured but no matching tool calls were found",
        ),
        (
            "policy",
            [say("a")],
            {},
            {"policy": {"required_tools": ["look"]}},
            "policy violations detected",
        ),
        ("regex", [say("a")], {}, {"regex_patterns": ["b"]}, "regex pattern mismatch"),
        ("json_schema", [say("[]")], {}, SCHEMA, "json schema mismatch"),
        ("json_schema", [say("a")], {}, SCHEMA, "final output is not valid JSON"),
        ("replay_contract", [say("a", idx=3)], {}, {}, "replay contract violations"),
        (
            "repair_path",
            [],
            {},
            {"metadata": {"attempt_history": [{"attempt": "0"}]}},
            "repair path violations",
        ),
        (
            "cost_budget",
            [],
            {"max_cost_usd": 1},
            {"metadata": {"token_usage": {"cost_usd": 2}}},
            "budget violations",
        ),
        ("latency_slo", [say("a", latency_ms=9)], LATE, {}, "latency SLO violations"),
        ("latency_slo", [say("a")], LATE, {}, "latency SLO configured but no latency data"),
        ("retry_storm", [call("look")] * 4, {}, {}, "retry storm risk"),
        ("loop_guard", [say("a")] * 4, {}, {}, "looping behavior risk"),
        ("tool_abuse", [call("drop")], {}, {}, "tool abuse risk"),
        ("prompt_injection", [say("secret")], {}, {}, "prompt injection indicators detected"),
    ],
)
def test_a_failure_is_told_in_the_words_of_the_other_program(
    judge: str,
    events: list[dict[str, Any]],
    config: dict[str, Any],
    fields: dict[str, Any],
    reason: str,
) -> None:
    found = judged(judge, *events, config=config, **fields)
    assert (found.status, found.reason) == (VerdictStatus.FAILED, reason)
