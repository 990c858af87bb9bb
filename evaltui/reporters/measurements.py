"""What was measured of an answer and decides nothing, on a line."""

from evaltui.core.result import CaseResult


def measurements(result: CaseResult) -> list[str]:
    """`rubric/tone 0.8, token-usage 51200`; no line where nothing was measured."""
    said = ", ".join(f"{check} {_short(value)}" for check, value in result.metrics.items())
    return [f"measured: {said}"] if said else []


def _short(value: float) -> str:
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.3f}".rstrip("0")
