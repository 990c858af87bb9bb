"""What an evaluator says about one turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional  # noqa: UP035  any Python from 3.9 on


@dataclass(frozen=True)
class EvaluationResult:
    """Assertion: whether it holds, with a score from 0 to 1. Metric: the value it measured."""

    success: bool
    reason: str
    value: Optional[float] = None  # noqa: UP045
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """For whoever looks closer: shown when the row is unfolded."""
    skipped: bool = False
    """Whether there was nothing to be judged: it then counts neither as held nor as failed."""

    def to_json(self) -> dict[str, Any]:
        """With the keys of the evaluators' contract; what says nothing is left out."""
        said: dict[str, Any] = {"success": self.success, "reason": self.reason}
        if self.value is not None:
            said["value"] = self.value
        if self.metadata:
            said["metadata"] = self.metadata
        if self.skipped:
            said["skipped"] = True
        return said


def passed(reason: str, score: float | None = None, **metadata: Any) -> EvaluationResult:
    """It holds; `score` from 0 to 1."""
    return EvaluationResult(True, reason, score, metadata)


def failed(reason: str, score: float | None = None, **metadata: Any) -> EvaluationResult:
    """It does not hold: the case fails, with this reason."""
    return EvaluationResult(False, reason, score, metadata)


def measured(value: float, reason: str, **metadata: Any) -> EvaluationResult:
    """What a metric measured; it decides nothing."""
    return EvaluationResult(True, reason, value, metadata)


def skipped(reason: str, **metadata: Any) -> EvaluationResult:
    """There is nothing to be judged here."""
    return EvaluationResult(True, reason, None, metadata, True)
