"""What judging a conversation cost is that of all its turns."""

from evaltui.core.case import CaseKey
from evaltui.core.response import AgentResponse, Turn, Usage
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.verdict import Verdict, VerdictStatus


def judged(usd: float) -> Verdict:
    return Verdict("criteria", VerdictStatus.SKIPPED, "not yet", cost_usd=usd)


def test_every_turn_that_was_judged_for_money_counts_once() -> None:
    turns = (Turn(1, 2, verdicts=(judged(0.25),)), Turn(3, 4, verdicts=(judged(0.5),)))
    response = AgentResponse("x", usage=Usage(1, 1, 1.0), conversation=turns)
    key = CaseKey("a.scenario.json", "a")
    result = CaseResult(
        key, "run", "agent", CaseStatus.PASSED, verdicts=turns[-1].verdicts, response=response
    )
    assert result.judging_usd == 0.75
    assert result.cost_usd == 1.75


def test_what_an_evaluator_says_of_money_is_no_money_of_ours() -> None:
    said = Verdict("cost-budget", VerdictStatus.PASSED, "fits", evidence={"costUsd": -5.0})
    turns = (Turn(1, 2, verdicts=(said,)),)
    response = AgentResponse("x", usage=Usage(1, 1, 1.0), conversation=turns)
    key = CaseKey("a.scenario.json", "a")
    result = CaseResult(key, "run", "agent", CaseStatus.PASSED, response=response)
    assert (result.judging_usd, result.cost_usd) == (None, 1.0)


def test_a_line_that_a_model_played_counts_with_the_turn_that_follows_it() -> None:
    turns = (Turn(1, 2, verdicts=(judged(0.25),), played_usd=0.5), Turn(3, 4))
    response = AgentResponse("x", usage=Usage(1, 1, 1.0), conversation=turns)
    key = CaseKey("a.scenario.json", "a")
    result = CaseResult(key, "run", "agent", CaseStatus.PASSED, response=response)
    assert (result.judging_usd, result.cost_usd) == (0.75, 1.75)
