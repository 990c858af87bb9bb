"""What was saved is put back while it runs: nobody is asked again who was not asked otherwise."""

import asyncio
from pathlib import Path

from evaltui.core.asked import AgentTraits
from evaltui.core.case import CaseKey
from evaltui.core.events import RunEnd
from evaltui.session.running.run_request import RunRequest
from tests.session.test_agent_queue import Queued, finished_in, queued

A = ["m0", "m1", "m2", "m3"]
B = ["b0", "b1", "b2", "b3"]


async def after_a(line: Queued) -> None:
    """All cases ran as they are, and whoever is asked from now on is noted."""
    await line.agent.go_on(*A)
    line.run()
    await line.ear.until(lambda: bool(line.ear.runs()))
    line.agent.asked.clear()


async def save(line: Queued, messages: list[str]) -> None:
    line.messages[:] = messages
    await line.change(0, messages[0])


async def until_ran(line: Queued, *messages: str) -> None:
    """The run that asks these has answers to them, and none to any other."""
    await line.agent.until_asked(messages[0])
    await line.agent.go_on(*messages)
    run_id = line.ear.started()[-1].run_id
    said = {f"c{message[1:]}" for message in messages}
    await line.ear.until(lambda: finished_in(line.ear, run_id) == said)


async def idle(line: Queued) -> None:
    async with asyncio.timeout(20):
        while line.queue.is_busy:  # noqa: ASYNC110 - its end is told before it is over
            await asyncio.sleep(0.01)


async def test_only_what_ran_of_it_is_asked_again(tmp_path: Path) -> None:
    async with queued(tmp_path, 4) as line:
        await after_a(line)
        await save(line, B)
        await until_ran(line, "b0", "b1")
        line.agent.asked.clear()
        await save(line, A)
        await idle(line)
        assert sorted(line.agent.asked) == ["m0", "m1"], "of the others the results stand"
        assert [run.end for run in line.ear.runs()][-2:] == [RunEnd.SUPERSEDED, RunEnd.COMPLETED]
        assert not line.queue.due
        assert all(row.result for row in line.queue.board.rows.values())
        assert line.queue.board.counts.all.ran == 2


async def test_where_nothing_of_it_ran_nobody_is_asked_and_the_run_is_told_as_undone(
    tmp_path: Path,
) -> None:
    async with queued(tmp_path, 4) as line:
        await after_a(line)
        await save(line, B)
        await line.agent.until_asked("b0")
        line.agent.asked.clear()
        await save(line, A)
        await idle(line)
        assert not line.agent.asked
        assert line.ear.runs()[-1].end is RunEnd.UNDONE
        board = line.queue.board
        assert not board.is_busy and not line.queue.due
        assert board.headline.reach is not None and not board.headline.reach.is_any
        await save(line, ["c0", *A[1:]])
        await until_ran(line, "c0")
        await idle(line)
        assert board.counts.all.ran == 1, "the next save is one of its own"


async def test_what_was_asked_for_by_hand_is_asked_though_it_is_put_back(tmp_path: Path) -> None:
    async with queued(tmp_path, 4) as line:
        await after_a(line)
        line.agent.let_go.clear()
        line.run()
        await line.agent.until_asked("m0")
        await save(line, B)
        await line.agent.until_asked("b0")
        line.agent.asked.clear()
        await save(line, A)
        await line.agent.go_on(*A)
        await idle(line)
        assert sorted(line.agent.asked) == A


def test_what_was_asked_for_stays_asked_for_beside_what_a_change_wants() -> None:
    both, one = (CaseKey("s", "both"), CaseKey("s", "one"))
    due = RunRequest({both: None, one: None}, "due", while_due=frozenset({both, one}))
    due = due.followed_by(RunRequest({both: None}, "by hand"))
    assert [*due.left_of({one})] == [both, one]
    assert [*due.left_of(())] == [both]


async def test_who_has_agreed_to_a_cost_is_not_charged_for_what_is_put_back(
    tmp_path: Path,
) -> None:
    """The guard lets nothing run for that save; nor does the run go on that it touches."""
    async with queued(tmp_path, 4) as line:
        await after_a(line)
        line.agent.traits = AgentTraits(is_free=False, is_deterministic=True)
        await save(line, B)
        assert not line.queue.is_busy, "it asks first"
        due = dict.fromkeys(line.queue.board.rows)
        line.queue.enqueue(RunRequest(due, "due", while_due=frozenset(due)))
        await until_ran(line, "b0", "b1")
        line.agent.asked.clear()
        await save(line, A)
        await idle(line)
        assert not line.agent.asked
        assert line.ear.runs()[-1].end is RunEnd.UNDONE
        assert [case.key.case for case in line.queue.due.cases] == ["c0", "c1"]
