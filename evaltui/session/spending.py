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
from evaltui.core.spent import Spent
from evaltui.core.staleness import Degree, StaleCase
from evaltui.kinds import asks_judge
from evaltui.session.allowance import Allowance, is_unpriced
from evaltui.session.judge_in_force import JudgeInForce
from evaltui.session.project_state import ProjectState
from evaltui.store.board import Board
from evaltui.store.known_costs import KnownCosts

if TYPE_CHECKING:
    from evaltui.agents.metered import Meter

_TOLD_EVERY_S = 0.5


class Cause(StrEnum):
    """What wants something to run; a person who asks for it was shown the estimate."""

    OPENED = "opened"
    """Nobody yet: the project was opened and results are missing or out of date."""
    SAVED = "saved"
    """A file was saved while watching."""


class Estimate(Struct, frozen=True):
    """What a run would take; `None` where nothing is known yet."""

    cases: int
    """Times that an agent is asked, or a kept answer judged; what is only read is no call."""
    cost_usd: float | None
    seconds: float | None
    never_run: int = 0
    """Cases of which that is a guess from others, of an agent that costs money."""
    asks_first: bool = False
    """Whether somebody has to agree: it is neither free nor known to be cheap."""
    left_usd: float | None = None
    """What may be spent still; `None` where nothing limits it."""
    may_tell_costs: bool = False
    """Whether an agent that runs without asking may say what it costs, and has not been asked."""

    @property
    def without_sum(self) -> str:
        """What is said where there is no `cost_usd`."""
        if self.asks_first:
            return "cost unknown"
        return "cost not known yet" if self.may_tell_costs else "free"


