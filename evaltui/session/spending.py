"""The one guard of money: may this run now, and what may it cost?"""

from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from evaltui.core.agent import Agent
from evaltui.core.budget import Budget
from evaltui.core.case import CaseKey
from evaltui.core.config import AgentProfile
from evaltui.core.payer import Payer
from evaltui.core.rate_window import RateWindow
from evaltui.core.staleness import Degree, StaleCase
from evaltui.session.project_state import ProjectState
from evaltui.store.board import Board

if TYPE_CHECKING:
    from evaltui.agents.metered import Meter


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
    """Everything that starts a run asks here first: opening, a save, a person.

    Whatever costs money gets its meter here: all of a session draw on one budget.
    """

    def __init__(self, state: ProjectState) -> None:
        self._state = state
        self._budget = Budget(state.config.max_cost_usd)
        self._own: dict[str, Budget] = {}
        self._rates: dict[str, RateWindow] = {}

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

    def budget(self, name: str) -> Budget:
        """What one agent, judge or persona spent in this session, and may spend."""
        return self._own.setdefault(name, Budget(within=self._budget))

    def rate(self, name: str) -> RateWindow:
        """The requests of the last minute."""
        return self._rates.setdefault(name, RateWindow())

    def meter(self, name: str, *, is_free: bool) -> "Meter":
        """What counts all requests under that name; one that is made anew knows no price yet."""
        from evaltui.agents.metered import Meter

        return Meter(None if is_free else Payer(name, self.budget(name)), self.rate(name))

    def follow_settings(self, profiles: Mapping[str, AgentProfile]) -> None:
        """Limits of the settings in force are those of the session, by name of the agent.

        What was spent stays spent.
        """
        config = self._state.config
        self._budget.follow_limit(config.max_cost_usd)
        for name, profile in profiles.items():
            self.budget(name).follow_limit(profile.max_cost_usd)
            own = profile.max_requests_per_minute
            self.rate(name).per_minute = config.max_requests_per_minute if own is None else own

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
