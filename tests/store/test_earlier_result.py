"""What is remembered comes to the board at any time, and never in the way of what is newer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.baseline import Baseline, BaselineCase
from evaltui.core.case import Case, ContractCase, Tier
from evaltui.core.events import RunStarted
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.suite import Suite
from evaltui.store.board import Board
from evaltui.store.run_view import RunView
from tests.disk.samples import SUITE, failed, passed

P, F = CaseStatus.PASSED, CaseStatus.FAILED
OLD = replace(failed(), run_id="run-0", key=passed().key, finished_at=1.0, trials=1, passes=0)
NEW = replace(passed(), run_id="run-1", finished_at=2.0)
STARTED = RunStarted("run-1", NEW.agent, 2, (NEW.key,), "asked for")


def board() -> Board:
    made = Board("embedded")
    case = Case(NEW.key, ContractCase("hello"))
    made.arrange((Suite(SUITE, "get_weather", Tier.GOLDEN, (case,), "0" * 12),))
    return made


def light(result: CaseResult) -> CaseResult:
    return replace(result, verdicts=(), response=None)


@given(st.booleans())
def test_the_order_of_finishing_and_remembering_makes_no_difference(is_late: bool) -> None:
    made = board()
    if is_late:
        made.finish(NEW)
    made.restore(light(OLD), (P, F))
    if not is_late:
        made.finish(NEW)
    row = made.rows[NEW.key]
    assert (row.result, row.recent) == (NEW, (P, F, P))
    assert {
        status.value: count for status, count in made.counts.all.by_status.items() if count
    } == {"flaky" if row.is_flaky else "passed": 1}


def test_a_recorded_result_does_not_take_its_own_details_away() -> None:
    made = board()
    made.finish(NEW)
    made.restore(light(NEW), (F, P))
    row = made.rows[NEW.key]
    assert (row.result, row.recent) == (NEW, (F, P))


def test_details_come_to_a_light_result() -> None:
    made = board()
    made.restore(light(NEW), (P,))
    whole = replace(NEW, finished_at=1.5)  # a file tells the time less exactly
    made.restore(whole, None)
    assert made.rows[NEW.key].result == whole


@pytest.mark.parametrize("before", [F, CaseStatus.ERROR])
def test_what_did_not_pass_in_the_baseline_and_passes_now_is_newly_passed(
    before: CaseStatus,
) -> None:
    made = board()
    made.compare_with([baseline(before)])
    made.finish(NEW)
    row = made.rows[NEW.key]
    assert (row.improved, row.regressed) == (True, False)


def test_what_passed_in_the_baseline_and_fails_now_regressed_unless_it_is_muted() -> None:
    made = board()
    made.compare_with([baseline(P)])
    made.finish(replace(OLD, finished_at=3.0))
    row = made.rows[NEW.key]
    assert (row.improved, row.regressed) == (False, True)
    made.mute({str(NEW.key): "known"})
    assert not row.regressed
    made.mute({})
    assert row.regressed


def test_an_error_is_no_regression() -> None:
    made = board()
    made.compare_with([baseline(P)])
    made.finish(replace(OLD, status=CaseStatus.ERROR))
    row = made.rows[NEW.key]
    assert (row.improved, row.regressed) == (False, False)


def test_a_baseline_that_is_taken_away_is_compared_with_no_longer() -> None:
    made = board()
    made.finish(OLD)
    assert made.compare_with([baseline(P)]) == {NEW.key}
    assert made.rows[NEW.key].regressed
    assert made.compare_with([baseline(P)]) == set()
    assert made.compare_with([]) == {NEW.key}
    assert not made.rows[NEW.key].regressed


def test_a_finished_case_is_no_longer_stale() -> None:
    made = board()
    made.restore(OLD, (F,))
    made.mark_due([DueCase(NEW.key, Degree.AFFECTED, ("changed",))])
    assert made.rows[NEW.key].is_due
    made.restore(OLD, None)
    assert made.rows[NEW.key].is_due, "what is remembered does not make it fresh"
    made.finish(NEW)
    assert not made.rows[NEW.key].is_due
    assert made.counts.all.due == 0


def test_calls_come_to_the_result_that_a_save_is_held_against() -> None:
    made = board()
    made.restore(light(OLD), (F,))
    made.begin_save(("a.tool.ts",), made.headline.registry)
    assert made.headline.save is not None
    made.headline.save.runs[NEW.run_id] = RunView.of(STARTED)
    made.finish(NEW)
    row = made.rows[NEW.key]
    assert row.before == light(OLD)
    made.restore(OLD, None)
    assert (row.before, row.result, row.recent) == (OLD, NEW, (F, P))


def test_an_older_result_does_not_replace_a_newer_one() -> None:
    made = board()
    made.finish(NEW)
    made.restore(OLD, None)
    assert made.rows[NEW.key].result == NEW
    made.restore(replace(OLD, finished_at=3.0), None)
    assert made.rows[NEW.key].result == replace(OLD, finished_at=3.0)


def test_a_light_result_of_another_run_takes_the_place_of_a_whole_one() -> None:
    made = board()
    made.finish(OLD)
    made.restore(light(NEW), None)
    assert made.rows[NEW.key].result == light(NEW)


def test_only_the_last_ten_verdicts_are_shown() -> None:
    made = board()
    for number in range(12):
        made.finish(replace(NEW if number % 2 else OLD, run_id=f"run-{number}"))
    assert made.rows[NEW.key].recent == (F, P) * 5


def baseline(status: CaseStatus) -> Baseline:
    return Baseline(SUITE, "run-0", "default", {NEW.key.case: BaselineCase(status)})


def test_the_details_of_a_result_are_those_that_came_last() -> None:
    made = board()
    made.finish(NEW)
    again = replace(NEW, duration_ms=1.0)
    made.restore(again, None)
    assert made.rows[NEW.key].result == again


def test_a_light_result_takes_the_place_of_a_light_one() -> None:
    made = board()
    made.restore(light(NEW), None)
    again = replace(light(NEW), duration_ms=1.0)
    made.restore(again, None)
    assert made.rows[NEW.key].result == again


def test_an_answer_alone_is_more_than_what_the_history_keeps() -> None:
    made = board()
    unjudged = replace(NEW, verdicts=())
    made.finish(unjudged)
    made.restore(light(NEW), None)
    assert made.rows[NEW.key].result == unjudged
    made.restore(replace(unjudged, duration_ms=1.0), None)
    assert made.rows[NEW.key].result == replace(unjudged, duration_ms=1.0)


def test_verdicts_alone_are_more_than_what_the_history_keeps() -> None:
    made = board()
    unanswered = replace(NEW, response=None)
    made.finish(unanswered)
    made.restore(light(NEW), None)
    assert made.rows[NEW.key].result == unanswered
    made.restore(replace(unanswered, duration_ms=1.0), None)
    assert made.rows[NEW.key].result == replace(unanswered, duration_ms=1.0)


def test_how_long_a_case_usually_takes_is_that_of_the_history_without_its_last_result() -> None:
    """The history halves the way to each new duration."""
    made = board()
    row = made.rows[NEW.key]
    made.restore(replace(light(NEW), duration_ms=300.0, typical_ms=200.0), (P,))
    assert row.usual_ms == 100.0
    made.restore(replace(light(NEW), duration_ms=300.0), (P,))
    assert row.usual_ms == 100.0, "nothing is said of it"
    made.restore(replace(light(NEW), duration_ms=300.0, typical_ms=20.0), (P,))
    assert row.usual_ms == 0.0
    made.restore(replace(light(NEW), duration_ms=300.0, typical_ms=200.0), (P,))
    made.finish(replace(NEW, run_id="run-2", duration_ms=50.0))
    assert row.usual_ms == 200.0, "halfway from 100 to 300"
    late = board()
    late.finish(NEW)
    late.restore(replace(light(OLD), typical_ms=70.0), (F,))
    assert late.rows[NEW.key].usual_ms == 70.0


def test_the_words_of_a_difference_stay_when_the_details_come() -> None:
    words = "calls `a`, not `b`"
    for kept, whole, expected in (
        (words, replace(NEW, in_short=""), words),
        (words, replace(NEW, in_short="of its own"), "of its own"),
        (words, replace(NEW, run_id="run-2", finished_at=3.0), ""),
        ("", NEW, ""),
    ):
        made = board()
        made.restore(replace(light(NEW), in_short=kept), (P,))
        made.restore(whole, None)
        result = made.rows[NEW.key].result
        assert result is not None and result.response is not None
        assert result.in_short == expected


def test_a_result_that_is_remembered_late_is_what_the_save_is_held_against() -> None:
    made = board()
    made.begin_save(("a.tool.ts",), made.headline.registry)
    assert made.headline.save is not None
    made.headline.save.runs[NEW.run_id] = RunView.of(STARTED)
    made.finish(NEW)
    assert made.rows[NEW.key].before is None
    made.restore(light(OLD), (P, F))
    row = made.rows[NEW.key]
    assert (row.before, row.verdict_before, row.result) == (light(OLD), F, NEW)
    assert row.changed is not None
    assert row.changed == row.effect_of(NEW)
