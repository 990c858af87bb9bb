"""Order of the rows, and counts by suite."""

from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.suite import Suite
from evaltui.store.board import Board
from evaltui.store.row import Row
from evaltui.store.store import Store
from evaltui.tui.order import RANK, arrange
from evaltui.tui.tally import Tally
from tests.tui import scene


def board_of(count: int) -> tuple[Store, Board, Tally]:
    store = Store()
    for event in scene.opened(scene.suites(count)):
        store.handle(event)
    board = store.board(scene.AGENT)
    tally = Tally()
    tally.rebuild(board)
    return store, board, tally


def test_worst_first_in_file_order_among_equals() -> None:
    _, board, tally = board_of(48)
    rows = [line for line in arrange(board, tally) if isinstance(line, Row)]
    places = {key: index for index, key in enumerate(board.rows)}
    marks = [(RANK[row.status], places[row.key]) for row in rows]
    assert marks == sorted(marks)
    assert len(rows) == 48


def test_grouped_rows_follow_their_heading() -> None:
    _, board, tally = board_of(48)
    lines = arrange(board, tally, is_grouped=True, folded={scene.suites(48)[1].id})
    heading = ""
    for line in lines:
        if isinstance(line, Suite):
            heading = line.id
        else:
            assert line.key.suite == heading
    assert sum(isinstance(line, Suite) for line in lines) == 6
    assert sum(isinstance(line, Row) for line in lines) == 40


@given(st.lists(st.integers(0, 47), max_size=60))
def test_counts_kept_are_counts_made_anew(picks: list[int]) -> None:
    store, board, tally = board_of(48)
    cases = scene.cases_of(store.suites)
    for pick in picks:
        reader = store.reader()
        for event in scene.run([cases[pick], cases[(pick * 7) % 48]]):
            store.handle(event)
        changes, _ = store.drain(reader)
        tally.update(board, changes.rows[scene.AGENT])
    anew = Tally()
    anew.rebuild(board)
    assert (tally.counts, tally.stale) == (anew.counts, anew.stale)
