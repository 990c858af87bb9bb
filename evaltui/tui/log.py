"""What happened, in words: a sink that keeps the last thousand lines for the log screen."""

import time
from collections import deque
from typing import get_args

from evaltui.core.events import (
    BaselinePinned,
    CaseFinished,
    CaseMuted,
    CasesStale,
    CaseStarted,
    EvaluatorPrinted,
    Event,
    ProblemFound,
    ProjectRead,
    ResultsLoaded,
    RunFinished,
    RunnerChanged,
    RunStarted,
    SpendingChanged,
    TextStreamed,
    ToolCalled,
    TurnFinished,
    WatchPaused,
    WatchResumed,
)
from evaltui.core.result import CaseStatus
from evaltui.store.store import Store
from evaltui.tui.render.words import count

LENGTH = 1000


class EventLog:
    """Lines with their time of day, oldest first."""

    hears = frozenset(get_args(Event)) - {CaseStarted, ToolCalled, TurnFinished, TextStreamed}
    """Of what a case says on its way there is no line."""

    def __init__(self, store: Store) -> None:
        self.lines: deque[tuple[float, str]] = deque(maxlen=LENGTH)
        self.store = store
        """What every pane shows, and which hears of everything first: it counts the problems."""
        self.problems = 0
        """How many there are, as told last."""

    def handle(self, event: Event) -> None:
        before = self.problems
        # While a run is on its agent may be down for one case and answer the next.
        if not isinstance(event, CaseFinished):
            self.problems = self.store.problems.count()[0]
        self._add(_words(event))
        if self.problems != before:
            said = f"{count(self.problems, 'problem')} now: 4 shows them"
            self._add(said if self.problems else "no problems any more")

    def _add(self, text: str) -> None:
        if text:
            self.lines.append((time.time(), text))


def _words(event: Event) -> str:
    match event:
        # It comes with every case and stands first: they are tried in order.
        case CaseFinished(_, result):
            if result.status is CaseStatus.PASSED:
                return ""
            return f"{result.agent}: {result.key} {result.status}: {result.error}"
        case ProjectRead(suites, registry, changed=changed):
            why = f" because {', '.join(changed[:3])} changed" if changed else ""
            cases = sum(len(suite.cases) for suite in suites)
            return (
                f"read {count(len(suites), 'suite')}, {count(cases, 'case')}, "
                f"{count(len(registry), 'tool')}{why}"
            )
        case ResultsLoaded(agent, results):
            return f"{agent}: loaded {count(len(results), 'result')}"
        case CaseMuted(key, reason):
            return f"{key} muted: {reason}" if reason else f"{key} counts again"
        case WatchPaused():
            return "watching paused: nothing runs by itself"
        case WatchResumed():
            return "watching resumed"
        case RunnerChanged(other):
            return f"the dashboard with {other} runs here" if other else "this dashboard runs now"
        case SpendingChanged(agent, held=held) if held:
            return f"{agent}: {count(held, 'case')} due, waiting for somebody to agree to the cost"
        case CasesStale(agent, cases, total):
            if not cases:
                return f"{agent}: every result is in force"
            said = f"{len(cases):,} of {count(total, 'case')} without a result in force"
            return f"{agent}: {said}: {', '.join(cases[0].reasons)}"
        case RunStarted():
            how = "judged again" if event.is_rejudging else "started"
            return (
                f"{event.agent}: run #{event.number} of {count(len(event.cases), 'case')} "
                f"{how}: {event.reason}"
            )
        case RunFinished():
            return f"{event.agent}: run {event.end} after {event.duration_s:.1f} s"
        case BaselinePinned(agent, name, pinned, message):
            compared = (
                f"compared with the baseline {name}".strip() if pinned else "nothing is pinned"
            )
            return f"{agent}: {message or compared}"
        case EvaluatorPrinted(_, text):
            return f"printed by {text}"
        case ProblemFound(problem):
            return str(problem)
    return ""
