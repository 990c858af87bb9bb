"""When the results on a board are read for the gate, and when they are not."""

import asyncio
from pathlib import Path

import pytest

from evaltui.core.events import RunEnd, RunFinished, RunStarted
from evaltui.disk.history.history_file import HistoryError
from evaltui.session.board_as_pack import BoardEvidence, Shown
from evaltui.store.board import Board
from tests.projects import make_project
from tests.session.test_board_sides import pinned, write_gate
from tests.session.test_session import AGENT, LIMIT_S, all_keys, opened


class Readings:
    """Counts the readings that began; they fail while `is_locked`."""

    def __init__(self) -> None:
        self.number, self.is_locked = 0, False

    def begin(self) -> None:
        self.number += 1
        if self.is_locked:
            raise HistoryError("it is locked")


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> Readings:
    """What is shown is looked at just before it is read."""
    made, shown = Readings(), BoardEvidence.shown

    def counted(evidence: BoardEvidence, board: Board) -> Shown:
        made.begin()
        return shown(evidence, board)

    monkeypatch.setattr(BoardEvidence, "shown", counted)
    return made


async def settled() -> None:
    """What was begun has begun."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_after_a_reading_that_failed_whoever_asks_next_reads_again(
    tmp_path: Path, readings: Readings
) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        await session.run(all_keys(session))
        readings.is_locked = True
        with pytest.raises(HistoryError, match="it is locked"):
            await session.results_side(AGENT)
        readings.is_locked = False
        async with asyncio.timeout(LIMIT_S):
            side = await session.results_side(AGENT)
    assert side.cases is not None
    assert (len(side.cases), readings.number) == (3, 2)


async def test_for_the_gate_what_cannot_be_read_is_tried_once(
    tmp_path: Path, readings: Readings
) -> None:
    """It is asked for with every frame."""
    write_gate(make_project(tmp_path), max_regressed_cases=0)
    readings.is_locked = True
    async with opened(tmp_path) as (session, _):
        await pinned(session)
        for _ in range(3):
            assert session.gate(AGENT) is None
            await settled()
        (problem,) = session.store.problems.others
        assert "it is locked" in problem.what
        assert readings.number == 1
        await session.run(all_keys(session))
        session.gate(AGENT)
        await settled()
        assert readings.number == 2, "there are other results now"


async def test_for_the_gate_nothing_is_read_while_a_run_is_on(
    tmp_path: Path, readings: Readings
) -> None:
    write_gate(make_project(tmp_path), max_regressed_cases=0)
    async with opened(tmp_path) as (session, _):
        await pinned(session)
        await session.results_side(AGENT)
        before = session.gate(AGENT)
        assert before is not None
        session.emit(RunStarted("run-2", AGENT, 2, all_keys(session), "asked for"))
        assert session.gate(AGENT) == before
        await settled()
        assert readings.number == 1
        session.emit(RunFinished("run-2", AGENT, RunEnd.CANCELLED, 1.0))
        session.gate(AGENT)
        await settled()
        assert readings.number == 2, "it is over"
