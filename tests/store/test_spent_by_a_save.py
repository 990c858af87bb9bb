"""What is told under one headline costs what all of its runs did."""

import pytest
from msgspec.structs import replace

from evaltui.core.case import Case
from evaltui.core.events import (
    CaseFinished,
    CasesStale,
    ProjectRead,
    ResultsLoaded,
    RunEnd,
    RunFinished,
    RunStarted,
)
from evaltui.core.response import AgentResponse, Usage
from evaltui.core.result import CaseStatus
from evaltui.core.spent import Spent
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.tool import ToolRegistry
from evaltui.store.board import Board
from evaltui.store.store import Store
from tests.tui import scene

SUITES = scene.suites(3, 1)
CASES = ONE, TWO, THREE = scene.cases_of(SUITES)
AGENT = scene.AGENT
A_CENT = AgentResponse("", usage=Usage(1, 1, 0.01))


@pytest.fixture
def store() -> Store:
    """After a save that made all of three cases due."""
    made = Store()
    made.handle(ProjectRead(SUITES, ToolRegistry(configured=False), ()))
    passed = tuple(scene.result(case, CaseStatus.PASSED) for case in CASES)
    made.handle(ResultsLoaded(AGENT, passed))
    due = tuple(DueCase(case.key, Degree.AFFECTED, ("it changed",)) for case in CASES)
    made.handle(CasesStale(AGENT, due, 3, ("a.ts",)))
    return made


def begun(run_id: str, *cases: Case, **more: object) -> RunStarted:
    keys = tuple(case.key for case in cases)
    return RunStarted(run_id, AGENT, 1, keys, "a reason", **more)  # type: ignore[arg-type]


def run(
    store: Store, started: RunStarted, end: RunEnd = RunEnd.COMPLETED, *, spent: float | None = None
) -> Board:
    """Each answer is a cent; `spent`: what it says itself that it came to."""
    store.handle(started)
    for key in started.cases:
        case = next(one for one in CASES if one.key == key)
        made = replace(scene.result(case, CaseStatus.FAILED), run_id=started.run_id)
        store.handle(CaseFinished(started.run_id, replace(made, response=A_CENT)))
    total = 0.01 * len(started.cases) if spent is None else spent
    store.handle(RunFinished(started.run_id, AGENT, end, 1.0, spent=Spent(total)))
    return store.board(AGENT)


def test_a_key_that_runs_the_rest_of_a_save_adds_to_what_that_did_cost(store: Store) -> None:
    assert run(store, begun("r1", ONE, trigger=("a.ts",))).spent_usd == 0.01
    board = run(store, begun("r2", TWO, THREE, answers=("a.ts",)))
    assert board.counts.all.ran == 3
    assert board.spent_usd == pytest.approx(0.03)
    board = run(store, begun("r3", ONE))
    assert board.counts.all.ran == 1, "it is a unit of its own"
    assert board.spent_usd == 0.01


def test_a_run_that_was_superseded_counts_with_the_one_that_goes_on(store: Store) -> None:
    run(store, begun("r1", ONE, trigger=("a.ts",)), RunEnd.SUPERSEDED, spent=0.05)
    store.handle(CasesStale(AGENT, (), 3, ("b.ts",)))
    board = run(store, begun("r2", TWO, trigger=("b.ts",)))
    assert board.counts.all.ran == 2
    assert board.spent_usd == pytest.approx(0.06)


def test_trying_its_cases_again_counts_too(store: Store) -> None:
    run(store, begun("r1", *CASES, trigger=("a.ts",)))
    board = run(store, begun("r2", ONE, is_repeat=True))
    assert board.counts.all.ran == 3
    assert board.spent_usd == pytest.approx(0.04)


def test_a_judge_that_is_paid_for_kept_answers_counts_and_the_answers_do_not(store: Store) -> None:
    run(store, begun("r1", ONE, trigger=("a.ts",)))
    again = begun("r2", TWO, trigger=("a.ts",), is_rest=True, is_rejudging=True)
    assert run(store, again, spent=0.002).spent_usd == pytest.approx(0.012)


def test_what_an_interrupted_run_spent_counts_once(store: Store) -> None:
    run(store, begun("r1", ONE, trigger=("a.ts",)), RunEnd.CANCELLED)
    rest = begun("r2", TWO, answers=("a.ts",), resumed=(ONE.key,), spent=Spent(0.01))
    assert run(store, rest, spent=0.02).spent_usd == pytest.approx(0.02)
    board = run(store, begun("r3", ONE, spent=Spent(0.04)), spent=0.05)
    assert board.spent_usd == pytest.approx(0.05), "that of one that is not known here too"
