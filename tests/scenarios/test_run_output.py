"""The output of a run: which keys there are when, and whether the limit ended it."""

import json

import pytest

from evaltui.core.case import Case, EvaluatorUse, ScenarioCase
from evaltui.core.check import CheckContext
from evaltui.core.json_value import Json
from evaltui.core.judge import Panel
from evaltui.core.response import AgentResponse
from evaltui.evaluators.kit.evaltui import EvaluatorContext
from evaltui.evaluators.seen_by_evaluators import context_json
from evaltui.scenarios.criteria_check import criteria_stage
from evaltui.scenarios.run_output import run_output
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
    assert told["maxMessagesReached"] is (reached and len(turns) == 2)


def test_evaluators_see_what_is_played_and_by_whom() -> None:
    case = scenario("a", max_messages=7, instructions="Be kind.")
    seen = EvaluatorContext.from_json(context_json(CheckContext(case, AgentResponse("x"))))
    assert (seen.scenario.name, seen.scenario.max_messages) == ("return an order", 7)
    assert seen.scenario.instructions == "Be kind."
    assert seen.persona is not None
    assert seen.persona.name == "Ann"
