"""What the evaluators that come along say, each held and broken."""

import re
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.check import CheckContext
from evaltui.core.response import ToolCall, Usage
from evaltui.core.verdict import Kind, VerdictStatus
from evaltui.evaluators.built_in import BUILT_IN
from tests.evaluators.seen import answered, verdict_by

PASSED, FAILED = VerdictStatus.PASSED, VerdictStatus.FAILED
SKIPPED, ERROR = VerdictStatus.SKIPPED, VerdictStatus.ERROR
WEATHER = ToolCall("get_weather", {"city": "Paris", "days": 3}, True, 1.0, {"t": [18, 22.46]})
UNTOLD = ToolCall("get_forecast", {"days": 3}, True, 1.0)
"""As an HTTP agent answers that tells no results."""
ORDER = ToolCall("find_order", {"id": "SO-1"}, True, 1.0, "1,234 pieces")


async def test_tool_calls_are_counted_in_the_words_of_the_contract() -> None:
    verdict = await verdict_by("tool-call-count", context=answered("ok", WEATHER, ORDER))
    assert (verdict.kind, verdict.status, verdict.value) == (Kind.METRIC, PASSED, 2)
    assert verdict.reason == "2 tool call(s): get_weather, find_order"
    assert verdict.evidence == {"toolCallCount": 2, "toolNames": ["get_weather", "find_order"]}
    verdict = await verdict_by("tool-call-count")
    assert (verdict.value, verdict.reason) == (0, "No tool calls in this turn")
    verdict = await verdict_by("tool-call-count", context=answered(tells_calls=False))
    assert (verdict.status, verdict.value) == (SKIPPED, None)
    assert verdict.reason == "The agent reports no tool calls"


async def test_numbers_of_unknown_origin_name_the_tool_that_told_no_result() -> None:
    context = answered("It is 23 degrees", WEATHER, UNTOLD)
    reason = (await verdict_by("numbers-from-tools", context=context)).reason
    assert "no result of get_forecast," in reason
    assert "23" in reason


async def test_tokens_that_nobody_told_are_not_none() -> None:
    told = await verdict_by("token-usage", context=answered(usage=Usage(20, 5)))
    assert (told.value, told.reason) == (25, "25 tokens (20 in, 5 out)")
    alone = await verdict_by("token-usage", context=answered(usage=Usage(told_total=9)))
    assert (alone.value, alone.reason) == (9, "9 tokens")
    for usage in (None, Usage(cost_usd=5), Usage(20)):
        untold = await verdict_by("token-usage", context=answered(usage=usage))
        assert (untold.value, untold.reason) == (None, "No token usage reported by connector")


def _text(text: str) -> CheckContext:
    return answered(text)


