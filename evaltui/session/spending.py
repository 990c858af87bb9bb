"""The one guard of money: may this run now, and what may it cost?"""

from collections.abc import Collection, Container, Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from evaltui.core.agent import Agent, AgentTraits
from evaltui.core.budget import Budget
from evaltui.core.case import CaseKey
from evaltui.core.config import AgentProfile
from evaltui.core.events import SpendingChanged
from evaltui.core.payer import Payer
from evaltui.core.rate_window import RateWindow
from evaltui.core.staleness import Degree, StaleCase
from evaltui.session.project_state import ProjectState
from evaltui.store.board import Board
from evaltui.store.known_costs import KnownCosts

if TYPE_CHECKING:
    from evaltui.agents.metered import Meter

_TOLD_EVERY_S = 0.5


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
    never_run: int = 0
    """Cases of which that is a guess from others, of an agent that costs money."""
    asks_first: bool = False
    """Whether somebody has to agree: it is neither free nor known to be cheap."""
    left_usd: float | None = None
    """What may be spent still; `None` where nothing limits it."""


class Spending:
    """Everything that starts a run asks here first: opening, a save, a person.

    Whatever costs money gets its meter here: all of a session draw on one budget.
    """

    def __init__(self, state: ProjectState) -> None:
        self._state = state
        self._budget = Budget(state.config.max_cost_usd)
        self._own: dict[str, Budget] = {}
        self._rates: dict[str, RateWindow] = {}
        self._told: dict[str, SpendingChanged] = {}
        self._told_at = 0.0

    def may_run(self, cause: Cause, agent: Agent, board: Board, keys: Collection[CaseKey]) -> bool:
        """Whether these cases may be run now, for that cause, without asking anybody first."""
        match cause:
            case Cause.ASKED:
                return True
            case Cause.OPENED:
                return agent.traits.is_free
            case Cause.SAVED:
                return not self.estimate([(agent, board)], keys).asks_first

    def budget(self, name: str) -> Budget:
        """What one agent, judge or persona spent in this session, and may spend."""
        return self._own.setdefault(name, Budget(within=self._budget))

    def rate(self, name: str) -> RateWindow:
        """The requests of the last minute."""
        return self._rates.setdefault(name, RateWindow())

    def meter(self, name: str, traits: AgentTraits) -> "Meter":
        """What counts all requests under that name; one that is made anew knows no price yet.

        What is free is not counted, unless its answers may say what they cost.
        """
        from evaltui.agents.metered import Meter

        is_counted = not traits.is_free or traits.may_tell_costs
        payer = Payer(name, self.budget(name), is_free=traits.is_free) if is_counted else None
        return Meter(payer, self.rate(name))

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

    def tell(self, *, is_late: bool = False) -> None:
        """Emit what was spent of what may be; with `is_late` only if that was some time ago."""
        now = self._state.events.clock()
        if is_late and 0 <= now - self._told_at < _TOLD_EVERY_S:
            return
        self._told_at = now
        for name, budget in self._own.items():
            held = self._told[name].held if name in self._told else 0
            self._emit(SpendingChanged(name, budget.spent_usd, budget.left_usd, held))

    def hold(self, name: str, cases: int) -> None:
        """So many cases are due that are not run before somebody agrees to the cost."""
        budget = self.budget(name)
        self._emit(SpendingChanged(name, budget.spent_usd, budget.left_usd, cases))

    def _emit(self, told: SpendingChanged) -> None:
        before = self._told.get(told.agent, SpendingChanged(told.agent, 0.0))
        if told != before:
            self._told[told.agent] = told
            self._state.events.emit(told)

    def estimate(
        self,
        asked: Collection[tuple[Agent, Board]],
        keys: Collection[CaseKey],
        trials: int | None = None,
    ) -> Estimate:
        """From what the cases took last time, else from what others of the agent took: costs of all
        agents are added; agents run side by side, so the slowest one tells the time. Without
        `trials`, as often as the settings say.
        """
        config = self._state.config
        times = len(keys) * (trials or config.trials)
        costs: list[float | None] = []
        seconds: list[float] = []
        never_run = 0
        for agent, board in asked:
            known = KnownCosts.of(board.rows, keys)
            if known.seconds is not None:
                seconds.append(known.seconds * times / max(1, config.concurrency))
            if not agent.traits.is_free:
                costs.append(None if known.cost_usd is None else known.cost_usd * times)
                never_run = max(never_run, known.never_run)
        cost = None if None in costs else sum(usd for usd in costs if usd is not None)
        left = [self.budget(agent.name).left_usd for agent, _ in asked if not agent.traits.is_free]
        is_dear = cost is None or cost > config.confirm_above
        return Estimate(
            cases=times * len(asked),
            cost_usd=cost if costs else None,
            seconds=max(seconds) if seconds else None,
            never_run=never_run,
            asks_first=bool(costs) and (is_dear or never_run > 1),
            left_usd=min((usd for usd in left if usd is not None), default=None),
        )


def due_by_itself(
    agent: Agent, stale: Iterable[StaleCase], at_opening: Container[CaseKey] = ()
) -> dict[CaseKey, None]:
    """What a change makes an agent be asked without anybody wanting it, as an ordered set.

    One that costs money is asked what the change affects, and not what was stale `at_opening`; one
    that is free, what it may affect too, and what never ran. What is only to be judged again is
    asked of neither.
    """
    if agent.traits.is_free:
        asked = {Degree.AFFECTED, Degree.POSSIBLY, Degree.NEVER_RUN}
        return {case.key: None for case in stale if case.degree in asked}
    affected = (case.key for case in stale if case.degree is Degree.AFFECTED)
    return {key: None for key in affected if key not in at_opening}
