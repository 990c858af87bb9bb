"""What a run is prepared from, and what was wrong with it."""

from evaltui.core.config import Config
from evaltui.core.errors import Problem, UserError
from evaltui.core.json_value import Json
from evaltui.disk.history.history_file import HistoryError
from evaltui.project import trusted_snapshot
from evaltui.runner import run_problems
from evaltui.session.project_state import ProjectState
from evaltui.store.board import Board


class RunPreparation:
    """What cannot be had does not keep the run from beginning."""

    def __init__(self, config: Config, state: ProjectState, board: Board) -> None:
        self._config, self._board = config, board
        self._history, self._events = state.record.history, state.events
        self._found: list[Problem] = []

    def next_number(self) -> int:
        try:
            return self._history.next_number()
        except HistoryError as error:  # the run goes on unrecorded, which its end tells again
            self._found.append(run_problems.not_numbered(error))
            return self._board.run_number + 1

    async def snapshot(self) -> Json:
        try:
            return await trusted_snapshot(self._config)
        except UserError as error:
            self._found.append(Problem("", error.what, error.hint, code="snapshot"))
            return None

    def tell(self) -> None:
        """After the run began: what was found before it is of the run before, and is forgotten."""
        for problem in self._found:
            self._events.report(problem)
        self._found.clear()