class Spending:
    """Everything that starts a run asks here first: opening, a save, a person.

    Whatever costs money gets its meter here: all of a session draw on one budget.
    """

    def __init__(self, state: ProjectState, judge: JudgeInForce) -> None:
        self._state = state
        self._judge = judge
        config = state.config
        self._budget = Budget(config.max_cost_usd, at_once=max(1, config.concurrency))
        self._own: dict[str, Budget] = {}
        self._rates: dict[str, RateWindow] = {}
        self._judge_rate = RateWindow()
        self._told: dict[str, SpendingChanged] = {}
        self._told_at = 0.0
        self._by_itself: dict[str, float] = {}
        """What the last save had each agent spend without anybody asking for it."""

    def may_run(self, cause: Cause, agent: Agent, board: Board, keys: Collection[CaseKey]) -> bool:
        """Whether these cases may be run now, for that cause, without asking anybody first."""
        match cause:
            case Cause.OPENED:
                return not (self.dear_to_ask(agent, board, keys) or self.dear_to_judge(board, keys))
            case Cause.SAVED:
                return not self.estimate([(agent, board)], keys).asks_first

    def may_judge(
        self, cause: Cause, agent: Agent, board: Board, keys: Collection[CaseKey]
    ) -> bool:
        """Whether the kept answers to these cases may be judged again now, without asking first."""
        match cause:
            case Cause.OPENED:
                return not self.dear_to_judge(board, keys)
            case Cause.SAVED if not keys:
                return True
            case Cause.SAVED:
                return not self.estimate([(agent, board)], keys, 1, is_rejudging=True).asks_first

    def allowed(
        self, cause: Cause, agent: Agent, board: Board, keys: Collection[CaseKey]
    ) -> dict[CaseKey, None] | None:
        """Those of the cases that may be run now: all, else all but those that are dear to judge,
        else those of which the agent is not asked; `None` when none may."""
        if self.may_run(cause, agent, board, keys):
            return dict.fromkeys(keys)
        dear = self.dear_to_judge(board, keys)
        for refused in (dear, dear | self.dear_to_ask(agent, board, keys)):
            others = {key: None for key in keys if key not in refused}
            if refused and others and self.may_run(cause, agent, board, others):
                return others
        return None

    def dear_to_ask(
        self, agent: Agent, board: Board, keys: Iterable[CaseKey]
    ) -> frozenset[CaseKey]:
        """Those of the cases for which an agent is asked that costs money."""
        if agent.traits.is_free:
            return frozenset()
        return frozenset(keys) - unasked(board, keys)

    def may_go_on(
        self, agent: Agent, board: Board, keys: Collection[CaseKey], spent_usd: float = 0.0
    ) -> bool:
        """Whether these may be run too, without asking, of what nobody asked for: together with
        what the save had run before, and with what the run under way spent, they cost no more than
        a run may that is not asked about."""
        found = self.estimate([(agent, board)], keys)
        spent = self._by_itself.get(agent.name, 0.0) + spent_usd
        if self.dear_to_ask(agent, board, keys) and is_unpriced(self.budget(agent.name)):
            return False
        most = self._state.config.confirm_above
        return not found.asks_first and (found.cost_usd or 0.0) + spent <= most

    def begin_save(self, name: str) -> None:
        """What is spent from now on, without anybody asking for it, is another save's."""
        self._by_itself[name] = 0.0

    def spend_by_itself(self, name: str, usd: float) -> None:
        self._by_itself[name] = self._by_itself.get(name, 0.0) + usd

    def allowance(
        self, agent: Agent, board: Board, keys: Collection[CaseKey], trials: int, *, rejudges: bool
    ) -> Allowance | None:
        """What these may spend that a save has run by itself; `None`: they cost nothing."""
        dear = self.dear_to_judge(board, keys)
        if not rejudges:
            dear |= self.dear_to_ask(agent, board, keys)
        if not dear:
            return None
        found = self.estimate([(agent, board)], dear, trials, is_rejudging=rejudges)
        each = (found.cost_usd or 0.0) / max(1, found.cases)
        left = self._state.config.confirm_above - self._by_itself.get(agent.name, 0.0)
        return Allowance(self.budget(agent.name), left, each, dear)

    def dear_to_judge(self, board: Board, keys: Iterable[CaseKey]) -> frozenset[CaseKey]:
        """Those of the cases whose verdict costs money, whatever the answer costs."""
        if self._judge.is_free:
            return frozenset()
        rows = ((key, board.rows.get(key)) for key in keys)
        return frozenset(key for key, row in rows if row is not None and asks_judge(row.case))

    def budget(self, name: str) -> Budget:
        """What one agent, judge or persona spent in this session, and may spend."""
        return self._own.setdefault(name, Budget(within=self._budget))

    def take_over(self, spent: Spent, name: str | None) -> None:
        """So much was spent before within the same limits, by that agent; `None`: by one that is
        not asked here."""
        (self._budget if name is None else self.budget(name)).take_over(spent)

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

    def judge_meter(self, judge: Agent, agent: str) -> "Meter":
        """What counts the requests to a judge: they are paid from the budget of the agent whose
        answers it judges, and have a minute of their own."""
        from evaltui.agents.metered import Meter

        config, traits, rate = self._state.config, judge.traits, self._judge_rate
        own = None if config.judge is None else config.judge.profile.max_requests_per_minute
        rate.per_minute = config.max_requests_per_minute if own is None else own
        is_counted = not traits.is_free or traits.may_tell_costs
        budget = self.budget(agent)
        payer = Payer(judge.name, budget, is_free=traits.is_free) if is_counted else None
        return Meter(payer, rate)

    def follow_settings(self, profiles: Mapping[str, AgentProfile]) -> None:
        """Limits of the settings in force are those of the session, by name of the agent.

        What was spent stays spent; a price that was missing may be stated now.
        """
        config = self._state.config
        self._budget.at_once = max(1, config.concurrency)
        for budget in (self._budget, *self._own.values()):
            budget.unpriced = ""
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
        *,
        is_rejudging: bool = False,
    ) -> Estimate:
        """From what the cases took last time, else from what others of the agent took: costs of all
        agents are added; agents run side by side, so the slowest one tells the time. Without
        `trials`, as often as the settings say. `is_rejudging`: only a judge is asked; what a case
        cost with its answer counts.
        """
        config = self._state.config
        calls, may_tell_costs, told_usd = 0, False, list[float]()
        costs: list[float | None] = []
        seconds: list[float] = []
        never_run = 0
        for agent, board in asked:
            none = unasked(board, keys)
            lasting = [key for key in keys if key not in none]
            calls += len(keys if is_rejudging else lasting) * (trials or config.trials)
            known = KnownCosts.of(board.rows, lasting)
            if known.seconds is not None:
                each = known.seconds * (trials or config.trials)
                seconds.append(each * len(lasting) / max(1, config.concurrency))
            asked_keys = self.dear_to_ask(agent, board, keys)
            if asked_keys and not is_rejudging:
                known = KnownCosts.of(board.rows, asked_keys)
                paid = len(asked_keys) * (trials or config.trials)
                costs.append(None if known.cost_usd is None else known.cost_usd * paid)
                never_run = max(never_run, known.never_run)
            elif dear := self.dear_to_judge(board, keys):
                judged = KnownCosts.of(board.rows, dear)
                many = len(dear) * (trials or config.trials)
                costs.append(None if judged.cost_usd is None else judged.cost_usd * many)
                never_run = max(never_run, judged.never_run)
            if lasting and not is_rejudging and _tells_costs(agent.traits):
                told = KnownCosts.of(board.rows, lasting)
                may_tell_costs |= told.seconds is None
                if told.cost_usd is not None:
                    told_usd.append(told.cost_usd * len(lasting) * (trials or config.trials))
        cost = None if None in costs else sum(usd for usd in costs if usd is not None)
        left = [self.budget(agent.name).left_usd for agent, _ in asked if not agent.traits.is_free]
        is_dear = cost is None or cost > config.confirm_above
        return Estimate(
            cases=calls,
            cost_usd=None if cost is None or not (costs or told_usd) else cost + sum(told_usd),
            seconds=max(seconds) if seconds else None,
            never_run=never_run,
            asks_first=bool(costs) and (is_dear or never_run > 1),
            left_usd=min((usd for usd in left if usd is not None), default=None),
            may_tell_costs=may_tell_costs,
        )


