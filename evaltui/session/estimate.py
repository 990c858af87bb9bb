"""What a run would take, from what its cases took last time."""

from collections.abc import Collection

from msgspec import Struct

from evaltui.core.case import CaseKey
from evaltui.session.agent_queue import AgentQueue


class Estimate(Struct, frozen=True):
    """What a run would take; `None` where nothing is known yet."""

    cases: int
    cost_usd: float | None
    seconds: float | None


def estimated(
    lines: Collection[AgentQueue], keys: Collection[CaseKey], *, trials: int, concurrency: int
) -> Estimate:
    """Costs of all agents added; they run side by side, so the slowest one tells the time."""
    times = len(keys) * trials
    costs: list[float] = []
    seconds: list[float] = []
    for line in lines:
        known = line.board.known_costs(keys)
        if known.seconds is not None:
            seconds.append(known.seconds * times / max(1, concurrency))
        if known.cost_usd is not None:
            costs.append(known.cost_usd * times)
    return Estimate(
        times * len(lines),
        sum(costs) if costs else None,
        max(seconds) if seconds else None,
    )
