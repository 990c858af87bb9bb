"""What is wrong, as far as it was told: of the project, besides, and of agents that are down."""

from collections.abc import Iterator, Mapping

from evaltui.core.errors import BUDGET_SPENT, Problem, Severity, without_lint
from evaltui.store.board import Board


class KnownProblems:
    """Those of the project, and those that were found outside its reading."""

    def __init__(self, boards: Mapping[str, Board]) -> None:
        """`boards`: all that there are, whose last results say which agents are down."""
        self._boards = boards
        self.of_project: tuple[Problem, ...] = ()
        self._sifted: tuple[Problem, ...] = ()
        self._mistakes: tuple[Problem, ...] = ()
        """Those of the project that `_sifted` was, without what lint finds."""
        self.others: list[Problem] = []
        """Found outside the reading of the project: those of the opening first, which stay; each
        other stands until a run begins after the one in which, or before which, it was found; that
        a limit of money is spent, only while it is."""
        self._of_opening: int | None = None
        """How many were found before the first run; `None` before that."""
        self._at_last_end = 0
        """How many there were when the last run ended."""

    @property
    def reported(self) -> tuple[Problem, ...]:
        """All that somebody found."""
        return (*self.of_project, *self.others)

    @property
    def shown(self) -> tuple[Problem, ...]:
        """Agents that are down too, as far as their last results say."""
        return (*self._down(), *self.reported)

    @property
    def mistakes(self) -> tuple[Problem, ...]:
        """Without what lint finds in files that can be read: it may be something in every case."""
        if self._sifted is not self.of_project:
            self._sifted = self.of_project
            self._mistakes = without_lint(self._sifted)
        return (*self._down(), *self._mistakes, *self.others)

    def count(self) -> tuple[int, bool]:
        """How many are shown, and whether one is worse than what lint finds."""
        project = self.of_project  # in order: the worst is the first
        others = [*self.others, *self._down()]
        worst = (*project[:1], *others)
        is_alert = any(problem.severity is not Severity.LINT for problem in worst)
        return len(project) + len(others), is_alert

    def begin_run(self) -> bool:
        """A run begins: what was found before the end of the one before is over. Returns whether
        anything is."""
        if self._of_opening is None:
            self._of_opening = len(self.others)
        before = len(self.others)
        del self.others[self._of_opening : self._at_last_end]
        self._at_last_end = self._of_opening
        return len(self.others) < before

    def end_run(self) -> None:
        self._at_last_end = len(self.others)

    def free(self) -> None:
        """No limit of money stands any more that ended a run."""
        for index in reversed(range(len(self.others))):
            if self.others[index].code == BUDGET_SPENT:
                del self.others[index]
                self._at_last_end -= index < self._at_last_end
                if self._of_opening is not None:
                    self._of_opening -= index < self._of_opening

    def _down(self) -> Iterator[Problem]:
        for board in self._boards.values():
            yield from board.faults.problems(board.agent)
