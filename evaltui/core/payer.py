"""Who pays: reserves the possible cost before each request, and settles with the actual one."""

import asyncio
from math import isfinite

from evaltui.core.budget import Budget, BudgetSpentError

MOST_LOST = 3
"""Answers that may fail to come, of all who share a limit, while nobody knows what one costs."""


class Payer:
    """Reserves for one agent, judge or persona, whose answers cost about as much as each other."""

    def __init__(
        self, name: str, budget: Budget, *, is_free: bool = False, states_price: bool = False
    ) -> None:
        """`is_free`: its answers are taken to cost nothing until one says otherwise.
        `states_price`: its profile does, so what is missing is how much was used."""
        self.name = name
        self._states_price = states_price
        self.budget = budget
        self._dearest: float | None = 0.0 if is_free else None
        """The dearest answer that came; `None` before there was one with a price."""
        self._is_proven = not is_free
        """Whether an answer came, of what is taken to be free, that did cost nothing."""
        self._guessed = 0
        """Answers that count with the dearest so far, since theirs is not known."""
        self._excess = 1.0
        """How many times its worst case an answer cost at most."""

    @property
    def is_limited(self) -> bool:
        return self.budget.is_limited

    async def reserve(self, worst_usd: float | None = None) -> "Reservation":
        """Before one request is sent; waits while what is under way may free enough.

        `worst_usd`: what it may cost at most. Where nobody knows, one request is under way, with
        all that is left reserved, until one answer told its price; then each reserves the dearest
        that came, and `Budget.at_once` are under way. That first one is sent only while there is
        left what the dearest answer of all who share the limit did cost. Raises BudgetSpentError.
        """
        if (got := self.try_reserve(worst_usd)) is not None:
            return got
        waiting = _Waiting(self, worst_usd)
        self.budget.line_up(waiting)
        try:
            return await waiting.future
        except asyncio.CancelledError:
            waiting.give_up()
            raise
        finally:
            self.budget.step_out(waiting)

    def try_reserve(self, worst_usd: float | None) -> "Reservation | None":
        """`None`: not now. Raises BudgetSpentError."""
        chain = self.budget.chain()
        amount = self._amount(worst_usd)
        capped: tuple[Budget, ...] = ()
        if self.is_limited:
            if amount is None and (bearing := self.budget.bears_unpriced):
                name, had_price = bearing.worst_unpriced
                raise _unknown_price(name, has_price=had_price)
            if amount is None and self.budget.most_lost >= MOST_LOST:
                raise _unknown_price(self.name, has_price=self._states_price)
            limited = tuple(budget for budget in chain if budget.limit_usd is not None)
            if worst_usd is None and (full := [b for b in limited if b.is_full_of_lost]):
                loser = full[0].loser
                has_price = self._states_price and loser == self.name
                raise _unknown_price(loser, has_price=has_price)
            for budget in chain:
                needed = budget.seen_usd if amount is None else amount
                if not budget.fits(needed):
                    if budget.is_idle:
                        raise budget.refuse(needed)
                    return None
            # Each may cost more than the dearest so far: how many do bounds what is overspent.
            if worst_usd is None:
                is_free = amount == 0 and self._is_proven
                is_free = is_free and not any(budget.is_deceived for budget in limited)
                capped = (self.budget,) if is_free else limited
            if not all(budget.has_room for budget in capped):
                return None
        held = amount
        if held is None:
            free = [budget.free_usd for budget in chain]
            held = min((usd for usd in free if usd is not None), default=0.0)
        for budget in chain:
            budget.take(held)
        for budget in capped:
            budget.count_unstated(1)
        self.budget.note_open(self.name, amount, 1)
        return Reservation(self, held, amount, worst_usd, capped)

    def _amount(self, worst_usd: float | None) -> float | None:
        return self.dearest_usd if worst_usd is None else worst_usd * self._excess

    @property
    def dearest_usd(self) -> float | None:
        """The dearest answer, those before this session included; `None`: no price is known."""
        before = self.budget.dearest_before.get(self.name)
        return self._dearest if before is None else max(before, self._dearest or 0.0)

    def end(
        self,
        held_usd: float,
        amount_usd: float | None,
        cost_usd: float,
        capped: tuple[Budget, ...],
    ) -> None:
        """A request is over; `capped` counted it among those whose worst case nobody knows."""
        for budget in capped:
            budget.count_unstated(-1)
        for budget in self.budget.chain():
            budget.give_back(held_usd, cost_usd)
        self.budget.note_open(self.name, amount_usd, -1)
        self.budget.look_again()

    def learn(self, cost_usd: float, worst_usd: float | None) -> float:
        """What an answer cost; returns what it tells of those that did not come before it."""
        if worst_usd:
            self._excess = max(self._excess, cost_usd / worst_usd)
        before, self._dearest = self.dearest_usd, max(self.dearest_usd or 0.0, cost_usd)
        self.budget.see(self.name, self._dearest)
        if before == 0.0 and cost_usd > 0:
            self.budget.deceive()
        owed = 0.0 if before is None else self._guessed * (self._dearest - before)
        lost = self.budget.lost
        self.budget.lose(-lost)
        self._guessed += lost
        return owed + lost * cost_usd

    def guess(self) -> None:
        """An answer that is not known counts with the dearest so far: later, as one is dearer,
        with that."""
        self._guessed += 1

    def prove(self) -> None:
        """An answer came that did cost nothing, as it seems."""
        self._is_proven = True

    def miss(self) -> None:
        """An answer did not come, and what it would have cost nobody knows."""
        self.budget.lose(1, self.name)

    def miss_price(self) -> None:
        """An answer came, and nobody knows what it cost."""
        self.budget.miss_price(self.name, has_price=self._states_price)


