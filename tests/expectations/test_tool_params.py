"""What the first call of a tool was given."""

import pytest

from evaltui.core.json_value import Json
from evaltui.core.response import ToolCall
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.expectations.tool_params import ToolParams
from tests.expectations.judging import judge, judge_one

PASSED, FAILED, SKIPPED = VerdictStatus.PASSED, VerdictStatus.FAILED, VerdictStatus.SKIPPED
CALL = ToolCall(
    "t",
    {"city": "Paris", "n": 18.0, "big": 2**53 + 1, "flag": True, "none": None, "list": [1, [2]],
     "object": {"a": 1}, "empty": ""},
    success=True,
)  # fmt: skip
SEED: Json = {"city": "Paris", "cities": ["Rome", "Paris"], "n": 18, "pattern": "^P.ris$"}


def entry(param: str, assertion: Json, value: Json = None) -> dict[str, Json]:
    written: dict[str, Json] = {"tool": "t", "paramName": param, "assertion": assertion}
    return written if value is None else {**written, "value": value}


async def ask(written: Json, call: ToolCall = CALL) -> Verdict:
    return await judge_one({"toolParams": [written]}, "x", call, seed=SEED)


@pytest.mark.parametrize(
    ("param", "assertion", "value", "status"),
    [
        ("city", "equals", "Paris", PASSED),
        ("city", "equals", "paris", FAILED),
        ("city", "equals", "{{seed:city}}", PASSED),
        ("n", "equals", "18", PASSED),
        ("n", "equals", 18, PASSED),
        ("n", "equals", "{{seed:n}}", PASSED),
        ("n", "equals", "18.0", FAILED),
        ("big", "equals", "9007199254740993", PASSED),
        ("flag", "equals", True, PASSED),
        ("none", "equals", "null", PASSED),
        ("list", "equals", "1,2", PASSED),
        ("object", "equals", "[object Object]", PASSED),
        ("empty", "equals", "", PASSED),
        ("city", "equals", "", FAILED),
        ("absent", "equals", "undefined", FAILED),
        ("city", "contains", "ari", PASSED),
        ("city", "contains", "", PASSED),
        ("city", "contains", "z", FAILED),
        ("absent", "contains", "", FAILED),
        ("city", "oneOf", ["Rome", "Paris"], PASSED),
        ("city", "oneOf", ["Rome"], FAILED),
        ("n", "oneOf", [17, 18], PASSED),
        ("city", "oneOf", "Paris", PASSED),
        ("city", "oneOf", "Paris, Rome", FAILED),
        ("city", "oneOf", "{{seed:cities}}", PASSED),
        ("city", "oneOf", ["{{seed:city}}"], PASSED),
        ("absent", "oneOf", ["undefined"], FAILED),
        ("city", "exists", None, PASSED),
        ("none", "exists", None, PASSED),
        ("absent", "exists", None, FAILED),
        ("absent", "notExists", None, PASSED),
        ("none", "notExists", None, FAILED),
        ("city", "matches", "^P", PASSED),
        ("city", "matches", "^P\\w+$", PASSED),
        ("city", "matches", "^R", FAILED),
        ("city", "matches", "{{seed:pattern}}", PASSED),
        ("absent", "matches", ".+", FAILED),
        ("city", "matches", "(?i)paris", FAILED),
    ],
)
async def test_assertions(param: str, assertion: str, value: Json, status: VerdictStatus) -> None:
    verdict = await ask(entry(param, assertion, value))
    assert verdict.status is status
    assert verdict.reason.startswith("toolParams: ")
    assert verdict.label == f"toolParams[0] t.{param} {assertion}"
    assert verdict.evidence["tool"] == "t"
    assert verdict.evidence["param"] == param
    assert {"expected", "actual"} <= verdict.evidence.keys()


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (entry("city", "equal", "Paris"), 'unknown assertion "equal"'),
        (entry("city", None, "Paris"), "unknown assertion null"),
        (entry("city", ["equals"], "Paris"), "unknown assertion"),
        (entry("city", "equals"), "needs a value"),
        (entry("city", "matches"), "needs a value"),
        (entry("city", "equals", ["Paris"]), "cannot be compared"),
        (entry("city", "equals", {"a": 1}), "cannot be compared"),
        (entry("city", "oneOf", []), "empty list"),
        (entry("city", "oneOf", ["Paris", None]), "cannot be compared"),
        ({"paramName": "city", "assertion": "exists"}, "`toolParams[0].tool` is missing"),
        ({"tool": "t", "paramName": 3, "assertion": "exists"}, "is a number"),
        ("city", "expected an object"),
        (None, "expected an object"),
    ],
)
async def test_what_cannot_be_judged_fails_even_when_the_tool_was_not_called(
    written: Json, reason: str
) -> None:
    verdicts = await judge({"toolParams": [written]})
    assert [verdict.status for verdict in verdicts] == [FAILED]
    assert reason in verdicts[0].reason


