"""Judges of traces: what each makes of good and of bad runs."""

import asyncio
from typing import Any, cast

import pytest

from evaltui.core.case import TraceCase
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.traces.judges import JUDGES, default_judges, stage_of
from evaltui.traces.judges.expected_output import ExpectedOutputJudge
from evaltui.traces.reading import read_case
from evaltui.traces.scoring import score

PASSED, FAILED, SKIPPED = VerdictStatus.PASSED, VerdictStatus.FAILED, VerdictStatus.SKIPPED


def ask(**more: Any) -> dict[str, Any]:
    return {"actor": "user", "type": "message", "input": "hi", **more}


def call(tool: str, arguments: Any = None, **more: Any) -> dict[str, Any]:
    return {"actor": "agent", "type": "tool_call", "tool": tool, "input": arguments, **more}


def result(tool: str | None, output: Any = "ok", **more: Any) -> dict[str, Any]:
    return {"actor": "tool", "type": "tool_result", "tool": tool, "output": output, **more}


def say(output: Any, **more: Any) -> dict[str, Any]:
    return {"actor": "assistant", "type": "message", "output": output, **more}


def judged(
    judge: str, *events: dict[str, Any], config: dict[str, Any] | None = None, **fields: Any
) -> Verdict:
    """The verdict of one judge on a trace of these events."""
    trace = [{"idx": index, **event} for index, event in enumerate(events)]
    case = read_case("d", {"case_id": "c", "trace": trace, **fields}, 0)
    stage = stage_of(("policy" if judge == "replay_contract" else judge,), {judge: config or {}})
    found = asyncio.run(score(case, stage))
    return found[0 if judge == "replay_contract" else 1]


def test_a_tool_contract_needs_and_forbids_arguments() -> None:
    contract = {"find": {"required_args": ["q"], "forbidden_args": ["admin"]}}
    good = judged("tool_contract", call("find", {"q": 1}), tool_contracts=contract)
    assert (good.status, good.value) == (PASSED, 1.0)
    calls = (call("find", {"q": 1}), call("find", {"admin": 1}))
    bad = judged("tool_contract", *calls, tool_contracts=contract)
    assert (bad.status, bad.value, bad.category) == (FAILED, 0.5, "contract_violation")
    assert bad.evidence["violations"] == [
        {
            "event_idx": 1,
            "tool": "find",
            "missing_required_args": ["q"],
            "forbidden_args_present": ["admin"],
        }
    ]
    none = judged("tool_contract", call("other"), tool_contracts=contract)
    assert (none.status, none.value) == (FAILED, 0.0)
    assert judged("tool_contract", call("find", "text"), tool_contracts=contract).value == 0.0
    assert judged("tool_contract", call("find")).status is SKIPPED


def test_a_policy_needs_and_forbids_tools() -> None:
    policy = {"required_tools": ["search_weather"], "forbidden_tools": ["delete_database"]}
    bad = judged("policy", call("delete_database"), policy=policy)
    assert (bad.status, bad.value, bad.category) == (FAILED, 0.0, "policy_failure")
    assert bad.reason == "policy violations detected"
    assert bad.evidence == {
        "missing_required_tools": ["search_weather"],
        "forbidden_tools_used": ["delete_database"],
        "used_tools": ["delete_database"],
    }
    assert judged("policy", call("search_weather"), policy=policy).status is PASSED
    assert judged("policy", call("a"), policy={"required_tools": []}).status is SKIPPED


@pytest.mark.parametrize(
    ("kind", "tool", "used"),
    [
        ("function_call", "drop", ["drop"]),
        ("Tool_Call", "drop", ["drop"]),
        ("tool-use", "drop", ["drop"]),
        ("invoke", "drop", []),
        ("tool_call", "drop ", ["drop "]),
    ],
)
def test_no_forbidden_tool_is_called_by_another_name(kind: str, tool: str, used: Any) -> None:
    event = call(tool) | {"type": kind}
    found = judged("policy", event, policy={"forbidden_tools": ["drop"]})
    assert (found.status, found.evidence["forbidden_tools_used"]) == (FAILED, ["drop"])
    assert found.evidence["used_tools"] == used
    assert judged("tool_abuse", event, config={"allowed_tools": []}).status is FAILED
    asked = judged("policy", event, policy={"required_tools": ["drop"]})
    assert asked.status is (PASSED if used == ["drop"] else FAILED), "a call is one by its own name"


