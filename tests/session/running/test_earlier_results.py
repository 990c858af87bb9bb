"""Results of a run that is on, which the history does not have yet, come back with their file."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.events import (
    BaselinePinned,
    CaseFinished,
    ResultsLoaded,
    RunEnd,
    RunFinished,
)
from evaltui.core.result import CaseStatus
from evaltui.disk.history.history import History, LastResults
from evaltui.disk.history.history_file import HistoryError
from evaltui.session.baselines import Baselines
from evaltui.session.running.earlier_results import EarlierResults
from evaltui.session.trials.evidence import Evidence
from evaltui.session.undo import UndoStack
from tests.projects import ORDERS, make_project
from tests.session.test_due_cases import ALL, NAME, ORDER, OTHER, Line
from tests.session.test_session import Ear

P, F = CaseStatus.PASSED, CaseStatus.FAILED


class Remembering(Line):
    async def begin_with(self, *keys: CaseKey) -> str:
        self.ear = Ear()
        self.events.add_sink(self.ear)
        await self.open()
        baselines = Baselines(self.state, UndoStack())
        board = self.events.store.board(NAME)
        evidence = Evidence(self.due.agent, board, self.state, baselines)
        self.earlier = EarlierResults(self.state, baselines, self.due, evidence)
        await self.earlier.load()
        run = self.begin()
        self.finish(run, *keys)
        return run

    async def take_away_and_back(self) -> set[CaseKey]:
        """Returns the cases that have a result after it."""
        for cases in ((), ORDERS):
            await self.save("find_order", cases)
            await self.earlier.load()
        rows = self.events.store.board(NAME).rows.values()
        return {row.key for row in rows if row.result is not None}

    def finish_run(self, run_id: str, agent: str = NAME) -> None:
        self.events.emit(RunFinished(run_id, agent, RunEnd.COMPLETED, 1.0))


@pytest.fixture
async def line(tmp_path: Path) -> AsyncIterator[Remembering]:
    made = Remembering(make_project(tmp_path))
    yield made
    await made.earlier.close()
    await made.earlier.evidence.close()
    await made.state.close()


async def test_they_are_kept_until_their_run_is_recorded(line: Remembering) -> None:
    run = await line.begin_with(ORDER)
    assert await line.take_away_and_back() == {ORDER}
    line.finish_run("run-x", "another")
    assert await line.take_away_and_back() == {ORDER}
    line.finish_run(run)
    line.ear.heard.clear()
    assert await line.take_away_and_back() == set(), "it is for the history to know now"
    assert line.ear.all(ResultsLoaded) == [], "and nothing was known"


async def test_results_of_another_agent_are_none_of_its(line: Remembering) -> None:
    await line.begin_with()
    result = replace(line.results[OTHER], agent="another")
    line.events.emit(CaseFinished("run-x", result))
    assert await line.take_away_and_back() == set()


async def test_what_is_known_is_told_once(line: Remembering) -> None:
    await line.begin_with(ORDER)
    (first,) = line.ear.all(ResultsLoaded)
    assert isinstance(first, ResultsLoaded) and first.results == ()
    await line.earlier.load_what_can_be()
    assert line.earlier.is_loaded
    assert len(line.ear.all(ResultsLoaded)) == 1
    await line.take_away_and_back()
    (_, again) = line.ear.all(ResultsLoaded)
    assert isinstance(again, ResultsLoaded)
    assert [one.key for one in again.results] == [ORDER]
    assert again.strips == ((again.results[0].status,),)


async def test_what_cannot_be_read_is_told_by_who_opened_the_session_and_ends_no_run(
    line: Remembering, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> LastResults:
        raise HistoryError("database is locked")

    with monkeypatch.context() as locked:
        locked.setattr(History, "last_results", fail)
        await line.open()
        baselines = Baselines(line.state, UndoStack())
        board = line.events.store.board(NAME)
        evidence = Evidence(line.due.agent, board, line.state, baselines)
        line.earlier = EarlierResults(line.state, baselines, line.due, evidence)
        await line.earlier.load_what_can_be()
        assert not line.earlier.is_loaded
    await line.earlier.load_what_can_be()
    assert line.earlier.is_loaded, "it is tried again"


@pytest.mark.parametrize(
    ("recorded_of", "strip"),
    [("run-0", (F, P)), ("run-1", (F,))],
    ids=["an earlier run", "the same run"],
)
async def test_a_result_is_added_to_what_the_history_has_of_its_case(
    line: Remembering,
    monkeypatch: pytest.MonkeyPatch,
    recorded_of: str,
    strip: tuple[CaseStatus, ...],
) -> None:
    await line.begin_with(ORDER)
    old = replace(line.results[ORDER], status=F, run_id=recorded_of)
    known = LastResults((old,), ((F,),), 3)
    monkeypatch.setattr(History, "last_results", lambda *_: known)
    await line.take_away_and_back()
    row = line.events.store.board(NAME).rows[ORDER]
    assert (row.result, row.recent) == (line.results[ORDER], strip)


async def test_once_they_are_known_what_is_due_and_pinned_is_told_once(line: Remembering) -> None:
    await line.begin_with()
    assert line.keys == ALL
    assert line.due.is_opened, "what is due by now is no save's doing"
    for _ in range(2):
        assert len(line.ear.all(BaselinePinned)) == 1
        await line.earlier.load()
    await line.earlier.evidence.load()
    assert line.earlier.is_loaded
