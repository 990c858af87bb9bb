"""The current or last run of one agent, as the board shows it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Self

from msgspec import Struct, field

from evaltui.core.audited import Draw
from evaltui.core.case import CaseKey
from evaltui.core.comparison import RunChanges
from evaltui.core.events import RunEnd, RunFinished, RunStarted
from evaltui.core.result import CaseResult
from evaltui.store.aside import Aside
from evaltui.store.counts import changes_of
from evaltui.store.row import Row

NO_ROWS: Mapping[CaseKey, Row] = MappingProxyType({})


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
    is_command: bool = False
    """A command runs it, not a dashboard."""
    resumed_usd: float = 0.0
    """Of `spent_usd` what runs cost that it goes on with."""
    resumed_from: int = 0
    """Number of the interrupted run with whose results it goes on; 0 where there are none."""
    is_repeat: bool = False
    """Results are held against those before the last save, too, where that ran the cases."""
    is_correction: bool = False
    """As of `RunStarted`."""
    never_asked: frozenset[CaseKey] = frozenset()
    """Cases of the run that count neither as done nor as still to do."""
    only_read: frozenset[CaseKey] = frozenset()
    """Cases of the run that ask nobody, as a trace: each is one trial, however many the others
    have."""
    draw: Draw | None = None
    """As of `RunStarted`."""
    changes: RunChanges = RunChanges()
    """What it made of its cases, as it told itself at its end."""
    made: Aside = field(default_factory=Aside)
    """Of a run beside: what it did to each of its cases, as this process held it against what stood
    before."""
    is_followed: bool = False
    """Whether `changes` are what `made` comes to, so that they follow later mutes."""
    _tried: dict[CaseKey, int] = field(default_factory=dict)
    """How many trials are over of cases that are not done."""
    _read: int = 0
    """How many of those that are `only_read` are done."""

    @classmethod
    def of(cls, started: RunStarted, rows: Mapping[CaseKey, Row] = NO_ROWS) -> Self:
        """One of which nothing is done yet. `rows`: of the board, by which it is known of cases
        whether they ask anybody."""
        never = frozenset(started.never_asked)
        read = (key for key in started.cases if key in rows and not rows[key].case.asks_agent)
        return cls(
            started.run_id,
            started.number,
            started.reason,
            started.saved,
            started.total or len(started.cases) - len(started.never_asked),
            started.concurrency,
            started.trials,
            started.started_at,
            started.eta_s,
            is_rejudging=started.is_rejudging,
            is_command=bool(started.command),
            is_correction=started.is_correction,
            spent_usd=started.spent.usd,
            resumed_usd=started.spent.usd,
            resumed_from=started.goes_on_from if started.resumed else 0,
            never_asked=never,
            only_read=frozenset(read) - never,
            draw=started.draw,
        )

    def is_beside(self, other: "RunView | None") -> bool:
        """Whether the board tells of the other one while both are on: what a dashboard runs goes
        before what a command does."""
        if other is None or self.end is not None or other.end is not None:
            return False
        return self.is_command and not other.is_command

    @property
    def trials_done(self) -> int:
        """Of all cases; one that is done counts with all its trials."""
        asked = self.done - self._read
        return asked * self.trials + self._read + sum(self._tried.values())

    @property
    def trials_total(self) -> int:
        return (self.total - len(self.only_read)) * self.trials + len(self.only_read)

    def made_of(self, rows: Mapping[CaseKey, Row]) -> RunChanges:
        """What a run beside did, of cases that are muted as the rows are."""
        found = ((key, row) for key in self.made.cases if (row := rows.get(key)) is not None)
        return changes_of([(row, self.made.of_case(key)) for key, row in found])

    def count_trial(self, result: CaseResult) -> None:
        """One of several of a case is over, and not the last."""
        if result.key not in self.never_asked:
            self._tried[result.key] = self._tried.get(result.key, 0) + 1

    def count(self, result: CaseResult, before: CaseResult | None = None) -> None:
        """A case is done. `before`: the result that it had in this run already, of which this is
        one of more attempts."""
        if result.key in self.never_asked:
            return
        self._tried.pop(result.key, None)
        self.done += before is None
        self._read += before is None and result.key in self.only_read
        if not self.is_rejudging:  # else the answer was paid before, and some verdicts too
            spent = before.cost_usd if before is not None else 0.0
            self.spent_usd += (result.cost_usd or 0.0) - (spent or 0.0)

    def finish(self, finished: RunFinished) -> None:
        self.end, self.finished_at = finished.end, finished.finished_at
        self.changes = finished.changes
        # With what a judge was paid, and for answers that never came and may have to be paid.
        self.spent_usd = max(self.spent_usd, finished.spent.usd)
