"""Reports that are written when everything has run."""

from abc import ABC, abstractmethod
from typing import TextIO

from evaltui.core.case import CaseKey
from evaltui.core.events import Event, ProjectRead, RunFinished
from evaltui.core.suite import Suite
from evaltui.reporters.muted_failures import Mutes


class WrittenAtEnd(ABC):
    """Remembers the runs until `close`, which writes the report to `out`."""

    hears = frozenset({ProjectRead, RunFinished}) | Mutes.hears

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._mutes = Mutes()
        self._suites: dict[str, Suite] = {}
        self._runs: list[RunFinished] = []
        """One for each agent, in the order in which they ended."""

    def handle(self, event: Event) -> None:
        self._mutes.handle(event)
        if isinstance(event, RunFinished):
            self._runs.append(event)
        elif isinstance(event, ProjectRead):
            self._suites = {suite.id: suite for suite in event.suites}

    @abstractmethod
    def close(self) -> None: ...

    def _line_of(self, key: CaseKey) -> int:
        """1-based line of the case in its eval file; 0 when unknown."""
        suite = self._suites.get(key.suite)
        if suite is None:
            return 0
        return next((case.line for case in suite.cases if case.key == key), 0)
