"""One case on the board: what is known of it now."""

from enum import StrEnum

from msgspec import Struct, field

from evaltui.core.baseline import BaselineCase
from evaltui.core.case import Case, CaseKey
from evaltui.core.response import ToolCall
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import StaleCase
from evaltui.core.suite import Suite


class Phase(StrEnum):
    """What is being done with a case at this moment; its last result stays visible meanwhile."""

    IDLE = "idle"
    QUEUED = "queued"
    RUNNING = "running"


class RowStatus(StrEnum):
    """What a row is, worst first: the order of the board."""

    REGRESSED = "regressed"
    FAILED = "failed"
    ERROR = "error"
    STALE = "stale"
    FLAKY = "flaky"
    PASSED = "passed"
    SKIPPED = "skipped"
    UNKNOWN = "not run"


class Row(Struct):
    """Mutable by the board only."""

    key: CaseKey
    case: Case
    suite: Suite
    result: CaseResult | None = None
    phase: Phase = Phase.IDLE
    stale: StaleCase | None = None
    is_outdated: bool = False
    """Its suite was written for another description of its tool."""
    regressed: bool = False
    newly_passed: bool = False
    baseline: BaselineCase | None = None
    recent: tuple[CaseStatus, ...] = ()
    """Verdicts of the last runs, oldest first, at most 10."""
    started_at: float = 0.0
    """While it runs: since when, in seconds since the epoch; 0.0 when that is not known."""
    live_text: str = ""
    live_calls: list[ToolCall] = field(default_factory=list)

    @property
    def status(self) -> RowStatus:
        """A stale result keeps its verdict unless it passed: a failure is worth more attention."""
        result = self.result
        if result is None:
            return RowStatus.UNKNOWN
        match result.status:
            case CaseStatus.FAILED:
                return RowStatus.REGRESSED if self.regressed else RowStatus.FAILED
            case CaseStatus.ERROR:
                return RowStatus.ERROR
            case CaseStatus.SKIPPED:
                return RowStatus.SKIPPED
            case CaseStatus.PASSED:
                if self.is_stale:
                    return RowStatus.STALE
                return RowStatus.FLAKY if self.is_flaky else RowStatus.PASSED

    @property
    def is_stale(self) -> bool:
        """Its inputs changed since, or its suite was written for another description."""
        return self.stale is not None or (self.is_outdated and self.result is not None)

    @property
    def is_flaky(self) -> bool:
        """Some repeats passed and some did not."""
        result = self.result
        return result is not None and 0 < result.passes < result.trials
