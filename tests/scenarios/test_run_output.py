"""The output of a run: which keys there are when, and whether the limit ended it."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.core.case import Case, ScenarioCase
from evaltui.core.case_body import EvaluatorUse
from evaltui.core.check import CheckContext
from evaltui.core.errors import AgentError
from evaltui.core.json_value import Json
from evaltui.core.judge import Panel
from evaltui.core.persona import FailureMode
from evaltui.core.response import AgentResponse, Turn, Usage
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.verdict import Kind, Verdict, VerdictStatus
from evaltui.evaluators.kit.evaltui import EvaluatorContext
from evaltui.evaluators.seen_by_evaluators import context_json
from evaltui.formats.scenario_case import read_scenario
from evaltui.judging.aggregate import aggregate
from evaltui.scenarios.criteria_check import criteria_stage
from evaltui.scenarios.run_output import run_json, run_output
from tests.scenarios.held import Asked, Says, fails_in_turn, held, passes, scenario
from tests.scenarios.judges import DecidingJudge

USES = (EvaluatorUse("says"),)


def judge(*, success: bool, failure: bool = False) -> Panel:
    said = {"successMet": success, "failureMet": failure, "confidence": 0.5, "reasoning": "so"}
    return Panel(DecidingJudge(lambda _: json.dumps(said)))


async def output(
    case: Case, panel: Panel | None = None, check: Says | None = None
) -> dict[str, Json]:
    criteria = criteria_stage(case, panel) if panel is not None else ()
    response = await held(case, Asked(), ((check,) if check else (), criteria))
    assert isinstance(case.body, ScenarioCase)
    return run_output(case.body, response, response.conversation[-1].verdicts)


async def test_rows_are_there_only_where_evaluators_judge_and_the_evaluation_is_no_row() -> None:
    told = await output(scenario("a", success_criteria="good"), judge(success=True))
    assert told["evaluation"] == {
        "successMet": True,
        "failureMet": False,
        "confidence": 0.5,
        "reasoning": "so",
    }
    assert "evaluatorResults" not in told
    assert "metrics" not in told
    both = scenario("a", success_criteria="good", evaluators=USES)
    told = await output(both, judge(success=True), Says(passes))
    rows = told["evaluatorResults"]
    assert isinstance(rows, list)
    assert [row["type"] for row in rows if isinstance(row, dict)] == ["says"]
    unnamed = await output(scenario("a"), check=Says(passes))
    assert unnamed["evaluatorResults"] == rows, "one that is `auto` has its row as well"


async def test_what_an_evaluator_calls_its_evaluation_is_no_judge_of_the_run() -> None:
    def evaluates(_: CheckContext) -> Verdict:
        evidence: dict[str, Json] = {"evaluation": {"confidence": 0.1, "successMet": True}}
        return Verdict("says", VerdictStatus.PASSED, "fine", evidence=evidence)

    told = await run_of(scenario("a"), None, evaluates)
    assert isinstance(told["output"], dict) and isinstance(told["result"], dict)
    assert "evaluation" not in told["output"]
    assert "score" not in told["result"]


@pytest.mark.parametrize(
    ("success", "fails_in", "reached"), [(False, 9, True), (True, 9, False), (False, 2, False)]
)
async def test_the_limit_is_reached_only_where_nothing_else_ended_it(
    success: bool, fails_in: int, reached: bool
) -> None:
    case = scenario("a", "b", max_messages=4, success_criteria="good", evaluators=USES)
    told = await output(case, judge(success=success), Says(fails_in_turn(fails_in)))
    turns = told["turns"]
    assert isinstance(turns, list)
    assert told.get("maxMessagesReached") is (True if reached and len(turns) == 2 else None)


async def test_latencies_are_whole_milliseconds() -> None:
    answers = (AgentResponse("a", duration_ms=10.6), AgentResponse("b", duration_ms=11.7))
    response = await held(scenario("a", "b"), Asked(*answers), ((Says(passes),), ()))
    case = scenario("a", "b")
    assert isinstance(case.body, ScenarioCase)
    told = run_output(case.body, response, response.conversation[-1].verdicts)
    turns = told["turns"]
    assert isinstance(turns, list)
    assert [turn["latencyMs"] for turn in turns if isinstance(turn, dict)] == [11, 12]
    assert (told["totalLatencyMs"], told["avgLatencyMs"]) == (23, 12)
    assert isinstance(told["avgLatencyMs"], int)


def raises(_: CheckContext) -> Verdict:
    return Verdict("says", VerdictStatus.ERROR, "Evaluator error: boom 1", category="judge_error")


BROKEN = "Evaluator assertion failed. Evaluator error: boom 1"


@pytest.mark.parametrize(
    ("body", "panel", "says", "reason"),
    [
        ({}, None, passes, "Completed 4 messages. All evaluators passed."),
        # No line is said that nobody could answer; the number is that of the limit all the same.
        ({"max_messages": 3}, None, passes, "Completed 3 messages. All evaluators passed."),
        ({}, None, fails_in_turn(1), "Evaluator assertion failed. said so"),
        ({}, None, raises, BROKEN),
        ({"success_criteria": "good"}, judge(success=True), passes, "so"),
        (
            {"success_criteria": "good"},
            judge(success=True),
            fails_in_turn(1),
            "Evaluator assertion failed. said so",
        ),
        (
            {"failure_criteria": "bad", "failure_criteria_mode": FailureMode.EVERY_TURN},
            judge(success=False, failure=True),
            fails_in_turn(1),
            "Failure criteria was triggered. so",
        ),
        (
            {"failure_criteria": "bad", "max_messages": 2},
            judge(success=False, failure=True),
            fails_in_turn(1),
            "Evaluator assertion failed. said so",
        ),
        (
            {"success_criteria": "good", "max_messages": 2},
            judge(success=False, failure=True),
            passes,
            "Failure criteria was triggered. so",
        ),
        (
            {"success_criteria": "good", "max_messages": 2},
            judge(success=False),
            passes,
            "Max messages (2) reached without meeting success criteria. so",
        ),
    ],
)
async def test_the_reason_is_in_the_words_of_evalstudio(
    body: dict[str, Any], panel: Panel | None, says: Any, reason: str
) -> None:
    told = await run_of(scenario("a", "b", **body), panel, says)
    assert isinstance(told["result"], dict)
    assert told["result"]["reason"] == reason


@pytest.mark.parametrize(
    ("mode", "reached"), [(FailureMode.EVERY_TURN, None), (FailureMode.ON_MAX_MESSAGES, True)]
)
async def test_failure_criteria_that_end_it_at_once_are_not_the_limit(
    mode: FailureMode, reached: bool | None
) -> None:
    case = scenario("a", max_messages=2, failure_criteria="bad", failure_criteria_mode=mode)
    told = await output(case, judge(success=False, failure=True))
    assert told.get("maxMessagesReached") is reached


async def test_what_is_met_at_the_last_turn_ended_it_and_not_the_limit() -> None:
    case = scenario("a", max_messages=2, failure_criteria="bad")
    assert "maxMessagesReached" not in await output(case, judge(success=True))
    assert (await output(case, judge(success=False)))["maxMessagesReached"] is True


async def test_at_the_limit_there_is_a_score_and_elsewhere_only_what_was_measured() -> None:
    at_limit = await run_of(scenario("a", max_messages=2), None, passes)
    before = await run_of(scenario("a", max_messages=4), None, passes)
    both = [one["result"] for one in (at_limit, before)]
    assert [one.get("score") for one in both if isinstance(one, dict)] == [0, None]


async def run_of(case: Case, panel: Panel | None, *says: Any) -> dict[str, Json]:
    criteria = criteria_stage(case, panel) if panel is not None else ()
    response = await held(case, Asked(), (tuple(map(Says, says)), criteria))
    verdicts = response.conversation[-1].verdicts
    outcome = aggregate(verdicts)
    error = "" if outcome.success else outcome.reason
    kept: dict[str, Any] = {
        "response": response,
        "verdicts": tuple(verdicts),
        "error": error,
        "assertions_run": outcome.assertions_run,
    }
    return run_json(case, CaseResult(case.key, "r1", "a", outcome.status, **kept), 7)


def measures(_: CheckContext) -> Verdict:
    return Verdict("says", VerdictStatus.PASSED, "3 calls", kind=Kind.METRIC, value=3.0)


async def test_a_run_that_is_only_measured_says_that_nothing_was_asserted() -> None:
    told = (await run_of(scenario("a"), None, measures))["result"]
    assert isinstance(told, dict)
    assert told == {
        "success": True,
        "reason": "Completed 2 messages. All evaluators passed.",
        "nothingAsserted": True,
    }
    judged = (await run_of(scenario("a"), None, measures, passes))["result"]
    assert isinstance(judged, dict)
    assert "nothingAsserted" not in judged


async def test_a_run_whose_evaluator_raises_is_completed_and_failed() -> None:
    told = await run_of(scenario("a"), None, raises)
    assert told["status"] == "completed"
    assert told["result"] == {"success": False, "reason": BROKEN}
    assert told["error"] == "Evaluator error: boom 1"


async def test_what_broke_is_told_where_another_one_failed_first() -> None:
    told = await run_of(scenario("a"), None, fails_in_turn(1), raises)
    assert told["status"] == "completed"
    assert told["error"] == "Evaluator error: boom 1"


async def test_a_run_without_an_answer_of_its_judge_is_an_error() -> None:
    def no_answer(_: Any) -> str:
        raise AgentError("it is down", "Start it.")

    criteria = scenario("a", success_criteria="good", max_messages=2)
    told = await run_of(criteria, Panel(DecidingJudge(no_answer)), passes)
    assert (told["status"], "result" in told) == ("error", False)
    unread = await run_of(criteria, Panel(DecidingJudge(lambda _: "?")), passes)
    assert unread["status"] == "completed"
    assert unread["result"] == {
        "success": False,
        "reason": "Max messages (2) reached without meeting success criteria. "
        "Failed to parse evaluation response: ?",
        "score": 0.0,
    }


def test_the_scenario_goes_by_its_id_in_its_workspace() -> None:
    case = replace(scenario("a"), extra={"scenarioId": "sc14"})
    told = run_json(case, CaseResult(case.key, "r1", "a", CaseStatus.PASSED), 7)
    assert told["scenario"] == {
        "id": "sc14",
        "name": "return an order",
        "case": "return an order",
        "file": "evals/orders.scenario.json",
    }


def test_when_it_began_and_ended_is_told() -> None:
    case = scenario("a")
    ended = CaseResult(
        case.key, "r1", "a", CaseStatus.PASSED, duration_ms=5000.0, finished_at=1_700_000_005.2
    )
    told = run_json(case, ended, 7)
    assert (told["executionId"], told["startedAt"], told["completedAt"], told["latencyMs"]) == (
        7,
        "2023-11-14T22:13:20+00:00",
        "2023-11-14T22:13:25+00:00",
        5000,
    )


def test_a_limit_that_is_nowhere_written_is_not_told() -> None:
    for raw, seen in (({}, {}), ({"maxMessages": 10}, {"maxMessages": 10})):
        case, _ = read_scenario({"name": "Rain", **raw}, "evals/x.scenario.json", 1, ())
        told = context_json(CheckContext(case, AgentResponse("x")))
        assert told["scenario"] == {"name": "Rain", **seen}
        assert isinstance(case.body, ScenarioCase)
        assert case.body.max_messages == 10


def test_evaluators_see_what_is_played_and_by_whom() -> None:
    case = scenario("a", max_messages=7, instructions="Be kind.")
    seen = EvaluatorContext.from_json(context_json(CheckContext(case, AgentResponse("x"))))
    assert (seen.scenario.name, seen.scenario.max_messages) == ("return an order", 7)
    assert seen.scenario.instructions == "Be kind."
    assert seen.persona is not None
    assert seen.persona.name == "Ann"


def test_tokens_that_are_told_as_a_total_are_those_of_the_turn() -> None:
    case = scenario("a")
    assert isinstance(case.body, ScenarioCase)
    turn = Turn(0, 1, usage=Usage(157, 4, None, 522))
    output: Any = run_output(case.body, AgentResponse("", conversation=(turn,)), ())
    tokens = {"input_tokens": 157, "output_tokens": 4, "total_tokens": 522}
    assert output["turns"][0]["tokensUsage"] == tokens
    seen = context_json(CheckContext(case, AgentResponse("ok", usage=turn.usage)))
    assert EvaluatorContext.from_json(seen).last_invocation.tokens_usage == tokens
