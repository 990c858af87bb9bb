"""The last run of an agent, as its journal tells it: what is left of it to be run."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from evaltui.core.case import CaseKey
from evaltui.core.errors import UserError
from evaltui.core.events import CaseFinished, RunEnd, RunFinished, RunStarted, TrialFinished
from evaltui.core.result import CaseResult
from evaltui.disk.atomic import safe_path
from evaltui.disk.journal import SUFFIX
from evaltui.disk.journal_reading import read_events


class LastRun(Struct, frozen=True):
    """The last run that asked the agent."""

    started: RunStarted
    finished: frozenset[CaseKey]
    """Those of its cases that have a result of it, or of the run that it went on with."""
    attempts: Mapping[CaseKey, tuple[CaseResult, ...]]
    """What it had made of the trials of cases that it did not finish."""
    end: RunEnd

    @property
    def cases(self) -> tuple[CaseKey, ...]:
        """All that it was about, those included of the runs that it went on with or came before."""
        started = self.started
        return tuple(dict.fromkeys((*started.cases, *started.resumed, *started.left)))

    @property
    def is_interrupted(self) -> bool:
        """Whether it was cut short, or left cases to be run, as where a budget was spent."""
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
    for event in read_events(path):
        match event:
            case RunStarted():
                started = event
                finished.update(event.resumed)
            case TrialFinished(_, result):
                attempts[result.key] = (*attempts.get(result.key, ()), result)
            case CaseFinished(_, result):
                finished.add(result.key)
                attempts.pop(result.key, None)
            case RunFinished():
                end = event.end
            case _:
                pass
    return LastRun(started, frozenset(finished), attempts, end) if started else None
