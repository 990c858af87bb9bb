"""What happens in a run."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import field

from evaltui.core.audited import Audited, Draw
from evaltui.core.case import CaseKey
from evaltui.core.comparison import Effect, RunChanges, StoodBefore
from evaltui.core.events.event_record import EventRecord
from evaltui.core.response import ToolCall
from evaltui.core.result import CaseResult
from evaltui.core.spent import Spent
from evaltui.core.suite_result import SuiteResult


class RunEnd(StrEnum):
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    SUPERSEDED = "superseded"
    """A change made its cases due while it ran."""
    UNDONE = "undone"
    """What it ran for was put back while it ran, and nothing is left to be run."""
    LOST = "lost"
    """Its process was killed; another one says so."""


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
    """Kept answers are judged again: no agent is asked."""
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
    by_outcome: tuple[CaseKey, ...] = ()
    """Those of `cases` and `left` that were chosen by what they came to."""
    is_correction: bool = False
    """Another process had results of its cases that were made of other files than are read here: it
    is held against what stood before those, and what the last save did stays told."""
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


class CallCompared(EventRecord, frozen=True, gc=False):
    """An agent was asked for a comparison; what came of it is kept nowhere."""

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
