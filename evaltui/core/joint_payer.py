"""A payer under two limits at once, neither within the other: a judge, whose own limit covers all
agents whose answers it judges, while each of those agents pays for its judging."""

from evaltui.core.payer import Payer, Reservation


class JointPayer:
    """Asks as `Payer` does; nothing is sent that does not fit on either side."""

    def __init__(self, first: Payer, second: Payer) -> None:
        """`first` is asked first, by everyone who asks it at all: nobody who waits for it has what
        others wait for."""
        self.first, self.second = first, second

    @property
    def is_limited(self) -> bool:
        return self.first.is_limited or self.second.is_limited

    async def reserve(self, worst_usd: float | None = None) -> "JointReservation":
        """Raises BudgetSpentError."""
        first = await self.first.reserve(worst_usd)
        try:
            return JointReservation(first, await self.second.reserve(worst_usd))
        except BaseException:
            first.release()
            raise

    def try_reserve(self, worst_usd: float | None) -> "JointReservation | None":
        """`None`: not now. Raises BudgetSpentError."""
        if (first := self.first.try_reserve(worst_usd)) is None:
            return None
        second = None
        try:
            second = self.second.try_reserve(worst_usd)
        finally:
            if second is None:
                first.release()
        return None if second is None else JointReservation(first, second)


class JointReservation:
    """Both ends at once; see `Reservation`."""

    def __init__(self, *both: Reservation) -> None:
        self._both = both

    def settle(self, cost_usd: float | None) -> None:
        for one in self._both:
            one.settle(cost_usd)

    def lose(self) -> None:
        for one in self._both:
            one.lose()

    def release(self) -> None:
        for one in self._both:
            one.release()
