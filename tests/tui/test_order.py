"""Order of the rows."""

from evaltui.core.suite import Suite
from evaltui.store.board import Board
from evaltui.store.row import Row
from evaltui.store.store import Store
from evaltui.tui.order import RANK, arrange
from tests.tui import scene


def board_of(count: int) -> Board:
    store = Store()
    for event in scene.opened(scene.suites(count)):
        store.handle(event)
    return store.board(scene.AGENT)


def test_worst_first_in_file_order_among_equals() -> None:
    board = board_of(48)
    rows = [line for line in arrange(board) if isinstance(line, Row)]
    places = {key: index for index, key in enumerate(board.rows)}
    marks = [(RANK[row.status], places[row.key]) for row in rows]
    assert marks == sorted(marks)
    assert len(rows) == 48


def test_grouped_rows_follow_their_heading() -> None:
    board = board_of(48)
    lines = arrange(board, is_grouped=True, folded={scene.suites(48)[1].id})
    heading = ""
    for line in lines:
        if isinstance(line, Suite):
            heading = line.id
        else:
            assert line.key.suite == heading
    assert sum(isinstance(line, Suite) for line in lines) == 6
    assert sum(isinstance(line, Row) for line in lines) == 40
