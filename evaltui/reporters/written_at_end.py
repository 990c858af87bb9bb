"""Reports that are written when everything has run."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TextIO

from evaltui.core.case import CaseKey
from evaltui.core.events import Event, ProjectRead, RunFinished, RunStarted
from evaltui.core.paired_runs import PairedRuns, against_first
from evaltui.core.result import CaseResult
from evaltui.core.suite import Suite
from evaltui.reporters.baseline_marks import BaselineMarks
from evaltui.reporters.carried import cases_that_ran, is_carried
from evaltui.reporters.muted_failures import Mutes


class WrittenAtEnd(ABC):
    """Remembers the runs until `close`, which writes the report to `out`."""

    hears = frozenset({ProjectRead, RunStarted, RunFinished}) | Mutes.hears | BaselineMarks.hears

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._mutes = Mutes()
        self._marks = BaselineMarks()
        self._suites: dict[str, Suite] = {}
        self._order: tuple[str, ...] = ()
        self._by_agent: dict[str, RunFinished] = {}
        self._resumed: dict[str, frozenset[CaseKey]] = {}

    def handle(self, event: Event) -> None:
        self._mutes.handle(event)
        self._marks.handle(event)
        if isinstance(event, RunFinished):
            self._by_agent.pop(event.agent, None)
            self._by_agent[event.agent] = event
        elif isinstance(event, RunStarted):
            self._resumed[event.agent] = frozenset(event.resumed)
        elif isinstance(event, ProjectRead):
            self._suites = {suite.id: suite for suite in event.suites}
            self._order = event.agents

    @property
    def _runs(self) -> list[RunFinished]:
        """The last one of each agent, which tells all of it, in the order in which they ended."""
        return [*self._by_agent.values()]

    def _told_apart(self, said: str, agent: str) -> str:
        """With the agent's name where there are several: each ran the same suites and cases."""
        return f"{said} · {agent}" if len(self._by_agent) > 1 else said

    def _side_by_side(self) -> Iterator[tuple[str, str, PairedRuns]]:
        """Each other agent of the runs and the first one: both names, and what they came to."""
        asked = [agent for agent in self._order if agent in self._by_agent] or [*self._by_agent]
        found: dict[str, dict[CaseKey, CaseResult]] = {}
        for agent in asked:
            cases = [case for suite in self._by_agent[agent].suites for case in suite.cases]
            ran = cases_that_ran(cases, self._resumed_of(agent))
            found[agent] = {case.key: case for case in ran}
        return against_first(found, self._suites.values(), self._mutes.names)

    @abstractmethod
    def close(self) -> None: ...

    def _is_carried(self, result: CaseResult) -> bool:
        """Whether it is of an earlier run, and not of one that this run went on with."""
        return is_carried(result, self._resumed_of(result.agent))

    def _resumed_of(self, agent: str) -> frozenset[CaseKey]:
        """What the run that this one went on with had finished."""
        return self._resumed.get(agent, frozenset())

    def _line_of(self, key: CaseKey) -> int:
        """1-based line of the case in its eval file; 0 when unknown."""
        suite = self._suites.get(key.suite)
        if suite is None:
            return 0
        return next((case.line for case in suite.cases if case.key == key), 0)
