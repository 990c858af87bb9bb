"""Measurements that decide nothing, one line each; a line for each that broke."""

from evaltui.core.measured_number import number
from evaltui.core.result import CaseResult
from evaltui.core.verdict import Kind, VerdictStatus


def measurements(result: CaseResult) -> list[str]:
    """`rubric/tone 0.8, token-usage 51,200`; nothing where nothing was to be measured."""
    said = ", ".join(f"{check} {number(value)}" for check, value in result.metrics.items())
    broken = [
        f"not measured: {one.check}: {one.reason}"
        for one in result.verdicts
        if one.kind is Kind.METRIC and one.status is VerdictStatus.ERROR
    ]
    return [f"measured: {said}", *broken] if said else broken
