"""What failed is named in a result: the evaluator, and the turn of a conversation."""

from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.response import AgentResponse, Turn
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.statistics.trials import Planned, Trials
from evaltui.core.verdict import CRITERIA, Kind, Verdict, VerdictStatus
from evaltui.judging.aggregate import aggregate
from evaltui.judging.with_outcome import with_outcome

LONG = Verdict("response-length", VerdictStatus.FAILED, "33 characters", label="Response Length")
RESULT = CaseResult(CaseKey("a", "b"), "run", "agent", CaseStatus.PASSED)


def error(*verdicts: Verdict, turns: int = 0) -> str:
    held = AgentResponse("", conversation=(Turn(0, 1),) * turns)
    return with_outcome(replace(RESULT, response=held), aggregate(verdicts)).error


def test_an_evaluator_is_named_and_what_names_itself_is_not_named_twice() -> None:
    metric = replace(LONG, kind=Kind.METRIC)
    assert error(metric, LONG) == "response-length: 33 characters"
    assert error(replace(LONG, reason="response-length: x")) == "response-length: x"
    assert error(Verdict("toolsCalled", VerdictStatus.FAILED, "toolsCalled: x")) == "toolsCalled: x"
    assert error(replace(LONG, check=CRITERIA)) == "33 characters"
    assert error(metric) == ""


def test_the_turn_is_named_where_there_were_several() -> None:
    assert error(LONG, turns=1) == "response-length: 33 characters"
    assert error(LONG, turns=3) == "turn 3: response-length: 33 characters"


def test_an_answer_that_is_judged_again_is_the_one_that_was_planned() -> None:
    of_before = replace(RESULT, planned=Planned(Trials(1, 0)))
    failed = with_outcome(of_before, aggregate((Verdict("a", VerdictStatus.FAILED, "no"),)))
    assert failed.as_planned == Planned(Trials(0, 1))
