"""Why an agent gave no answers: counted as results come and go, by its own account."""

from collections import Counter
from collections.abc import Collection

from msgspec import Struct, field

from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.store.row import Row

DOWN = "agent-down"
"""Code of the problem that it answers nobody, as far as is known."""
FAULT = "agent-fault"
"""Code of the problem that it gave one case no answer, and others one: that may be the case's."""
_CATEGORIES = frozenset({"agent_error", "auth"})
"""Errors of an agent that gave no answer; the others are about an answer."""


class AgentFaults(Struct):
    """Of one agent: each fault with the number of its cases, until the agent answers again."""

    is_changed: bool = False
    """Whether another fault or number is to be told since this was last set to false."""
    _said: dict[CaseKey, tuple[str, float]] = field(default_factory=dict)
    """With the time of the result, in seconds since the epoch."""
    _cases: Counter[str] = field(default_factory=Counter)
    _answered_at: float = 0.0
    """When the agent answered last; faults before are over, whichever cases keep their error."""

    def update(self, row: Row) -> None:
        """Take note of a row whose result or mute is another."""
        now, at = _fault(row), row.result.finished_at if row.result else 0.0
        if at < self._answered_at:
            now = ""
        if now == self._said.get(row.key, ("", 0.0))[0]:
            if now:
                self._said[row.key] = now, at
            return
        self.remove(row.key)
        if now:
            self._said[row.key] = now, at
            self._cases[now] += 1
            self.is_changed = True

    def remove(self, key: CaseKey) -> None:
        """Forget a case."""
        if key in self._said:
            self._cases[self._said.pop(key)[0]] -= 1
            self.is_changed = True

    def hear(self, result: CaseResult) -> None:
        """Take note of what the agent was asked for: an answer ends the faults before it."""
        answered_at = _answered_at(result)
        if answered_at > self._answered_at:
            self.is_changed |= not self._answered_at and bool(self._said)
            self._answered_at = answered_at
            for key in [key for key, (_, at) in self._said.items() if at < answered_at]:
                self.remove(key)

    def like(self, key: CaseKey) -> int:
        """How many cases have the fault that this one has; 0 where it has none that stands."""
        said = self._said.get(key)
        return self._cases[said[0]] if said is not None else 0

    @property
    def is_down(self) -> bool:
        """Whether it answers nobody, as far as is known: none ever, or several cases in a row."""
        return bool(self._said) and (not self._answered_at or len(self._said) > 1)

    def is_down_for(self, key: CaseKey) -> bool:
        """Whether it is down and this case is one of those that got no answer for it."""
        return key in self._said and self.is_down

    def is_down_for_all(self, keys: Collection[CaseKey]) -> bool:
        """Whether these are several cases, and it is down for each of them."""
        return self.is_down and len(keys) > 1 and all(key in self._said for key in keys)

    def problems(self, agent: str) -> tuple[Problem, ...]:
        """One for each fault, the most frequent first."""
        found = [(said, cases) for said, cases in self._cases.most_common() if cases]
        code = DOWN if self.is_down else FAULT
        return tuple(_problem(agent, said, cases, code) for said, cases in found)


def _fault(row: Row) -> str:
    result = row.result
    if row.muted or result is None or result.status is not CaseStatus.ERROR:
        return ""
    return result.error if result.category in _CATEGORIES else ""


def _answered_at(result: CaseResult) -> float:
    """0.0 for a result that brought no answer, or one from a recording."""
    if not result.has_run or result.category in _CATEGORIES:
        return 0.0
    is_live = result.response is None or result.response.source == "live"
    return result.finished_at if is_live else 0.0


def _problem(agent: str, said: str, cases: int, code: str) -> Problem:
    """`agent: connection refused by `localhost:3000`. Start it.` as what and what to do."""
    what, _, hint = said.removeprefix("agent: ").partition(". ")
    number = "1 case" if cases == 1 else f"{cases:,} cases"
    return Problem("", f"`{agent}`: {what.rstrip('.')}, {number}", hint, code=code)
