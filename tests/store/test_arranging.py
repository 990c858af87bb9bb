"""Which rows a reading of the project gives, what they know from the start, who is told."""

import pytest
from msgspec.structs import replace

from evaltui.core.baseline import Baseline, BaselineCase
from evaltui.core.case import Case, CaseKey
from evaltui.core.events import ResultsLoaded
from evaltui.core.result import CaseStatus
from evaltui.core.suite import Suite
from evaltui.store.board import Board
from evaltui.store.standards import Standards
from tests.tui import scene

FIRST, SECOND = SUITES = scene.suites(4, 2)
ONE, TWO, THREE, FOUR = scene.cases_of(SUITES)
ALL = {ONE.key, TWO.key, THREE.key, FOUR.key}
P, F = CaseStatus.PASSED, CaseStatus.FAILED


@pytest.fixture
def board() -> Board:
    """All cases in file order, each with a result; the youngest is that of the third."""
    made = Board(scene.AGENT)
    assert made.arrange(SUITES) == ALL
    for case, at in ((ONE, 1.0), (TWO, 2.0), (THREE, 4.0), (FOUR, 3.0)):
        made.finish(scene.result(case, P, at=at))
    made.counts.take_moved()
    return made


def with_case(suite: Suite, *cases: Case) -> Suite:
    return replace(suite, cases=cases)


def test_rows_stand_in_file_order() -> None:
    made = Board(scene.AGENT)
    made.arrange((SECOND, FIRST))
    assert list(made.rows) == [THREE.key, FOUR.key, ONE.key, TWO.key]
    assert not made.activity
    assert (made.counts.all.total, made.counts.all.not_run) == (4, 4)


def test_a_new_row_knows_its_mute_its_baseline_and_whether_its_suite_is_outdated() -> None:
    made = Board(scene.AGENT, standards=Standards(mutes={str(ONE.key): "known"}))
    made.compare_with([Baseline(FIRST.id, "run-0", "default", {TWO.id: BaselineCase(P)})])
    made.arrange(SUITES, frozenset({SECOND.id}))
    rows = made.rows.values()
    assert [row.muted for row in rows] == ["known", "", "", ""]
    assert [row.baseline is not None for row in rows] == [False, True, False, False]
    assert [row.is_outdated for row in rows] == [False, False, True, True]
    assert (made.counts.all.muted, made.counts.all.outdated) == (1, 2)
    made.finish(scene.result(TWO, F))
    assert made.rows[TWO.key].regressed


def test_the_same_reading_again_changes_nothing(board: Board) -> None:
    assert board.arrange(SUITES) == set()
    assert board.counts.take_moved() == set()


@pytest.mark.parametrize("said", [{"title": "another"}, {"tool_name": "another"}])
def test_what_a_file_says_of_all_of_its_cases_is_told_of_each(
    board: Board, said: dict[str, str]
) -> None:
    assert board.arrange((replace(FIRST, **said), SECOND)) == {ONE.key, TWO.key}


def test_a_changed_case_is_told_of_and_keeps_its_result(board: Board) -> None:
    changed = replace(ONE, description="another")
    moved = replace(TWO, line=TWO.line + 1)
    suite = with_case(FIRST, changed, moved)
    assert board.arrange((suite, SECOND)) == {ONE.key}
    assert [board.rows[one.key].case for one in (ONE, TWO)] == [changed, moved]
    assert board.rows[TWO.key].suite is suite
    assert board.rows[ONE.key].result is not None


def test_a_suite_that_was_read_anew_is_told_of(board: Board) -> None:
    suite = replace(SECOND, tool_name="another")
    assert board.arrange((FIRST, suite)) == {THREE.key, FOUR.key}
    assert board.rows[THREE.key].suite is suite
    assert board.rows[ONE.key].suite is FIRST


def test_a_suite_that_becomes_outdated_or_is_settled_is_told_of(board: Board) -> None:
    assert board.arrange(SUITES, frozenset({FIRST.id})) == {ONE.key, TWO.key}
    assert (board.counts.all.outdated, board.counts.of(FIRST.id).outdated) == (2, 2)
    assert board.arrange(SUITES, frozenset({FIRST.id})) == set()
    assert board.arrange(SUITES) == {ONE.key, TWO.key}
    assert board.counts.all.outdated == 0


def test_what_is_gone_is_told_of_and_counted_no_more(board: Board) -> None:
    board.activity.enqueue(board.rows[THREE.key])
    assert board.arrange((FIRST,)) == {THREE.key, FOUR.key}
    assert not board.activity
    assert board.counts.all.total == 2
    assert board.results_at == 2.0, "the youngest that is left"
    assert board.arrange(()) == {ONE.key, TWO.key}
    assert board.results_at == 0.0


def test_a_case_that_stands_twice_is_one_row() -> None:
    made = Board(scene.AGENT)
    made.arrange((with_case(FIRST, ONE, ONE),))
    assert (len(made.rows), made.counts.all.total) == (1, 1)


def loaded(*cases: Case) -> ResultsLoaded:
    results = tuple(replace(scene.result(case, P), description=case.description) for case in cases)
    counts = {suite.id: {P: len(suite.cases)} for suite in SUITES}
    strips = tuple((F, P) for _ in cases)
    return ResultsLoaded(scene.AGENT, results, strips, 7, counts, 9.0)


def test_a_cached_row_shows_what_is_known_of_its_case() -> None:
    made = Board(scene.AGENT)
    suites = made.show_cached(loaded(ONE))
    assert [(suite.id, suite.cases) for suite in suites] == [(FIRST.id, ()), (SECOND.id, ())]
    (row,) = made.rows.values()
    assert (row.case.description, row.recent, row.suite) == (ONE.description, (F, P), suites[0])
    assert made.counts.of(FIRST.id).passed == len(FIRST.cases)
    assert (made.runs.number, made.results_at) == (7, 9.0)


def test_a_cached_board_waits_for_the_projects_own_results() -> None:
    made = Board(scene.AGENT)
    gone = replace(THREE, key=CaseKey(SECOND.id, "gone"))
    made.show_cached(loaded(ONE, gone))
    assert made.arrange(SUITES) == set()
    assert list(made.rows) == [ONE.key, gone.key]
    touched = made.drop_cached(SUITES, frozenset({FIRST.id}))
    assert touched == {*ALL, gone.key}
    assert not made.is_cached
    assert made.counts.all.outdated == 2
    assert (made.counts.all.total, made.counts.all.passed, made.results_at) == (4, 0, 0.0)
