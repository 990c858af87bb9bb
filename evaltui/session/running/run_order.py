"""Which cases of a run come first: those that most probably tell something."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from evaltui.core.agent import Agent
from evaltui.core.case import Case, CaseKey
from evaltui.core.result import FAILING
from evaltui.core.suite import Suite
from evaltui.project import Project
from evaltui.session.running.jobs import cases_of
from evaltui.store.row import Row

MOST_LIKELY = 2_000
"""Cases of which the embedded router is asked; with more of them, they stay in file order."""
_Rank: TypeAlias = tuple[bool, bool, bool, float]


def in_order(
    keys: Iterable[CaseKey], project: Project, rows: Mapping[CaseKey, Row], agent: Agent
) -> list[CaseKey]:
    """Failing ones, then those that name a changed tool, then those whose agent called it last
    time, then by what the embedded router says of it, then as before.

    Changed are tools that are others now than when the case was run last. Reads only; for any
    thread.
    """
    order = _Order(project, rows, agent)
    ranks = {case.key: order.rank(case, suite) for case, suite in cases_of(project, keys)}
    return sorted(ranks, key=ranks.__getitem__)


class _Order:
    def __init__(self, project: Project, rows: Mapping[CaseKey, Row], agent: Agent) -> None:
        self._project = project
        self._rows = rows
        # An agent that can tell is asked only what reaches it, and answers in milliseconds.
        self._asks_router = not agent.traits.is_deterministic
        self._left = MOST_LIKELY
        self._likelihoods: dict[frozenset[str], object] = {}

    def rank(self, case: Case, suite: Suite) -> _Rank:
        row = self._rows.get(case.key)
        result = row.result if row is not None else None
        if result is None:
            return True, True, True, 0.0
        inputs = result.inputs
        found = self._project.tool_prints.changes_since(inputs.all_tools) or ()
        changed = frozenset(change.tool for change in found)
        names = bool(changed) and not changed.isdisjoint(self._project.mentioned(case, suite))
        called = not changed.isdisjoint(inputs.called)
        is_unclear = bool(changed) and not (names or called)
        likely = self._likelihood(case.message, changed) if is_unclear else 0.0
        return result.status not in FAILING, not names, not called, -likely

    def _likelihood(self, message: str, changed: frozenset[str]) -> float:
        if not self._asks_router or self._left <= 0:
            return 0.0
        self._left -= 1
        from evaltui.agents.embedded.likelihood import Likelihood

        known = self._likelihoods.get(changed)
        if not isinstance(known, Likelihood):
            tools = (self._project.registry.get(name) for name in sorted(changed))
            known = self._likelihoods[changed] = Likelihood(t for t in tools if t is not None)
        return known.of(message)
