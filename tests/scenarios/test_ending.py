"""When and by what a conversation ends: its turns, its reason and what is written agree."""

import json
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import pytest

import evaltui
from evaltui.core.case import ScenarioCase
from evaltui.core.check import CheckContext
from evaltui.core.judge import JudgeReply, JudgeRequest, Panel
from evaltui.core.persona import FailureMode
from evaltui.judging.judge import judge
from evaltui.scenarios.criteria_check import criteria_stage
from evaltui.scenarios.ending import decisive, is_of_criteria
from evaltui.scenarios.run_output import run_output
from tests.scenarios.held import Asked, Says, fails_in_turn, held, plan_of, scenario

MET = [(success, failure) for success in (False, True) for failure in (False, True)]
"""Which criteria are, after one turn."""


class InTurn:
    """Says something else after each turn."""

    name = "in turn"

    def __init__(self, met: Sequence[tuple[bool, bool]]) -> None:
        self._met: Iterator[tuple[bool, bool]] = iter(met)

    async def ask(self, request: JudgeRequest) -> JudgeReply:  # noqa: ARG002
        success, failure = next(self._met)
        said = {"successMet": success, "failureMet": failure, "confidence": 1, "reasoning": "so"}
        return JudgeReply(json.dumps(said))


@pytest.mark.parametrize("most", [2, 4, 10])
@pytest.mark.parametrize("mode", FailureMode)
async def test_turns_reason_and_limit_are_of_the_same_end(mode: FailureMode, most: int) -> None:
    possible = 1 if most == 2 else 2  # there are two lines
    for met, failing in product(product(MET, repeat=2), (0, 1, 2)):
        case = scenario(
            *("a", "b"),
            max_messages=most,
            failure_criteria_mode=mode,
            success_criteria="It is sent.",
            failure_criteria="It is rude.",
        )
        assert isinstance(case.body, ScenarioCase)
        stage = criteria_stage(case, Panel(InTurn(met)))
        plan = plan_of(Says(fails_in_turn(failing), seen=[]), criteria=stage)
        response = await held(case, Asked(), plan)
        verdicts = (await judge(plan, CheckContext(case, response))).verdicts

        turns, by = _expected(met, failing, mode, possible)
        assert len(response.conversation) == turns, (met, failing)
        found = decisive(case.body, verdicts)
        assert found is not None
        assert is_of_criteria(found) == (by != "evaluator")
        gating = [one for one in verdicts if one.gates]
        assert bool(gating) == (by != "success")
        assert not gating or gating[0] == found
        output = run_output(case.body, response, verdicts)
        is_limit = by == "last" and most != 10
        assert output.get("maxMessagesReached", False) is is_limit, (met, failing)


def _expected(
    met: Sequence[tuple[bool, bool]], failing: int, mode: FailureMode, possible: int
) -> tuple[int, str]:
    """How many turns it has, and what ended it."""
    for turn, (success, failure) in enumerate(met[:possible], 1):
        if failure and mode is FailureMode.EVERY_TURN:
            return turn, "failure"
        if failing == turn:
            return turn, "evaluator"
        if success:
            return turn, "success"
    return possible, "last"


def test_nobody_else_decides_it() -> None:
    package = Path(evaltui.__file__).parent
    knows = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if "FailureMode.EVERY_TURN" in (text := path.read_text()) or ".ends for" in text
    }
    assert knows == {"scenarios/ending.py"}
