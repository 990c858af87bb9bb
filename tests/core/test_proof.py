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
    evidence_in_words,
    has_moved,
    in_figures,
    is_flaky,
    is_undecided_pass,
    settled_in_words,
    undecided,
    weigh,
    why_fallen,
    why_unproven,
)
from evaltui.core.result import CaseResult, CaseStatus, TrialResult
from evaltui.core.statistics.e_value import e_value
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


def test_what_may_be_better_tells_how_near_it_is_to_being_proven() -> None:
    sides = TwoSides(Trials(0, 11), Trials(3, 0))
    proof = weigh({A: sides}, Level(40))[A]
    assert proof.standing is Standing.OPEN
    told = f"not proven to be better, which takes e = {40 / 0.1:.0f}"
    e = in_figures(e_value(sides.exchanged))
    assert evidence_in_words(proof, has_moved=False) == f"0/11 → 3/3, e = {e}: {told}"
    assert evidence_in_words(proof, has_moved=False, is_muted=True).endswith("while it is muted")
    for now in (Trials(0, 3), Trials(5, 8)):  # a little more often says nothing
        same = weigh({A: TwoSides(Trials(7, 14), now)}, Level(40))[A]
        assert "better" not in evidence_in_words(same, has_moved=False)
    # One that failed this time, and passed when it was pinned, is watched for getting worse.
    fails = weigh({A: TwoSides(Trials(1, 19), Trials(3, 1))}, Level(40))[A]
    assert fails.bar_if_better is not None
    assert f"e = {in_figures(fails.e)}: " in evidence_in_words(fails)
    assert "better" not in evidence_in_words(fails)


def test_of_what_did_not_move_nothing_is_undecided() -> None:
    proof = Proof(A, TwoSides(GOOD, Trials(1, 1)), further=3)
    assert settled_in_words(proof) == "undecided, 3 more failures would prove it"
    told = settled_in_words(proof, has_moved=False)
    assert told == "not proven, 3 more failures would prove it"
    edited = settled_in_words(replace(proof, is_judged_otherwise=True))
    assert edited.endswith("would prove it, but only what is expected of it changed since the pin")


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
    assert not is_flaky(None, Proof(A, TwoSides(Trials(2, 1)), is_due=True)), "none is of now"
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


def test_a_pass_is_undecided_where_the_case_passed_as_a_rule_and_now_does_not() -> None:
    passed = CaseResult(A, "run", "agent", CaseStatus.PASSED)
    proof = Proof(A, TwoSides(GOOD, Trials(2, 2)), further=3)
    assert is_undecided_pass(proof, passed)
    assert not is_undecided_pass(None, passed)
    assert not is_undecided_pass(proof, replace(passed, status=CaseStatus.FAILED))
    assert not is_undecided_pass(replace(proof, further=None), passed)
    assert not is_undecided_pass(replace(proof, standing=Standing.REGRESSED), passed)
    assert not is_undecided_pass(replace(proof, sides=TwoSides(GOOD, Trials(3, 2))), passed)
    assert not is_undecided_pass(replace(proof, sides=TwoSides(Trials(2, 2), Trials(2, 2))), passed)


def test_a_proof_without_trials_of_one_side_says_why() -> None:
    of_now, pinned = Proof(A, TwoSides(now=Trials(0, 2))), Proof(A, TwoSides(GOOD))
    assert why_unproven(of_now) == "0/2 now, undecided: no trial of the baseline counts"
    assert why_unproven(Proof(A)) == "undecided: no trial of the baseline counts"
    said = "undecided: no trial with other inputs than the pinned ones"
    assert why_unproven(pinned) == said
    due = replace(pinned, is_due=True)
    assert why_unproven(due) == "undecided: no trial with the inputs of now yet"
    again = "the inputs of now are the pinned ones again: 20/20 passed with them"
    assert why_unproven(replace(due, is_as_pinned=True)) == again


def test_evidence_is_said_of_both_sides_and_of_one_only_where_the_case_moved() -> None:
    both = Proof(A, TwoSides(GOOD, Trials(0, 1)), further=3)
    assert evidence_in_words(both).startswith("20/20 → 0/1, e = ")
    assert evidence_in_words(both).endswith(": undecided, 3 more failures would prove it")
    muted = evidence_in_words(both, is_muted=True)
    assert muted.endswith(": not weighed while it is muted")
    one = Proof(A, TwoSides(GOOD))
    assert evidence_in_words(one) == why_unproven(one)
    assert evidence_in_words(one, has_moved=False) == ""
    assert evidence_in_words(one, is_muted=True) == ""
    assert evidence_in_words(replace(one, standing=Standing.IMPROVED)) == ""


def test_programs_are_told_no_number_that_json_cannot_hold() -> None:
    assert Proof(A, TwoSides(GOOD, Trials(0, 4))).e_for_json == 1703.27
    assert Proof(A, TwoSides(Trials(10**6, 0), Trials(0, 10**6))).e_for_json is None


def test_what_is_proven_in_a_judgement_of_another_kind_says_so() -> None:
    proof = Proof(A, TwoSides(GOOD, Trials(0, 4)), Standing.REGRESSED, is_judged_otherwise=True)
    said = "regressed, but only what is expected of it changed since the pin"
    assert settled_in_words(proof) == said
    assert (proof.has_regressed, proof.sides.has_both) == (True, True)
    assert not TwoSides(GOOD).has_both
    assert not TwoSides(now=GOOD).has_both
