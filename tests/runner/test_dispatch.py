"""In which order attempts are handed out, how many at once, and that waiting ones are bounded."""

import asyncio
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.rate_window import RateWindow
from evaltui.runner.dispatch import Attempt, Dispatch, Left
from evaltui.runner.job import Job
from tests.runner.fakes import job

NO_LIMITS = RateWindow()


def name(attempt: Attempt | None) -> str:
    assert attempt is not None
    return attempt.state.job.case.id


async def settled() -> None:
    """Until nothing is left to do but wait."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_attempts_come_in_the_order_of_the_jobs_all_trials_of_one_together() -> None:
    dispatch = Dispatch([job(0, trials=2), job(1), job(2)], 10, NO_LIMITS)
    handed = [await dispatch.next() for _ in range(4)]
    assert [name(each) for each in handed] == ["gs-0", "gs-0", "gs-1", "gs-2"]
    assert [each.trial for each in handed if each is not None] == [0, 1, 0, 0]
    for _ in handed:
        dispatch.answered()
    assert await dispatch.next() is None


async def test_never_more_at_once_than_allowed_and_the_next_as_soon_as_one_ends() -> None:
    dispatch = Dispatch([job(number) for number in range(5)], 2, NO_LIMITS)
    under_way: list[str] = []
    most = 0
    gates = {f"gs-{number}": asyncio.Event() for number in range(5)}

    async def work() -> None:
        nonlocal most
        while (attempt := await dispatch.next()) is not None:
            under_way.append(name(attempt))
            most = max(most, len(under_way))
            await gates[name(attempt)].wait()
            under_way.remove(name(attempt))
            dispatch.answered()

    async with asyncio.timeout(5), asyncio.TaskGroup() as workers:
        for _ in range(4):
            workers.create_task(work())
        await settled()
        assert under_way == ["gs-0", "gs-1"]
        gates["gs-1"].set()
        await settled()
        assert under_way == ["gs-0", "gs-2"]
        for gate in gates.values():
            gate.set()
    assert most == 2
    assert await dispatch.next() is None


async def test_what_ended_unjudged_is_not_among_what_was_not_run() -> None:
    dispatch = Dispatch([job(number) for number in range(6)], 3, NO_LIMITS)
    first, second, third = [await dispatch.next() for _ in range(3)]
    assert first is not None
    assert second is not None
    assert third is not None
    dispatch.answered()
    dispatch.stop(first)
    dispatch.left_over(second)
    dispatch.answered()
    assert await dispatch.next() is None
    assert dispatch.count_left() == Left(not_run=4, not_judged=1)


async def test_a_job_of_which_a_trial_is_left_counts_once() -> None:
    dispatch = Dispatch([job(0, trials=3), job(1)], 1, NO_LIMITS)
    attempt = await dispatch.next()
    assert attempt is not None
    dispatch.answered()
    dispatch.stop(attempt)
    assert dispatch.count_left() == Left(not_run=2, not_judged=0)


async def test_jobs_are_pulled_only_as_they_are_needed() -> None:
    pulled: list[int] = []

    def jobs() -> Iterator[Job]:
        for number in range(100):
            pulled.append(number)
            yield job(number)

    dispatch = Dispatch(jobs(), 3, NO_LIMITS)
    assert pulled == []
    await dispatch.next()
    await dispatch.next()
    assert pulled == [0, 1]


async def test_an_attempt_that_is_due_again_comes_before_new_ones() -> None:
    dispatch = Dispatch([job(number) for number in range(3)], 1, NO_LIMITS)
    first = await dispatch.next()
    assert first is not None
    dispatch.answered()
    dispatch.put_off(first, 0.0, 0.5)
    again = await dispatch.next()
    assert again is first
    assert again.retries == 1
    assert again.queued_s >= 0.5, "since it was sent first"


async def test_one_that_is_not_due_yet_lets_others_pass() -> None:
    dispatch = Dispatch([job(0), job(1)], 1, NO_LIMITS)
    first = await dispatch.next()
    assert first is not None
    dispatch.answered()
    dispatch.put_off(first, 0.01, 0.0)
    assert name(await dispatch.next()) == "gs-1"
    dispatch.answered()
    assert await dispatch.next() is first
    dispatch.answered()
    assert await dispatch.next() is None


@given(st.integers(1, 6))
async def test_attempts_that_are_put_off_are_bounded(concurrency: int) -> None:
    """An endpoint that refuses everything must not pile up the whole run."""
    jobs = iter([job(number) for number in range(200)])
    dispatch = Dispatch(jobs, concurrency, NO_LIMITS)
    bound = 2 * concurrency + 8
    handed = 0
    while True:
        looking = asyncio.create_task(dispatch.next())
        await settled()
        if not looking.done():
            looking.cancel()
            break
        attempt = looking.result()
        assert attempt is not None
        dispatch.answered()
        dispatch.put_off(attempt, 3_600.0, 0.0)
        handed += 1
    assert handed == bound + 1
    assert len(list(jobs)) == 200 - handed - 1, "one more was pulled, the rest was left alone"


async def test_whoever_waits_longest_is_told_first() -> None:
    dispatch = Dispatch([job(0)], 1, NO_LIMITS)
    await dispatch.next()
    order: list[int] = []

    async def wait(number: int) -> None:
        assert await dispatch.next() is None
        order.append(number)

    async with asyncio.timeout(5), asyncio.TaskGroup() as workers:
        for number in range(3):
            workers.create_task(wait(number))
        await settled()
        dispatch.answered()
        assert await dispatch.next() is None
    assert order == [0, 1, 2]


async def test_what_was_put_off_first_comes_back_first() -> None:
    dispatch = Dispatch([job(number) for number in range(3)], 3, NO_LIMITS)
    handed = [await dispatch.next() for _ in range(3)]
    for attempt in handed:
        assert attempt is not None
        dispatch.answered()
        dispatch.put_off(attempt, 0.0, 0.0)
    assert [await dispatch.next() for _ in range(3)] == handed