def _tells_costs(traits: AgentTraits) -> bool:
    """Of one that runs without asking, whether its answers may cost something all the same."""
    return traits.is_free and traits.may_tell_costs and not traits.is_deterministic


def unasked(board: Board, keys: Iterable[CaseKey]) -> frozenset[CaseKey]:
    """Those of the cases for which the agent is not asked: what happened is written there."""
    rows = ((key, board.rows.get(key)) for key in keys)
    return frozenset(key for key, row in rows if row is not None and not row.case.asks_agent)


def due_by_itself(
    agent: Agent,
    stale: Iterable[StaleCase],
    dear: Container[CaseKey] = (),
    unasked: Container[CaseKey] = (),
    failed: Container[CaseKey] = (),
) -> dict[CaseKey, None]:
    """What a change makes an agent be asked without anybody wanting it, as an ordered set.

    One that costs money is asked what the change affects, and of what it may affect those that
    `failed`; one that is free, all of it, and what never ran; `dear` are cases whose verdict costs
    money all the same, `unasked` those for which it is not asked at all. What is only to be judged
    again is asked of neither.
    """
    due: dict[CaseKey, None] = {}
    for case in stale:
        if case.key in unasked or (agent.traits.is_free and case.key not in dear):
            is_due = case.degree in _DUE_WHEN_FREE
        else:
            is_due = case.degree is Degree.AFFECTED or case.key in failed
        if is_due:
            due[case.key] = None
    return due


_DUE_WHEN_FREE = frozenset({Degree.AFFECTED, Degree.POSSIBLY, Degree.NEVER_RUN})
