"""What counts as a number in a text, and that answers and tools are read alike."""

import json
from decimal import Decimal
from typing import Any

import pytest

from evaltui.core.response import ToolCall
from evaltui.core.verdict import VerdictStatus
from evaltui.evaluators.built_in.numbers_from_tools import numbers_from_tools
from evaltui.evaluators.built_in.written_numbers import written_numbers
from evaltui.evaluators.kit.evaltui import EvaluatorContext, Invocation, ScenarioFacts
from evaltui.evaluators.run_evaluators import run_evaluators
from tests.evaluators.seen import answered, verdict_by

NUMBERS: list[tuple[str, list[float]]] = [
    ("18 or 18.5, -3 and −4.25", [18, 18.5, -3, -4.25]),
    ("1,234,567.5 and 99_000", [1234567.5, 99000]),
    ("99C 99°C 99kg 99ms 99m² 99km/h 99USD 99px 99%", [99] * 9),
    ("USD99 $99 €99 USD 99", [99] * 4),
    ("6.02e23 1E-3 2e5", [6.02e23, 0.001, 2e5]),
    ("temp=18C, t:-5C", [18, -5]),
    ("2026-01-01T14:30:00Z", [2026, 1, 1, 14, 30, 0]),
    ("at 14:30", [14, 30]),
    ("10-20, SO-7", [10, 20, 7]),
    ("A4 H2O 4x4 3f2a covid19 order_9 9_a", []),
    ("v1.2.3, 192.168.0.1", []),
    ("the 1st, 2nd, 3rd and 4th", []),
    ("1. First\n2. Second\n  - 3) Third 8", [8]),
    ("It is\n99. And so on", [99]),
    ("7. Seven\n1. One", [7]),
    ("99.\n", [99]),
    ("1,5 and 1.234,56 and 1 234 and 1/2", [1, 5, 1.234, 56, 1, 234, 1, 2]),
    ("1,00,000", [1, 0]),
    (".5 ½ ninety", []),
]


@pytest.mark.parametrize(("text", "values"), NUMBERS)
def test_a_number_is_read_with_its_unit_and_a_name_is_none(text: str, values: list[float]) -> None:
    assert [float(one.readings[0][0]) for one in written_numbers(text)] == values


PASSED, FAILED = VerdictStatus.PASSED, VerdictStatus.FAILED
ANSWERS: list[tuple[str, Any, VerdictStatus]] = [
    ("It is 18", "18ms", PASSED),
    ("It is 18", "temp=18C", PASSED),
    ("It is 18C", {"t": 18}, PASSED),
    ("At 14:30", "2026-01-01T14:30:00Z", PASSED),
    ("1. First\n2. Second: 18", {"t": 18}, PASSED),
    ("1.5k people", {"people": 1462}, PASSED),
    ("1.5k people", {"people": 1562}, FAILED),
    ("1.5k people", {"people": 1.5}, PASSED),
    ("6.02e23", {"n": 6.0221e23}, PASSED),
    ("6.0e999", {"n": 18}, FAILED),
    ("18", "1e9999 and 18", PASSED),
    ("1234567890123.4567", {"n": 1234567890123.4567}, PASSED),
    ("1234567890123.46", {"n": 1234567890123.4567}, PASSED),
    ("1234567890123.45", {"n": 1234567890123.4567}, FAILED),
    ("1.5", {"n": 1.45}, PASSED),
    ("1.5", {"n": 1.449}, FAILED),
    ("18", {"t": 18.4}, PASSED),
    ("18", {"t": 18.6}, FAILED),
    ("19", {"t": 18.6}, PASSED),
    ("1235", {"p": 1234.5}, PASSED),
    ("18.0", {"t": 18.04}, PASSED),
    ("18.0", {"t": 18.4}, FAILED),
    ("2k people", {"people": 1834}, PASSED),
    ("2k people", {"people": 1434}, FAILED),
    ("6e3", {"n": 5800}, PASSED),
    ("18", {"t": 17}, FAILED),
    ("18", {"t": 18, "big": 10**400}, PASSED),
    *((text, {"t": 18}, FAILED) for text in ("99C", "99USD", "USD99", "99ms", "99kg", "99m²")),
    *((text, {"t": 18}, FAILED) for text in ("1.5k", "6.02e23", "99_000", "99px and 18")),
]


