"""What small tasks in the background leave behind: a problem, and no work once they are let go."""

import asyncio

import pytest

from evaltui.core.errors import Problem, UserError
from evaltui.disk.history.history_file import HistoryError
from evaltui.session.background import Background
from evaltui.session.event_bus import EventBus
from evaltui.store.store import Store


async def failing(error: Exception) -> None:
    raise error


async def settled() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    "error", [OSError("it is full"), HistoryError("it is locked"), UserError("it is gone", "Wait.")]
)
async def test_what_goes_wrong_is_told(error: Exception) -> None:
    store = Store()
    Background(EventBus(store)).begin(failing(error))
    await settled()
    assert store.problems.others == [Problem("", str(error), "Nothing was changed.")]


async def test_what_is_not_done_is_let_go_and_no_problem() -> None:
    store, done = Store(), list[str]()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            done.append("let go")

    background = Background(EventBus(store))
    background.begin(work())
    await settled()
    background.cancel()
    await settled()
    assert (done, store.problems.others) == (["let go"], [])
