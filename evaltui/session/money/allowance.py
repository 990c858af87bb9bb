"""What a save may still spend by itself, as its answers show what they cost."""

from collections.abc import Collection, Iterable, Iterator

from evaltui.core.budget import Budget
from evaltui.core.case import CaseKey
from evaltui.core.result import CaseResult
from evaltui.runner.job import Job

_ROUNDING_USD = 1e-9


class Allowance:
    """Of one run that nobody asked for: an estimate let it begin, and may have been wrong."""

    def __init__(
        self, budget: Budget, most_usd: float, each_usd: float, keys: Collection[CaseKey]
    ) -> None:
        """`each_usd`: what an attempt is expected to cost, of the `keys` that cost anything."""
        self._budget = budget
        self._before_usd = budget.spent_usd
        self._most_usd = most_usd
        self._keys = frozenset(keys)
        self._begun = self._under_way = 0
        self._seen = 1
        self._seen_usd = each_usd
        self.held: dict[CaseKey, Job] = {}
        """What may not begin, in this order."""

    @property
    def spent_usd(self) -> float:
        return self._budget.spent_usd - self._before_usd

    @property
    def may_go_on(self) -> bool:
        """Whether one more attempt fits beside those under way: each is taken to cost the mean of
        what was expected and of those that came; an answer that never came, as much."""
        return self._fits(1)

    def may_begin(self, job: Job) -> bool:
        """Whether it fits; it is held otherwise."""
        if job.case.key not in self._keys:
            return True
        if not self._fits(job.trials):
            self.held[job.case.key] = job
            return False
        self._begun += job.trials
        self._under_way += job.trials
        return True

    def fitting(self, jobs: Iterable[Job]) -> Iterator[Iterator[Job]]:
        """Those that may begin; each time those are over, the ones of the rest that fit by then."""
        yield filter(self.may_begin, jobs)
        while self.held and self.may_go_on:
            held, self.held = self.held, {}
            yield filter(self.may_begin, held.values())
            if self.held.keys() == held.keys():
                return

    def ended(self, result: CaseResult) -> None:
        """One attempt is over; `result` may be of several."""
        if result.key in self._keys:
            self._under_way = max(0, self._under_way - 1)
            if result.cost_usd is not None:
                self._seen += 1
                self._seen_usd += result.cost_usd / max(1, result.trials)

    def _fits(self, attempts: int) -> bool:
        if is_unpriced(self._budget):
            return False
        # What was paid may be known before the result is.
        each = max(self._seen_usd / self._seen, self.spent_usd / max(1, self._begun))
        more = (self._under_way + self._budget.lost + attempts) * each
        return self.spent_usd + more <= self._most_usd + _ROUNDING_USD


def is_unpriced(budget: Budget) -> bool:
    """Whether somebody answered, and nobody knows what it cost, nor what any answer of his does."""
    return bool(budget.unpriced.keys() - budget.dearest.keys())
