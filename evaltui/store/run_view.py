"""The current or last run of one agent, as the board shows it."""

from typing import Self

from msgspec import Struct

from evaltui.core.events import RunEnd, RunFinished, RunStarted
from evaltui.core.result import CaseResult


class RunView(Struct):
    """How far a run is, and how it ended."""

    run_id: str
    number: int
    reason: str
    trigger: tuple[str, ...]
    total: int
    concurrency: int
    trials: int
    started_at: float
    eta_s: float | None
    done: int = 0
    end: RunEnd | None = None
    finished_at: float = 0.0
    spent_usd: float = 0.0
    is_rejudging: bool = False

    @classmethod
    def of(cls, started: RunStarted) -> Self:
        """One of which nothing is done yet."""
        return cls(
            started.run_id,
            started.number,
            started.reason,
            started.trigger,
            len(started.cases),
            started.concurrency,
            started.trials,
            started.started_at,
            started.eta_s,
            is_rejudging=started.is_rejudging,
        )

    def count(self, result: CaseResult) -> None:
        """A case is done; judging a kept answer again costs nothing."""
        self.done += 1
        if not self.is_rejudging:
            self.spent_usd += result.cost_usd or 0.0

    def finish(self, finished: RunFinished) -> None:
        self.end, self.finished_at = finished.end, finished.finished_at
