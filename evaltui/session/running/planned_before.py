"""Results of cases that were run because of what they had come to: those were not planned."""

from msgspec.structs import replace

from evaltui.core.former_prints import HasFormerPrints
from evaltui.core.result import CaseResult
from evaltui.disk.history.shared_inputs import SamePrints, is_alike
from evaltui.store.board import Board


class PlannedBefore:
    """Asks of each such result, before it is on the board, what that has of its case."""

    def __init__(self, board: Board, cases: HasFormerPrints) -> None:
        self._board, self._prints = board, SamePrints(cases)

    def of(self, result: CaseResult) -> CaseResult:
        """It was chosen by what it came to: with the same inputs that stays what was planned of it,
        if it was judged at all."""
        row = self._board.rows.get(result.key)
        before = row.result if row is not None else None
        if before is None or not before.as_planned.judged.count:
            return result
        if not is_alike(self._prints.of(before.inputs), self._prints.of(result.inputs)):
            return result
        return replace(result, planned=before.as_planned)
