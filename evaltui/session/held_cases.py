"""Cases that are due and wait until somebody agrees to what they cost."""

from collections.abc import Collection, Iterable, Set

from evaltui.core.agent import Agent
from evaltui.core.case import CaseKey
from evaltui.kinds import asks_judge
from evaltui.session.cases_to_run import CasesToRun
from evaltui.session.due_cases import DueCases
from evaltui.session.money.free_agent import is_free
from evaltui.session.money.spending import Cause, Spending
from evaltui.store.board import Board


class HeldCases:
    """Of one agent."""

    def __init__(
        self, agent: Agent, board: Board, due: DueCases, to_run: CasesToRun, spending: Spending
    ) -> None:
        self._agent, self._board = agent, board
        self._due, self._to_run, self._spending = due, to_run, spending
        self._refused: frozenset[CaseKey] = frozenset()
        """Due since the last save, and neither run nor judged before somebody agrees to it."""

    def clear(self) -> None:
        """Another save decides what is held."""
        self._refused = frozenset()

    def part_judged(
        self, cause: Cause, to_judge: list[CaseKey]
    ) -> tuple[list[CaseKey], list[CaseKey]]:
        """Kept answers that may be judged again now, and those too dear for that, which are held.

        Nobody is asked for that but a judge, and it as little as an agent before it may be.
        """
        judged = {key for key in to_judge if asks_judge(self._board.rows[key].case)}
        if self._spending.may_judge(cause, self._agent, self._board, judged):
            return to_judge, []
        self._refused |= judged
        return (
            [key for key in to_judge if key not in judged],
            [key for key in to_judge if key in judged],
        )

    def allowed(
        self, cause: Cause, wanted: Collection[CaseKey], on: Set[CaseKey], queued: Set[CaseKey]
    ) -> dict[CaseKey, None] | None:
        """Those of the `wanted` that may be run now, `None` when none may; the others are held.

        `on` are run already, and `queued` wait for their turn.
        """
        due = self._spending.allowed(cause, self._agent, self._board, wanted)
        if due is None:
            self._tell(self._refused | self._to_run.at_all().keys())
        else:
            self._refused |= frozenset(wanted) - due.keys()
            self._tell(self._waiting(due.keys() | on, queued))
        return due

    def begin_run(self, pending: Set[CaseKey], queued: Set[CaseKey], *, is_saved: bool) -> None:
        """Who asks for a run was shown what is due; a save leaves what it did not affect."""
        self._tell(self._waiting(pending, queued) if is_saved else ())

    def end_run(self, held: Iterable[CaseKey]) -> None:
        """A run is over that was not to ask for all of what it was about."""
        self._refused = self._refused.union(held).intersection(self._due.keys)
        self._tell(self._refused)

    def release(self) -> None:
        """Nothing is held for its cost: nothing may run here at all."""
        self._tell(())

    def _waiting(self, asked: Set[CaseKey], queued: Set[CaseKey]) -> Set[CaseKey]:
        """Cases that are due, but for those that are `asked` and those of requests."""
        waiting: Set[CaseKey] = self._refused & self._due.keys
        free = is_free(self._agent, self._board)
        dear = self._to_run.expensive() if free else frozenset[CaseKey]()
        if dear or not free:
            due = self._to_run.at_all().keys() - queued
            waiting |= due & dear if free else due
        return waiting - asked

    def _tell(self, cases: Collection[CaseKey]) -> None:
        self._spending.budgets.hold(self._agent.name, len(cases))