@pytest.mark.parametrize("kind", ["message", "tool_result", "Tool-Result", "function_call_output"])
def test_what_speaks_of_a_tool_is_no_call_of_it(kind: str) -> None:
    event = call("drop") | {"type": kind}
    assert judged("policy", event, policy={"forbidden_tools": ["drop"]}).status is PASSED


def test_every_pattern_is_found_in_what_the_agent_said() -> None:
    found = judged("regex", say("It is 72F"), regex_patterns=["72F", "rain"])
    assert (found.status, found.value, found.category) == (FAILED, 0.5, "assertion")
    assert found.reason == "regex pattern mismatch"
    two = judged("regex", say("It is 72F"), regex_patterns=["72F", "rain", "It"])
    assert two.value == 2 / 3 != 1 - 1 / 3, "to the last digit, as other programs do"
    assert judged("regex", say({"t": 72}), regex_patterns=["'t': 72"]).status is PASSED
    assert judged("regex", say("x")).status is SKIPPED


@pytest.mark.parametrize("judge", ["regex", "json_schema", "expected_output"])
def test_what_was_expected_or_a_tool_said_is_no_answer_of_the_agent(judge: str) -> None:
    wants: dict[str, Any] = {"regex_patterns": ["72F"]} if judge == "regex" else {}
    if judge == "json_schema":
        wants = {"json_schema": {"const": "72F"}}
    said = judged(judge, ask(), result("t", "72F"), expected_output='"72F"', **wants)
    assert (said.status, said.category) == (FAILED, "agent_error")


def test_a_bad_and_an_endless_pattern_fail_their_own_case() -> None:
    bad = judged("regex", say("x"), regex_patterns=["("])
    assert (bad.status, bad.category) == (FAILED, "parse_error")
    endless: dict[str, Any] = {"regex_patterns": ["^(a+)+$"], "config": {"timeout_seconds": 0.1}}
    slow = judged("regex", say("a" * 28 + "!"), **endless)
    assert (slow.status, slow.category) == (FAILED, "timeout")


def test_patterns_are_those_of_python() -> None:
    assert judged("regex", say("ab12"), regex_patterns=[r"(?P<n>\d+)(?<=12)\Z"]).status is PASSED


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "additionalProperties": False},
        {"properties": {"a": {"minimum": 5}}},
        {"properties": {"a": {"type": ["string", "null"]}}},
        {"anyOf": [{"type": "string"}, {"required": ["b"]}]},
        {"required": ["b"]},
        {"properties": {"l": {"maxItems": 1}}},
        {"const": {}},
    ],
)
def test_the_whole_of_json_schema_counts(schema: dict[str, Any]) -> None:
    found = judged("json_schema", say('{"a": 1, "l": [1, 2]}'), json_schema=schema)
    assert (found.status, found.category) == (FAILED, "type_error")
    assert judged("json_schema", say('{"a": 1}'), json_schema={"type": "object"}).status is PASSED


def test_what_is_no_json_or_no_schema_is_told_apart() -> None:
    no_json = judged("json_schema", say("{"), json_schema={"type": "object"})
    assert (no_json.category, no_json.reason) == ("parse_error", "final output is not valid JSON")
    no_schema = judged("json_schema", say("{}"), json_schema={"type": "objekt"})
    assert no_schema.reason.startswith("the schema is not a JSON Schema: ")
    assert judged("json_schema", say("{}"), json_schema={}).status is SKIPPED


