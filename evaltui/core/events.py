"""What happened: the closed union of facts that every front end, store and reporter hears.

A recorded run is a list of these. Delivery is synchronous and ordered, the store first.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct, field

from evaltui.core.audited import Audited, Draw
from evaltui.core.baseline import Baseline, Comparison
from evaltui.core.case import CaseKey
from evaltui.core.comparison import Effect, RunChanges, StoodBefore
from evaltui.core.errors import Problem
from evaltui.core.proof import Proof
from evaltui.core.response import ToolCall
from evaltui.core.result import CaseResult, CaseStatus, SuiteResult
from evaltui.core.spent import Spent
from evaltui.core.staleness import DueCase
from evaltui.core.suite import Suite
from evaltui.core.tool import ToolRegistry


class RunEnd(StrEnum):
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    SUPERSEDED = "superseded"
    """A change made its cases due while it ran."""
    UNDONE = "undone"
    """What it ran for was put back while it ran, and nothing is left to be run."""
    LOST = "lost"
    """Its process was killed; another one says so."""


class EventRecord(Struct, frozen=True, gc=False, tag=True, tag_field="event"):
    """In JSON an event names its class first: `{"event":"RunStarted", …}`."""


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


class WatchPaused(EventRecord, frozen=True, gc=False):
    """Changes are still followed, but nothing runs because of them until `WatchResumed`."""


class WatchResumed(EventRecord, frozen=True, gc=False):
    """What became due while watching was paused runs now."""


class RunnerChanged(EventRecord, frozen=True, gc=False):
    """Another process runs from now on what is saved here, or this one does again."""

    other: str
    """`pid 4711`, and its host if it is another one; empty: this process runs."""


class SpendingChanged(EventRecord, frozen=True, gc=False):
    """What an agent spent in this session, and what waits for somebody to agree to its cost."""

    agent: str
    spent_usd: float
    left_usd: float | None = None
    """What it may spend still; `None` where nothing limits it."""
    held: int = 0
    """Cases that a change made due and that are not run before somebody agrees."""
    run: Spent | None = None
    """In journals: what the run spent so far, what is under way counted as if it never came."""


class NothingChanged(EventRecord, frozen=True, gc=False):
    """Files were saved, and no case, tool or setting is another one because of it."""

    files: tuple[str, ...]
    """Below the project root."""
    is_aside: bool = False
    """Whether something else is being run, or is about to be: what is told of that stays."""


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


class RunStarted(EventRecord, frozen=True, gc=False):
    run_id: str
    agent: str
    number: int
    """1, 2, 3 … over the life of the project folder."""
    cases: tuple[CaseKey, ...]
    reason: str
    """In words: `get_weather.description changed`, `asked for`."""
    trigger: tuple[str, ...] = ()
    concurrency: int = 1
    trials: int = 1
    started_at: float = 0.0
    eta_s: float | None = None
    settings: str = ""
    """What the agent's results cannot be read without: `calls a tool from p ≥ 0.40`."""
    reading: int = 0
    """Number of the reading of the project that it is a run of."""
    is_rejudging: bool = False
    """Kept answers are judged again: nobody is asked, and nothing is spent."""
    resumed: tuple[CaseKey, ...] = ()
    """Cases that the interrupted run had finished of which this one is the rest."""
    goes_on_from: int = 0
    """Number of that run; where several were interrupted in a row, of the first of them."""
    before: tuple[StoodBefore, ...] = ()
    """What cases had come to before it of which it, or one after it, has a result: the whole run is
    held against that."""
    never_asked: tuple[CaseKey, ...] = ()
    """Those of `cases` that nobody is asked for and nothing judges, as a rubric without a judge."""
    is_rest: bool = False
    """It goes on with what an opening or a key had begun when a save came first: its results are
    not that save's, unless an earlier save that counts with it made them due, or it goes on with a
    run that was that save's."""
    left: tuple[CaseKey, ...] = ()
    """What of such a run follows after this one; where kept answers are judged again before an
    interrupted run goes on, all that its end will tell of."""
    waiting: tuple[CaseKey, ...] = ()
    """Cases of all that follows after this run, as far as it is known yet."""
    told: Mapping[str, Effect] = field(default_factory=dict)
    """Of a run of the past, by `suite::case`: what it told itself of its results."""
    total: int = 0
    """Of a run of the past: how many cases it was about, those without a result included; 0 where
    `cases` has them all."""
    spent: Spent = Spent()
    """Of the interrupted run of which this one is the rest."""
    draw: Draw | None = None
    """Which of its cases were drawn at random, of those that a save only possibly affects."""
    command: str = ""
    """Id of the command, with those that went on with it, within whose limit it spends; empty in a
    dashboard."""
    tries_again: bool = False
    """What fails may finish more than once: with further attempts, all of them as one result."""
    is_repeat: bool = False
    """Cases are asked again as they are, to know better: what the last save did stays told."""
    answers: tuple[str, ...] = ()
    """The files of the saves that made due what a key runs here: they waited for it."""
    eval_id: str = ""
    """Of the eval of an EvalStudio workspace that was asked for; empty where none was."""

    @property
    def saved(self) -> tuple[str, ...]:
        """The files of the saves whose doing it is, by themselves or by a key."""
        return self.trigger or self.answers


