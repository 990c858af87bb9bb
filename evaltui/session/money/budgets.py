"""What each agent and judge has spent, may spend, and requested in the last minute."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.agent_name import ALL_JUDGING
from evaltui.core.asked import AgentTraits
from evaltui.core.budget import Budget
from evaltui.core.config import AgentProfile
from evaltui.core.events import SpendingChanged
from evaltui.core.joint_payer import JointPayer
from evaltui.core.payer import Payer
from evaltui.core.rate_window import RateWindow
from evaltui.core.spent import Spent
from evaltui.session.project_state import ProjectState

if TYPE_CHECKING:
    from evaltui.agents.metered import Meter

_EMIT_EVERY_S = 0.5


class Budgets:
    """Whatever costs money gets its meter here: all of a session draw on one budget."""

    def __init__(self, state: ProjectState) -> None:
        self._state = state
        config = state.config
        self._budget = Budget(config.max_cost_usd, at_once=max(1, config.concurrency))
        self._own: dict[str, Budget] = {}
        self._profiles: Mapping[str, AgentProfile] = {}
        """Of the agents that may be asked, by their names."""
        self._stated: Mapping[str, list[AgentProfile]] = {}
        """What the settings that were followed last say of each agent and judge."""
        self._rates: dict[str, RateWindow] = {}
        self._judge = Budget(at_once=self._budget.at_once, where="In the judge's profile ")
        """Of the judge's own limit alone: what it costs is paid from the budget of the agent that
        is judged, and counted here too."""
        self._judge_rate = RateWindow()
        self._emitted: dict[str, SpendingChanged] = {}
        self._emitted_at = 0.0

    def budget(self, name: str) -> Budget:
        """What one agent, judge or persona spent in this session, and may spend."""
        return self._own.setdefault(name, Budget(within=self._budget))

    def take_over(self, spent: Spent, name: str | None) -> None:
        """So much was spent before within the same limits, by that agent; `None`: by one that is
        not asked here; `ALL_JUDGING`: of what agents spent, by their judge."""
        if self._is_priced_since(spent):
            spent = replace(spent, unpriced="", had_price=False)
        if name == ALL_JUDGING:
            self._judge.take_over(spent)
        else:
            (self._budget if name is None else self.budget(name)).take_over(spent)

    @property
    def of_judging(self) -> Spent:
        """What the judge did cost by all agents, were no answer to come to what is under way."""
        return self._judge.if_lost(0.0)

    def rate(self, name: str) -> RateWindow:
        """The requests of the last minute."""
        return self._rates.setdefault(name, RateWindow())

    def meter(self, name: str, traits: AgentTraits) -> "Meter":
        """What counts all requests under that name; one that is made anew knows no price yet.

        What is free is not counted, unless its answers may say what they cost.
        """
        from evaltui.agents.metered import Meter

        if not traits.is_counted:
            return Meter(None, self.rate(name))
        return Meter(_payer(name, self.budget(name), traits), self.rate(name))

    def judge_meter(self, judge: Agent, agent: str) -> "Meter":
        """What counts the requests to a judge: they are paid from the budget of the agent whose
        answers it judges, within the limit of the judge's profile too, and have a minute of their
        own."""
        from evaltui.agents.metered import Meter

        config, traits, rate = self._state.config, judge.traits, self._judge_rate
        own = None if config.judge is None else config.judge.profile.max_requests_per_minute
        rate.per_minute = config.max_requests_per_minute if own is None else own
        if not traits.is_counted:
            return Meter(None, rate)
        payer = _payer(judge.name, self.budget(agent), traits)
        return Meter(JointPayer(_payer(judge.name, self._judge, traits), payer), rate)

    def follow_settings(self, profiles: Mapping[str, AgentProfile]) -> None:
        """Limits of the settings in force are those of the session, by name of the agent.

        What was spent stays spent. Where nobody knows what an answer did cost, that stays so too,
        unless the settings of whoever gave it are others now: then it counts as one that did not
        come. If any save were enough, each would let one more such answer be paid.
        """
        config = self._state.config
        self._profiles = profiles
        before, self._stated = self._stated, self._by_name()
        self._budget.at_once = self._judge.at_once = max(1, config.concurrency)
        for name in [name for name, one in self._stated.items() if one != before.get(name)]:
            counted = sum(budget.ask_again(name) for budget in self._own.values())
            self._judge.ask_again(name)
            self._budget.ask_again(name, counted=counted)
        followed = [self._budget, self._judge, *map(self.budget, profiles)]
        was_refusing = any(budget.is_refusing for budget in followed)
        judge = config.judge
        self._judge.follow_limit(None if judge is None else judge.profile.max_cost_usd)
        self._budget.follow_limit(config.max_cost_usd)
        for name, profile in profiles.items():
            self.budget(name).follow_limit(profile.max_cost_usd)
            own = profile.max_requests_per_minute
            self.rate(name).per_minute = config.max_requests_per_minute if own is None else own
        if was_refusing and not any(budget.is_refusing for budget in followed):
            self._tell(is_freed=True)

    def tell(self, *, is_late: bool = False) -> None:
        """Emit what was spent of what may be; with `is_late` only if that was some time ago."""
        now = self._state.events.clock()
        if is_late and 0 <= now - self._emitted_at < _EMIT_EVERY_S:
            return
        self._emitted_at = now
        self._tell(is_freed=False)

    def hold(self, name: str, cases: int) -> None:
        """So many cases are due that are not run before somebody agrees to the cost."""
        budget = self.budget(name)
        self._emit(SpendingChanged(name, budget.spent_usd, budget.left_usd, cases))

    def _tell(self, *, is_freed: bool) -> None:
        for name, budget in self._own.items():
            held = self._emitted[name].held if name in self._emitted else 0
            self._emit(SpendingChanged(name, budget.spent_usd, budget.left_usd, held, is_freed))

    def _is_priced_since(self, spent: Spent) -> bool:
        """Whether the settings say now what was missing: a price, or that it is free. A price that
        they stated then helped nothing."""
        named = self._by_name().get(spent.unpriced, [])
        return bool(named) and all(
            one.options.get("is_free") is True or ("price" in one.options and not spent.had_price)
            for one in named
        )

    def _by_name(self) -> Mapping[str, list[AgentProfile]]:
        """The profiles of the settings in force; an agent and a judge may be called the same."""
        config = self._state.config
        judging = () if config.judge is None else config.judge.profiles
        named: dict[str, list[AgentProfile]] = {}
        for one in judging:
            named.setdefault(one.name, []).append(one)
        for name, own in {**config.profiles, **self._profiles}.items():
            named.setdefault(name, []).append(own)
        return named

    def _emit(self, event: SpendingChanged) -> None:
        before = self._emitted.get(event.agent, SpendingChanged(event.agent, 0.0))
        if event != before:
            self._emitted[event.agent] = event
            self._state.events.emit(event)


def _payer(name: str, budget: Budget, traits: AgentTraits) -> Payer:
    return Payer(name, budget, is_free=traits.is_free, states_price=traits.states_price)
