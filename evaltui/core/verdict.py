"""One concept for every way to judge: a check makes a verdict, verdicts make an outcome."""

from collections.abc import Iterable, Mapping
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


class Verdict(Struct, frozen=True, gc=False):
    """What one check says about one response; the reason is never empty."""

    check: str
    """Identity: `responseContains`, an evaluator's type, a judge id, `rubric/<dimension>`."""
    status: VerdictStatus
    reason: str
    label: str = ""
    kind: Kind = Kind.ASSERTION
    value: float | None = None
    evidence: Mapping[str, Json] = field(default_factory=dict)
    """Contract assertions: `expected`, `actual`, `param`, `tool`, `skippedTokens`."""
    duration_ms: float = 0.0
    hard: bool = True
    category: str = ""
    """Failure taxonomy: timeout, contract_violation, policy_failure, parse_error, type_error,
    agent_error, judge_error, assertion; empty when it did not fail."""

    @property
    def gates(self) -> bool:
        return self.kind is Kind.ASSERTION and self.status in _GATING


_GATING = frozenset({VerdictStatus.FAILED, VerdictStatus.ERROR})


class Outcome(Struct, frozen=True, gc=False):
    """The sum of all verdicts; `score` is the lowest assertion value, if any has one."""

    success: bool
    reason: str
    score: float | None = None
    metrics: Mapping[str, float] = field(default_factory=dict)


def aggregate(verdicts: Iterable[Verdict]) -> Outcome:
    """Success when no assertion gates; the reason is the first gating one's."""
    first_gating: Verdict | None = None
    score: float | None = None
    metrics: dict[str, float] = {}
    for verdict in verdicts:
        if verdict.kind is Kind.METRIC:
            if verdict.value is not None:
                metrics[verdict.check] = verdict.value
            continue
        if verdict.value is not None:
            score = verdict.value if score is None else min(score, verdict.value)
        if first_gating is None and verdict.gates:
            first_gating = verdict
    if first_gating is None:
        return Outcome(True, "All evaluators passed", score, metrics)
    return Outcome(False, first_gating.reason, score, metrics)