class CaseStarted(EventRecord, frozen=True, gc=False):
    run_id: str
    agent: str
    key: CaseKey
    trial: int = 0
    at: float = 0.0
    """Seconds since the epoch."""


class TextStreamed(EventRecord, frozen=True, gc=False):
    """The agent is still answering; `text` is what it has said so far. Not kept in journals."""

    run_id: str
    agent: str
    key: CaseKey
    text: str


class TurnFinished(EventRecord, frozen=True, gc=False):
    """One model call or conversation turn ended; `text` is what the agent has said in it."""

    run_id: str
    agent: str
    key: CaseKey
    turn: int
    text: str


class ToolCalled(EventRecord, frozen=True, gc=False):
    run_id: str
    agent: str
    key: CaseKey
    call: ToolCall


class TrialFinished(EventRecord, frozen=True, gc=False):
    """One of several attempts at a case came to its end, and others are still to come."""

    run_id: str
    result: CaseResult


class CaseFinished(EventRecord, frozen=True, gc=False):
    run_id: str
    result: CaseResult


class RunFinished(EventRecord, frozen=True, gc=False):
    run_id: str
    agent: str
    end: RunEnd
    duration_s: float
    suites: tuple[SuiteResult, ...] = ()
    """Results of the suites the run touched, each with all of its cases (contract B2)."""
    files: tuple[str, ...] = ()
    """Result files written."""
    finished_at: float = 0.0
    changes: RunChanges = RunChanges()
    """How its results differ from those before."""
    spent: Spent = Spent()
    """With the runs that it went on with."""
    proven: tuple[CaseKey, ...] = ()
    """Cases of these suites that are regressed beyond doubt, and count."""
    audited: Audited | None = None
    """What it tells of cases that did not run, where some were drawn."""


class BaselineCompared(EventRecord, frozen=True, gc=False):
    run_id: str
    agent: str
    comparisons: tuple[Comparison, ...]


class EvidenceWeighed(EventRecord, frozen=True, gc=False):
    """What trials prove of some cases of an agent that may answer otherwise the next time."""

    agent: str
    proofs: tuple[Proof, ...]
    """Those that changed since they were told last; replaces what was told of their cases."""
    affected: int
    """How many cases the edits since the baseline can affect."""
    is_whole: bool = False
    """Whether nothing is known of any other case."""


class BaselinePinned(EventRecord, frozen=True, gc=False):
    """Pinned, or unpinned when `baselines` is empty for the named cases."""

    agent: str
    name: str
    baselines: tuple[Baseline, ...]
    """Every baseline in force now for this agent; replaces the earlier list."""
    message: str = ""


class EvaluatorPrinted(EventRecord, frozen=True, gc=False):
    """An evaluator wrote to its standard output, or to standard error, while it judged."""

    entry: str
    """As the settings name it."""
    text: str
    """Its type, and the end of what it wrote."""
    at: float = 0.0


class ProblemFound(EventRecord, frozen=True, gc=False):
    """A problem outside the project's reading: a sink that raised, a full disk, a lost endpoint."""

    problem: Problem
    at: float = field(default=0.0)


Event: TypeAlias = (
    ProjectRead
    | ProjectChecked
    | ResultsLoaded
    | DetailLoaded
    | CaseMuted
    | WatchPaused
    | WatchResumed
    | RunnerChanged
    | SpendingChanged
    | NothingChanged
    | CasesStale
    | RunStarted
    | CaseStarted
    | TextStreamed
    | TurnFinished
    | ToolCalled
    | TrialFinished
    | CaseFinished
    | RunFinished
    | BaselineCompared
    | EvidenceWeighed
    | BaselinePinned
    | EvaluatorPrinted
    | ProblemFound
)
