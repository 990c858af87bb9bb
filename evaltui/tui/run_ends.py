"""Tells panes that a run has ended, even one too short for any frame to show."""

from evaltui.store.board import Board
from evaltui.store.run_view import RunView


class RunEnds:
    """One for each pane that puts its lines in order at the end of a run."""

    def __init__(self) -> None:
        self._last: RunView | None = None

    def has_ended(self, board: Board) -> bool:
        """Whether a run of this board ended since this was last asked; one that a save broke off
        has not before what follows it."""
        if board.runs.last is None or board.runs.is_under_way or board.runs.last is self._last:
            return False
        self._last = board.runs.last
        return True