@pytest.mark.parametrize(("answer", "result", "status"), ANSWERS)
async def test_what_no_tool_said_is_invented_in_any_spelling(
    answer: str, result: Any, status: VerdictStatus
) -> None:
    call = ToolCall("t", {}, True, 1.0, result)
    verdict = await verdict_by("numbers-from-tools", {}, answered(answer, call))
    assert verdict.status == status, verdict.reason


LONG = [
    ('{"id": 9007199254740992}', "9007199254740993"),
    ('{"id": "12345678901234567"}', "12345678901234568"),
    ('{"id": 1234567890123456789}', "1234567890123456788"),
    ('{"id": "123456789012345678901234"}', "123456789012345678909999"),
    ('{"id": 0.123456789012345}', "0.123456789012346"),
    (f'{{"id": {"7" * 5000}}}', "7" * 4999 + "8"),
    ('{"id": 1e9999, "far": 1e999999999, "huge": 1e99999999999999999999, "no": NaN}', "1.1e9999"),
]


@pytest.mark.parametrize(("told", "other"), LONG)
@pytest.mark.parametrize("is_argument", [False, True])
async def test_long_numbers_are_told_apart_to_their_last_digit(
    told: str, other: str, is_argument: bool
) -> None:
    """Where floats have no room left for it: in results, in arguments, and in answers."""
    own = json.loads(told, parse_int=str, parse_float=str)["id"]
    for answer, status in ((f"It is {own}", PASSED), (f"It is {other}", FAILED)):
        seen = _called(answer, told, is_argument=is_argument)
        summary = await run_evaluators([(numbers_from_tools, {})], seen)
        (verdict,) = summary.verdicts
        assert verdict.status == status, verdict.reason


def _called(answer: str, told: str, *, is_argument: bool) -> EvaluatorContext:
    arguments, result = (told, "{}") if is_argument else ("{}", told)
    call = {"id": "c", "function": {"name": "t", "arguments": arguments}}
    messages = (
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": result},
        {"role": "assistant", "content": answer},
    )
    return EvaluatorContext(messages, ScenarioFacts("x"), Invocation(1.0, messages))


async def test_what_is_ignored_or_tolerated_is_exact_too() -> None:
    call = ToolCall("t", {}, True, 1.0, {"t": 18})
    for config, answer, status in (
        ({"ignore": [9007199254740993]}, "9007199254740993", PASSED),
        ({"ignore": [9007199254740993]}, "9007199254740992", FAILED),
        ({"tolerance": 0.05}, "18.1", PASSED),
        ({"tolerance": 0.04}, "18.1", FAILED),
    ):
        verdict = await verdict_by("numbers-from-tools", config, answered(answer, call))
        assert verdict.status == status, (config, answer)
        if config == {"tolerance": 0.04}:
            assert verdict.evidence == {"invented": ["18.1"], "known": ["18"]}


SAID = ({"role": "user", "content": "For 30 days?"}, {"role": "assistant", "content": "Yes, 30"})


async def test_what_the_user_said_is_a_source_unless_the_settings_say_otherwise() -> None:
    for config, status in (
        ({}, PASSED),
        ({"fromUser": True}, PASSED),
        ({"fromUser": False}, FAILED),
    ):
        summary = await run_evaluators([(numbers_from_tools, config)], EvaluatorContext(SAID))
        (verdict,) = summary.verdicts
        assert verdict.status == status, config


def test_a_number_has_the_worth_of_its_last_digit() -> None:
    read = [one.readings for one in written_numbers("18 18.50 1.5k 6e23 6.02e23")]
    steps = [[step for _, step in readings] for readings in read]
    assert steps == [
        [1], [Decimal("0.01")], [Decimal("0.1"), 100], [Decimal("1e23")], [Decimal("1e21")]
    ]  # fmt: skip
