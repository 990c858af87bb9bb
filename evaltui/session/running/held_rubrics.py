"""Rubrics, run after the deterministic cases of their tool and only if those pass."""

from collections.abc import Container, Mapping, Sequence

from evaltui.core.case import Case, CaseKey
from evaltui.core.outcome import Outcome
from evaltui.core.result import FAILING
from evaltui.core.suite import Suite
from evaltui.formats.naming import case_tools, snake_case, suite_tools
from evaltui.judging.judge import HELD, held_back
from evaltui.project import Project
from evaltui.session.running.jobs import cases_of
from evaltui.store.board import Board
from evaltui.store.row import Row


def split_rubrics(
    project: Project, keys: Sequence[CaseKey]
) -> tuple[tuple[CaseKey, ...], tuple[CaseKey, ...]]:
    """The cases that take no model but the agent, and those that take one, each in its order."""
    judged = {case.key for case, _ in cases_of(project, keys) if case.takes_model}
    if not judged:
        return tuple(keys), ()
    first = tuple(key for key in keys if key not in judged)
    return first, tuple(key for key in keys if key in judged)


class HeldRubrics:
    """By the results that are known when it is asked: those of this run, and of earlier ones."""

    def __init__(
        self, project: Project, rows: Mapping[CaseKey, Row], muted: Container[str]
    ) -> None:
        """`muted`: `suite::case` of those whose failures do not count."""
        self._project = project
        self._rows = rows
        self._muted = muted
        self._of_suite: dict[str, tuple[str, ...]] = {}
        self._failing: dict[frozenset[str], CaseKey | None] = {}

    def __call__(self, case: Case, suite: Suite) -> Outcome | None:
        """Not run, with the first deterministic case of the same tool that did not pass."""
        if not case.takes_model:
            return None
        tools = self._about(suite, case)
        if tools not in self._failing:
            self._failing[tools] = self._first_failing(tools)
        failing = self._failing[tools]
        return None if failing is None else held_back(failing)

    def _first_failing(self, tools: frozenset[str]) -> CaseKey | None:
        """`None` also for a case that is about no tool: it waits for nobody."""
        for suite in self._project.suites:
            if not tools & self._tools(suite):
                continue
            for case in suite.cases:
                row = self._rows.get(case.key)
                result = None if row is None else row.result
                # No rubric waits for another one, nor for one that cannot be judged.
                if case.body.takes_model or result is None or result.status not in FAILING:
                    continue
                if str(case.key) not in self._muted and tools & self._about(suite, case):
                    return case.key
        return None

    def _tools(self, suite: Suite) -> frozenset[str]:
        if suite.id not in self._of_suite:
            self._of_suite[suite.id] = tuple(snake_case(name) for name in suite_tools(suite))
        return frozenset(self._of_suite[suite.id])

    def _about(self, suite: Suite, case: Case) -> frozenset[str]:
        return self._tools(suite) & frozenset(case_tools(self._of_suite[suite.id], case.id))


def free_rubrics(project: Project, board: Board, muted: Container[str]) -> list[CaseKey]:
    """Those that waited for other cases, and that none is in the way of any more."""
    waiting = [
        case.key
        for suite in project.suites
        if (of_suite := board.counts.of(suite.id)).nothing_asserted or of_suite.muted
        for case in suite.cases
        if (row := board.rows.get(case.key)) and row.result and row.result.category == HELD
    ]
    held = HeldRubrics(project, board.rows, muted)
    return [case.key for case, suite in cases_of(project, waiting) if not held(case, suite)]
