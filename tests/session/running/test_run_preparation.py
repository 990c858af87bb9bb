"""What a run says before it asks."""

from types import SimpleNamespace
from typing import cast

import pytest

from evaltui.core.agent import Agent
from evaltui.core.case import CaseKey
from evaltui.core.events import CasesStale, ProjectRead, ResultsLoaded, RunStarted
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.tool import ToolRegistry
from evaltui.session.project_state import ProjectState
from evaltui.session.running.run_preparation import RunPreparation
from evaltui.session.running.run_request import RunRequest
from evaltui.store.store import Store
from tests.tui import scene

SUITES = scene.suites(3, 3)
ONE, TWO, THREE = (case.key for case in scene.cases_of(SUITES))


@pytest.fixture
def store() -> Store:
    """Two saves made a case due each."""
    made = Store()
    made.handle(ProjectRead(SUITES, ToolRegistry(configured=False), ()))
    results = tuple(scene.result(case, scene.P) for case in scene.cases_of(SUITES))
    made.handle(ResultsLoaded(scene.AGENT, results))
    first, second = (DueCase(key, Degree.AFFECTED, ("changed",)) for key in (ONE, TWO))
    made.handle(CasesStale(scene.AGENT, (first,), 3, ("a.ts",), (first,)))
    made.handle(CasesStale(scene.AGENT, (first, second), 3, ("b.ts",), (second,)))
    return made


def started(
    store: Store,
    *cases: CaseKey,
    trigger: tuple[str, ...] = (),
    left: tuple[CaseKey, ...] = (),
    by_outcome: tuple[CaseKey, ...] = (),
) -> RunStarted:
    state = SimpleNamespace(
        project=SimpleNamespace(suites=SUITES, number=4),
        config=SimpleNamespace(concurrency=2),
        record=SimpleNamespace(command=None),
        events=SimpleNamespace(clock=lambda: 7.0),
    )
    agent = SimpleNamespace(name=scene.AGENT, traits=SimpleNamespace(settings="s"))
    board = store.board(scene.AGENT)
    made = RunPreparation(cast("Agent", agent), board, cast("ProjectState", state), has_judge=False)
    request = RunRequest(
        dict.fromkeys(cases), "asked for", trigger, left=left, by_outcome=frozenset(by_outcome)
    )
    return made.started("run-1", request, 1, cases, (), None, tries_again=False)


def test_a_run_of_a_key_names_the_saves_that_made_its_cases_due(store: Store) -> None:
    assert started(store, ONE, TWO).answers == ("a.ts", "b.ts")
    assert started(store, TWO, THREE).answers == ("b.ts",)
    assert started(store, THREE).answers == ()


def test_a_run_of_a_save_names_that_one_alone(store: Store) -> None:
    found = started(store, ONE, TWO, trigger=("c.ts",))
    assert (found.trigger, found.answers) == (("c.ts",), ())


def test_a_run_tells_which_of_its_cases_and_of_those_left_were_chosen_by_their_outcome(
    store: Store,
) -> None:
    found = started(store, ONE, TWO, left=(THREE,), by_outcome=(THREE, TWO))
    assert found.by_outcome == (TWO, THREE)
    assert started(store, ONE, by_outcome=(TWO,)).by_outcome == ()