CALLED = answered("ok", WEATHER, ORDER)
NUMBERS = answered("22.5 degrees for 3 days, 1,234 pieces", WEATHER, ORDER)
CASES: list[tuple[str, dict[str, Any], CheckContext, VerdictStatus]] = [
    ("latency-budget", {"maxMs": 100}, answered(), PASSED),
    ("latency-budget", {"maxMs": 99.9}, answered(), FAILED),
    ("token-budget", {"maxTokens": 25}, answered(usage=Usage(20, 5)), PASSED),
    ("token-budget", {"maxTokens": 24}, answered(usage=Usage(20, 5)), FAILED),
    ("token-budget", {"maxTokens": 200}, answered(usage=Usage(157, 4, None, 522)), FAILED),
    ("token-budget", {"maxTokens": 24}, answered(), SKIPPED),
    ("token-budget", {"maxTokens": 24}, answered(usage=Usage(cost_usd=5)), SKIPPED),
    ("token-budget", {"maxTokens": 24}, answered(usage=Usage(20)), SKIPPED),
    ("token-budget", {"maxTokens": 19}, answered(usage=Usage(20)), FAILED),
    ("token-budget", {"maxTokens": 24}, answered(usage=Usage(told_total=24)), PASSED),
    ("token-budget", {"maxTokens": 24}, answered(usage=Usage(0, 0)), PASSED),
    ("cost-budget", {"maxUsd": 0.1}, answered(usage=Usage(1, 1, 0.1)), PASSED),
    ("cost-budget", {"maxUsd": 0.1}, answered(usage=Usage(1, 1, 0.11)), FAILED),
    ("cost-budget", {"maxUsd": 0.1}, answered(usage=Usage(1, 1)), SKIPPED),
    ("json-valid", {}, _text('{"a": 1}'), PASSED),
    ("json-valid", {}, _text("{'a': 1}"), FAILED),
    ("json-valid", {}, _text("NaN"), FAILED),
    ("json-valid", {}, _text('```json\n{"a": 1}\n```'), FAILED),
    ("json-valid", {"allowFence": True}, _text('```json\n{"a": 1}\n```'), PASSED),
    ("json-schema", {"schema": {"prefixItems": [{"const": 1}]}}, _text("[1]"), PASSED),
    ("json-schema", {"schema": {"prefixItems": [{"const": 1}]}}, _text("[2]"), FAILED),
    ("json-schema", {"schema": {"type": "objekt"}}, _text("[2]"), ERROR),
    ("json-schema", {"schema": {"$ref": "http://127.0.0.1:1/x"}}, _text("[2]"), ERROR),
    ("regex", {"pattern": r"\d+ degrees"}, answered(), PASSED),
    ("regex", {"pattern": r"\d+ degrees", "absent": True}, answered(), FAILED),
    ("regex", {"pattern": "snow"}, answered(), FAILED),
    ("regex", {"pattern": "snow", "absent": True}, answered(), PASSED),
    ("regex", {"pattern": "(a+(b+)c"}, answered(), ERROR),
    ("response-length", {"max": 26}, answered(), PASSED),
    ("response-length", {"max": 25}, answered(), FAILED),
    ("response-length", {"min": 6, "unit": "words"}, answered(), PASSED),
    ("response-length", {"min": 7, "unit": "words"}, answered(), FAILED),
    ("response-length", {}, answered(), ERROR),
    ("tool-order", {"tools": ["get_weather", "find_order"]}, CALLED, PASSED),
    ("tool-order", {"tools": ["find_order", "get_weather"]}, CALLED, FAILED),
    ("tool-order", {"tools": ["find_order"]}, CALLED, PASSED),
    ("tool-order", {"tools": ["find_order"], "mode": "exact"}, CALLED, FAILED),
    ("numbers-from-tools", {}, NUMBERS, PASSED),
    ("numbers-from-tools", {}, answered("It is 23 degrees", WEATHER), FAILED),
    ("numbers-from-tools", {"tolerance": 1}, answered("It is 23 degrees", WEATHER), PASSED),
    ("numbers-from-tools", {"ignore": [23]}, answered("It is 23 degrees", WEATHER), PASSED),
    ("numbers-from-tools", {}, answered("It is warm", WEATHER), SKIPPED),
    ("numbers-from-tools", {}, answered("It is 23 degrees"), FAILED),
    ("numbers-from-tools", {}, answered("It is 23 degrees", UNTOLD), SKIPPED),
    ("numbers-from-tools", {}, answered("It is 23 degrees", WEATHER, UNTOLD), SKIPPED),
    ("numbers-from-tools", {}, answered("It is 3 degrees", UNTOLD), PASSED),
    ("numbers-from-tools", {}, answered("It is 23 degrees", tells_calls=False), SKIPPED),
]


@pytest.mark.parametrize(("type_", "config", "context", "status"), CASES)
async def test_a_rule_holds_or_is_broken(
    type_: str, config: dict[str, Any], context: CheckContext, status: VerdictStatus
) -> None:
    verdict = await verdict_by(type_, config, context)
    assert (verdict.status, bool(verdict.reason)) == (status, True), verdict.reason


ARGUMENTS: list[tuple[dict[str, Any], VerdictStatus]] = [
    ({"arguments": {"city": "Paris"}}, PASSED),
    ({"arguments": {"city": "paris"}}, FAILED),
    ({"arguments": {"city": {"$equals": "paris", "ignoreCase": True}}}, PASSED),
    ({"arguments": {"city": {"$oneOf": ["Rome", "Paris"]}}}, PASSED),
    ({"arguments": {"city": {"$oneOf": ["Rome"]}}}, FAILED),
    ({"arguments": {"city": {"$regex": "^P"}}}, PASSED),
    ({"arguments": {"days": {"$regex": "3"}}}, FAILED),
    ({"arguments": {"days": {"$range": [1, 3]}}}, PASSED),
    ({"arguments": {"days": {"$range": [4, 9]}}}, FAILED),
    ({"arguments": {"days": {"$near": 3.2, "tolerance": 0.25}}}, PASSED),
    ({"arguments": {"days": {"$near": 3.3, "tolerance": 0.25}}}, FAILED),
    ({"arguments": {"days": {"$any": True}}}, PASSED),
    ({"arguments": {"hours": {"$any": True}}}, FAILED),
    ({"arguments": {"city": "Paris"}, "mode": "exact"}, FAILED),
    ({"arguments": {"city": "Paris", "days": 3}, "mode": "exact"}, PASSED),
    ({"arguments": {"city": "Paris", "days": 3, "x": 1}, "mode": "superset"}, PASSED),
    ({"arguments": {"city": "Paris"}, "mode": "superset"}, FAILED),
    ({"arguments": {"city": "Rome"}, "mode": "ignore"}, PASSED),
    ({"arguments": {"city": {"$reegx": "P"}}}, ERROR),
    ({"arguments": {"days": {"$range": [1]}}}, ERROR),
]


