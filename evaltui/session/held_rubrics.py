"""Rubrics run after the deterministic cases of their tool, and only when those pass."""

from collections.abc import Container, Mapping, Sequence

from evaltui.core.case import Case, CaseKey, Tier
from evaltui.core.result import CaseStatus, Outcome
from evaltui.core.suite import Suite
from evaltui.formats.naming import snake_case
from evaltui.judging.judge import held_back
from evaltui.kinds import asks_judge
from evaltui.project import Project
from evaltui.session.jobs import cases_of
from evaltui.store.row import Row

_IN_THE_WAY = frozenset({CaseStatus.FAILED, CaseStatus.ERROR})


def split_rubrics(
    project: Project, keys: Sequence[CaseKey]
) -> tuple[tuple[CaseKey, ...], tuple[CaseKey, ...]]:
    """The cases that no model judges, and those that one does, each in its order."""
    judged = {case.key for case, _ in cases_of(project, keys) if asks_judge(case)}
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
        self._failing: dict[str, CaseKey | None] = {}

    def __call__(self, case: Case, suite: Suite) -> Outcome | None:
        """Not run, with the first deterministic case of the same tool that did not pass."""
        tool = snake_case(suite.tool_name)
        if tool not in self._failing:
            self._failing[tool] = self._first_failing(tool)
        failing = self._failing[tool]
        if failing is None or not tool or not asks_judge(case):
            return None  # a file that is about no tool waits for nobody
        return held_back(failing)

    def _first_failing(self, tool: str) -> CaseKey | None:
        for suite in self._project.suites:
            if suite.tier is Tier.RUBRIC or snake_case(suite.tool_name) != tool:
                continue
            for case in suite.cases:
                row = self._rows.get(case.key)
                result = None if row is None else row.result
                if asks_judge(case) or result is None or result.status not in _IN_THE_WAY:
                    continue
                if str(case.key) not in self._muted:
                    return case.key
        return None
