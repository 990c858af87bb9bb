"""What a case counts as, what is marked at it, and how much attention it wants."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from evaltui.core.baseline import BaselineCase
from evaltui.core.comparison import Effect
from evaltui.core.proof import Proof, Standing
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.store.row import Row
from evaltui.store.row_status import Attention, RowMark, RowStatus
from tests.tui import scene

(SUITE,) = scene.suites(1, 1)
(CASE,) = SUITE.cases
P, F, E, S = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR, CaseStatus.SKIPPED


def row(result: CaseResult | None, degree: Degree | None = None, *, muted: str = "") -> Row:
    made = Row(CASE.key, CASE, SUITE, result, muted=muted)
    made.due = DueCase(CASE.key, degree, ("changed",)) if degree else None
    return made


def came_to(status: CaseStatus, *, asserted: int = 1, passes: int = 0, trials: int = 1) -> Row:
    made = scene.result(CASE, status)
    return row(replace(made, assertions_run=asserted, passes=passes, trials=trials))


@pytest.mark.parametrize(
    ("made", "status", "attention"),
    [
        (row(None), RowStatus.NOT_RUN, Attention.NOT_RUN),
        (came_to(P), RowStatus.PASSED, Attention.PASSED),
        (came_to(P, asserted=0), RowStatus.NOTHING_ASSERTED, Attention.NOTHING_ASSERTED),
        (came_to(S), RowStatus.NOTHING_ASSERTED, Attention.NOTHING_ASSERTED),
        (came_to(F), RowStatus.FAILED, Attention.FAILED),
        (came_to(F, asserted=0), RowStatus.FAILED, Attention.FAILED),
        (came_to(E), RowStatus.ERROR, Attention.ERROR),
        (row(scene.result(CASE, F), muted="known"), RowStatus.MUTED, Attention.MUTED),
        (row(None, muted="known"), RowStatus.MUTED, Attention.MUTED),
    ],
)
def test_what_a_case_counts_as_and_the_attention_it_wants(
    made: Row, status: RowStatus, attention: Attention
) -> None:
    assert (made.status, made.attention) == (status, attention)


@pytest.mark.parametrize("degree", [None, *Degree])
def test_a_result_is_due_once_anything_it_depends_on_changed(degree: Degree | None) -> None:
    is_due = degree not in (None, Degree.NEVER_RUN)
    assert row(scene.result(CASE, P), degree).is_due is is_due
    assert not row(None, degree).is_due, "one that never ran is not due"


@pytest.mark.parametrize(
    ("passes", "trials", "is_flaky"),
    [(0, 1, False), (1, 1, False), (0, 3, False), (1, 3, True), (2, 3, True), (3, 3, False)],
)
def test_flaky_is_what_passed_sometimes(passes: int, trials: int, is_flaky: bool) -> None:
    assert came_to(F, passes=passes, trials=trials).is_flaky is is_flaky


def test_what_passed_wants_attention_when_it_is_due_or_flaky() -> None:
    flaky = came_to(P, passes=1, trials=2)
    seen = [flaky.attention]
    flaky.due = DueCase(CASE.key, Degree.AFFECTED, ("changed",))
    assert [*seen, flaky.attention] == [Attention.FLAKY, Attention.DUE]
    failed = came_to(F, passes=1, trials=2)
    failed.due = flaky.due
    assert failed.attention is Attention.FAILED, "which is worse"


def regressed(made: Row) -> None:
    made.against = RowMark.REGRESSED


def moved(made: Row) -> None:
    made.against = RowMark.MOVED


def improved(made: Row) -> None:
    made.against = RowMark.IMPROVED


def moved_up(made: Row) -> None:
    made.against = RowMark.MOVED_UP


def due(made: Row) -> None:
    made.due = DueCase(CASE.key, Degree.AFFECTED, ("changed",))


def outdated(made: Row) -> None:
    made.is_outdated = True


MARKS = (
    (RowMark.REGRESSED, regressed),
    (RowMark.MOVED, moved),
    (RowMark.IMPROVED, improved),
    (RowMark.MOVED_UP, moved_up),
    (RowMark.DUE, due),
    (RowMark.OUTDATED, outdated),
)


@pytest.mark.parametrize(("mark", "change"), MARKS)
def test_each_mark_stands_for_itself(mark: RowMark, change: Callable[[Row], None]) -> None:
    made = came_to(F)
    before = made.marks
    change(made)
    assert [before, made.marks] == [(), (mark,)]


def test_marks_stand_in_the_order_of_their_names() -> None:
    """Those against the baseline exclude one another."""
    for against, stand in MARKS[:4]:
        made = came_to(F, passes=1, trials=2)
        for change in (outdated, due, stand):
            change(made)
        assert made.marks == (against, RowMark.DUE, RowMark.OUTDATED, RowMark.FLAKY)


def test_what_the_last_save_made_worse_wants_the_most_unless_it_is_muted() -> None:
    made = came_to(F)
    regressed(made)
    made.changed = Effect.WORSE
    seen = [(made.effect, made.attention)]
    made.muted = "known"
    assert [*seen, (made.effect, made.attention)] == [
        (Effect.WORSE, Attention.WORSE),
        (None, Attention.MUTED),
    ]
    better = came_to(P)
    better.changed = Effect.BETTER
    assert (better.effect, better.attention) == (Effect.BETTER, Attention.PASSED)


def test_a_fall_wants_more_attention_than_a_failure() -> None:
    for change, attention in ((regressed, Attention.REGRESSED), (moved, Attention.MOVED)):
        made = came_to(F)
        change(made)
        assert made.attention is attention


def test_the_worst_comes_first() -> None:
    """The order of the board; a change of it is a change of what everybody sees first."""
    assert [attention.value for attention in Attention] == [
        "proven",
        "worse",
        "regressed",
        "moved",
        "failed",
        "error",
        "due",
        "flaky",
        "passed",
        "nothing asserted",
        "not run",
        "muted",
    ]


@pytest.mark.parametrize(
    ("pinned", "by_other_rules", "result", "is_comparable"),
    [
        (None, False, scene.result(CASE, P), False),
        (P, False, scene.result(CASE, P), True),
        (F, False, scene.result(CASE, E), True),
        (P, False, None, True),
        (S, False, scene.result(CASE, P), False),
        (P, True, scene.result(CASE, P), False),
        (P, False, scene.result(CASE, S), False),
        (P, False, replace(scene.result(CASE, P), assertions_run=0), False),
    ],
)
def test_what_can_be_held_against_its_pin(
    pinned: CaseStatus | None,
    by_other_rules: bool,
    result: CaseResult | None,
    is_comparable: bool,
) -> None:
    made = row(result)
    if pinned is not None:
        made.baseline = BaselineCase(pinned, by_other_rules=by_other_rules)
    assert made.is_comparable is is_comparable


def test_of_a_case_that_is_new_nothing_is_known() -> None:
    made = row(None)
    assert (made.usual_ms, made.started_at, made.recent, made.place) == (0.0, 0.0, (), 0)
    assert not (made.is_outdated or made.is_rejudged or made.muted or made.is_of_save)


@pytest.mark.parametrize(
    ("against", "pinned", "now", "fell"),
    [
        (RowMark.MOVED, P, came_to(F), True),
        (RowMark.REGRESSED, P, came_to(F), False),
        (None, P, came_to(F), True),
        (None, P, came_to(F, passes=2, trials=3), False),
        (None, F, came_to(F), False),
        (None, P, came_to(P), False),
        (None, P, row(scene.result(CASE, F), Degree.AFFECTED), False),
        (None, P, row(scene.result(CASE, F), muted="known"), False),
        (None, None, came_to(F), False),
        (None, P, row(None), False),
    ],
)
def test_a_fall_with_the_inputs_of_the_pin_can_never_be_proven(
    against: RowMark | None, pinned: CaseStatus | None, now: Row, fell: bool
) -> None:
    now.against, now.proof = against, Proof(CASE.key, TwoSides(Trials(1, 1)))
    now.baseline = None if pinned is None else BaselineCase(pinned)
    assert now.fell_unedited is fell
    if now.baseline is not None and against is None:
        now.baseline = replace(now.baseline, by_other_rules=True)
        assert not now.fell_unedited


def test_it_can_be_where_it_was_edited_or_a_recording_answered() -> None:
    made = came_to(F)
    made.against = RowMark.MOVED
    assert not made.fell_unedited, "nothing is weighed"
    made.proof = Proof(CASE.key, TwoSides(Trials(1, 0), Trials(0, 1)))
    assert not made.fell_unedited, "it was edited"
    made.proof = Proof(CASE.key, TwoSides(Trials(1, 1)))
    assert made.result is not None
    made.result = replace(made.result, was_counted=True)
    assert not made.fell_unedited


def test_worse_beyond_doubt_wants_the_most() -> None:
    made = came_to(F)
    made.against, made.changed = RowMark.REGRESSED, Effect.WORSE
    assert (made.is_proven, made.attention) == (False, Attention.WORSE), "one fall is no proof"
    made.proof = Proof(CASE.key, TwoSides(), Standing.REGRESSED)
    assert (made.is_proven, made.attention) == (True, Attention.PROVEN)
    passed = came_to(P)
    passed.against, passed.changed, passed.proof = made.against, Effect.AS_BEFORE, made.proof
    assert passed.attention is Attention.PROVEN, "however this time went"
    made.proof = Proof(CASE.key, TwoSides(), Standing.OPEN)
    assert not made.is_proven


def test_a_pass_that_settles_nothing_is_undecided_as_a_fall_is() -> None:
    proof = Proof(CASE.key, TwoSides(Trials(20, 0), Trials(1, 5)), further=2)
    made = replace(came_to(P), proof=proof)
    assert made.is_undecided and not made.moved
    assert not replace(made, muted="known").is_undecided
    assert not replace(made, proof=replace(proof, further=None)).is_undecided
    often = replace(proof, sides=TwoSides(Trials(20, 0), Trials(9, 1)))
    assert not replace(made, proof=often).is_undecided
    assert replace(made, proof=often, against=RowMark.MOVED).is_undecided
