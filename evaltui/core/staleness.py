"""Which inputs of a result changed since, and what that makes of the result."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from evaltui.core.case import CaseKey
from evaltui.core.inputs import Inputs


class Degree(StrEnum):
    """How much a change can matter to a case."""

    AFFECTED = "affected"
    """Something the case mentions changed: its result cannot be trusted."""
    POSSIBLY = "possibly affected"
    """Another tool of the registry changed, which may pull routing away."""


class StaleCase(Struct, frozen=True, gc=False):
    """A case whose result cannot be trusted, and why, in words."""

    key: CaseKey
    degree: Degree
    reasons: tuple[str, ...]
    """E.g. `get_weather.description changed`; never empty."""


def stale_reasons(before: Inputs, now: Inputs) -> tuple[Degree, tuple[str, ...]] | None:
    """What changed between two sets of inputs; `None` when nothing did."""
    reasons: list[str] = []
    if before.case != now.case:
        reasons.append("case changed")
    reasons += _mapping_changes(before.tools, now.tools)
    reasons += [f"seed {change}" for change in _mapping_changes(before.seed, now.seed)]
    if before.agent != now.agent:
        reasons.append("agent changed")
    reasons += [f"evaluator {change}" for change in _mapping_changes(before.checks, now.checks)]
    if reasons:
        return Degree.AFFECTED, tuple(reasons)
    if before.registry != now.registry:
        return Degree.POSSIBLY, ("another tool in the registry changed",)
    return None


def _mapping_changes(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    if before is now or before == now:
        return []
    changes = [f"{name} changed" for name in now if name in before and before[name] != now[name]]
    changes += [f"{name} added" for name in now if name not in before]
    changes += [f"{name} removed" for name in before if name not in now]
    return changes
