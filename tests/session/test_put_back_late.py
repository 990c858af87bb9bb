"""What is put back while it runs, and answers that come at each moment of that save."""

import asyncio
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from evaltui.core.events import RunEnd
from evaltui.session import due_cases, due_of_save
from evaltui.session.money.spending import Cause
from tests.session.test_agent_queue import Queued, finished_in, queued
from tests.session.test_put_back import A, B, after_a, idle, save

SUITE = "evals/find_order.golden.json"


async def begin_b(line: Queued) -> None:
    """All ran as A; B is saved, and its run has asked the first."""
    await after_a(line)
    await save(line, B[: len(line.messages)])
    await line.agent.until_asked("b0")


async def answer(line: Queued, message: str) -> None:
    """Have the run that is on get its answer to that one."""
    await line.agent.go_on(message)
    run_id = line.ear.started()[-1].run_id
    await line.ear.until(lambda: f"c{message[1:]}" in finished_in(line.ear, run_id))


async def nothing_is_left(line: Queued, *asked: str) -> None:
    """Only these were asked again as A, and every result is in force."""
    await idle(line)
    assert [text for text in line.agent.asked if text in A] == [*asked]
    assert not line.queue.due
    assert not line.queue.board.counts.all.due


@pytest.mark.parametrize("ran", [0, 1, 2])
async def test_an_answer_that_comes_when_the_run_is_stopped_is_asked_for_again(
    tmp_path: Path, ran: int
) -> None:
    async with queued(tmp_path, ran + 1) as line:
        line.agent.stubborn.add(B[ran])  # the last, so that it swallows no other's end
        await begin_b(line)
        for message in B[:ran]:
            await answer(line, message)
        await line.agent.until_asked(B[ran])
        await save(line, A[: ran + 1])
        await nothing_is_left(line, *A[: ran + 1])


async def test_an_answer_that_comes_while_it_is_read_is_asked_for_again(tmp_path: Path) -> None:
    async with queued(tmp_path, 4) as line:
        await begin_b(line)
        line.messages[:] = A
        await line.read()
        await answer(line, "b0")
        await line.compare()
        line.queue.run_due(Cause.SAVED, (SUITE,))
        await nothing_is_left(line, "m0")


@pytest.mark.parametrize(
    ("module", "step"), [(due_cases, "compare"), (due_of_save, "affected_between")]
)
@pytest.mark.parametrize("is_before", [True, False])
async def test_an_answer_that_comes_while_it_is_compared_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: ModuleType, step: str, is_before: bool
) -> None:
    async with queued(tmp_path, 4) as line:
        await begin_b(line)
        loop, compares = asyncio.get_running_loop(), getattr(module, step)

        def comparing(*args: Any, **named: Any) -> Any:
            found = None if is_before else compares(*args, **named)
            asyncio.run_coroutine_threadsafe(answer(line, "b0"), loop).result(20)
            return compares(*args, **named) if found is None else found

        monkeypatch.setattr(module, step, comparing)
        line.messages[:] = A
        await line.read()
        await line.compare()
        monkeypatch.undo()
        line.queue.run_due(Cause.SAVED, (SUITE,))
        await nothing_is_left(line, "m0")


@pytest.mark.parametrize("count", [1, 4])
async def test_answers_that_come_after_it_was_compared_are_asked_for_again(
    tmp_path: Path, count: int
) -> None:
    """One of them, or all: then the run is over before the save has anything run."""
    async with queued(tmp_path, 4) as line:
        await begin_b(line)
        line.messages[:] = A
        await line.read()
        await line.compare()
        for message in B[:count]:
            await answer(line, message)
        if count == len(B):
            await idle(line)
        line.queue.run_due(Cause.SAVED, (SUITE,))
        await nothing_is_left(line, *A[:count])


async def test_an_answer_that_comes_when_a_person_cancels_is_left_due(tmp_path: Path) -> None:
    async with queued(tmp_path, 1) as line:
        line.agent.stubborn.add("b0")
        await begin_b(line)
        line.messages[:] = A[:1]
        await line.read()
        await line.compare()
        line.queue.cancel()
        await idle(line)
        assert line.ear.runs()[-1].end is RunEnd.CANCELLED
        assert not [text for text in line.agent.asked if text in A]
        assert [case.key.case for case in line.queue.due.cases] == ["c0"]
