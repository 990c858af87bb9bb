"""The last run of an agent, from its journal: what remains to be run."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem, UserError
from evaltui.core.events import (
    CaseFinished,
    ProblemFound,
    RunEnd,
    RunFinished,
    RunStarted,
    SpendingChanged,
    TrialFinished,
)
from evaltui.core.result import CaseResult
from evaltui.core.spent import Spent
from evaltui.disk.atomic import safe_path
from evaltui.disk.journal.journal import SUFFIX
from evaltui.disk.journal.journal_reading import DAMAGED_LINES, read_events


class LastRun(Struct, frozen=True):
    """The last run that asked the agent."""

    started: RunStarted
    finished: frozenset[CaseKey]
    """Those of its cases that have a result of it, or of the run that it went on with."""
    attempts: Mapping[CaseKey, tuple[CaseResult, ...]]
    """What it, or a run that it went on with, had made of the trials of cases that it did not
    finish."""
    end: RunEnd
    ended_at: float
    """Seconds since the epoch; 0.0 where nobody lived to tell."""
    spent: Spent
    damage: Problem | None = None
    """Of its journal, where lines of it cannot be read: what they told of nobody knows."""

    @property
    def cases(self) -> tuple[CaseKey, ...]:
        """All that it was about, those included of the runs that it went on with or came before."""
        started = self.started
        return tuple(dict.fromkeys((*started.cases, *started.resumed, *started.left)))

    @property
    def first_number(self) -> int:
        """Of it; where it went on with interrupted runs, of the first of them."""
        return self.started.goes_on_from or self.started.number

    @property
    def command(self) -> str:
        """What it spent with; a run of a dashboard is one by itself."""
        return self.started.command or self.started.run_id

    def with_counted_attempts(self) -> "LastRun":
        """As whoever goes on with it is to see them: they are evidence already."""
        attempts = {
            key: tuple(replace(one, was_counted=True) for one in made)
            for key, made in self.attempts.items()
        }
        return replace(self, attempts=attempts)

    @property
    def is_interrupted(self) -> bool:
        """Whether it was cut short, or left cases to be run, as where a budget was spent."""
        if self.end is RunEnd.UNDONE:
            return False
        return self.end is not RunEnd.COMPLETED or len(self.finished) < len(self.cases)


def last_run(journals: Path, run_ids: Iterable[str]) -> LastRun | None:
    """Of these runs, the last one first, the first that asked an agent and whose journal is kept.

    `None` where there is none.
    """
    for run_id in run_ids:
        with suppress(UserError):
            found = _read(safe_path(journals, run_id, suffix=SUFFIX))
            if found is not None and not found.started.is_rejudging:
                return found
    return None


def _read(path: Path) -> LastRun | None:
    started: RunStarted | None = None
    end = RunEnd.LOST
    finished: set[CaseKey] = set()
    attempts: dict[CaseKey, tuple[CaseResult, ...]] = {}
    ended_at, reported_usd, dearest_usd = 0.0, 0.0, 0.0
    cost_usd: dict[CaseKey, float] = {}
    spent: Spent | None = None
    asked: Spent | None = None
    damage: Problem | None = None
    for event in read_events(path):
        match event:
            case RunStarted():
                started = event
                finished.update(event.resumed)
            case TrialFinished(run_id, result):
                attempts[result.key] = (*attempts.get(result.key, ()), result)
                if result.run_id == run_id:  # else a run that this one goes on with paid it
                    reported_usd += result.cost_usd or 0.0
            case CaseFinished(_, result):
                finished.add(result.key)
                tried = attempts.pop(result.key, ())
                reported_usd -= sum(one.cost_usd or 0.0 for one in tried)
                # One that is told again holds what its attempts before did cost.
                reported_usd += (result.cost_usd or 0.0) - cost_usd.get(result.key, 0.0)
                cost_usd[result.key] = result.cost_usd or 0.0
                dearest_usd = max(dearest_usd, (result.cost_usd or 0.0) / max(1, result.trials))
            case SpendingChanged(run=Spent() as noted):
                asked = noted
            case RunFinished():
                end, ended_at = event.end, event.finished_at
                spent = event.spent if end is not RunEnd.LOST else None
            case ProblemFound(problem) if problem.code == DAMAGED_LINES:
                damage = problem if problem.file == str(path) else damage
            case _:
                pass
    if started is None:
        return None
    if spent is None:  # it was killed
        spent = asked or _spent_by_results(started, reported_usd, dearest_usd)
    return LastRun(started, frozenset(finished), attempts, end, ended_at, spent, damage)


def _spent_by_results(started: RunStarted, usd: float, dearest_usd: float) -> Spent:
    """What its results tell of a run that did not live to say what it spent."""
    before = started.spent
    own = {started.agent: max(dearest_usd, before.dearest_usd.get(started.agent, 0.0))}
    dearest = {**before.dearest_usd, **(own if dearest_usd else {})}
    return replace(before, usd=before.usd + max(0.0, usd), dearest_usd=dearest)
