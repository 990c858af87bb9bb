"""The ways to an outcome: judged, not answered, out of time, not judgeable, not run."""

from evaltui.core.case import CaseKey
from evaltui.core.check import CheckContext
from evaltui.core.errors import AgentError
from evaltui.core.response import AgentResponse, Turn
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.verdict import Kind, Verdict, VerdictStatus
from evaltui.judging.judge import (
    HELD,
    held_back,
    judge,
    not_answered,
    not_asked,
    not_judgeable,
    not_run,
    timed_out,
)
from evaltui.judging.with_outcome import with_outcome
from tests.expectations.judging import make_case
from tests.judging.test_run_plan import ERROR, FAILED, Raises, Says

CONTEXT = CheckContext(make_case({}), AgentResponse("x"))
RESULT = CaseResult(CaseKey("s", "c"), "run-1", "agent", CaseStatus.PASSED, duration_ms=7.0)


async def test_a_failed_assertion_and_a_broken_check_are_different_things() -> None:
    failed = await judge(((Says("a"),), (Says("b", FAILED),)), CONTEXT)
    assert (failed.status, failed.reason) == (CaseStatus.FAILED, "b said so")
    broken = await judge(((Raises("b", ValueError("boom")),),), CONTEXT)
    assert (broken.status, broken.category) == (CaseStatus.ERROR, "judge_error")
    assert broken.reason == "b raised ValueError: boom"


async def test_what_a_gate_kept_from_running_is_not_counted() -> None:
    last = Says("c")
    outcome = await judge(((Says("a"),), (Says("b", ERROR),), (last,)), CONTEXT)
    assert (outcome.assertions_run, last.asked) == (2, [])
    assert [verdict.check for verdict in outcome.verdicts] == ["a", "b"]


async def test_an_empty_plan_asserts_nothing() -> None:
    assert (await judge((), CONTEXT)).success


def test_who_could_not_be_asked_is_an_error_that_says_why() -> None:
    outcome = not_asked("tools: the server is down", "tools_down")
    assert (outcome.status, outcome.category) == (CaseStatus.ERROR, "tools_down")
    assert outcome.reason == "tools: the server is down"


def test_an_agent_that_gave_no_answer_is_an_error_and_no_failure() -> None:
    outcome = not_answered(AgentError("no such door", category="x"))
    assert (outcome.status, outcome.reason) == (CaseStatus.ERROR, "agent: no such door")
    assert outcome.category == "x"
    assert not_answered(AgentError("busy"), 1).reason == "agent: busy (after 1 retry)"
    assert not_answered(AgentError("busy"), 3).reason == "agent: busy (after 3 retries)"


def test_out_of_time_is_a_failure_by_a_verdict_that_is_no_assertion_of_the_case() -> None:
    outcome = timed_out(51.4, 50)
    assert (outcome.status, outcome.category) == (CaseStatus.FAILED, "timeout")
    assert outcome.reason.startswith("timeout: no complete answer after 51 ms (limit 50 ms).")
    assert [verdict.gates for verdict in outcome.verdicts] == [True]
    assert (outcome.assertions_run, outcome.assertions_skipped) == (0, 0)


def test_a_wrong_case_fails_and_one_that_nobody_judges_is_skipped() -> None:
    wrong = not_judgeable("`id` is missing")
    assert (wrong.status, wrong.category) == (CaseStatus.FAILED, "contract_violation")
    skipped = not_run("reserved")
    assert (skipped.status, skipped.category, skipped.success) == (CaseStatus.SKIPPED, "", False)


async def test_a_result_takes_its_verdict_from_the_outcome_and_keeps_the_rest() -> None:
    failed = with_outcome(RESULT, await judge(((Says("b", FAILED),),), CONTEXT))
    assert (failed.status, failed.error, failed.category) == (
        CaseStatus.FAILED,
        "b said so",
        "assertion",
    )
    assert (failed.passes, failed.assertions_run, len(failed.verdicts)) == (0, 1, 1)
    assert (failed.run_id, failed.duration_ms) == ("run-1", 7.0)
    passed = with_outcome(failed, await judge(((Says("b"),),), CONTEXT))
    assert (passed.error, passed.category, passed.passes) == ("", "", 1)
    assert with_outcome(failed, not_run("reserved")).error == "reserved"


async def test_an_assertion_counts_of_whichever_turn_it_ran_in() -> None:
    def of(check: str, status: VerdictStatus, kind: Kind = Kind.ASSERTION) -> Verdict:
        return Verdict(check, status, "so", kind=kind)

    held, skipped = VerdictStatus.PASSED, VerdictStatus.SKIPPED
    measured = of("m", held, Kind.METRIC)
    turns = (
        Turn(0, 1, verdicts=(of("a", held), of("b", skipped), of("b", held), measured)),
        Turn(0, 1, verdicts=(of("a", skipped), of("b", skipped), of("b", held), measured)),
    )
    said = CheckContext(make_case({}), AgentResponse("x", conversation=turns))
    outcome = await judge((), said)
    assert (outcome.assertions_run, outcome.assertions_skipped) == (2, 1)
    assert outcome.verdicts == turns[-1].verdicts


def test_what_waits_for_another_case_is_skipped_and_names_it() -> None:
    outcome = held_back(CaseKey("evals/a.golden.json", "gs-1"))
    assert (outcome.status, outcome.category) == (CaseStatus.SKIPPED, HELD)
    assert outcome.reason.startswith("not run: `evals/a.golden.json::gs-1` did not pass")
