"""What a report needs to remember of a run: suites, results in file order, comparisons."""

from evaltui.core.baseline import Comparison
from evaltui.core.case import CaseKey
from evaltui.core.events import BaselineCompared, CaseFinished, Event, ProjectRead, RunFinished
from evaltui.core.result import CaseResult, SuiteResult
from evaltui.core.suite import Suite


class Tally:
    """Collects one or several runs; runs of several agents are kept apart by agent name."""

    def __init__(self) -> None:
        self.suites: dict[str, Suite] = {}
        self.runs: list[RunFinished] = []
        self.comparisons: dict[str, tuple[Comparison, ...]] = {}
        self.results: dict[tuple[str, CaseKey], CaseResult] = {}
        """Results of this run, by agent and case."""

    def handle(self, event: Event) -> None:
        match event:
            case ProjectRead(suites):
                self.suites = {suite.id: suite for suite in suites}
            case CaseFinished(_, result):
                self.results[result.agent, result.key] = result
            case BaselineCompared(_, agent, comparisons):
                self.comparisons[agent] = comparisons
            case RunFinished():
                self.runs.append(event)
            case _:
                pass

    @property
    def suite_results(self) -> list[SuiteResult]:
        return [suite for run in self.runs for suite in run.suites]

    def line_of(self, key: CaseKey) -> int:
        """1-based line of the case in its eval file; 0 when unknown."""
        suite = self.suites.get(key.suite)
        if suite is None:
            return 0
        return next((case.line for case in suite.cases if case.key == key), 0)
