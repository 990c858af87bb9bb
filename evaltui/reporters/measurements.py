"""What was measured of an answer and decides nothing, on a line."""

from evaltui.core.measured_number import number
from evaltui.core.result import CaseResult


def measurements(result: CaseResult) -> list[str]:
    """`rubric/tone 0.8, token-usage 51,200`; no line where nothing was measured."""
    said = ", ".join(f"{check} {number(value)}" for check, value in result.metrics.items())
    return [f"measured: {said}"] if said else []
