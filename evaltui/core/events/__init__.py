"""What happened: the closed union of facts that every front end, store and reporter hears.

A recorded run is a list of these. Delivery is synchronous and ordered, the store first.
"""

from typing import TypeAlias

from evaltui.core.events.baseline_events import BaselineCompared, BaselinePinned, EvidenceWeighed
from evaltui.core.events.project_events import (
    CaseMuted,
    CasesStale,
    DetailLoaded,
    NothingChanged,
    ProblemFound,
    ProjectChecked,
    ProjectRead,
    ResultsCameStale,
    ResultsLoaded,
)
from evaltui.core.events.run_events import (
    CallCompared,
    CaseFinished,
    CaseStarted,
    RunEnd,
    RunFinished,
    RunStarted,
    TextStreamed,
    ToolCalled,
    TrialFinished,
    TurnFinished,
)
from evaltui.core.events.session_events import (
    EvaluatorPrinted,
    RunnerChanged,
    SpendingChanged,
    WatchPaused,
    WatchResumed,
)

__all__ = [
    "BaselineCompared",
    "BaselinePinned",
    "CallCompared",
    "CaseFinished",
    "CaseMuted",
    "CaseStarted",
    "CasesStale",
    "DetailLoaded",
    "EvaluatorPrinted",
    "Event",
    "EvidenceWeighed",
    "NothingChanged",
    "ProblemFound",
    "ProjectChecked",
    "ProjectRead",
    "ResultsCameStale",
    "ResultsLoaded",
    "RunEnd",
    "RunFinished",
    "RunStarted",
    "RunnerChanged",
    "SpendingChanged",
    "TextStreamed",
    "ToolCalled",
    "TrialFinished",
    "TurnFinished",
    "WatchPaused",
    "WatchResumed",
]

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
    | ResultsCameStale
    | RunStarted
    | CaseStarted
    | TextStreamed
    | TurnFinished
    | ToolCalled
    | TrialFinished
    | CaseFinished
    | CallCompared
    | RunFinished
    | BaselineCompared
    | EvidenceWeighed
    | BaselinePinned
    | EvaluatorPrinted
    | ProblemFound
)