async def test_a_list_is_needed() -> None:
    verdict = await judge_one({"toolParams": entry("city", "exists")})
    assert verdict.status is FAILED
    assert "expected a list of assertions" in verdict.reason


async def test_a_tool_that_was_not_called_skips_without_blaming_tokens() -> None:
    verdict = await judge_one({"toolParams": [entry("city", "equals", "{{seed:no}}")]}, seed=SEED)
    assert verdict.status is SKIPPED
    assert "`t` was not called" in verdict.reason
    assert not verdict.skipped_tokens


@pytest.mark.parametrize(
    ("assertion", "value", "raw"),
    [
        ("equals", "x {{seed:no}}", ["x {{seed:no}}"]),
        ("oneOf", ["Paris", "{{snapshot:no}}"], ["{{snapshot:no}}"]),
        ("oneOf", "{{seed:no}}", ["{{seed:no}}"]),
        ("matches", "{{seed:no}}", ["{{seed:no}}"]),
    ],
)
async def test_an_unresolved_value_skips_with_a_warning(
    assertion: str, value: Json, raw: list[str]
) -> None:
    verdict = await ask(entry("city", assertion, value))
    assert verdict.status is SKIPPED
    assert verdict.skipped_tokens == tuple(raw)
    assert "warning" in verdict.reason
    assert "could not be resolved" in verdict.reason


@pytest.mark.parametrize("assertion", ["equals", "exists", "notExists"])
async def test_a_call_without_params_proves_nothing(assertion: str) -> None:
    verdict = await ask(entry("city", assertion, "Paris"), ToolCall("t", None, success=True))
    assert verdict.status is FAILED
    assert "did not report `params`" in verdict.reason
    assert verdict.category == "contract_violation"


async def test_only_the_first_call_of_the_tool_counts() -> None:
    expect: dict[str, Json] = {"toolParams": [entry("city", "equals", "Paris")]}
    others = (ToolCall("u", {}), CALL, ToolCall("t", {"city": "Rome"}))
    assert (await judge_one(expect, "x", *others)).status is PASSED


@pytest.mark.parametrize(
    ("entry", "accepted"),
    [
        ({"tool": "w", "paramName": "city", "assertion": "equals", "value": "Rome"}, "Paris"),
        ({"tool": "w", "paramName": "days", "assertion": "equals", "value": "3"}, "3"),
        ({"tool": "w", "paramName": "none", "assertion": "equals", "value": "Rome"}, "Rome"),
        ({"tool": "w", "paramName": 1, "assertion": "equals", "value": "Rome"}, "Rome"),
        ({"tool": "z", "paramName": "city", "assertion": "equals", "value": "Rome"}, "Rome"),
        ({"tool": "w", "paramName": "city", "assertion": "matches", "value": "^R"}, "^R"),
    ],
)
def test_to_accept_an_answer_is_to_want_what_the_first_call_of_the_tool_sent(
    entry: dict[str, Json], accepted: str
) -> None:
    actual = [ToolCall("w", {"city": "Paris", "days": 3}), ToolCall("w", {"city": "Oslo"})]
    assert ToolParams.accepted([entry], actual) == [{**entry, "value": accepted}]


def test_what_an_agent_may_be_shown_of_it_is_which_parameters_are_sent_and_which_not() -> None:
    entries: Json = [
        {"tool": "w", "paramName": "city", "assertion": "exists"},
        {"tool": "w", "paramName": "days", "assertion": "equals", "value": "3"},
        {"tool": "w", "paramName": "secret", "assertion": "notExists"},
        {"tool": "z", "paramName": "q", "assertion": "notExists"},
    ]
    told = ToolParams.disclosed(entries)
    assert told.required_params == {"w": ("city", "days")}
    assert told.forbidden_params == {"w": ("secret",), "z": ("q",)}
