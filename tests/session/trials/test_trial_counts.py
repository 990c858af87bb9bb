"""Which trials count for a pin and which for the inputs of now, a run under way included."""

from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.disk.history.pinned_inputs import PinnedInputs
from evaltui.session.trials.trial_counts import TrialCounts

KEY, OTHER = CaseKey("a.json", "one"), CaseKey("a.json", "other")
STATUSES = (CaseStatus.PASSED, CaseStatus.FAILED)
PASSED, FAILED = (CaseResult(KEY, "r", "a", one, assertions_run=1) for one in STATUSES)
LATE = replace(FAILED, category="timeout", assertions_run=0)


def add(counts: TrialCounts, *results: CaseResult, run_id: str = "r", same: str = "x") -> None:
    for one in results:
        counts.add(run_id, one, same, is_one_of_several=len(results) > 1)


def test_a_run_adds_to_what_the_history_counted_and_is_counted_once() -> None:
    counts = TrialCounts(counted={(KEY, "x"): Trials(2, 1)})
    add(counts, PASSED)
    assert counts.now(KEY) == Trials(3, 1)
    counts.close("another")
    assert KEY in counts.running
    counts.close("r")
    assert (counts.now(KEY), counts.running) == (Trials(3, 1), {})
    add(counts, FAILED, run_id="s")
    add(counts, FAILED, run_id="t")
    assert counts.now(KEY) == Trials(3, 3), "one run began before the other was closed"


def test_attempts_count_each_until_they_come_as_one() -> None:
    counts = TrialCounts()
    add(counts, FAILED, PASSED)
    assert counts.now(KEY) == Trials(1, 1)
    add(counts, replace(FAILED, passes=1, trials=3))
    assert counts.now(KEY) == Trials(1, 2)


def test_attempts_with_other_inputs_are_not_added_to_those_before() -> None:
    counts = TrialCounts()
    add(counts, FAILED, FAILED)
    add(counts, PASSED, PASSED, same="y")
    assert counts.now(KEY) == Trials(2, 0)


def test_what_took_too_long_counts_under_that_time_limit_alone() -> None:
    counts = TrialCounts()
    add(counts, LATE, same="x@3000")
    assert counts.now(KEY) == Trials(0, 1)
    counts.judge_again(KEY, "x@9000")
    assert counts.now(KEY) == Trials()
    assert counts.unread == {(KEY, "x"), (KEY, "x@9000")}


def test_the_history_is_asked_for_what_is_not_known_yet() -> None:
    counts = TrialCounts(counted={(KEY, "x"): Trials()})
    assert counts.unknown([(KEY, "x@3000"), (OTHER, "")]) == [(KEY, "x@3000")]


def test_for_a_pin_counts_what_was_made_for_it_and_since_it() -> None:
    counted = {(KEY, "x"): Trials(5, 1), (OTHER, "x"): Trials(5, 1)}
    pins = {key: PinnedInputs("x", 1.0, Trials(0, 1)) for key in (KEY, OTHER)}
    counts = TrialCounts(pins, {KEY: Trials(2, 1)}, counted)
    assert counts.baseline(KEY) == Trials(3, 1)
    assert counts.baseline(OTHER) == Trials(0, 1), "nobody knows what was seen before the pin"
    assert counts.baseline(CaseKey("a.json", "not pinned")) == Trials()


def test_trials_of_now_stand_against_the_pin_only_where_its_inputs_were_edited() -> None:
    pins = {KEY: PinnedInputs("x", 1.0, Trials(1, 0))}
    counts = TrialCounts(pins, counted={(KEY, "x"): Trials(4, 0), (KEY, "y"): Trials(0, 2)})
    pinned = TwoSides(Trials(1, 0))
    seen = []
    for same in ("x", "x@3000", "y"):
        counts.same[KEY] = same
        seen.append((counts.is_edited(KEY), counts.sides(KEY, is_due=False)))
    assert seen == [(False, pinned), (False, pinned), (True, TwoSides(Trials(1, 0), Trials(0, 2)))]
    assert counts.sides(KEY, is_due=True) == pinned, "nothing ran with the inputs of now"
    counts.same[OTHER], counts.counted[OTHER, "y"] = "y", Trials(1, 1)
    assert counts.sides(OTHER, is_due=False) == TwoSides(Trials(), Trials(1, 1))


def test_a_pin_that_saw_what_a_run_had_made_is_to_be_counted_anew_at_its_end() -> None:
    counts = TrialCounts({KEY: PinnedInputs("x", 5.0)})
    add(counts, replace(PASSED, finished_at=5.0))
    assert counts.close("r")
    add(counts, replace(PASSED, finished_at=6.0), run_id="s")
    assert not counts.close("s")


def test_where_it_is_not_known_what_the_history_had_counted_it_is_read_once_a_run_is_over() -> None:
    counts = TrialCounts(counted={(KEY, "x"): Trials(2, 0)})
    add(counts, PASSED)
    counts.close("r")
    assert counts.unread == set()
    add(counts, PASSED, run_id="s")
    counts.close("s", is_others=True)
    assert counts.unread == {(KEY, "x")}
    add(counts, PASSED, run_id="t", same="y")
    counts.close("t")
    assert counts.unread == {(KEY, "x"), (KEY, "y")}