def test_parallel_calls_are_legal() -> None:
    good = judged("trajectory_step", call("a"), call("b"), result("b"), result("a"), say("x"))
    assert (good.status, good.value) == (PASSED, 1.0)
    by_id = [{"attributes": {"gen_ai.tool.call.id": one}} for one in ("1", "2")]
    same = (call("a", **by_id[0]), call("a", **by_id[1]), result(None, **by_id[1]))
    left = judged("trajectory_step", *same)
    assert left.evidence["unresolved_calls"] == [{"event_idx": 0, "tool": "a"}]


@pytest.mark.parametrize(
    ("events", "category"),
    [
        ((call("a"), call("b"), result("b")), "contract_violation"),
        ((result("a"),), "contract_violation"),
        ((call("a"), result("b")), "contract_violation"),
        ((), "agent_error"),
        ((call("a"), result("a", error="timed out after 5 s"), say("done")), "timeout"),
        ((call("a"), result("a", error="no such city"), say("done")), "agent_error"),
        ((ask(), say(None, error="command exited 7")), "agent_error"),
    ],
)
def test_steps_that_do_not_fit_and_errors_fail(
    events: tuple[dict[str, Any], ...], category: str
) -> None:
    found = judged("trajectory_step", *events)
    assert (found.status, found.category) == (FAILED, category)


def test_an_error_that_was_mended_does_not_count() -> None:
    bad = (call("a"), result("a", error="busy"))
    mended = judged("trajectory_step", *bad, call("a"), result("a"), say("x"))
    assert mended.status is PASSED
    allowed = judged("trajectory_step", *bad, say("x"), config={"allow_tool_errors": True})
    assert allowed.status is PASSED


ONE, TWO, AGAIN = ({"attributes": {"gen_ai.tool.call.id": one}} for one in ("1", "2", "3"))
BOTH = (call("a", **ONE), call("a", **TWO))


@pytest.mark.parametrize("failed", [(ONE, TWO), (TWO, ONE)], ids=["the first", "the second"])
@pytest.mark.parametrize("is_first", [True, False], ids=["told first", "told last"])
def test_a_call_beside_the_one_that_failed_mends_nothing(
    failed: tuple[dict[str, Any], dict[str, Any]], is_first: bool
) -> None:
    bad, good = result("a", error="busy", **failed[0]), result("a", **failed[1])
    told = (*BOTH, bad, good) if is_first else (*BOTH, good, bad)
    found = judged("trajectory_step", *told, say("x"))
    assert (found.status, found.reason) == (FAILED, "a tool failed and was not mended")
    mended = judged("trajectory_step", *told, call("a", **AGAIN), result("a", **AGAIN), say("x"))
    assert mended.status is PASSED


BAD = (call("a", attempt=0), result("a", error="busy", attempt=0))


@pytest.mark.parametrize(
    ("events", "status"),
    [
        ((*BAD, say("x")), FAILED),
        ((*BAD, say("x", attempt=0)), FAILED),
        ((*BAD, say("x", attempt=1)), PASSED),
        ((say("y", attempt=1), *BAD, say("x", attempt=1)), FAILED),
        ((say("y", attempt=1), say(None, error="crashed"), say("x", attempt=1)), FAILED),
        ((call("a"), result("a", attempt=0)), PASSED),
        ((call("a", attempt=1), result("a")), FAILED),
    ],
)
def test_only_a_later_attempt_mends_and_an_event_without_one_is_of_the_first(
    events: tuple[dict[str, Any], ...], status: VerdictStatus
) -> None:
    assert judged("trajectory_step", *events).status is status


def test_tools_that_break_a_policy_are_named_in_order_of_their_names() -> None:
    policy = {"required_tools": ["z", "b", "m"], "forbidden_tools": ["y", "a"]}
    evidence = judged("policy", call("a"), call("y"), policy=policy).evidence
    assert evidence["missing_required_tools"] == ["b", "m", "z"]
    assert evidence["forbidden_tools_used"] == ["a", "y"]


