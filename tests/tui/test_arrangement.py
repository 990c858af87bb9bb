"""Which lines there are, and how the cursor finds the next one that failed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.events import ProjectRead
from evaltui.core.result import CaseStatus
from evaltui.store.board import Board
from evaltui.store.counts import Counts
from evaltui.store.row import Row
from evaltui.store.store import Store
from evaltui.tui.arranged_lines import name_of
from evaltui.tui.arrangement import Arrangement
from evaltui.tui.column_needs import ColumnNeeds
from evaltui.tui.filter import parse
from evaltui.tui.render.case_columns import Needs
from evaltui.tui.render.clip import width_of
from evaltui.tui.suite_parts import SuitePart
from evaltui.tui.view import View
from tests.tui import scene

P = CaseStatus.PASSED


def arranged(*, is_grouped: bool = False) -> Arrangement:
    store = Store()
    for event in scene.opened(scene.suites(48)):
        store.handle(event)
    arrangement = Arrangement()
    arrangement.is_grouped = is_grouped
    arrangement.sort(store.boards[scene.AGENT], ())
    return arrangement


def test_problems_are_gone_through_in_both_directions_and_round() -> None:
    arrangement = arranged()
    failed = [line.key for line in arrangement.lines if isinstance(line, Row) and line.is_failing]
    assert len(failed) > 2
    for of, step, wanted in ((0, 1, 1), (1, -1, 0), (-1, 1, 0), (0, -1, -1)):
        index = arrangement.index_of(failed[of])
        assert arrangement.next_problem(index, step) == failed[wanted]


def test_without_problems_there_is_no_next() -> None:
    arrangement = arranged()
    arrangement.lines = [
        line for line in arrangement.lines if isinstance(line, Row) and not line.is_failing
    ]
    assert arrangement.next_problem(0, 1) is None
    arrangement.lines = []
    assert arrangement.next_problem(0, 1) is None


def test_a_range_is_the_same_from_both_ends_and_leaves_headings_out() -> None:
    arrangement = arranged(is_grouped=True)
    keys = arrangement.keys_between(0, 3)
    assert keys == arrangement.keys_between(3, 0)
    assert keys == tuple(line.key for line in arrangement.lines[:4] if isinstance(line, Row))
    assert len(keys) == 2


def test_the_title_counts_what_is_left_out() -> None:
    arrangement, counts = arranged(), Counts.of((), not_run=48)
    assert arrangement.title(counts) == "48"
    arrangement.suite = arrangement.keys[0].suite
    del arrangement.lines[5:]
    assert arrangement.title(counts) == "5/48"


@pytest.mark.parametrize(
    ("narrowed", "view", "title"),
    [
        ("", View.ALL, "48, 8 folded"),
        ("get-weather", View.ALL, "16/48, 8 folded"),
        ("", View.PROBLEMS, "9/48 problems, 2 folded"),
    ],
)
def test_a_fold_narrows_nothing_and_is_told_apart_from_what_does(
    narrowed: str, view: View, title: str
) -> None:
    store = Store()
    for event in scene.opened(scene.suites(48)):
        store.handle(event)
    arrangement, board = arranged(is_grouped=True), store.boards[scene.AGENT]
    arrangement.filter, arrangement.view = parse(narrowed), view
    first = scene.suites(48)[0].id
    for line in arrangement.lines:
        if isinstance(line, SuitePart) and line.suite.id == first:
            assert arrangement.fold(line, is_folded=True) == line.id
    arrangement.sort(board, ())
    assert arrangement.title(Counts.of((), not_run=48)) == title
    last = len(arrangement.lines) - 1
    shown = title.split("/")[0].split(",")[0]
    assert arrangement.position(last, 48) in ("", f"{shown}/{shown}")


def test_the_first_case_is_below_its_heading() -> None:
    assert arranged().first_case == 0
    assert arranged(is_grouped=True).first_case == 1


def test_the_position_counts_cases_and_no_headings() -> None:
    assert arranged().position(16, 48) == "17/48"
    grouped = arranged(is_grouped=True)
    assert grouped.position(0, 48) == ""
    assert (grouped.position(1, 48), grouped.position(10, 48)) == ("1/48", "7/48")


def test_an_order_that_is_kept_is_that_of_the_last_sorting() -> None:
    store = Store()
    for event in scene.opened(scene.suites(48)):
        store.handle(event)
    board = store.boards[scene.AGENT]
    arrangement = Arrangement()
    arrangement.sort(board, ())
    before = arrangement.keys
    for event in scene.run(scene.cases_of(scene.suites(48)), done=20):
        store.handle(event)
    for is_grouped in (True, False):
        arrangement.is_grouped = is_grouped
        arrangement.sort(board, (), keeps_order=True)
    assert arrangement.keys == before
    arrangement.sort(board, ())
    assert arrangement.keys != before


EDITS = st.tuples(
    st.integers(0, 7), st.sampled_from(["", "a", "東京-longer-than-all-others"]), st.booleans()
)


@settings(max_examples=8, deadline=None)
@given(st.lists(EDITS, min_size=2, max_size=5))
def test_after_any_saves_index_and_columns_are_those_of_the_lines(
    edits: list[tuple[int, str, bool]],
) -> None:
    """What is kept from one order to the next is what a list made from nothing would have."""
    store, suites = Store(), scene.suites(12, 3)
    for event in scene.opened(suites):
        store.handle(event)
    board = store.boards[scene.AGENT]
    whole, grouped, by_save, of_suite, filtered, viewed = (Arrangement() for _ in range(6))
    grouped.is_grouped = by_save.is_by_save = True
    of_suite.suite, filtered.filter = suites[1].id, parse("get-weather")
    viewed.view = View.PROBLEMS
    arrangements = (whole, grouped, by_save, of_suite, filtered, viewed)
    for arrangement in arrangements:
        arrangement.sort(board, ())
    for place, name, is_run in edits:
        at = place % 3
        cases = [*suites[at].cases]
        if name:
            cases.append(replace(cases[0], key=CaseKey(suites[at].id, f"{name}-{len(cases)}")))
        elif len(cases) > 1:
            del cases[place % len(cases)]
        suites = (*suites[:at], replace(suites[at], cases=tuple(cases)), *suites[at + 1 :])
        store.handle(ProjectRead(suites, scene.registry(), (), ("evals/a.json",)))
        if is_run:
            for event in scene.run(scene.cases_of(suites)[place:]):
                store.handle(event)
        for arrangement in arrangements:
            arrangement.sort(board, (), keeps_order=not is_run)
            says_suite = arrangement is grouped or arrangement is of_suite
            check_kept(arrangement, board, is_suite_shown=says_suite)


def check_kept(arrangement: Arrangement, board: Board, *, is_suite_shown: bool) -> None:
    shown = {name_of(line): index for index, line in enumerate(arrangement.lines)}
    assert all(arrangement.index_of(name) == index for name, index in shown.items())
    assert all(arrangement.index_of(key) == -1 for key in board.rows.keys() - shown.keys())
    rows = [line for line in arrangement.lines if isinstance(line, Row)]
    assert arrangement.needs == Needs(
        max((width_of(row.key.case) for row in rows), default=0),
        0 if is_suite_shown else max((width_of(row.suite.short_name) for row in rows), default=0),
        max((len(row.recent) for row in rows if len(row.recent) > 1), default=0),
    )


def test_a_strip_of_verdicts_has_a_column_from_two_on() -> None:
    store = Store()
    for event in scene.opened(scene.suites(48)):
        store.handle(event)
    board = store.board(scene.AGENT)
    row = next(iter(board.rows.values()))
    for strip, cells in (((P,), 0), ((P, P), 2), ((P,) * 5, 5)):
        needs = ColumnNeeds().of([replace(row, recent=strip)], board, is_suite_shown=True)
        assert needs.recent == cells
