"""Conversations of ours that were held, each by an id of its own, as far as history knows them."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from msgspec import Struct

from evaltui.core.case import Case, CaseKey, ScenarioCase
from evaltui.core.json_value import Json
from evaltui.core.result import CaseResult
from evaltui.disk.history_queries import HistoryEntry
from evaltui.scenarios.run_output import run_json


class KnownHistory(Protocol):
    """What is asked of the history of a project."""

    def agents(self) -> tuple[str, ...]: ...
    def entries(self, key: CaseKey, agent: str) -> list[HistoryEntry]: ...
    def whole(self, key: CaseKey, run_id: str) -> CaseResult | None: ...


class KnownConversation(Struct, frozen=True):
    """One scenario in one run."""

    case: Case
    agent: str
    entry: HistoryEntry

    def told(self) -> dict[str, Json]:
        """In EvalStudio's shape, without what was said."""
        entry = self.entry
        light = CaseResult(
            self.case.key,
            entry.run_id,
            self.agent,
            entry.status,
            duration_ms=entry.duration_ms,
            error=entry.error,
            finished_at=entry.finished_at,
        )
        return self._json(light)

    def result(self, history: KnownHistory) -> CaseResult | None:
        """All that is kept of it; `None` when nothing is any more."""
        found = history.whole(self.case.key, self.entry.run_id)
        return found if found is not None and found.agent == self.agent else None

    def whole(self, history: KnownHistory) -> dict[str, Json]:
        """With messages and output, as far as they are kept."""
        result = self.result(history)
        return self.told() if result is None else self._json(result)

    def _json(self, result: CaseResult) -> dict[str, Json]:
        return run_json(self.case, result) | {"executionId": self.entry.number}


def known_conversations(
    history: KnownHistory, cases: Iterable[Case]
) -> Iterator[KnownConversation]:
    """Of those cases that are scenarios, the last ones with each agent."""
    for case in cases:
        if isinstance(case.body, ScenarioCase):
            for agent in history.agents():
                for entry in history.entries(case.key, agent):
                    yield KnownConversation(case, agent, entry)
