"""Work that is begun is done to its end, and whoever was cancelled meanwhile hears of it then."""

import asyncio

import pytest

from evaltui.session.running.unbroken import unbroken


class Writing:
    """Work that goes on when it is told to."""

    def __init__(self, error: Exception | None = None) -> None:
        self.go, self.is_done, self._error = asyncio.Event(), False, error

    async def work(self) -> str:
        await self.go.wait()
        if self._error is not None:
            raise self._error
        self.is_done = True
        return "written"


async def turns(number: int = 3) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


async def test_it_returns_what_the_work_returns() -> None:
    writing = Writing()
    writing.go.set()
    assert await unbroken(writing.work()) == "written"


async def test_who_is_cancelled_however_often_waits_for_the_end_and_is_cancelled_then() -> None:
    writing = Writing()
    waiting = asyncio.create_task(unbroken(writing.work()))
    for _ in range(2):
        await turns()
        waiting.cancel()
    await turns()
    assert not waiting.done()
    writing.go.set()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert writing.is_done


async def test_what_went_wrong_is_raised_also_to_who_was_cancelled() -> None:
    writing = Writing(OSError("the disk is full"))
    waiting = asyncio.create_task(unbroken(writing.work()))
    await turns()
    waiting.cancel()
    await turns()
    writing.go.set()
    with pytest.raises(OSError, match="the disk is full"):
        await waiting
