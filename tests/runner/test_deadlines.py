"""One timer keeps every time limit."""

import asyncio
from typing import Any

import pytest

from evaltui.runner.deadlines import Deadlines


def own_task() -> asyncio.Task[Any]:
    task = asyncio.current_task()
    assert task is not None
    return task


async def test_each_attempt_has_its_own_limit() -> None:
    deadlines = Deadlines(0.05)
    loop = asyncio.get_running_loop()
    ended: list[tuple[float, bool]] = []

    async def attempt(start_after: float, takes: float) -> None:
        await asyncio.sleep(start_after)
        deadline, began = deadlines.start(own_task()), loop.time()
        try:
            await asyncio.sleep(takes)
        except asyncio.CancelledError:
            if not deadline.is_past:
                raise
        finally:
            deadlines.stop(deadline)
        ended.append((loop.time() - began, deadline.is_past))

    await asyncio.gather(*(attempt(0.02 * n, 0.001 if n % 2 else 5) for n in range(6)))
    deadlines.close()
    assert [is_past for _, is_past in sorted(ended)] == [False] * 3 + [True] * 3
    assert all(0.045 < taken < 1 for taken, is_past in ended if is_past)


async def test_a_task_is_not_left_cancelled() -> None:
    deadlines = Deadlines(0.01)
    deadline = deadlines.start(own_task())
    with pytest.raises(asyncio.CancelledError):
        await asyncio.sleep(5)
    deadlines.stop(deadline)
    task = asyncio.current_task()
    assert task is not None and task.cancelling() == 0
    await asyncio.sleep(0)
    deadlines.close()


async def test_no_limit_never_rings() -> None:
    deadlines = Deadlines(0)
    deadline = deadlines.start(own_task())
    await asyncio.sleep(0.02)
    deadlines.stop(deadline)
    assert not deadline.is_past


async def test_a_limit_that_is_held_runs_on_from_where_it_was() -> None:
    deadlines, loop = Deadlines(0.05), asyncio.get_running_loop()
    deadline, began = deadlines.start(own_task()), loop.time()
    deadlines.hold(deadline)
    deadlines.hold(deadline)
    await asyncio.sleep(0.08)
    deadlines.go_on(deadline)
    assert loop.time() - began >= 0.08, "it is held twice"
    deadlines.go_on(deadline)
    with pytest.raises(asyncio.CancelledError):
        await asyncio.sleep(5)
    deadlines.stop(deadline)
    deadlines.close()
    assert deadline.held_s >= 0.08
    assert 0.12 < loop.time() - began < 1


async def test_one_that_was_held_is_due_before_those_that_began_after_it() -> None:
    deadlines, loop = Deadlines(0.2), asyncio.get_running_loop()
    first = deadlines.start(own_task())
    await asyncio.sleep(0.1)
    deadlines.hold(first)

    async def later() -> None:
        await asyncio.sleep(5)

    task = asyncio.create_task(later())
    second = deadlines.start(task)
    deadlines.go_on(first)
    began = loop.time()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.sleep(5)
    assert loop.time() - began < 0.17 and not second.is_past
    deadlines.stop(first)
    task.cancel()
    deadlines.close()