class Reservation:
    """For one request, from before it is sent until it is over; exactly one end counts."""

    def __init__(
        self,
        payer: Payer,
        held_usd: float,
        amount_usd: float | None,
        worst_usd: float | None,
        capped: tuple[Budget, ...],
    ) -> None:
        self._payer = payer
        self.held_usd = held_usd
        """What nobody else may spend meanwhile."""
        self._amount_usd = amount_usd
        """`None`: nobody knows what it may cost."""
        self._worst_usd = worst_usd
        self._capped = capped
        self._is_over = False

    def settle(self, cost_usd: float | None) -> None:
        """The answer came and cost so much; without a price it counts as `lose` does."""
        if not cost_usd:
            self._payer.prove()
        if cost_usd is not None and isfinite(cost_usd) and cost_usd >= 0:
            owed = self._payer.learn(cost_usd, self._worst_usd)
            self._end(cost_usd + owed)
            return
        if self._amount_usd is None:
            self._payer.miss_price()
        self._end_unknown()

    def lose(self) -> None:
        """It was sent and no whole answer came: it counts with its worst case, or the dearest."""
        if self._amount_usd is None and not self._is_over:
            self._payer.miss()
        self._end_unknown()

    def _end_unknown(self) -> None:
        amount = self._amount_usd
        if self._worst_usd is None and amount is not None:
            amount = self._payer.dearest_usd  # a dearer one may have come meanwhile
            if amount and not self._is_over:
                self._payer.guess()
        self._end(amount or 0.0)

    def release(self) -> None:
        """It was not sent, or refused: it cost nothing."""
        self._end(0.0)

    def _end(self, cost_usd: float) -> None:
        if not self._is_over:
            self._is_over = True
            self._payer.end(self.held_usd, self._amount_usd, cost_usd, self._capped)


class _Waiting:
    """For the moment when a request fits, or never will."""

    def __init__(self, payer: Payer, worst_usd: float | None) -> None:
        self._payer = payer
        self._worst_usd = worst_usd
        self.future: asyncio.Future[Reservation] = asyncio.get_running_loop().create_future()

    def is_over(self) -> bool:
        """Look again; whether it need not wait any more."""
        if self.future.done():
            return True
        try:
            got = self._payer.try_reserve(self._worst_usd)
        except BudgetSpentError as error:
            self.future.set_exception(error)
            return True
        if got is None:
            return False
        self.future.set_result(got)
        return True

    def give_up(self) -> None:
        """Whoever waits was cancelled, perhaps when it had just been let through."""
        if self.future.done() and not self.future.cancelled() and not self.future.exception():
            self.future.result().release()


def _unknown_price(name: str, *, has_price: bool) -> BudgetSpentError:
    what = f"`max_cost_usd` is set, and what `{name}` costs is not known"
    if has_price:
        what += ": its profile states a `price`, and no answer tells all that it used"
        hint = (
            "State `max_tokens` too, so that what an answer costs at most is known, or take "
            "`max_cost_usd` away. Once its answers report their `usage`, run without --resume."
        )
    else:
        hint = (
            "Give its profile a `price` (dollars for a million tokens), install evaltui[prices], "
            "or say `is_free = true`; an endpoint can report its cost as `costUsd`. Then run "
            "without --resume."
        )
    return BudgetSpentError(what, hint, "price-unknown")
