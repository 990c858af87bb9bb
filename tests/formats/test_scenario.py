"""Scenario files: what is read of them, and every mistake at its place."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.case import ScenarioCase, Tier
from evaltui.core.errors import Problem, Severity
from evaltui.core.fingerprint import answer_fingerprint, case_fingerprint
from evaltui.core.persona import FailureMode, Persona
from evaltui.core.response import Message, ToolCall
from evaltui.formats import ReadSuite, read_suite

FILE = Path("/p/evals/returns.scenario.json")
JUDGED = {"evaluators": [{"type": "tool-call-count"}]}


def read(value: Any, file: Path = FILE) -> ReadSuite:
    return read_suite(file, Path("/p"), json.dumps(value, indent=1).encode())


def body_of(value: Any) -> ScenarioCase:
    read_ = read(value)
    assert read_.suite is not None
    assert read_.problems == ()
    body = read_.suite.cases[0].body
    assert isinstance(body, ScenarioCase)
    return body


def problems(value: Any) -> tuple[Problem, ...]:
    return read(value).problems


def test_all_of_a_scenario_is_read() -> None:
    body = body_of(
        {
            "name": "Return",
            "instructions": "Send it back.",
            "messages": [
                {
                    "role": "user",
                    "content": [{"type": "text", "text": "hello"}],
                    "id": "m1",
                    "metadata": {"a": 1},
                },
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [
                        {"id": "1", "function": {"name": "find", "arguments": '{"id": 7}'}}
                    ],
                },
                {"role": "tool", "content": "{}", "tool_call_id": "1"},
                {"role": "assistant", "content": "hi"},
            ],
            "persona": {"name": "Ann", "description": "in a hurry", "lines": ["a", "b"]},
            "maxMessages": 8,
            "successCriteria": "It is sent back.",
            "failureCriteria": " ",
            "failureCriteriaMode": "every_turn",
            "evaluators": [{"type": "regex", "config": {"pattern": "x"}}],
            "stubs": {"find": {}},
        }
    )
    blocks = [{"type": "text", "text": "hello"}]
    hello = Message("user", "hello", extra={"content": blocks, "id": "m1", "metadata": {"a": 1}})
    calls = (ToolCall("find", {"id": 7}, id="1"),)
    assert body.seed_messages == (
        hello,
        Message("assistant", "", calls, extra={"content": None}),
        Message("tool", "{}", tool_call_id="1"),
        Message("assistant", "hi"),
    )
    assert body.persona == Persona("Ann", "in a hurry", lines=("a", "b"))
    assert (body.message, body.spoken) == ("hello", ("hello", "a", "b"))
    assert (body.max_messages, body.success_criteria) == (8, "It is sent back.")
    assert (body.failure_criteria, body.failure_criteria_mode) == ("", FailureMode.EVERY_TURN)
    assert body.evaluators[0].config == {"pattern": "x"}
    assert body.stubs == {"find": {}}


@pytest.mark.parametrize(
    "wrap", [lambda one: one, lambda one: [one], lambda one: {"scenarios": [one]}]
)
def test_one_a_list_and_an_object_with_a_list_are_all_files(wrap: Any) -> None:
    suite = read(wrap({"name": "Return", "id": "r-1", **JUDGED})).suite
    assert suite is not None
    assert (suite.tier, suite.tool_name) == (Tier.SCENARIO, "")
    assert [(case.id, case.description) for case in suite.cases] == [("r-1", "Return")]


@pytest.mark.parametrize(
    "method",
    [{}, {"successCriteria": " "}, {"failureCriteria": None}, {"evaluators": []}],
)
def test_a_scenario_that_nothing_judges_is_wrong(method: dict[str, Any]) -> None:
    (problem,) = problems({"name": "a", **method})
    assert (problem.what, problem.severity) == ("Nothing judges the scenario", Severity.ERROR)


@pytest.mark.parametrize("method", [{"successCriteria": "x"}, {"failureCriteria": "x"}, JUDGED])
def test_one_way_of_judging_is_enough(method: dict[str, Any]) -> None:
    assert problems({"name": "a", **method}) == ()


def test_all_mistakes_are_told_at_once_with_their_places() -> None:
    wrong = {
        "name": "a",
        "maxMessages": 0,
        "failureCriteriaMode": "sometimes",
        "messages": [{"role": "robot", "content": ""}],
        "evaluators": [{"type": 3}],
        "persona": {"lines": [1]},
    }
    found = {problem.key: problem.line for problem in problems([wrong])}
    assert found == {
        "[0].maxMessages": 4,
        "[0].failureCriteriaMode": 5,
        "[0].messages[0].role": 8,
        "[0].evaluators[0].type": 14,
        "[0].persona.lines[0]": 19,
    }


@pytest.mark.parametrize(
    ("wrong", "key", "what"),
    [
        ({"maxMesages": 3}, "maxMesages", "`maxMesages` is not a field of a scenario"),
        (
            {"timeoutMs": 1000},
            "timeoutMs",
            "`timeoutMs` is not a field of a scenario: it is a setting, and the same for all cases",
        ),
        ({"name": ""}, "name", "There is no `name`"),
        ({"name": 3}, "name", "`name` is a number, not text"),
        ({"name": "a\0b"}, "name", "The name `a·b` holds the character `\\x00`"),
        ({"name": "\x1b[2Ja"}, "name", "The name `·[2Ja` holds the character `\\x1b`"),
        ({"id": "a\u202eb"}, "id", "The id `a·b` holds the character `\\u202e`"),
        (
            {"messages": [{"role": "user"}, {"role": "tool"}]},
            "messages[1]",
            "The last seed message is the result of a tool",
        ),
        (
            {"maxMessages": 1, "messages": [{"role": "user", "content": "x"}]},
            "maxMessages",
            "No agent turn is possible: `maxMessages` is 1, 1 seed message is there",
        ),
        (
            {"maxMessages": 5, "persona": {"lines": ["a", "b", "c"]}},
            "maxMessages",
            "Not all 3 lines can be said: `maxMessages` is 5",
        ),
    ],
)
def test_what_else_is_wrong(wrong: dict[str, Any], key: str, what: str) -> None:
    (problem,) = problems({"name": "a", **JUDGED, **wrong})
    assert (problem.key, problem.what) == (key, what)
    assert problem.hint


CHECK = [{"type": "response-length"}]


@pytest.mark.parametrize(
    ("name", "value", "hint"),
    [
        ("expect", {"responseContains": ["zzz"]}, "Write `evaluators`, e.g. `regex`"),
        ("rubric", [{"dimension": "a", "maxScore": 1}], "Write `successCriteria`"),
        ("evaluator", CHECK, "Did you mean `evaluators`? That is there too"),
        ("Evaluators", CHECK, "Did you mean `evaluators`? That is there too"),
        ("success_criteria", "x", "Did you mean `successCriteria`?"),
    ],
)
def test_a_check_that_a_scenario_does_not_know_is_never_passed_over(
    name: str, value: object, hint: str
) -> None:
    found = read({"name": "a", **JUDGED, name: value})
    (problem,) = found.problems
    assert (problem.key, problem.line, problem.severity) == (name, 8, Severity.ERROR)
    assert problem.hint.startswith(hint)
    assert found.suite is not None and found.suite.cases[0].invalid


@pytest.mark.parametrize("own", [{"owner": "me"}, {"evaluator": None}, {"scenarioId": "s1"}])
def test_keys_of_ones_own_are_no_problem(own: dict[str, Any]) -> None:
    assert problems({"name": "a", **JUDGED, **own}) == ()


@pytest.mark.parametrize(("name", "value"), [("input", {"message": "x"}), ("names", ["x"])])
def test_what_is_no_check_is_only_warned_of(name: str, value: object) -> None:
    found = read({"name": "a", **JUDGED, name: value})
    (problem,) = found.problems
    assert (problem.key, problem.severity) == (name, Severity.WARNING)
    assert found.suite is not None and not found.suite.cases[0].invalid


CALL = {"id": "1", "function": {"name": "find", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("inner", "key", "line", "meant"),
    [
        ({"persona": {"system_prompt": "Be rude."}}, "persona.system_prompt", 9, "systemPrompt"),
        ({"persona": {"lins": ["a"]}}, "persona.lins", 9, "lines"),
        ({"messages": [{"role": "user", "contnt": "x"}]}, "messages[0].contnt", 11, "content"),
        (
            {"messages": [{"role": "assistant", "toolCalls": [CALL]}]},
            "messages[0].toolCalls",
            11,
            "tool_calls",
        ),
        (
            {"messages": [{"role": "assistant", "tool_calls": [{**CALL, "Id": "2"}]}]},
            "messages[0].tool_calls[0].Id",
            18,
            "id",
        ),
        (
            {
                "messages": [
                    {
                        "role": "assistant",
                        "tool_calls": [{"function": {"name": "find", "argument": "{}"}}],
                    }
                ]
            },
            "messages[0].tool_calls[0].function.argument",
            15,
            "arguments",
        ),
    ],
)
def test_what_is_misspelt_within_a_scenario_is_warned_of(
    inner: dict[str, Any], key: str, line: int, meant: str
) -> None:
    read_ = read({"name": "a", **JUDGED, **inner})
    (problem,) = read_.problems
    assert (problem.file, problem.key, problem.line) == ("evals/returns.scenario.json", key, line)
    assert problem.hint.startswith(f"Did you mean `{meant}`?")
    assert problem.severity is Severity.WARNING
    assert read_.suite is not None and not read_.suite.cases[0].invalid


def test_what_other_programs_add_to_messages_is_no_problem() -> None:
    theirs = {"id": "m1", "metadata": {}, "additional_kwargs": {}, "invalid_tool_calls": []}
    call = {**CALL, "type": "function", "index": 0}
    said = [{"role": "assistant", "content": "x", "tool_calls": [call], **theirs}]
    assert problems({"name": "a", **JUDGED, "messages": said, "persona": {"mood": "bad"}}) == ()


def test_lines_that_can_all_be_said_are_no_problem() -> None:
    lines = {"persona": {"lines": ["a", "b", "c"]}}
    assert not problems({"name": "a", **JUDGED, **lines, "maxMessages": 6})
    (problem,) = problems({"name": "a", **JUDGED, **lines, "maxMessages": 4})
    assert problem.severity is Severity.WARNING and "Raise it to 6 " in problem.hint


def test_a_field_that_is_nearly_right_is_named() -> None:
    (problem,) = problems({"name": "a", **JUDGED, "sucessCriteria": "x"})
    assert "successCriteria" in problem.hint


def test_the_second_of_a_name_is_left_out() -> None:
    read_ = read([{"name": "a", **JUDGED}, {"name": "a", **JUDGED}])
    assert read_.suite is not None
    assert len(read_.suite.cases) == 1
    assert [problem.key for problem in read_.problems] == ["[1].name"]


@pytest.mark.parametrize("value", [3, "text", {"scenarios": 3}, [3, None]])
def test_no_shape_of_file_breaks_the_reading(value: Any) -> None:
    assert problems(value)


def test_only_what_is_said_shapes_the_answer_and_all_of_it_the_verdict() -> None:
    base = {"name": "a", "successCriteria": "x", "persona": {"lines": ["a"]}}
    first = read(base).suite
    changes: list[tuple[dict[str, Any], bool]] = [
        ({"successCriteria": "y"}, False),
        (JUDGED, False),
        ({"failureCriteriaMode": "every_turn"}, False),
        ({"persona": {"lines": ["b"]}}, True),
        ({"maxMessages": 4}, True),
        ({"messages": [{"role": "user", "content": "x"}]}, True),
    ]
    assert first is not None
    before = first.cases[0]
    for change, is_asked_otherwise in changes:
        suite = read({**base, **change}).suite
        assert suite is not None
        case = suite.cases[0]
        assert case_fingerprint(case) != case_fingerprint(before), change
        is_other = answer_fingerprint(case) != answer_fingerprint(before)
        assert is_other is is_asked_otherwise, change


@pytest.mark.parametrize("lines", [["a"], []], ids=["lines", "a model"])
def test_what_a_model_is_told_of_a_persona_counts_where_one_plays_it(lines: list[str]) -> None:
    told = [{"lines": lines, "systemPrompt": text} for text in ("Be rude.", "Be slow.")]
    suites = [read({"name": "a", **JUDGED, "persona": one}).suite for one in told]
    prints = {answer_fingerprint(suite.cases[0]) for suite in suites if suite is not None}
    assert len(prints) == (1 if lines else 2)
