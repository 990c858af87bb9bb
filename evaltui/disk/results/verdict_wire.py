"""A verdict as result files have it, both ways."""

from typing import Any

from msgspec import Struct, field
from msgspec.structs import astuple

from evaltui.core.verdict import CRITERIA, RUBRIC, Kind, Verdict, VerdictStatus


class VerdictWire(Struct, rename="camel", omit_defaults=True, gc=False):
    """As `Verdict`."""

    check: str
    status: VerdictStatus
    reason: str
    label: str = ""
    kind: Kind = Kind.ASSERTION
    value: int | float | None = None
    evidence: dict[str, Any] = field(default_factory=dict)
    duration_ms: float = 0
    hard: bool = True
    category: str = ""
    cost_usd: float | None = None
    skipped_tokens: tuple[str, ...] = ()
    ends: bool = False
    asked: str = ""


def verdict_to_wire(verdict: Verdict) -> VerdictWire:
    wire = VerdictWire(*astuple(verdict))
    wire.duration_ms = verdict.duration_ms or 0
    return wire


def verdict_of(wire: VerdictWire) -> Verdict:
    """Where judges once told the money and the end as evidence, they are taken from there."""
    if wire.check == CRITERIA or wire.check.startswith(RUBRIC):
        paid, ends = wire.evidence.pop("costUsd", None), wire.evidence.pop("ends", None)
        if wire.cost_usd is None and isinstance(paid, int | float):
            wire.cost_usd = paid
        wire.ends = wire.ends or ends is True
    return Verdict(*astuple(wire))
