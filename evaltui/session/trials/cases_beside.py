"""Cases of the project that a command did not name: they count for what a proof takes all the same.

How many cases an edit can affect, and which of them fell, is a fact about the project, whichever
of its files were named.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.case import CaseKey
from evaltui.project import Project, read_project
from evaltui.session.affected import due_case
from evaltui.session.inputs_of import InputsOf
from evaltui.session.project_state import ProjectState
from evaltui.settings.load import load_config
from evaltui.store.board import Board
from evaltui.store.row import Row


class CasesBeside:
    """Of one agent. Nothing where no files were named: then all cases are on the board."""

    def __init__(self, agent: Agent, board: Board, state: ProjectState) -> None:
        self.rows: dict[CaseKey, Row] = {}
        """As they would stand on the board, with what the history knows of them."""
        self._agent = agent
        self._board = board
        self._state = state
        self.are_counted = True
        """Whether their trials were read, which is done by whoever counts them."""
        self._of: Project | None = None
        self._whole: Project | None = None

    def project_of(self, key: CaseKey) -> Project:
        """The one that has the suite of a case, on the board or beside it."""
        if self._whole is not None and key in self.rows:
            return self._whole
        return self._state.project

    def follow(self) -> None:
        """Read them anew where the project was read anew. On a worker thread: opens every file of
        the project. Raises HistoryError."""
        project, config = self._state.project, self._state.config
        if "evals" not in config.typed or project is self._of:
            return
        named = {"config": config.file} if config.file else {}
        evals = load_config(config.root, named).config.evals
        whole = read_project(
            replace(config, evals=evals, typed=config.typed - {"evals"}), project, frozenset()
        )
        known = self._board.rows.keys()
        found = [(one, suite) for suite in whole.suites for one in suite.cases]
        beside = [(one, suite) for one, suite in found if one.key not in known]
        keys = [one.key for one, _ in beside]
        last = self._state.record.history.last_results(self._agent.name, keys)
        results = {result.key: result for result in last.results}
        inputs_of = InputsOf(whole, self._agent)
        self.rows = {}
        for case, suite in beside:
            result = results.get(case.key)
            due = due_case(case, suite, result, inputs_of)
            self.rows[case.key] = Row(case.key, case, suite, result, due=due)
        self._of, self._whole, self.are_counted = project, whole, False

    def gone(self, pinned: Iterable[CaseKey]) -> set[CaseKey]:
        """Those of them that the project does not have, and of which the pin says something."""
        board, standards = self._board.rows, self._board.standards
        away = (key for key in pinned if key not in board and key not in self.rows)
        found = ((key, standards.baseline(key)) for key in away)
        return {key for key, then in found if then is not None and then.is_standard}

    def fit(self) -> None:
        """Give them the baselines and mutes that are in force."""
        for row in self.rows.values():
            self._board.standards.fit(row)