def test_fewer_attempts_are_better_and_their_order_counts() -> None:
    history = {"attempt_history": [{"attempt": 0}, {"attempt": 1}]}
    found = judged("repair_path", metadata=history)
    assert (found.status, found.value, found.hard) == (PASSED, 0.5, False)
    for wrong in ([{"attempt": 1}, {"attempt": 0}], [{"attempt": 0}] * 2, [{"attempt": "0"}]):
        assert judged("repair_path", metadata={"attempt_history": wrong}).status is FAILED
    assert judged("repair_path").status is SKIPPED


@pytest.mark.parametrize(
    ("judge", "expected", "good", "bad"),
    [
        ("expected_exact", "Ab", "Ab", "ab"),
        ("expected_exact", {"a": 1}, {"a": 1}, {"a": 2}),
        ("expected_normalized", "A  b", " a B\n", "ab"),
        ("expected_numeric", 12, "12.0 degrees", "12 to 13"),
        ("expected_numeric", "1e3", 1000, True),
        ("expected_set", ["a", "B"], "B, a", "b, A"),
        ("expected_set", ["a", "B"], '["B", "a"]', "a"),
        ("expected_set", ["a b"], ["a b"], ["a  b"]),
        ("expected_set", [{"k": "A"}, 1], [1, {"k": "A"}], [1, {"k": "a"}]),
        ("expected_set", "a\nb", ["b", "a", "a"], ["a", "b", "c"]),
        ("expected_json_subset", {"a": [{"b": 1}]}, '{"a": [2, {"b": 1, "c": 2}]}', '{"a": []}'),
        (
            "expected_json_subset",
            [{"a": 1}, {"a": 1, "b": 2}],
            '[{"a": 1, "b": 2}, {"a": 1}]',
            "[]",
        ),
        ("expected_output", "RIGHT", "that is right", "WRONG"),
        ("expected_output", {"a": 1}, '{"a": 1, "b": 2}', '{"a": 2}'),
    ],
)
def test_the_final_output_is_held_against_the_expected_one(
    judge: str, expected: Any, good: Any, bad: Any
) -> None:
    assert judged(judge, say(good), expected_output=expected).status is PASSED
    found = judged(judge, say(bad), expected_output=expected)
    assert (found.status, found.value, found.category) == (FAILED, 0.0, "assertion")
    assert judged(judge, say(good)).status is SKIPPED


def test_numbers_may_be_off_by_a_tolerance() -> None:
    near: dict[str, Any] = {"expected_output": 100}
    assert judged("expected_numeric", say(101), **near).status is FAILED
    assert judged("expected_numeric", say(101), config={"tolerance": 1}, **near).status is PASSED
    relative = {"relative_tolerance": 0.02}
    assert judged("expected_numeric", say(102), config=relative, **near).status is PASSED


@pytest.mark.parametrize(
    ("expected", "output", "config", "is_near"),
    [
        (0.3, "0.4", {"tolerance": 0.1}, True),  # doubles: 0.10000000000000003
        (0.3, "0.2", {"tolerance": 0.1}, True),
        (0.3, "0.40001", {"tolerance": 0.1}, False),
        (100, "129", {"relative_tolerance": 0.29}, True),  # doubles: 28.999999999999996
        (100, "130", {"relative_tolerance": 0.29}, False),
        (1e300, "1e308", {"relative_tolerance": 1e300}, True),  # the product is beyond doubles
        (7, "7.5", {"tolerance": 0}, False),
        (2**60, str(2**60 + 1024), {"tolerance": 0.5}, False),
        (2**53 + 1, f"number {2**53}", {}, False),  # one double stands for both
        (2**53 + 1, 2**53, {"tolerance": 0}, False),
        (str(2**53 + 1), str(2**53), {"tolerance": 0}, False),
        (str(2**53 + 1), 2**53 + 1, {"tolerance": 0}, True),
        (2**53 + 1, str(2**53), {"tolerance": 1}, True),
        (10**400, f"{10**400}", {"tolerance": 0}, True),  # no double holds it
        (10**400, f"{10**400 + 1}", {"tolerance": 0}, False),
        (1, "1" * 5000, {"tolerance": 0}, False),  # more digits than are read
    ],
)
def test_a_tolerance_is_kept_whatever_doubles_lose(
    expected: Any, output: Any, config: dict[str, Any], is_near: bool
) -> None:
    found = judged("expected_numeric", say(output), expected_output=expected, config=config)
    assert (found.status is PASSED) == is_near


