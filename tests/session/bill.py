"""What is asked for money keeps a bill of its own, beside what the budgets count."""

import asyncio
from pathlib import Path
from weakref import WeakKeyDictionary

from msgspec import Struct

from evaltui.core.payer import Payer, Reservation

_NOTED: "WeakKeyDictionary[asyncio.Task[object], Reservation]" = WeakKeyDictionary()


class Noting(Payer):
    """In the place of `Payer`: what it reserves is known to who answers."""

    def try_reserve(self, worst_usd: float | None) -> Reservation | None:
        return self._noted(super().try_reserve(worst_usd))

    async def reserve(self, worst_usd: float | None = None) -> Reservation:
        got = await super().reserve(worst_usd)
        self._noted(got)
        return got

    def _noted(self, got: Reservation | None) -> Reservation | None:
        task = asyncio.current_task()
        # A judge is paid for under two limits: that which there is counts.
        if got is not None and task is not None and self.is_limited:
            _NOTED[task] = got
        return got


def held_usd() -> float:
    """What is reserved for the request that this task sent."""
    task = asyncio.current_task()
    return 0.0 if task is None or task not in _NOTED else _NOTED[task].held_usd


class Bill(Struct):
    usd: float = 0.0
    excess_usd: float = 0.0
    """By how much single answers cost more than what was reserved for them, added up."""
    dearest_usd: float = 0.0
    """Of the answers that came."""

    def add(self, cost_usd: float, held_usd: float, *, came: bool) -> None:
        self.usd += cost_usd
        self.excess_usd += max(0.0, cost_usd - held_usd)
        if came:
            self.dearest_usd = max(self.dearest_usd, cost_usd)


class BillOnDisk:
    """A bill that is known after whoever runs up costs was killed."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def add(self, cost_usd: float, held_usd: float, *, came: bool) -> None:
        with self._file.open("ab", buffering=0) as file:
            file.write(f"{cost_usd!r} {held_usd!r} {came:d}\n".encode())

    def read(self) -> Bill:
        bill = Bill()
        lines = self._file.read_text().splitlines() if self._file.exists() else ()
        for cost, held, came in map(str.split, lines):
            bill.add(float(cost), float(held), came=came == "1")
        return bill
