"""Work that cancellation does not interrupt: what it began to write gets written."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

T = TypeVar("T")


async def unbroken(work: Coroutine[None, None, T]) -> T:
    """Do the work to its end. Who waits and is cancelled hears of it then, as CancelledError.

    Raises what the work raises.
    """
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    done = task.result()
    if cancelled is not None:
        raise cancelled
    return done
