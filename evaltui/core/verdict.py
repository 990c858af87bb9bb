"""What one check says about one response."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from evaltui.core.json_value import Json


class Kind(StrEnum):
    ASSERTION = "assertion"
    METRIC = "metric"


class VerdictStatus(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    ERROR = "error"


TIMEOUT = "timeout"
"""Name of what says that no answer came in time."""
CRITERIA = "criteria"
"""Name of the check of a conversation's criteria."""
RUBRIC = "rubric/"
"""What the names of checks of a rubric begin with; the dimension follows."""
REFERENCE = "referenceData"
"""What the dimensions of a rubric are judged against."""
EVALUATOR = "evaluator/"
"""In front of the type of an evaluator that judges a trace: it may be that of a judge too."""


class Verdict(Struct, frozen=True, gc=False):
    """What one check says about one response."""

    check: str
    """Identity: `responseContains`, an evaluator's type (of a trace behind `evaluator/`), a judge
    id, `rubric/<dimension>`."""
    status: VerdictStatus
    reason: str
    """As the check gave it; an evaluator may give an empty one. `shown_reason` is for people to
    read."""
    label: str = ""
    kind: Kind = Kind.ASSERTION
    value: int | float | None = None  # a whole number is read as one
    evidence: Mapping[str, Json] = field(default_factory=dict)
    """Contract assertions: `expected`, `actual`, `param`, `tool`. What evaluators say of
    themselves is only shown: nothing is counted from it."""
    duration_ms: float = 0.0
    hard: bool = True
    category: str = ""
    """Failure taxonomy: timeout, contract_violation, policy_failure, parse_error, type_error,
    agent_error, judge_error, assertion; empty when it did not fail."""
    cost_usd: float | None = None
    """What its judge was paid; `None` where none was, or where no price is known."""
    skipped_tokens: tuple[str, ...] = ()
    """Values as written that an assertion could not hold against the answer."""
    ends: bool = False
    """Whether it decided that a conversation is over."""
    asked: str = ""
    """12 hex digits of what a model was asked for it; empty where none was, or gave no answer that
    could be used."""

    @property
    def gates(self) -> bool:
        """Whether it decides: a metric never does, whatever its status."""
        return self.kind is Kind.ASSERTION and self.status in _GATING

    @property
    def says_nothing(self) -> bool:
        """Whether it was skipped, or is a metric that could not be measured."""
        is_unmeasured = self.kind is Kind.METRIC and self.status is VerdictStatus.ERROR
        return is_unmeasured or self.status is VerdictStatus.SKIPPED

    @property
    def shown_reason(self) -> str:
        """The reason, or that there is none."""
        return self.reason.strip() or f"{self.label or self.check} gave no reason"

    @property
    def named(self) -> str:
        """The reason behind the type of the evaluator that gave it; others name themselves."""
        is_named = (
            not self.label or self.check == CRITERIA or self.shown_reason.startswith(self.check)
        )
        return self.shown_reason if is_named else f"{self.check}: {self.shown_reason}"


_GATING = frozenset({VerdictStatus.FAILED, VerdictStatus.ERROR})
