"""The list of what is proven, and what an undecided case takes."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.baseline import BaselineCase, judge_change
from evaltui.core.case import CaseKey
from evaltui.core.proof import (
    Level,
    Proof,
    Standing,
    has_moved,
    is_flaky,
    settled_in_words,
    undecided,
    weigh,
    why_fallen,
)
from evaltui.core.result import CaseResult, CaseStatus, TrialResult
from evaltui.core.statistics.trials import Trials, TwoSides

GOOD = Trials(20, 0)
A, B, C, D = (CaseKey("evals/a.json", name) for name in "abcd")


def standings(found: dict[CaseKey, Proof]) -> dict[str, str]:
    return {key.case: proof.standing.value for key, proof in found.items()}


def test_the_more_cases_an_edit_can_affect_the_more_a_proof_takes() -> None:
    cases = {A: TwoSides(GOOD, Trials(0, 4))}
    assert standings(weigh(cases, Level(170))) == {"a": "regressed"}
    assert standings(weigh(cases, Level(171))) == {"a": "open"}
    assert weigh(cases, Level(171))[A].further == 1
    assert standings(weigh(cases, Level(171, alpha=0.2))) == {"a": "regressed"}


def test_other_cases_on_the_list_make_it_easier() -> None:
    both = {A: TwoSides(GOOD, Trials(0, 4)), B: TwoSides(GOOD, Trials(0, 4))}
    assert standings(weigh(both, Level(300))) == {"a": "regressed", "b": "regressed"}


def test_what_got_better_is_told_apart_and_never_both() -> None:
    cases = {A: TwoSides(Trials(0, 20), Trials(5, 0)), B: TwoSides(GOOD, Trials(0, 5))}
    found = weigh(cases, Level(50))
    assert standings(found) == {"a": "improved", "b": "regressed"}
    assert found[A].e == found[B].e, "the same with sides exchanged"


def test_of_what_did_not_move_nothing_is_undecided() -> None:
    proof = Proof(A, TwoSides(GOOD, Trials(1, 1)), further=3)
    assert settled_in_words(proof) == "undecided, 3 more failures would prove it"
    told = settled_in_words(proof, has_moved=False)
    assert told == "not proven, 3 more failures would prove it"


def test_of_what_is_muted_nothing_is_weighed_and_what_passes_no_less_often_got_no_worse() -> None:
    fell = Proof(A, TwoSides(Trials(21, 0), Trials(0, 8)))
    assert settled_in_words(fell, has_moved=False, is_muted=True) == "not weighed while it is muted"
    assert settled_in_words(fell, has_moved=False).startswith("not proven")
    assert settled_in_words(replace(fell, standing=Standing.REGRESSED), is_muted=True) == (
        "regressed"
    )
    for now in (Trials(5, 9), Trials(3, 6)):
        same = Proof(A, TwoSides(Trials(7, 14), now), further=3)
        assert settled_in_words(same, has_moved=False) == "nothing says that it got worse"
    less = Proof(A, TwoSides(Trials(7, 14), Trials(2, 6)))
    assert settled_in_words(less, has_moved=False).startswith("not proven")


def test_only_what_failed_and_can_be_settled_within_the_limit_is_undecided() -> None:
    cases = {
        A: TwoSides(GOOD, Trials(0, 1)),
        B: TwoSides(GOOD, Trials(1, 0)),
        C: TwoSides(Trials(1, 0), Trials(0, 1)),
        D: TwoSides(GOOD, Trials(9, 1)),
    }
    found = weigh(cases, Level(162, max_trials=10))
    assert [found[key].further for key in (A, B, C, D)] == [3, None, None, None]
    assert [settled_in_words(found[key]) for key in (A, B, C)] == [
        "undecided, 3 more failures would prove it",
        "nothing says that it got worse",
        "not proven, and more trials than one case may take would be needed",
    ]
    assert found[A].standing is Standing.OPEN


def test_the_next_trial_goes_where_least_is_missing_of_those_asked_for() -> None:
    proofs = {
        A: Proof(A, TwoSides(GOOD, Trials(0, 1)), further=3),
        B: Proof(B, TwoSides(GOOD, Trials(0, 2)), further=2),
        C: Proof(C, TwoSides(GOOD, Trials(0, 9)), Standing.REGRESSED, further=1),
        D: Proof(D, TwoSides(GOOD, Trials(1, 1))),
    }
    unknown = CaseKey("evals/a.json", "never weighed")
    assert undecided(proofs, [A, unknown, B, C, D]) == [B, A]
    assert undecided(proofs, [A, unknown]) == [A], "of the others nobody asked"
    alike = {key: Proof(key, TwoSides(GOOD, Trials(0, 1)), further=3) for key in (A, B, C)}
    assert undecided(alike, [C, A, B]) == [A, B, C], "in whatever order they are asked for"


def test_flaky_is_one_result_with_both_outcomes_or_all_runs_with_the_same_inputs() -> None:
    def result(passes: int) -> CaseResult:
        return CaseResult(A, "run", "agent", CaseStatus.FAILED, passes=passes, trials=3)

    assert [is_flaky(result(passes), None) for passes in (0, 1, 3)] == [False, True, False]
    assert not is_flaky(None, None)
    assert is_flaky(None, Proof(A, TwoSides(Trials(2, 1))))
    assert is_flaky(result(0), Proof(A, TwoSides(GOOD, Trials(1, 3)))), "of those of now"
    assert not is_flaky(result(0), Proof(A, TwoSides(Trials(2, 1), Trials(0, 3))))


def test_of_what_passed_and_is_proven_to_be_worse_the_reason_is_its_trials() -> None:
    passed = CaseResult(A, "run", "agent", CaseStatus.PASSED)
    assert why_fallen(passed) == "passed this time, and passes less often than before"
    assert why_fallen(replace(passed, status=CaseStatus.ERROR, error="is down")) == "is down"


@given(st.integers(1, 20), st.integers(0, 2), st.lists(st.booleans(), min_size=1, max_size=20))
def test_a_fall_that_is_not_proven_stays_moved_whatever_passes_after_it(
    passes: int, slips: int, later: list[bool]
) -> None:
    """Of what was pinned with slips as long as it fails as often as it passes."""
    now = [False, *later]
    good = sum(now)
    made = CaseResult(
        A, "run", "agent", CaseStatus.FAILED, passes=good, trials=len(now),
        attempts=tuple(
            TrialResult(n, CaseStatus.PASSED if one else CaseStatus.FAILED)
            for n, one in enumerate(now)
        ),
    )  # fmt: skip
    status = CaseStatus.FAILED if slips else CaseStatus.PASSED
    change = judge_change(BaselineCase(status, passes / (passes + slips), passes + slips), made)
    sides = TwoSides(Trials(passes, slips), made.trials_judged)
    proof = weigh({A: sides}, Level(40))[A]
    if proof.standing is not Standing.OPEN:
        assert not has_moved(change, proof, made)
    elif slips:
        assert has_moved(change, proof, made) is (passes > slips and 2 * good <= len(now))
    else:
        assert has_moved(change, proof, made)
