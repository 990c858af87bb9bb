"""Two runs of the same cases as a whole."""

import pytest
from msgspec.structs import replace

from evaltui.core.case import Case, CaseKey, ContractCase, Tier, TraceCase
from evaltui.core.paired_runs import (
    LostAndGained,
    PairedCase,
    PairedRuns,
    against_first,
    paired_results,
)
from evaltui.core.result import CaseResult, CaseStatus, TrialResult
from evaltui.core.statistics.trials import Planned, Trials
from evaltui.core.suite import EvalMetadata, Suite

P, F, E = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR


def suite(groups: dict[str, str], metadata: EvalMetadata | None = None) -> Suite:
    cases = tuple(
        Case(CaseKey("a.json", id_), ContractCase(id_), extra={"group": group} if group else {})
        for id_, group in groups.items()
    )
    return Suite("a.json", "t", Tier.GOLDEN, cases, "", metadata)


def results(**statuses: CaseStatus) -> dict[CaseKey, CaseResult]:
    return {
        CaseKey("a.json", id_): CaseResult(
            CaseKey("a.json", id_), "r", "x", status, assertions_run=1, passes=int(status is P)
        )
        for id_, status in statuses.items()
    }


def whole(
    before: dict[CaseKey, CaseResult], now: dict[CaseKey, CaseResult], made: Suite
) -> PairedRuns:
    found = paired_results(before, now, (made,), muted=())
    assert found is not None
    return found


def test_only_cases_that_were_judged_on_both_sides_count() -> None:
    made = suite(dict.fromkeys("abcd", ""))
    found = whole(results(a=P, b=P, c=E, d=P), results(a=P, b=F, c=P), made)
    assert (found.cases, found.mean, found.verdicts) == (2, -0.5, LostAndGained(1, 0, 1.0))
    assert paired_results(results(a=P), results(a=P), (made,), muted=()) is None, (
        "one tells no spread"
    )


def test_a_trace_is_no_answer_of_either_agent() -> None:
    made = suite(dict.fromkeys("abc", ""))
    first, *others = made.cases
    made = replace(made, cases=(replace(first, body=TraceCase("")), *others))
    found = whole(results(a=P, b=P, c=P), results(a=F, b=P, c=F), made)
    assert (found.cases, found.verdicts) == (2, LostAndGained(1, 0, 1.0))


def test_a_repeated_case_counts_with_its_share() -> None:
    tried = tuple(TrialResult(n, one) for n, one in enumerate((P, P, F, E)))
    (key,) = results(a=P)
    now = CaseResult(key, "r", "x", F, assertions_run=1, trials=3, passes=2, attempts=tried)
    found = whole(results(a=P, b=P), {key: now, **results(b=P)}, suite({"a": "", "b": ""}))
    assert round(found.mean, 3) == -0.167


def test_lost_and_gained_are_told_only_where_both_sides_were_tried_as_often() -> None:
    """Of twenty trials one fails of nearly every flaky case, and of one of them seldom: that alone
    would be a gain beyond doubt."""
    many = [PairedCase.of(Planned(Trials(19, 1)), Planned(Trials(1, 0)), None)] * 13
    whole_ = PairedRuns.of(
        [*many, *[PairedCase.of(Planned(Trials(20, 0)), Planned(Trials(1, 0)), None)] * 47]
    )
    assert whole_ is not None and whole_.verdicts is None
    said = "lost and gained not compared: one side has more trials"
    assert whole_.difference == f"mean difference +1.1 points (95 %: +0.6 to +1.6), {said}"
    told = whole_.document()
    assert (told["lost"], told["gained"], told["p_value"]) == (None, None, None)
    sides = ((Trials(5, 0), Trials(4, 1)), (Trials(1, 0), Trials(1, 0)))
    alike = PairedRuns.of(PairedCase.of(Planned(was), Planned(now), None) for was, now in sides)
    assert alike is not None and alike.verdicts == LostAndGained(1, 0, 1.0)


