"""A child is let go of in the order in which asyncio can follow."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaltui.child.process import Child
from evaltui.child.watchdog import WATCHDOG


class Pipe:
    def __init__(self) -> None:
        self.is_closed = False

    def close(self) -> None:
        self.is_closed = True


class Transport(asyncio.SubprocessTransport):
    """Of a process whose number nobody has, so that nothing is killed."""

    def __init__(self) -> None:
        self.pipes = [Pipe(), Pipe(), Pipe()]
        self.closed = 0

    def get_pid(self) -> int:
        return 0

    def get_returncode(self) -> int:
        return 3

    def get_pipe_transport(self, fd: int) -> Pipe:  # type: ignore[override]
        return self.pipes[fd]

    def close(self) -> None:
        self.closed += 1


@pytest.fixture(autouse=True)
def _no_such_number_is_watched() -> Iterator[None]:
    yield
    WATCHDOG.forget(0)


async def test_a_killed_child_is_let_go_of_only_when_its_end_was_noticed() -> None:
    """Else its transport takes the exit code away from asyncio's own look for it."""
    child, transport = Child(lambda _: None), Transport()
    child.connection_made(transport)
    child.kill()
    assert all(pipe.is_closed for pipe in transport.pipes)
    assert transport.closed == 0
    child.process_exited()
    assert transport.closed == 1
    assert (await child.exited).code == 3


async def test_a_child_that_ended_by_itself_is_let_go_of_at_once() -> None:
    child, transport = Child(lambda _: None), Transport()
    child.connection_made(transport)
    child.process_exited()
    assert transport.closed == 0
    child.kill()
    assert transport.closed == 1


@pytest.mark.parametrize("turns", range(6))
async def test_a_start_that_is_broken_off_leaves_nothing_to_wait_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, turns: int
) -> None:
    """However far it is: what the program started would hold its pipes for a minute."""
    made: list[Child] = []
    known = Child.connection_made

    def connection_made(child: Child, transport: asyncio.BaseTransport) -> None:
        made.append(child)
        known(child, transport)

    monkeypatch.setattr(Child, "connection_made", connection_made)
    before = WATCHDOG.groups
    argv = ["sh", "-c", "sleep 60 & sleep 60"]
    start = asyncio.create_task(Child.start(argv, lambda _: None, cwd=tmp_path))
    for _ in range(turns):
        await asyncio.sleep(0)
    start.cancel()
    async with asyncio.timeout(10):
        await asyncio.wait({start})
    assert start.cancelled()
    assert all(child.exited.done() for child in made), "the loop may be closed now"
    assert len(made) == (turns > 0)
    assert before == WATCHDOG.groups
