"""Why an agent gave no answers: counted as results come and go, by what it said of itself."""

from collections import Counter

from msgspec import Struct, field

from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.store.row import Row

DOWN = "agent-down"
"""Code of the problem."""
_CATEGORIES = frozenset({"agent_error", "auth"})
"""Errors of an agent that gave no answer; the others are about an answer."""


class AgentFaults(Struct):
    """Of one agent: each fault with the number of its cases."""

    is_changed: bool = False
    """Whether another fault or number is to be told since this was last set to false."""
    _said: dict[CaseKey, str] = field(default_factory=dict)
    _cases: Counter[str] = field(default_factory=Counter)

    def update(self, row: Row) -> None:
        """Take note of a row whose result is another."""
        now = _fault(row.result)
        if now != self._said.get(row.key, ""):
            self.remove(row.key)
            if now:
                self._said[row.key] = now
                self._cases[now] += 1
                self.is_changed = True

    def remove(self, key: CaseKey) -> None:
        """Forget a case."""
        before = self._said.pop(key, "")
        if before:
            self._cases[before] -= 1
            self.is_changed = True

    def problems(self, agent: str) -> tuple[Problem, ...]:
        """One for each fault, the most frequent first."""
        return tuple(
            _problem(agent, said, cases) for said, cases in self._cases.most_common() if cases
        )


def _fault(result: CaseResult | None) -> str:
    if result is None or result.status is not CaseStatus.ERROR:
        return ""
    return result.error if result.category in _CATEGORIES else ""


def _problem(agent: str, said: str, cases: int) -> Problem:
    """`agent: connection refused by `localhost:3000`. Start it.` as what and what to do."""
    what, _, hint = said.removeprefix("agent: ").partition(". ")
    number = "1 case" if cases == 1 else f"{cases:,} cases"
    return Problem("", f"`{agent}`: {what.rstrip('.')}, {number}", hint, code=DOWN)
