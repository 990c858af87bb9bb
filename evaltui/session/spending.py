"""The one guard of money: may this run now, and what may it cost?"""

from collections.abc import Collection, Iterable
from enum import StrEnum

from msgspec import Struct

from evaltui.core.agent import Agent
from evaltui.core.case import CaseKey
from evaltui.core.config import AgentProfile
from evaltui.core.staleness import Degree, StaleCase
from evaltui.runner.limits import Limits, limits_of
from evaltui.session.project_state import ProjectState
from evaltui.store.board import Board


class Cause(StrEnum):
    """Who wants something to run."""

    OPENED = "opened"
    """Nobody yet: the project was opened and results are missing or out of date."""
    SAVED = "saved"
    """A file was saved while watching."""
    ASKED = "asked"
    """A person, who was shown the estimate."""


class Estimate(Struct, frozen=True):
    """What a run would take; `None` where nothing is known yet."""

    cases: int
    cost_usd: float | None
    seconds: float | None


class Spending:
    """Everything that starts a run asks here first: opening, a save, a person."""

    def __init__(self, state: ProjectState) -> None:
        self._state = state

    def may_run(self, cause: Cause, agent: Agent, board: Board, keys: Collection[CaseKey]) -> bool:
        """Whether these cases may be run now, for that cause, without asking anybody first."""
        match cause:
            case Cause.ASKED:
                return True
            case Cause.OPENED if not agent.traits.is_free:
                return False
            case _:
                cost = self.estimate([board], keys).cost_usd
                return cost is None or cost <= self._state.config.confirm_above

    def limits(self, profile: AgentProfile) -> Limits:
        """What a run of this agent may spend at most, and how fast it may ask."""
        return limits_of(self._state.config, profile)

    def estimate(
        self, boards: Collection[Board], keys: Collection[CaseKey], trials: int | None = None
    ) -> Estimate:
        """From what the cases took last time: costs of all agents are added; agents run side by
        side, so the slowest one tells the time. Without `trials`, as often as the settings say.
        """
        config = self._state.config
        times = len(keys) * (trials or config.trials)
        costs: list[float] = []
        seconds: list[float] = []
        for board in boards:
            known = board.known_costs(keys)
            if known.seconds is not None:
                seconds.append(known.seconds * times / max(1, config.concurrency))
            if known.cost_usd is not None:
                costs.append(known.cost_usd * times)
        return Estimate(
            times * len(boards),
            sum(costs) if costs else None,
            max(seconds) if seconds else None,
        )


def due_by_itself(agent: Agent, stale: Iterable[StaleCase]) -> dict[CaseKey, None]:
    """What a change makes an agent be asked without anybody wanting it, as an ordered set.

    One that costs money is asked what the change affects; one that is free, what it may affect too,
    and what never ran. What is only to be judged again is asked of neither.
    """
    asked = {Degree.AFFECTED}
    if agent.traits.is_free:
        asked |= {Degree.POSSIBLY, Degree.NEVER_RUN}
    return {case.key: None for case in stale if case.degree in asked}
