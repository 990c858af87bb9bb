"""What trials say more of a case is shown; counted again it is only where its marks change."""

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.events import EvidenceWeighed
from evaltui.core.proof import Proof
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.store.board import Board
from evaltui.store.board_counts import BoardCounts
from evaltui.store.row import Row
from tests.tui import scene

AGENT = scene.AGENT


@pytest.fixture
def board() -> Board:
    board = Board(AGENT)
    board.arrange(scene.suites(2))
    for event in scene.run(scene.cases_of(scene.suites(2))):
        if hasattr(event, "result"):
            board.finish(event.result)
    return board


def weigh(board: Board, key: CaseKey, passes: int, failures: int = 0) -> set[CaseKey]:
    proof = Proof(key, TwoSides(Trials(passes, failures)))
    return board.weigh(EvidenceWeighed(AGENT, (proof,), 0, False))


def test_only_a_mark_that_changes_is_counted(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[CaseKey] = []
    update = BoardCounts.update

    def noted(self: BoardCounts, row: Row) -> None:
        counted.append(row.key)
        update(self, row)

    monkeypatch.setattr(BoardCounts, "update", noted)
    key = next(iter(board.rows))
    assert weigh(board, key, 1) == {key}
    assert weigh(board, key, 2) == {key}
    assert weigh(board, key, 2) == set(), "nothing else is known"
    assert (counted, board.counts.all.flaky) == ([], 0)
    assert weigh(board, key, 2, 1) == {key}
    assert (counted, board.counts.all.flaky) == ([key], 1)
