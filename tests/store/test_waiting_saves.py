"""Which saves a run answers that a key wants, and whose doing it is."""

import pytest
from msgspec.structs import replace

from evaltui.core.events import (
    CaseFinished,
    CasesStale,
    NothingChanged,
    ProjectRead,
    ResultsLoaded,
    RunEnd,
    RunFinished,
    RunStarted,
)
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.tool import ToolRegistry
from evaltui.store.board import Board
from evaltui.store.store import Store
from tests.tui import scene

AGENT = scene.AGENT
SUITES = scene.suites(5, 3)
ONE, TWO, THREE, *_ = (case.key for case in scene.cases_of(SUITES))
DUE_1, DUE_2, DUE_3 = (DueCase(key, Degree.AFFECTED, ("changed",)) for key in (ONE, TWO, THREE))


@pytest.fixture
def store() -> Store:
    made = Store()
    made.handle(ProjectRead(SUITES, ToolRegistry(configured=False), ()))
    results = tuple(scene.result(case, scene.P) for case in scene.cases_of(SUITES))
    made.handle(ResultsLoaded(AGENT, results))
    return made


def run_due(store: Store, run_id: str, *due: DueCase) -> Board:
    """A key runs these, and they pass."""
    board = store.board(AGENT)
    keys = tuple(case.key for case in due)
    answers = board.headline.waiting.files_of(keys, board.rows)
    store.handle(RunStarted(run_id, AGENT, 2, keys, "due", answers=answers))
    for case in scene.cases_of(SUITES):
        if case.key in keys:
            store.handle(CaseFinished(run_id, replace(scene.result(case, scene.P), run_id=run_id)))
    store.handle(RunFinished(run_id, AGENT, RunEnd.COMPLETED, 1.0))
    return board


def test_a_key_that_runs_what_several_saves_made_due_names_them_all(store: Store) -> None:
    store.handle(CasesStale(AGENT, (DUE_1,), 5, ("a.ts",), (DUE_1,)))
    store.handle(CasesStale(AGENT, (DUE_1, DUE_2), 5, ("b.ts",), (DUE_2,)))
    store.handle(CasesStale(AGENT, (DUE_1, DUE_2, DUE_3), 5, ("c.ts",), (DUE_3,)))
    board = run_due(store, "run-2", DUE_1, DUE_2, DUE_3)
    assert board.runs.last is not None and board.runs.last.trigger == ("a.ts", "b.ts", "c.ts")
    assert board.headline.save is not None
    assert board.headline.save.trigger == ("a.ts", "b.ts", "c.ts")
    assert board.counts.all.ran == 3


def test_a_save_of_nothing_or_a_key_between_takes_no_name_from_a_save_that_waits(
    store: Store,
) -> None:
    store.handle(CasesStale(AGENT, (DUE_1,), 5, ("a.ts",), (DUE_1,)))
    store.handle(NothingChanged(("notes.md",)))
    run_due(store, "run-2", DUE_3)
    board = run_due(store, "run-3", DUE_1)
    assert board.headline.save is not None and board.headline.save.trigger == ("a.ts",)
    assert store.trigger == ("a.ts",)
    assert board.counts.all.ran == 1


def test_what_ran_or_was_put_back_waits_for_no_save(store: Store) -> None:
    store.handle(CasesStale(AGENT, (DUE_1, DUE_2), 5, ("a.ts",), (DUE_1, DUE_2)))
    run_due(store, "run-2", DUE_1)
    store.handle(CasesStale(AGENT, (), 5, ("a.ts",), ()))
    store.handle(CasesStale(AGENT, (DUE_1, DUE_2), 5, ("b.ts",), (DUE_1, DUE_2)))
    board = run_due(store, "run-3", DUE_1, DUE_2)
    assert board.headline.save is not None and board.headline.save.trigger == ("b.ts",)
    run = run_due(store, "run-4", DUE_1).runs.last
    assert run is not None and run.trigger == ()
