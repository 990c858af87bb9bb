"""Money that may be spent: reserved before a request is sent, settled with what it cost.

A session has one `Budget`, each agent one within it. Whoever asks what costs money, an agent, a
judge, a persona, is a `Payer` (`core/payer.py`) of one of them and reserves before each request.
"""

from collections.abc import Callable, Mapping
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.errors import BUDGET_SPENT, NoMoreError
from evaltui.core.measured_number import dollars
from evaltui.core.spent import Spent

BUDGET = "budget"
"""The category of what was not asked, since nothing more may be spent."""
_ROUNDING_USD = 1e-9


class BudgetSpentError(NoMoreError):
    """What may be spent is spent, or may be by what is under way."""

    def __init__(self, what: str, hint: str, code: str) -> None:
        super().__init__(what, hint, code, category=BUDGET)


class Unpriced(Struct, frozen=True):
    """Answers of one agent or judge of which nobody knows what they cost."""

    answers: int
    had_price: bool
    """Whether its profile stated a price nevertheless."""


class Budget:
    """What may be spent, and what was; all of it counts in the budget around it too."""

    def __init__(
        self,
        limit_usd: float | None = None,
        within: "Budget | None" = None,
        *,
        at_once: int | None = None,
        where: str = "",
    ) -> None:
        """`where`: how a complaint about its limit begins, e.g. `In the judge's profile `."""
        self.limit_usd = limit_usd
        """`None`: no limit."""
        self.where = where
        self.at_once = at_once
        """Of the outermost budget only: how many requests whose worst case nobody knows may be
        under way in each; `None`: as many as fit."""
        self.spent_usd = 0.0
        self.lost = 0
        """Answers that did not come while no price was known, and that may have to be paid: those
        of all within. Each takes the place of a request that may be under way."""
        self.loser = ""
        """Whose answer did so last."""
        self.is_deceived = False
        """Whether an answer, of all within, did cost something that was taken to be free."""
        self.unpriced: dict[str, Unpriced] = {}
        """Who answered, of all within, and nobody knows what it cost."""
        self.dearest_before: Mapping[str, float] = {}
        """What those within paid at most before this session, by name."""
        self.dearest: dict[str, float] = {}
        """The same up to now."""
        self.seen_usd = 0.0
        """The dearest answer of all within. Who knows no price takes it that one costs as much."""
        self.on_change: Callable[[], None] | None = None
        """Of one agent's budget: hears of requests before they are sent, and of their end, where
        they may cost something."""
        self._refused_at_usd: float | None = None
        """The limit when it refused a request last; `None`: it did not."""
        self._open_usd = 0.0
        self._open_unknown = 0
        self._asked_last = ""
        self._reported = (0.0, 0)
        """What was spent, and how many prices are known, when `on_change` heard last."""
        self._chain: tuple[Budget, ...] = (self, *(within.chain() if within is not None else ()))
        self._reserved_usd = 0.0
        self._under_way = 0
        self._unstated = 0
        self._waiting: dict[Waiter, None] = {}
        """Of the outermost budget only, an ordered set: whoever waits longest comes first."""

    @property
    def left_usd(self) -> float | None:
        """What may be spent still, here and around it; `None` where nothing limits it."""
        left = [b.limit_usd - b.spent_usd for b in self.chain() if b.limit_usd is not None]
        return max(0.0, min(left)) if left else None

    @property
    def is_limited(self) -> bool:
        """Whether anything limits it, here or around it: asked before each request."""
        return bool([budget for budget in self._chain if budget.limit_usd is not None])

    def chain(self) -> "tuple[Budget, ...]":
        """This one and those around it."""
        return self._chain

    def take_over(self, spent: Spent) -> None:
        """What is asked now goes on with what spent this: the limit is that of both."""
        for budget in self.chain():
            budget.spent_usd += spent.usd
            if spent.unpriced:
                budget.unpriced[spent.unpriced] = Unpriced(0, spent.had_price)
        if spent.lost:
            self.lose(spent.lost, spent.loser)
        self.dearest_before = spent.dearest_usd
        for name, usd in spent.dearest_usd.items():
            self.see(name, usd)

    def spent_since(self, before_usd: float) -> Spent:
        """What was spent since so much was, and all that was learned."""
        usd = self.spent_usd - before_usd
        dearest, lost = dict(self.dearest), self.lost
        name, had_price = self.worst_unpriced
        return Spent(usd, dearest, lost, self.loser, name, had_price)

    def if_lost(self, before_usd: float) -> Spent:
        """As `spent_since`, were no answer to come to what is under way."""
        spent = self.spent_since(before_usd)
        lost, loser = self.lost + self._open_unknown, self.loser
        loser = self._asked_last if self._open_unknown else loser
        return replace(spent, usd=spent.usd + self._open_usd, lost=lost, loser=loser)

    def note_open(self, name: str, amount_usd: float | None, requests: int) -> None:
        """So many more of that name are under way, each of which may cost so much, or fewer."""
        if amount_usd is None:
            self._open_unknown += requests
        else:
            self._open_usd += requests * amount_usd
        self._asked_last = name
        known = (self.spent_usd, len(self.dearest))
        # Of what is free nothing changes, thousands of times a second.
        if self.on_change is not None and (amount_usd != 0.0 or known != self._reported):
            self._reported = known
            self.on_change()

    def see(self, name: str, dearest_usd: float) -> None:
        """So much the dearest answer of that name did cost."""
        self.dearest[name] = dearest_usd
        for budget in self.chain():
            budget.seen_usd = max(budget.seen_usd, dearest_usd)

    def follow_limit(self, limit_usd: float | None) -> None:
        """From now on this is the limit."""
        if limit_usd != self.limit_usd:
            self.limit_usd = limit_usd
            self.look_again()

    def refuse(self, amount_usd: float) -> BudgetSpentError:
        """For a request that may cost so much, does not fit, and has nothing to wait for."""
        self._refused_at_usd = self.limit_usd
        return _spent(self, amount_usd)

    @property
    def is_refusing(self) -> bool:
        """Whether it refused a request, and no more is left now than then: its limit was neither
        raised beyond what is spent nor taken away."""
        at, limit = self._refused_at_usd, self.limit_usd
        if at is None or limit is None:
            return False
        return limit <= max(at, self.spent_usd + _ROUNDING_USD)

    def fits(self, amount_usd: float) -> bool:
        """Whether so much more may be reserved here."""
        if self.limit_usd is None:
            return True
        taken = self.spent_usd + self._reserved_usd
        is_spent = taken >= self.limit_usd - _ROUNDING_USD
        return not is_spent and taken + amount_usd <= self.limit_usd + _ROUNDING_USD

    @property
    def free_usd(self) -> float | None:
        """What is neither spent nor reserved here; `None` where nothing limits it."""
        if self.limit_usd is None:
            return None
        return max(0.0, self.limit_usd - self.spent_usd - self._reserved_usd)

    @property
    def has_room(self) -> bool:
        """Whether one more request whose worst case nobody knows may be under way here."""
        places = self.places
        return places is None or self._unstated < places

    @property
    def places(self) -> int | None:
        """For how many such requests there is room, under way or not; `None`: for any number.

        An answer that did not come may cost as much as one that is under way: it takes a place,
        but for the first where several may be under way. Where only one may, it can have cost the
        whole limit, and the next one as much again.
        """
        at_once = self.chain()[-1].at_once
        if at_once is None:
            return None
        return at_once - self.lost + (1 if self.lost and at_once > 1 else 0)

    @property
    def is_full_of_lost(self) -> bool:
        return self.places is not None and self.places <= 0

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way whose end could free something."""
        return self._under_way == 0

    def take(self, amount_usd: float) -> None:
        """A request is about to be sent."""
        self._reserved_usd += amount_usd
        self._under_way += 1

    def give_back(self, amount_usd: float, cost_usd: float) -> None:
        """It is over: nothing is reserved for it any more, and it cost so much."""
        self._under_way -= 1
        self._reserved_usd = self._reserved_usd - amount_usd if self._under_way else 0.0
        self.spent_usd += cost_usd

    def count_unstated(self, requests: int) -> None:
        """So many more whose worst case nobody knows are under way here, or fewer."""
        self._unstated += requests

    def lose(self, answers: int, name: str = "") -> None:
        """So many more did not come, of that name, or fewer, for now their price is known."""
        for budget in self.chain():
            budget.lost += answers
            budget.loser = name or budget.loser

    def deceive(self) -> None:
        """What was taken to be free did cost something."""
        for budget in self.chain():
            budget.is_deceived = True

    def miss_price(self, name: str, *, has_price: bool = False) -> None:
        """An answer of that name came, and nobody knows what it cost. `has_price`: though its
        profile states a price."""
        for budget in self.chain():
            before = budget.unpriced.pop(name, None)  # the last one stands last
            answers = 1 if before is None else before.answers + 1
            budget.unpriced[name] = Unpriced(answers, has_price)

    def ask_again(self, name: str, *, counted: int = 0) -> int:
        """The settings of that one are others now, and may have it priced: its answers without a
        price count as those that did not come, but for so many that do already. Returns how many
        there were."""
        found = self.unpriced.pop(name, None)
        answers = 0 if found is None else found.answers
        if answers > counted:
            self.lose(answers - counted, name)
        return answers

    @property
    def worst_unpriced(self) -> tuple[str, bool]:
        """Of those in `unpriced` one that stating a price does not help, else the last, and whether
        it does not; an empty name where there is none."""
        stated = [name for name, one in self.unpriced.items() if one.had_price]
        return ((stated or [*self.unpriced]) or [""])[-1], bool(stated)

    @property
    def bears_unpriced(self) -> "Budget | None":
        """The one, here and around, whose limit has to bear an answer without a price."""
        limited = (budget for budget in self.chain() if budget.limit_usd is not None)
        return next((budget for budget in limited if budget.unpriced), None)

    @property
    def most_lost(self) -> int:
        """The most that any limit here and around has to bear of them."""
        return max((b.lost for b in self.chain() if b.limit_usd is not None), default=0)

    def look_again(self) -> None:
        """Something ended or changed: whoever waits may go on, or never will."""
        waiting = self.chain()[-1]._waiting
        for waiter in tuple(waiting):
            if waiter.is_over():
                waiting.pop(waiter, None)

    def line_up(self, waiter: "Waiter") -> None:
        """Look again for it whenever something ends, until `step_out`."""
        self.chain()[-1]._waiting[waiter] = None

    def step_out(self, waiter: "Waiter") -> None:
        self.chain()[-1]._waiting.pop(waiter, None)


class Waiter(Protocol):
    """Someone whose request does not fit now."""

    def is_over(self) -> bool:
        """Look again; whether it need not wait any more."""
        ...


def _spent(budget: Budget, amount_usd: float) -> BudgetSpentError:
    limit, spent = budget.limit_usd or 0.0, budget.spent_usd
    if spent >= limit - _ROUNDING_USD:
        whole, gone = dollars(limit, beside=(spent,)), dollars(spent, beside=(limit,))
        what = f"{budget.where}`max_cost_usd` of {whole} is spent ({gone})"
        return BudgetSpentError(what, "Raise `max_cost_usd`, or run fewer cases.", BUDGET_SPENT)
    sums = limit, limit - spent, amount_usd
    # Both rounded down: of a limit of which nothing was spent all is left.
    whole, left = (dollars(one, beside=sums, is_left=True) for one in (limit, limit - spent))
    return BudgetSpentError(
        f"{budget.where}`max_cost_usd` of {whole} has {left} left, "
        f"and the next answer may cost {dollars(amount_usd, beside=sums)}",
        "Raise `max_cost_usd`, or lower the agent's `max_tokens`.",
        BUDGET_SPENT,
    )