def test_further_trials_are_no_part_of_the_whole() -> None:
    (key,) = results(a=P)
    tried = tuple(TrialResult(n, one) for n, one in enumerate((F, P, P, P)))
    now = CaseResult(key, "r", "x", F, assertions_run=1, trials=4, passes=3, attempts=tried)
    made = suite({"a": "", "b": ""})
    for planned, mean, verdicts in (
        (None, -0.125, None),
        (Planned(Trials(0, 1)), -0.5, LostAndGained(1, 0, 1.0)),
        (Planned(Trials(1, 1)), -0.25, None),
    ):
        tried_again = {key: replace(now, planned=planned), **results(b=P)}
        found = whole(results(a=P, b=P), tried_again, made)
        assert (found.mean, found.verdicts) == (mean, verdicts)
        assert whole(tried_again, results(a=P, b=P), made).mean == -mean


def test_errors_among_trials_are_left_out_whatever_the_others_came_to() -> None:
    """Else precisely the good ones of the cases with errors would be missing."""
    (key,) = results(a=P)
    tried = tuple(TrialResult(n, one) for n, one in enumerate((P, E, P)))
    now = CaseResult(key, "r", "x", E, trials=2, passes=2, erred=1, attempts=tried)
    made = suite(dict.fromkeys("abcd", ""))
    found = whole(results(a=P, b=P, c=E, d=P), {key: now, **results(b=F, c=P)}, made)
    assert (found.cases, found.mean, found.left_out) == (2, -0.5, 1)
    assert [*found.lines()][-1] == "without 1 case that was not judged on both sides"
    assert found.document()["left_out"] == 1


def test_one_lost_attempt_leaves_its_case_out_of_lost_and_gained_and_no_other() -> None:
    """It was tried as often on both sides: only what is left of it says less on one of them."""
    keys = [CaseKey("a.json", f"c{n}") for n in range(5)]
    tried = {P: (P, P, P), F: (P, P, F), E: (P, E, P)}

    def result(key: CaseKey, status: CaseStatus) -> CaseResult:
        attempts = tuple(TrialResult(n, one) for n, one in enumerate(tried[status]))
        passes, errors = tried[status].count(P), tried[status].count(E)
        counted = CaseResult(key, "r", "x", status, assertions_run=1, trials=3 - errors)
        return replace(counted, passes=passes, erred=errors, attempts=attempts)

    before = {key: result(key, P) for key in keys}
    now = {key: result(key, one) for key, one in zip(keys, (F, P, P, P, E), strict=True)}
    made = suite({key.case: "" for key in keys})
    found = whole(before, now, made)
    assert (found.cases, found.left_out, found.verdicts) == (5, 0, LostAndGained(1, 0, 1.0, 1))
    assert found.difference.endswith("lost 1, gained 0, p = 1 (McNemar)")
    assert found.notes[-1] == "lost and gained without 1 case that lost attempts to errors"
    assert found.document()["lost_and_gained_left_out"] == 1
    both = whole(now, now, made)
    assert both.verdicts == LostAndGained(0, 0, 1.0), "both sides lost as many"
    all_lost = whole(before, {key: result(key, E) for key in keys}, made)
    assert all_lost.verdicts is None, "none is left"


def test_attempts_that_differ_by_design_are_not_taken_for_lost_ones() -> None:
    many = PairedCase.of(Planned(Trials(18, 0), 2), Planned(Trials(1, 0)), None)
    whole_ = PairedRuns.of(
        [many, PairedCase.of(Planned(Trials(1, 0)), Planned(Trials(1, 0)), None)]
    )
    assert whole_ is not None and whole_.verdicts is None


def test_cases_of_one_group_are_no_independent_witnesses() -> None:
    before, now = results(a=P, b=P, c=P, d=P), results(a=F, b=F, c=P, d=P)
    alone = whole(before, now, suite(dict.fromkeys("abcd", "")))
    grouped = whole(before, now, suite({"a": "x", "b": "x", "c": "y", "d": "y"}))
    assert grouped.high - grouped.low > alone.high - alone.low
    metadata = EvalMetadata(raw={"group": "storm"})
    one_file = whole(before, now, suite({"a": "x", "b": "x", "c": "", "d": ""}, metadata))
    assert one_file.high - one_file.low == grouped.high - grouped.low


