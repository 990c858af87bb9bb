"""Whether something long lets others have a turn, by a clock that goes on with every look."""

import asyncio
from collections.abc import Coroutine
from typing import Any


class Ticking:
    """Takes the part of the module `time`: each look at the clock is 10 ms after the last."""

    def __init__(self) -> None:
        self._looks = 0

    def perf_counter(self) -> float:
        self._looks += 1
        return self._looks / 100

    def process_time(self) -> float:
        return 0.0


async def turns_during(work: Coroutine[Any, Any, object]) -> int:
    """How often somebody else had a turn until `work` was done."""
    turns = 0

    async def take() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    taking = asyncio.create_task(take())
    await asyncio.sleep(0)
    turns = 0
    await work
    taking.cancel()
    return turns