@pytest.mark.parametrize(("config", "status"), ARGUMENTS)
async def test_arguments_are_compared_by_the_grammar(
    config: dict[str, Any], status: VerdictStatus
) -> None:
    verdict = await verdict_by("tool-arguments", {"tool": "get_weather", **config}, CALLED)
    assert verdict.status == status, verdict.reason


async def test_the_call_that_comes_nearest_is_told() -> None:
    calls = [ToolCall("t", {"a": 0, "b": 0}), ToolCall("t", {"a": 1, "b": 0})]
    config = {"tool": "t", "arguments": {"a": 1, "b": 1}}
    verdict = await verdict_by("tool-arguments", config, answered("ok", *calls))
    assert verdict.reason == "`t`: `b` is 0, expected 1"


async def test_of_calls_that_come_equally_near_the_first_is_told() -> None:
    calls = [ToolCall("t", {"a": 2}), ToolCall("t", {"a": 3})]
    verdict = await verdict_by(
        "tool-arguments", {"tool": "t", "arguments": {"a": 1}}, answered("ok", *calls)
    )
    assert verdict.reason == "`t`: `a` is 2, expected 1"


async def test_rules_are_followed_at_every_depth() -> None:
    sent: dict[str, Any] = {"f": {"city": "Paris", "at": [{"day": 3}, {"$gt": 5}]}}
    held: list[dict[str, Any]] = [
        {"f": {"city": {"$regex": "^P"}, "at": {"$any": True}}},
        {"f": {"city": "Paris", "at": [{"day": {"$range": [1, 5]}}, {"$equals": {"$gt": 5}}]}},
        {"f": {"$equals": {"city": "paris", "at": [{"day": 3}, {"$gt": 5}]}, "ignoreCase": True}},
    ]
    broken: list[tuple[dict[str, Any], str]] = [
        ({"f": {"city": {"$regex": "^R"}, "at": {"$any": True}}}, '`f.city` is "Paris", which'),
        ({"f": {"city": "Paris", "at": [{"day": {"$near": 4}}, {"$any": True}]}}, "`f.at[0].day` "),
        ({"f": {"city": {"$any": True}}}, "`f` is {"),
        ({"f": {"city": "Paris", "at": [{"$any": True}]}}, "`f.at` is ["),
    ]
    for arguments in held:
        config = {"tool": "t", "arguments": arguments}
        verdict = await verdict_by("tool-arguments", config, answered("ok", ToolCall("t", sent)))
        assert verdict.status == PASSED, verdict.reason
    for arguments, told in broken:
        config = {"tool": "t", "arguments": arguments}
        verdict = await verdict_by("tool-arguments", config, answered("ok", ToolCall("t", sent)))
        assert (verdict.status, told in verdict.reason) == (FAILED, True), verdict.reason


NEAR: list[tuple[dict[str, Any], float, str]] = [
    ({"$near": 18.4, "tolerance": 0.1}, 18.5, ""),
    ({"$near": 18.4, "tolerance": 0.1}, 18.51, "is 18.51, expected 18.4 ± 0.1"),
    ({"$near": 0.3}, 0.1 + 0.2, ""),
    ({"$near": 0.3}, 0.30001, "is 0.30001, expected 0.3 ± 0"),
    ({"$near": 1e15 + 0.3}, 1e15 + 0.4, ""),
    ({"$near": 2**53}, 2**53 + 1, "is 9007199254740993, expected 9007199254740992 ± 0"),
    ({"$near": 1e308, "tolerance": 1}, 10**400, ", expected 1e+308 ± 1"),
    ({"$near": 10**400, "tolerance": 1}, 10**400 + 1, ""),
    ({"$near": 1}, float("inf"), "is Infinity, expected 1 ± 0"),
    ({"$range": [0.5, 1]}, 10**400, ", expected 0.5 to 1"),
]


@pytest.mark.parametrize(("rule", "value", "told"), NEAR)
async def test_near_has_room_for_floating_point_and_none_among_integers(
    rule: dict[str, Any], value: float, told: str
) -> None:
    config = {"tool": "t", "arguments": {"a": rule}}
    verdict = await verdict_by(
        "tool-arguments", config, answered("ok", ToolCall("t", {"a": value}))
    )
    assert (verdict.status, told in verdict.reason) == (FAILED if told else PASSED, True), (
        verdict.reason
    )


def test_what_hints_name_as_an_evaluator_is_one() -> None:
    root = Path(__file__).parents[2] / "evaltui"
    sources = (path.read_text(encoding="utf-8") for path in root.rglob("*.py"))
    named = {name for text in sources for name in re.findall(r"`evaluators`, e\.g\. `(.+?)`", text)}
    assert named
    assert named <= {one.type for one in BUILT_IN}