def test_a_result_that_found_no_drop_says_what_it_could_not_have_seen() -> None:
    same = PairedRuns.of([PairedCase(1, 1)] * 50)
    assert same is not None
    assert same.unseen == "a drop of less than 5.4 points might not have been seen (80 % power)"
    fallen = PairedRuns.of([PairedCase(1, 0)] * 40 + [PairedCase(1, 1)] * 10)
    assert fallen is not None
    assert fallen.unseen == ""
    said = "mean difference -80.0 points (95 %: -91.2 to -68.8), lost 40, gained 0, p = "
    assert fallen.difference.startswith(said)
    alike = PairedRuns.of([PairedCase(1, 0)] * 2)
    assert alike is not None
    assert "-100.0 points (the same in every case), lost 2" in alike.difference


@pytest.mark.parametrize(
    ("lost", "group", "others", "said"),
    [
        (5, "", 30, "(95 %: -26.0 to -2.5), lost 5, gained 0, p = 0.0625 (McNemar)"),
        (6, "one", 20, "(95 %: -58.7 to +12.6), lost 6, gained 0, p = 0.0312 (McNemar)"),
    ],
)
def test_where_the_interval_and_p_disagree_it_is_said_what_each_is(
    lost: int, group: str, others: int, said: str
) -> None:
    fallen = [PairedCase(1, 0, group or number) for number in range(lost)]
    found = PairedRuns.of([*fallen, *(PairedCase(1, 1, f"x{n}") for n in range(others))])
    assert found is not None
    assert found.difference.endswith(said)
    assert found.notes[0] == (
        "the interval is of the mean over all cases, p of the turned verdicts alone: "
        "where only one of them shows a change, it is not sure"
    )


@pytest.mark.parametrize("lost", [0, 10])
def test_nothing_is_said_of_the_two_where_they_agree(lost: int) -> None:
    found = PairedRuns.of([PairedCase(1, 0)] * lost + [PairedCase(1, 1)] * 30)
    assert found is not None
    assert not any("interval" in note for note in found.notes)


def test_one_group_alone_tells_neither_that_all_moved_alike_nor_that_nothing_was_missed() -> None:
    lost = PairedRuns.of([PairedCase(1, int(n > 2), "all") for n in range(19)])
    assert lost is not None
    assert "-15.8 points (all cases are one group, which tells no interval)" in lost.difference
    assert "a drop of less than 93.4 points might not have been seen" in lost.unseen
    assert (lost.document()["low"], lost.document()["high"]) == (-1.0, 1.0)
    alike = PairedRuns.of([PairedCase(1, n % 2, group) for n in range(4) for group in "gh"])
    assert alike is not None
    assert "-50.0 points (the same in every group)" in alike.difference
    each = PairedRuns.of([PairedCase(1, 0, "all")] * 3)
    assert each is not None
    assert "-100.0 points (the same in every group)" in each.difference


def test_a_spread_that_a_few_groups_showed_tells_what_was_visible() -> None:
    """Four groups are no reason to doubt it: only where nothing differed must something be said."""
    lost = {"a": 3, "b": 1, "c": 0, "d": 0}
    made = PairedRuns.of(
        [PairedCase(1, int(n >= lost[group]), group) for group in lost for n in range(8)]
    )
    assert made is not None and made.groups == 4
    error = (made.high - made.low) / 2 / 1.959964
    assert made.visible_drop == pytest.approx(2.801585 * error, rel=1e-4)
    assert made.visible_drop < 0.3


def test_what_is_rounded_to_nothing_has_no_sign() -> None:
    made = PairedRuns.of([PairedCase(0.5, 0.5 - 0.0001), PairedCase(0.5, 0.5 - 0.0003)])
    assert made is not None
    assert made.difference.startswith("mean difference 0.0 points (95 %: 0.0 to 0.0), ")


