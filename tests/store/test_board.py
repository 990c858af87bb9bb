"""What is remembered comes to the board at any time, and never in the way of what is newer."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.case import Case, ContractCase, Tier
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.suite import Suite
from evaltui.store.board import Board
from tests.disk.samples import SUITE, failed, passed

P, F = CaseStatus.PASSED, CaseStatus.FAILED
OLD = replace(failed(), run_id="run-0", key=passed().key, finished_at=1.0)
NEW = replace(passed(), run_id="run-1", finished_at=2.0)


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


def test_details_come_to_a_light_result_and_stay_when_it_is_muted() -> None:
    made = board()
    made.restore(light(NEW), (P,))
    whole = replace(NEW, finished_at=1.5)  # a file tells the time less exactly
    made.restore(whole, None)
    assert made.rows[NEW.key].result == whole
    made.mute(NEW.key, "flaky")
    assert made.rows[NEW.key].result == replace(whole, muted="flaky")
