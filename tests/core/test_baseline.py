"""What counts as worse or better than the baseline: failures do, errors and mutes do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.baseline import (
    Baseline,
    BaselineCase,
    Change,
    compare,
    judge_change,
    pin_moments,
)
from evaltui.core.case import CaseKey
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.statistics.trials import Trials

P, F, E, S = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR, CaseStatus.SKIPPED
SUITE = "evals/a.golden.json"


def result(status: CaseStatus, case: str = "c", *, passes: int = 0, trials: int = 1) -> CaseResult:
    return CaseResult(
        *(CaseKey(SUITE, case), "run", "agent", status),
        assertions_run=1,
        passes=passes,
        trials=trials,
    )


def baseline(**cases: CaseStatus) -> Baseline:
    known = {name: BaselineCase(status) for name, status in cases.items()}
    return Baseline(SUITE, "run-0", "default", known)


@pytest.mark.parametrize(
    ("then", "now", "change"),
    [
        (P, F, Change.REGRESSED),
        (P, E, Change.SAME),
        (P, S, Change.SAME),
        (P, P, Change.SAME),
        (F, P, Change.NEWLY_PASSED),
        (E, P, Change.NEWLY_PASSED),
        (S, P, Change.SAME),
        (F, F, Change.SAME),
        (F, E, Change.SAME),
        (F, S, Change.SAME),
        (E, F, Change.SAME),
        (E, E, Change.SAME),
        (S, F, Change.SAME),
        (S, S, Change.SAME),
    ],
)
def test_by_what_it_was_and_what_it_is(then: CaseStatus, now: CaseStatus, change: Change) -> None:
    assert judge_change(BaselineCase(then), result(now)) is change


@pytest.mark.parametrize("then", [P, F, E, S])
def test_a_pass_of_nothing_is_no_better_than_what_was_and_nothing_to_fall_from(
    then: CaseStatus,
) -> None:
    now = replace(result(P), assertions_run=0)
    assert judge_change(BaselineCase(then), now) is Change.SAME
    assert compare(SUITE, baseline(c=then), [now]).new_passes == ()


def test_errors_are_listed_apart_whether_or_not_they_were_there_before() -> None:
    cases = [result(E, "a"), result(E, "b"), result(F, "c"), result(P, "d")]
    found = compare(SUITE, baseline(a=P, c=P, d=E), cases)
    assert found.errored == ("a", "b")
    assert found.regressions == ("c",)
    assert found.new_passes == ("d",)
    assert (found.suite, found.baseline_run_id) == (SUITE, "run-0")


def test_a_muted_case_never_regresses_and_may_pass_again() -> None:
    cases = [result(F, "a"), result(P, "b"), result(F, "c")]
    found = compare(SUITE, baseline(a=P, b=F, c=P), cases, {f"{SUITE}::a", f"{SUITE}::b"})
    assert found.regressions == ("c",)
    assert found.new_passes == ("b",)


def test_a_case_without_a_baseline_neither_regresses_nor_newly_passes() -> None:
    found = compare(SUITE, baseline(), [result(F, "a"), result(P, "b")])
    assert (found.regressions, found.new_passes, found.errored) == ((), (), ())


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        (20, 19, Change.REGRESSED),
        (20, 0, Change.REGRESSED),
        (20, 20, Change.SAME),
        (19, 0, Change.SAME),
        (13, 20, Change.NEWLY_PASSED),
        (14, 20, Change.SAME),
        (0, 20, Change.NEWLY_PASSED),
        (0, 19, Change.SAME),
    ],
)
def test_of_repeated_cases_all_have_to_pass_and_a_rise_is_news_where_intervals_are_apart(
    before: int, after: int, change: Change
) -> None:
    """Of 20: 20 passes reach down to 0.839, 13 up to 0.819, 14 up to 0.855."""
    then = BaselineCase(P if before == 20 else F, before / 20, 20)
    now = result(P if after == 20 else F, passes=after, trials=20)
    assert judge_change(then, now) is change


def test_a_repeated_case_that_erred_is_neither_worse_nor_better() -> None:
    failed, passed = BaselineCase(F, 0.0, 20), BaselineCase(P, 1.0, 20)
    assert judge_change(failed, result(E, passes=19, trials=20)) is Change.SAME
    assert judge_change(passed, result(E, passes=0, trials=20)) is Change.SAME


@pytest.mark.parametrize(
    ("status", "passes", "trials", "then"),
    [
        (E, 19, 19, BaselineCase(P, 1.0, 19)),
        (E, 1, 1, BaselineCase(P)),
        (E, 0, 1, BaselineCase(E)),
        (E, 0, 20, BaselineCase(E, 0.0, 20)),
        (F, 18, 19, BaselineCase(F, 18 / 19, 19)),
        (F, 0, 1, BaselineCase(F)),
        (P, 0, 1, BaselineCase(P)),
        (S, 1, 1, BaselineCase(S)),
    ],
)
def test_a_pin_goes_by_its_judged_trials_and_an_error_is_none(
    status: CaseStatus, passes: int, trials: int, then: BaselineCase
) -> None:
    assert BaselineCase.of(status, passes, trials) == then


def test_what_is_not_pinned_or_did_not_run_is_no_change() -> None:
    assert judge_change(None, result(F)) is Change.SAME
    assert judge_change(BaselineCase(P), None) is Change.SAME


@given(st.integers(2, 20), st.lists(st.booleans(), min_size=1, max_size=20))
def test_a_case_of_which_all_passed_has_regressed_as_long_as_any_trial_of_now_fails(
    pinned: int, now: list[bool]
) -> None:
    """The contract: passed then, fails now; no trial more takes a fall off its list."""
    made = result(P if all(now) else F, passes=sum(now), trials=len(now))
    change = judge_change(BaselineCase(P, 1.0, pinned), made)
    assert change is (Change.SAME if all(now) else Change.REGRESSED)


def test_one_attempt_against_several_goes_by_the_status() -> None:
    assert judge_change(BaselineCase(P, 1.0, 20), result(F)) is Change.REGRESSED
    assert judge_change(BaselineCase(P), result(F, passes=19, trials=20)) is Change.REGRESSED


@given(
    st.sampled_from(CaseStatus), st.sampled_from(CaseStatus), st.integers(0, 9), st.integers(0, 9)
)
def test_nothing_is_both_worse_and_better_and_only_failures_are_worse(
    then: CaseStatus, now: CaseStatus, before: int, after: int
) -> None:
    known = Baseline(SUITE, "run-0", "default", {"c": BaselineCase(then, before / 9, 9)})
    for trials in (1, 9):
        found = compare(SUITE, known, [result(now, passes=after, trials=trials)])
        assert len(found.regressions) + len(found.new_passes) <= 1
        if found.regressions or found.new_passes:
            assert now is not E
        muted = compare(SUITE, known, [result(now, passes=after, trials=trials)], {f"{SUITE}::c"})
        assert muted.regressions == ()
        assert muted.new_passes == found.new_passes


def test_a_baseline_of_several_attempts_without_a_rate_goes_by_the_status() -> None:
    then = BaselineCase(P, None, 20)
    assert judge_change(then, result(F, passes=19, trials=20)) is Change.REGRESSED


def test_what_was_pinned_with_several_trials_is_told_by_them() -> None:
    assert BaselineCase(F, 0.9, 20).words == "18 of 20 passed"
    assert BaselineCase(P, 1.0, 20).words == "20 of 20 passed"
    assert BaselineCase(F, 0.0, 3).words == "0 of 3 passed"
    assert [BaselineCase(one).words for one in (P, F, E, S)] == [
        "passed",
        "failed",
        "error",
        "nothing asserted",
    ]
    assert BaselineCase(E, 0.0, 20).words == "error"


def test_what_was_pinned_apart_counts_at_its_moment_while_it_is_pinned_at_all() -> None:
    made = replace(baseline(a=P, b=P, c=P), pinned_at=5.0, pinned_apart={"b": 9.0, "gone": 7.0})
    assert pin_moments((made, replace(made, pinned_apart={}))) == {5.0: 5, 9.0: 1}


def test_a_single_pass_is_no_news_of_a_case_that_was_repeated_and_passed_at_times() -> None:
    """Though the interval of one in one, from 0.2065, lies above that of 1 of 25, to 0.1954."""
    then = BaselineCase(F, 1 / 25, 25)
    assert judge_change(then, result(P)) is Change.SAME
    assert judge_change(then, result(P, passes=2, trials=2)) is Change.NEWLY_PASSED


def test_a_case_that_was_pinned_apart_has_its_own_moment() -> None:
    pinned = Baseline(SUITE, "run", "default", {}, 5.0, pinned_apart={"b": 7.0})
    assert (pinned.pinned_when("a"), pinned.pinned_when("b")) == (5.0, 7.0)


def test_a_baseline_is_by_other_rules_where_one_of_its_cases_is() -> None:
    other = BaselineCase(P, by_other_rules=True)
    made = Baseline(SUITE, "run", "default", {"a": BaselineCase(P), "b": other})
    assert made.is_by_other_rules
    assert not baseline(a=P, b=P).is_by_other_rules


@pytest.mark.parametrize(
    ("case", "words", "judged"),
    [
        (BaselineCase(P), "passed", Trials(1, 0)),
        (BaselineCase(F), "failed", Trials(0, 1)),
        (BaselineCase(E), "error", Trials()),
        (BaselineCase(S), "nothing asserted", Trials()),
        (BaselineCase(F, 0.9, 20), "18 of 20 passed", Trials(18, 2)),
        (BaselineCase(E, 0.0, 20), "error", Trials()),
        (BaselineCase(P, by_other_rules=True), "passed by other rules of judging", Trials()),
    ],
)
def test_what_is_pinned_of_a_case_in_words(case: BaselineCase, words: str, judged: Trials) -> None:
    assert (case.words, case.judged) == (words, judged)


def test_what_is_missing_on_a_side_did_not_move() -> None:
    assert judge_change(None, result(F)) is judge_change(BaselineCase(P), None) is Change.SAME
    by_other_rules = BaselineCase(P, by_other_rules=True)
    assert judge_change(by_other_rules, result(F)) is Change.SAME
