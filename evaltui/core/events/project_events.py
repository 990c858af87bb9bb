"""What becomes known of the project and of its results from before, and what saves do to it."""

from collections.abc import Mapping

from msgspec import field

from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem
from evaltui.core.events.event_record import EventRecord
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import DueCase
from evaltui.core.suite import Suite
from evaltui.core.tool import ToolRegistry


class ProjectRead(EventRecord, frozen=True, gc=False):
    """The project was read (again). Unchanged suites and tools are the same objects as before."""

    suites: tuple[Suite, ...]
    registry: ToolRegistry
    problems: tuple[Problem, ...]
    """Every problem that stands now; replaces the earlier list."""
    changed: tuple[str, ...] = ()
    """Files whose change led to this reading, below the project root; empty on the first."""
    at: float = 0.0
    """Seconds since the epoch."""
    outdated: tuple[str, ...] = ()
    """Ids of the suites that were written for another description of their tool (contract A46)."""
    mutes: Mapping[str, str] = field(default_factory=dict)
    """Reasons by `suite::case`: failures of these cases do not count, for any agent."""
    sampled: tuple[str, ...] = ()
    """Names of the agents that may answer the same request otherwise the next time."""
    agents: tuple[str, ...] = ()
    """Names of all agents under test, the first one first; empty in older journals."""


class ProjectChecked(EventRecord, frozen=True, gc=False):
    """A closer look at the last reading has ended: lint, unknown tools, edited regressions."""

    problems: tuple[Problem, ...]
    """Every problem of the project that stands now, those of the reading too."""


class ResultsLoaded(EventRecord, frozen=True, gc=False):
    """Last known results of one agent, read from disk: of all its cases when the project was
    opened, later of those that appeared."""

    agent: str
    results: tuple[CaseResult, ...]
    """Verdicts and response may be missing until somebody asks for a case's detail."""
    strips: tuple[tuple[CaseStatus, ...], ...] = ()
    """Recent verdicts of each result's case, oldest first; empty to leave them as they are."""
    numbered: int = 0
    """Number of the last run in this project folder."""
    counts: Mapping[str, Mapping[CaseStatus, int]] = field(default_factory=dict)
    """Only before the project was read, when `results` are but the first ones: how many cases of
    each suite have which status, those that are not among them included; passes of nothing
    asserted count as skipped."""
    newest_at: float = 0.0
    """With `counts`: when the youngest of all results was made, in seconds since the epoch."""


class DetailLoaded(EventRecord, frozen=True, gc=False):
    """A case's last result, or the one before the last save, this time with its verdicts and
    response; somebody asked for them."""

    agent: str
    result: CaseResult


class CaseMuted(EventRecord, frozen=True, gc=False):
    """From now on failures of the case do not count, for any agent."""

    key: CaseKey
    reason: str
    """Empty: they count again."""


class NothingChanged(EventRecord, frozen=True, gc=False):
    """Files were saved, and no case, tool or setting is another one because of it."""

    files: tuple[str, ...]
    """Below the project root."""
    is_aside: bool = False
    """Whether something else is being run or is about to be, or the files hold what they held
    before: what is told of the save before stays."""


class CasesStale(EventRecord, frozen=True, gc=False):
    """All cases whose result cannot be trusted now; replaces the earlier list of this agent."""

    agent: str
    cases: tuple[DueCase, ...]
    total: int
    """Cases in the project."""
    trigger: tuple[str, ...] = ()
    """Files that caused it, below the project root."""
    by_save: tuple[DueCase, ...] | None = None
    """What the saves of `trigger` alone make of those that they made due, whatever else makes them
    so; `None` in older journals, where all may be their doing."""


class ResultsCameStale(EventRecord, frozen=True, gc=False):
    """Results that just came cannot be trusted now, since what they were made of changed while
    their run was on; adds to the last `CasesStale`."""

    agent: str
    cases: tuple[DueCase, ...]


class ProblemFound(EventRecord, frozen=True, gc=False):
    """A problem outside the project's reading: a sink that raised, a full disk, a lost endpoint."""

    problem: Problem
    at: float = field(default=0.0)
