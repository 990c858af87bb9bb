"""Summing verdicts up: what counts, what decides, what is only measured."""

from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.response import Turn
from evaltui.core.result import CaseStatus
from evaltui.core.verdict import Kind, Verdict, VerdictStatus
from evaltui.judging.aggregate import aggregate, aggregate_turns

PASSED, FAILED = VerdictStatus.PASSED, VerdictStatus.FAILED
SKIPPED, ERROR = VerdictStatus.SKIPPED, VerdictStatus.ERROR

VERDICTS = st.lists(
    st.builds(
        Verdict,
        check=st.sampled_from("abc"),
        status=st.sampled_from(VerdictStatus),
        reason=st.sampled_from(["why", "other"]),
        kind=st.sampled_from(Kind),
        value=st.none() | st.floats(0, 1),
    )
)


def said(status: VerdictStatus, reason: str = "why", **more: object) -> Verdict:
    return Verdict("check", status, reason, **more)  # type: ignore[arg-type]


def test_nothing_said_is_a_pass() -> None:
    outcome = aggregate(())
    assert (outcome.status, outcome.reason, outcome.success) == (
        CaseStatus.PASSED,
        "All evaluators passed",
        True,
    )
    assert (outcome.category, outcome.score, outcome.verdicts) == ("", None, ())


def test_what_was_skipped_was_not_run_and_does_not_fail() -> None:
    outcome = aggregate(
        [
            said(SKIPPED, skipped_tokens=("{{seed:a}}", "{{seed:b}}")),
            said(PASSED, skipped_tokens=("{{seed:c}}",)),
            said(PASSED, evidence={"skippedTokens": ["what an evaluator says of itself"]}),
        ]
    )
    assert (outcome.assertions_run, outcome.assertions_skipped) == (2, 1)
    assert outcome.skipped_tokens == ("{{seed:a}}", "{{seed:b}}", "{{seed:c}}")
    assert outcome.success


def test_the_first_that_gates_decides_whatever_comes_after() -> None:
    first_fails = [said(PASSED), said(FAILED, "first"), said(ERROR, "second", category="x")]
    outcome = aggregate(first_fails)
    assert (outcome.status, outcome.reason) == (CaseStatus.FAILED, "first")
    assert outcome.category == "assertion", "where the check names none"
    outcome = aggregate(first_fails[::-1])
    assert (outcome.status, outcome.reason) == (CaseStatus.ERROR, "second")
    assert outcome.category == "x"
    silent = aggregate([said(FAILED, ""), said(FAILED, "second")])
    assert (silent.success, silent.reason) == (False, ""), "one without a reason is the first too"


def test_a_metric_is_measured_and_decides_nothing() -> None:
    metrics = [
        Verdict("latency", FAILED, "slow", kind=Kind.METRIC, value=12.0),
        Verdict("unknown", ERROR, "broke", kind=Kind.METRIC),
    ]
    outcome = aggregate(metrics)
    assert outcome.success
    assert outcome.metrics == {"latency": 12.0}
    assert (outcome.score, outcome.assertions_run) == (None, 0)


def test_the_score_is_the_lowest_of_the_assertions() -> None:
    verdicts = [said(PASSED, value=0.9), said(PASSED, value=0.4), said(PASSED)]
    metric = Verdict("m", PASSED, "low", kind=Kind.METRIC, value=0.1)
    assert aggregate([*verdicts, metric]).score == 0.4


@given(VERDICTS)
def test_success_is_that_no_verdict_gates(verdicts: list[Verdict]) -> None:
    outcome = aggregate(verdicts)
    gating = [verdict for verdict in verdicts if verdict.gates]
    assert outcome.success == (not gating)
    assert bool(outcome.category) == bool(gating)
    assert outcome.verdicts == tuple(verdicts)
    if gating:
        assert outcome.reason == gating[0].reason
        assert (outcome.status is CaseStatus.ERROR) == (gating[0].status is ERROR)


@given(VERDICTS)
def test_every_assertion_is_either_run_or_skipped(verdicts: list[Verdict]) -> None:
    outcome = aggregate(verdicts)
    assertions = [each.status for each in verdicts if each.kind is Kind.ASSERTION]
    assert outcome.assertions_skipped == assertions.count(SKIPPED)
    assert outcome.assertions_run + outcome.assertions_skipped == len(assertions)


def test_of_a_conversation_the_last_turn_decides_and_what_ran_in_any_did_run() -> None:
    metric = Verdict("m", PASSED, "low", kind=Kind.METRIC, value=0.1)
    first = Turn(1, 2, verdicts=(metric, said(SKIPPED), said(FAILED), said(SKIPPED)))
    last = Turn(3, 4, verdicts=(metric, said(PASSED), said(SKIPPED), said(SKIPPED)))
    outcome = aggregate_turns((first, last))
    assert outcome.success
    assert (outcome.assertions_run, outcome.assertions_skipped) == (2, 1)
    assert outcome.verdicts == last.verdicts
