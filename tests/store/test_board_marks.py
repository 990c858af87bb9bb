"""Marks that come and go on a board without a new result, and who is told of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.baseline import Baseline, BaselineCase
from evaltui.core.case import Case, CaseKey, ContractCase, TraceCase
from evaltui.core.result import CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.suite import Suite
from evaltui.store.board import Board
from evaltui.store.row_status import RowMark
from tests.tui import scene

FIRST, SECOND = SUITES = scene.suites(4, 2)
ONE, TWO, THREE, FOUR = scene.cases_of(SUITES)
P, F = CaseStatus.PASSED, CaseStatus.FAILED


@pytest.fixture
def board() -> Board:
    """The first two cases fail, of which the first passed in the baseline; the others pass."""
    made = Board(scene.AGENT)
    made.arrange(SUITES)
    made.compare_with([pinned(FIRST.id, {ONE.id: P, TWO.id: F})])
    for case, status in ((ONE, F), (TWO, F), (THREE, P), (FOUR, P)):
        made.finish(scene.result(case, status))
    return made


def pinned(suite: str, cases: dict[str, CaseStatus]) -> Baseline:
    kept = {name: BaselineCase(status) for name, status in cases.items()}
    return Baseline(suite, "run-0", "default", kept)


def stale(key: CaseKey, *reasons: str) -> DueCase:
    return DueCase(key, Degree.AFFECTED, reasons)


def test_a_case_without_a_row_is_no_matter(board: Board) -> None:
    board.arrange((SECOND,))
    board.finish(scene.result(ONE, P))
    board.restore(scene.result(ONE, P), (P,))
    assert ONE.key not in board.rows


def test_the_youngest_result_stays_the_youngest(board: Board) -> None:
    board.finish(scene.result(ONE, P, at=scene.NOW + 9))
    board.finish(scene.result(TWO, P, at=scene.NOW + 3))
    assert board.results_at == scene.NOW + 9


def test_a_mute_takes_the_fall_away_and_its_end_brings_it_back(board: Board) -> None:
    assert (board.counts.all.failed, board.counts.all.regressed) == (2, 1)
    assert board.mute({str(ONE.key): "known"}) == {ONE.key}
    counts = board.counts.all
    assert (counts.muted, counts.failed, counts.regressed) == (1, 1, 0)
    assert board.mute({str(ONE.key): "known"}) == set()
    assert board.mute({str(ONE.key): "still"}) == {ONE.key}
    assert board.rows[ONE.key].muted == "still"
    assert board.mute({str(TWO.key): "too"}) == {ONE.key, TWO.key}
    assert board.counts.all.regressed == 1


def test_mutes_of_cases_that_are_not_there_change_nothing(board: Board) -> None:
    assert board.mute({"nonsense": "why", f"{FIRST.id}::gone::now": "why"}) == set()
    assert board.counts.all.muted == 0


def test_a_case_with_colons_in_its_id_can_be_muted() -> None:
    made = Board(scene.AGENT)
    key = CaseKey(FIRST.id, "a::b")
    made.arrange((replace(FIRST, cases=(Case(key, ContractCase("hello")),)),))
    assert made.mute({str(key): "why"}) == {key}


def test_falls_of_an_agent_that_is_sampled_are_no_proof(board: Board) -> None:
    assert board.follow_sampling(False) == set()
    assert board.follow_sampling(True) == {ONE.key}
    row = board.rows[ONE.key]
    assert (row.regressed, row.moved) == (False, True)
    assert board.follow_sampling(True) == set()
    board.finish(scene.result(ONE, F))
    assert (row.regressed, row.moved) == (False, True)
    assert board.follow_sampling(False) == {ONE.key}
    assert (row.regressed, row.moved) == (True, False)


def test_a_trace_is_read_and_its_fall_is_proof_whoever_else_is_sampled() -> None:
    trace = Case(CaseKey(FIRST.id, "t"), TraceCase(""))
    made = Board(scene.AGENT)
    made.follow_sampling(True)
    made.arrange((replace(FIRST, cases=(ONE, trace)),))
    made.compare_with([pinned(FIRST.id, {ONE.id: P, trace.id: P})])
    for case in (ONE, trace):
        made.finish(scene.result(case, F))
    assert [row.marks for row in made.rows.values()] == [(RowMark.MOVED,), (RowMark.REGRESSED,)]


def test_only_cases_whose_baseline_is_another_are_told_of(board: Board) -> None:
    both = [pinned(FIRST.id, {ONE.id: P, TWO.id: P})]
    assert board.compare_with(both) == {TWO.key}
    assert board.rows[TWO.key].regressed
    assert board.compare_with([*both, pinned(SECOND.id, {THREE.id: F})]) == {THREE.key}
    assert board.rows[THREE.key].improved
    assert board.compare_with(both) == {THREE.key}
    assert not board.rows[THREE.key].improved


def test_what_becomes_due_for_another_reason_or_is_settled_is_told_of(board: Board) -> None:
    assert board.mark_due([stale(ONE.key, "one"), stale(TWO.key, "two")]) == {ONE.key, TWO.key}
    assert board.counts.all.due == 2
    assert board.mark_due([stale(ONE.key, "one"), stale(TWO.key, "other")]) == {TWO.key}
    assert board.mark_due([stale(ONE.key, "one")]) == {TWO.key}
    assert board.mark_due([stale(TWO.key, "other")], is_more=True) == {TWO.key}
    assert board.counts.all.due == 2
    assert board.mark_due([stale(ONE.key, "one")]) == {TWO.key}, "all of them stand there"
    assert board.counts.all.due == 1


STEPS = st.one_of(
    st.sampled_from([SUITES, (FIRST,), (SECOND,), ()]),
    st.sampled_from([ONE, TWO, THREE, FOUR]),
    st.dictionaries(
        st.sampled_from([ONE.key, TWO.key, THREE.key, FOUR.key]), st.sampled_from("ab")
    ),
)


@given(st.lists(STEPS, max_size=8))
def test_after_any_turn_of_events_exactly_what_is_listed_is_marked(
    steps: list[tuple[Suite, ...] | Case | dict[CaseKey, str]],
) -> None:
    board = Board(scene.AGENT)
    for step in (SUITES, *steps):
        if isinstance(step, Case):
            board.finish(scene.result(step, P))
        elif isinstance(step, tuple):
            board.arrange(step)
        else:
            before = {key: row.due for key, row in board.rows.items()}
            now = {key: stale(key, why) for key, why in step.items()}
            changed = board.mark_due(now.values())
            assert {key: row.due for key, row in board.rows.items()} == {
                key: now.get(key) for key in board.rows
            }
            assert changed == {key for key, mark in before.items() if mark != now.get(key)}


def test_a_result_that_is_remembered_is_held_against_the_baseline() -> None:
    made = Board(scene.AGENT)
    made.arrange(SUITES)
    made.compare_with([pinned(FIRST.id, {ONE.id: P})])
    made.restore(scene.result(ONE, F), (P, F))
    assert made.rows[ONE.key].regressed
    assert made.rows[ONE.key].recent == (P, F)


def test_of_remembered_verdicts_the_last_ten_are_shown() -> None:
    made = Board(scene.AGENT)
    made.arrange(SUITES)
    made.restore(scene.result(ONE, F), (P, *[F] * 10))
    assert made.rows[ONE.key].recent == (F,) * 10
    made.finish(scene.result(ONE, P))
    assert made.rows[ONE.key].recent == (*[F] * 9, P)
    made.restore(scene.result(ONE, P), ())
    assert made.rows[ONE.key].recent == (), "none are known any more"
    made.finish(replace(scene.result(TWO, P), run_id="run-2", finished_at=scene.NOW + 1))
    made.restore(scene.result(TWO, F), (P, *[F] * 9))
    assert made.rows[TWO.key].recent == (*[F] * 9, P), "the new one last"
