"""What a run is prepared from, and what was wrong with it."""

import asyncio
from collections.abc import Iterable

from evaltui.core.agent import Agent
from evaltui.core.case import CaseKey
from evaltui.core.comparison import StoodBefore
from evaltui.core.errors import Problem, UserError
from evaltui.core.events import RunStarted
from evaltui.core.json_value import Json
from evaltui.core.spent import Spent
from evaltui.disk.history.history_file import HistoryError
from evaltui.project import trusted_snapshot
from evaltui.runner import run_problems
from evaltui.session.project_state import ProjectState
from evaltui.session.running.jobs import cases_of, never_asked
from evaltui.session.running.run_order import in_order
from evaltui.session.running.run_request import RunRequest
from evaltui.session.running.suite_results import settings_of_those_asked
from evaltui.store.board import Board


class RunPreparation:
    """What cannot be had does not keep the run from beginning."""

    def __init__(self, agent: Agent, board: Board, state: ProjectState, *, has_judge: bool) -> None:
        self._agent, self._board = agent, board
        self._project, self._config = state.project, state.config
        self._record, self._events = state.record, state.events
        self._has_judge = has_judge
        self._found: list[Problem] = []

    def next_number(self) -> int:
        try:
            return self._record.history.next_number()
        except HistoryError as error:  # the run goes on unrecorded, which its end tells again
            self._found.append(run_problems.not_numbered(error))
            return self._board.runs.number + 1

    async def snapshot(self) -> Json:
        try:
            return await trusted_snapshot(self._config)
        except UserError as error:
            self._found.append(Problem("", error.what, error.hint, code="snapshot"))
            return None

    async def in_order(self, pending: Iterable[CaseKey]) -> dict[CaseKey, None]:
        """Those first that most probably tell something."""
        keys, rows = tuple(pending), self._board.rows
        if len(keys) > 1:
            found = await asyncio.to_thread(in_order, keys, self._project, rows, self._agent)
            return dict.fromkeys(found)
        return dict.fromkeys(keys)

    def started(
        self,
        run_id: str,
        request: RunRequest,
        number: int,
        cases: tuple[CaseKey, ...],
        before: tuple[StoodBefore, ...],
        eta_s: float | None,
        *,
        tries_again: bool,
    ) -> RunStarted:
        """All that the run says before it asks."""
        agent, project = self._agent, self._project
        asked = (case for case, _ in cases_of(project, cases))
        command = self._record.command
        return RunStarted(
            run_id=run_id,
            agent=agent.name,
            number=number,
            cases=cases,
            reason=request.reason,
            trigger=request.trigger,
            answers=()
            if request.trigger
            else self._board.headline.waiting.files_of(cases, self._board.rows),
            concurrency=self._config.concurrency,
            trials=request.trials,
            started_at=self._events.clock(),
            eta_s=eta_s,
            reading=project.number,
            is_rejudging=request.is_rejudging,
            settings=settings_of_those_asked(agent.traits.settings, asked),
            resumed=request.resumed,
            goes_on_from=request.goes_on_from,
            before=before,
            never_asked=never_asked(project, cases, has_judge=self._has_judge),
            is_rest=request.is_rest,
            left=request.left,
            waiting=request.waiting,
            spent=request.spent or Spent(),
            draw=request.draw,
            command=command.id if command is not None else "",
            tries_again=tries_again,
            is_repeat=request.is_repeat,
            by_outcome=tuple(k for k in (*cases, *request.left) if k in request.by_outcome),
            is_correction=request.is_correction,
            eval_id=request.eval_id,
        )

    def stood_before(
        self, request: RunRequest, cases: tuple[CaseKey, ...]
    ) -> tuple[StoodBefore, ...]:
        """What is known of the cases from before the interrupted runs. Raises HistoryError."""
        rows = self._board.rows
        if not request.goes_on_from:
            return ()
        keys = (key for key in (*request.resumed, *cases) if key in rows)
        results = {key: rows[key].result for key in keys}
        history = self._record.history
        return history.stood_before(self._agent.name, results, request.goes_on_from)

    def tell(self) -> None:
        """After the run began: what was found before it is of the run before, and is forgotten."""
        for problem in self._found:
            self._events.report(problem)
        self._found.clear()