def test_each_other_agent_is_held_against_the_first() -> None:
    made = suite(dict.fromkeys("ab", ""))
    finished = {"one": results(a=P, b=P), "two": results(a=F, b=P), "three": results(a=P)}
    (other, first, found), *more = against_first(finished, (made,), muted=())
    assert (other, first, found.verdicts) == ("two", "one", LostAndGained(1, 0, 1.0))
    assert more == [], "one case in common tells no spread"
    assert [*against_first({}, (made,), muted=())] == []


def test_where_nothing_was_asserted_on_a_side_there_is_nothing_to_pair() -> None:
    before, now = results(a=P, b=P, c=P, d=P), results(a=P, b=F, c=P, d=P)
    for side, id_ in ((before, "c"), (now, "d")):
        key = CaseKey("a.json", id_)
        side[key] = replace(side[key], assertions_run=0)
    found = whole(before, now, suite(dict.fromkeys("abcd", "")))
    assert (found.cases, found.left_out) == (2, 0)


def test_rounding_leaves_no_interval_where_every_case_differs_alike() -> None:
    alike = PairedRuns.of([PairedCase(1.0, 0.7)] * 7)
    assert alike is not None
    assert alike.difference.startswith("mean difference -30.0 points (the same in every case)")


def test_no_end_of_the_interval_lies_beyond_what_shares_can_differ() -> None:
    risen = PairedRuns.of([PairedCase(0.0, 1.0), PairedCase(0.0, 1.0), PairedCase(0.0, 0.4)])
    fallen = PairedRuns.of([PairedCase(1.0, 0.0), PairedCase(1.0, 0.0), PairedCase(1.0, 0.6)])
    assert risen is not None and fallen is not None
    assert (risen.high, fallen.low) == (1.0, -1.0)
    assert risen.low > 0 > fallen.high


def test_more_trials_of_each_case_let_a_smaller_drop_be_seen() -> None:
    """Six cases, of which two differ by one trial, as `ab --trials 5`, 40 and 60 tell them."""

    def drop(trials: int) -> float:
        sides = [Trials(trials - less, less) for less in (1, 0)]
        alike = Planned(Trials(trials, 0))
        pairs = [
            PairedCase.of(Planned(sides[0]), alike, None),
            PairedCase.of(alike, Planned(sides[0]), None),
            *[PairedCase.of(alike, alike, None)] * 4,
        ]
        whole = PairedRuns.of(pairs)
        assert whole is not None
        assert whole.visible_drop >= whole.high / 2
        return whole.visible_drop

    assert [f"{100 * drop(trials):.1f}" for trials in (1, 5, 40, 60)] == [
        "72.3",
        "14.5",
        "1.8",
        "1.2",
    ]


@pytest.mark.parametrize(("groups", "is_said"), [(2, True), (9, True), (10, False)])
def test_of_few_groups_it_is_said_that_their_spread_is_hardly_known(
    groups: int, *, is_said: bool
) -> None:
    pairs = [PairedCase(1, (n + group) % 2, group) for group in range(groups) for n in range(3)]
    found = PairedRuns.of(pairs)
    assert found is not None
    said = f"only {groups} groups: an interval of 95 % would be wider"
    assert (said in found.notes) is is_said


def test_muted_cases_are_left_out_and_told() -> None:
    before, now = results(a=P, b=P, c=P, d=P), results(a=P, b=F, c=F, d=P)
    made = suite(dict.fromkeys("abcd", ""))
    found = paired_results(before, now, (made,), muted={"a.json::b", "a.json::gone"})
    assert found is not None
    assert (found.cases, found.verdicts) == (3, LostAndGained(1, 0, 1.0))
    assert found.without_muted == "without 1 muted case"
    assert found.without_muted in found.notes
    assert "muted" not in "".join(whole(before, now, made).notes)