@pytest.mark.parametrize(
    ("expected", "output", "why", "read"),
    [
        (
            1200.5,
            "The total is 1,200.5 m",
            "final output does not hold a single number",
            (["1200.5"], ["1", "200.5"]),
        ),
        ("none", "12", "expected output is not a single number", ([], ["12"])),
        (12, "13 m", "final output is not the expected one", (["12"], ["13"])),
    ],
)
def test_which_numbers_were_read_is_told(
    expected: Any, output: str, why: str, read: tuple[list[str], list[str]]
) -> None:
    found = judged("expected_numeric", say(output), expected_output=expected)
    assert (found.status, found.reason) == (FAILED, why)
    assert (found.evidence["expected_numbers"], found.evidence["actual_numbers"]) == read


def test_where_patterns_judge_the_output_the_expected_one_is_not_asked() -> None:
    found = judged("expected_output", say("no"), expected_output="yes", regex_patterns=["no"])
    assert found.status is SKIPPED


@pytest.mark.parametrize("expected", ["", " \n"])
def test_an_empty_expected_output_proves_nothing(expected: str) -> None:
    found = judged("expected_output", say("anything"), expected_output=expected)
    assert found.status is SKIPPED
    assert found.reason == "an empty expected output is in every output"
    case = TraceCase("", expected_output=expected)
    assert "expected_output" in default_judges(case)
    assert not [*ExpectedOutputJudge.demands(case)]
    assert judged("expected_exact", say("anything"), expected_output="").status is FAILED


@pytest.mark.parametrize(
    "event",
    [
        ask(idx=1),
        ask(actor=""),
        ask(type=""),
        call(""),
        ask(latency_ms=-1),
        ask(trace_id="abc"),
        ask(span_id="g" * 16),
        ask(parent_span_id="0"),
        ask(ts="1700000000"),
    ],
)
def test_a_trace_that_cannot_be_replayed_fails(event: dict[str, Any]) -> None:
    found = judged("replay_contract", event)
    assert (found.status, found.category) == (FAILED, "contract_violation")
    assert len(list(cast("list[str]", found.evidence["issues"]))) == 1


def test_after_a_gap_counting_goes_on_from_there() -> None:
    events = (ask(), ask(idx=4), ask(idx=5, ts="2026-01-01T00:00:00Z"))
    assert judged("replay_contract", *events).evidence["issues"] == ["idx 4 where 1 was expected"]
    span = {"span_id": "a" * 16}
    assert judged("replay_contract", ask(**span), ask(**span)).status is FAILED
    none = {"trace_id": "", "span_id": "", "parent_span_id": ""}
    assert judged("replay_contract", ask(**none), ask(**none)).status is PASSED, "as if absent"


def test_every_judge_goes_by_its_name() -> None:
    assert all(name == judge.name for name, judge in JUDGES.items())
    assert [check.name for check in stage_of()][:2] == ["replay_contract", "tool_contract"]


@pytest.mark.parametrize("key", ["$ref", "$schema"])
@pytest.mark.parametrize("address", ["http://127.0.0.1:1/x", "file:///etc/x"])
def test_a_schema_elsewhere_is_named_whole(key: str, address: str) -> None:
    found = judged("json_schema", say("1"), json_schema={key: address})
    refers = f"the schema refers to `{address}`, which is not fetched: put that schema into `$defs`"
    assert found.reason == refers
