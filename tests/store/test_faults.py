"""An agent that gives no answers is one problem, with the number of cases it was asked for."""

import pytest
from msgspec.structs import replace

from evaltui.core.case import Case
from evaltui.core.errors import Problem, Severity
from evaltui.core.events import (
    CallCompared,
    CaseFinished,
    CaseMuted,
    Event,
    ProblemFound,
    ProjectChecked,
    ProjectRead,
    RunStarted,
    TrialFinished,
)
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.tool import ToolRegistry
from evaltui.store.faults import DOWN, FAULT
from evaltui.store.store import Store
from tests.tui import scene

SUITES = scene.suites(4, 2)
ONE, TWO, THREE, FOUR = scene.cases_of(SUITES)
SAID = "agent: connection refused by `localhost:3000`. Start it."
OTHER = "agent: no key. Set it."


def read(store: Store, suites: int = 2) -> None:
    store.handle(ProjectRead(SUITES[:suites], ToolRegistry(configured=False), ()))


@pytest.fixture
def store() -> Store:
    made = Store()
    read(made)
    return made


def down(case: Case, said: str = SAID, category: str = "agent_error") -> CaseResult:
    return replace(scene.result(case, CaseStatus.ERROR), error=said, category=category)


def finish(store: Store, *results: CaseResult) -> bool:
    """Whether a reader is told that problems changed."""
    reader = store.reader()
    for result in results:
        store.handle(CaseFinished("run-1", result))
    return store.drain(reader)[0].is_problems_changed


def whats(store: Store) -> list[str]:
    return [problem.what for problem in store.problems.shown]


def test_one_fault_is_one_problem_with_what_to_do(store: Store) -> None:
    assert finish(store, down(ONE))
    (problem,) = store.problems.shown
    assert (problem.what, problem.hint, problem.code) == (
        "`embedded`: connection refused by `localhost:3000`, 1 case",
        "Start it.",
        DOWN,
    )
    assert finish(store, down(TWO))
    assert whats(store) == ["`embedded`: connection refused by `localhost:3000`, 2 cases"]
    assert store.problems.reported == (), "it is no mistake in a file"


def test_the_most_frequent_stands_first_and_before_other_problems(store: Store) -> None:
    store.handle(ProblemFound(Problem("", "the disk is full")))
    finish(store, down(ONE, OTHER, "auth"), down(TWO), down(THREE))
    assert [what.rpartition(": ")[2] for what in whats(store)] == [
        "connection refused by `localhost:3000`, 2 cases",
        "no key, 1 case",
        "the disk is full",
    ]


def test_one_case_without_an_answer_is_no_agent_that_is_down_where_others_were_answered(
    store: Store,
) -> None:
    finish(store, down(ONE))
    earlier = replace(scene.result(TWO, CaseStatus.PASSED), finished_at=1.0)
    assert finish(store, earlier)
    assert [problem.code for problem in store.problems.shown] == [FAULT]
    finish(store, down(THREE))
    assert {problem.code for problem in store.problems.shown} == {DOWN}


def test_it_goes_with_its_last_case(store: Store) -> None:
    finish(store, down(ONE), down(TWO))
    assert finish(store, scene.result(ONE, CaseStatus.FAILED))
    assert whats(store) == ["`embedded`: connection refused by `localhost:3000`, 1 case"]
    assert finish(store, scene.result(TWO, CaseStatus.PASSED))
    assert whats(store) == []


def test_another_fault_takes_the_place_of_the_one_before(store: Store) -> None:
    finish(store, down(ONE))
    assert finish(store, down(ONE, OTHER, "auth"))
    assert whats(store) == ["`embedded`: no key, 1 case"]


def test_cases_that_are_gone_are_counted_no_more(store: Store) -> None:
    finish(store, down(ONE), down(THREE))
    read(store, 1)
    assert whats(store) == ["`embedded`: connection refused by `localhost:3000`, 1 case"]


def test_the_same_again_is_no_news(store: Store) -> None:
    finish(store, scene.result(TWO, CaseStatus.PASSED), down(ONE))
    assert not finish(store, down(ONE))
    assert not finish(store, scene.result(TWO, CaseStatus.PASSED))


@pytest.mark.parametrize(
    "result",
    [
        scene.result(ONE, CaseStatus.FAILED),
        replace(down(ONE), status=CaseStatus.FAILED),
        down(ONE, category="judge_error"),
    ],
)
def test_whoever_answered_is_not_down(store: Store, result: CaseResult) -> None:
    assert not finish(store, result)
    assert whats(store) == []


def test_many_cases_are_told_with_their_thousands() -> None:
    store, suites = Store(), scene.suites(1000, 1)
    store.handle(ProjectRead(suites, ToolRegistry(configured=False), ()))
    for case in scene.cases_of(suites):
        store.handle(CaseFinished("run-1", down(case)))
    assert whats(store)[0].endswith("1,000 cases")


def test_it_ends_once_the_agent_answered_any_case_after_it(store: Store) -> None:
    finish(store, down(ONE), down(TWO))
    late = replace(scene.result(THREE, CaseStatus.FAILED), finished_at=scene.NOW + 1)
    assert finish(store, late)
    assert whats(store) == []
    assert not finish(store, down(FOUR)), "it is of before the answer"
    assert finish(store, replace(down(ONE), finished_at=scene.NOW + 2))
    assert whats(store) == ["`embedded`: connection refused by `localhost:3000`, 1 case"]


def told_by(kind: str, result: CaseResult) -> Event:
    return CallCompared(result) if kind == "comparison" else TrialFinished("run-2", result)


@pytest.mark.parametrize("kind", ["comparison", "trial"])
def test_an_answer_that_is_no_result_of_a_case_ends_it_too(store: Store, kind: str) -> None:
    finish(store, down(ONE), down(TWO))
    reader = store.reader()
    late = replace(scene.result(THREE, CaseStatus.FAILED), finished_at=scene.NOW + 1)
    store.handle(told_by(kind, replace(down(THREE), finished_at=late.finished_at)))
    assert len(whats(store)) == 1, "nothing was answered"
    store.handle(told_by(kind, late))
    assert whats(store) == []
    assert store.drain(reader)[0].is_problems_changed
    assert store.board(scene.AGENT).rows[THREE.key].result is None, "nothing of it is kept"


@pytest.mark.parametrize("status", [CaseStatus.SKIPPED, CaseStatus.PASSED])
def test_what_nobody_was_asked_for_ends_no_fault(store: Store, status: CaseStatus) -> None:
    finish(store, down(ONE))
    kept = scene.result(TWO, status)
    assert kept.response is not None
    source = "live" if status is CaseStatus.SKIPPED else "recorded"
    came = replace(kept.response, source=source)
    finish(store, replace(kept, response=came, finished_at=scene.NOW + 1))
    assert len(whats(store)) == 1


def test_judging_an_answer_again_ends_no_fault(store: Store) -> None:
    finish(store, down(ONE))
    for event in scene.run([TWO], number=7):
        again = replace(event, is_rejudging=True) if isinstance(event, RunStarted) else event
        store.handle(again)
        if isinstance(event, CaseFinished):
            late = replace(event.result, finished_at=scene.NOW + 1)
            store.handle(replace(event, result=late))
    assert len(whats(store)) == 1


def test_a_muted_case_is_no_part_of_it(store: Store) -> None:
    finish(store, down(ONE), down(TWO))
    store.handle(CaseMuted(ONE.key, "flaky"))
    assert whats(store) == ["`embedded`: connection refused by `localhost:3000`, 1 case"]
    store.handle(CaseMuted(ONE.key, ""))
    assert whats(store) == ["`embedded`: connection refused by `localhost:3000`, 2 cases"]


@pytest.mark.parametrize("agents_down", [False, True])
@pytest.mark.parametrize("found", [None, Severity.LINT, Severity.WARNING])
@pytest.mark.parametrize("read_too", [(), (Severity.LINT,), (Severity.ERROR, Severity.LINT)])
def test_the_number_of_problems_is_that_of_those_shown(
    store: Store, read_too: tuple[Severity, ...], found: Severity | None, agents_down: bool
) -> None:
    store.handle(ProjectChecked(tuple(Problem("a", one, severity=one) for one in read_too)))
    if found:
        store.handle(ProblemFound(Problem("", "the disk is full", severity=found)))
    if agents_down:
        finish(store, down(ONE))
    shown = store.problems.shown
    is_alert = any(problem.severity is not Severity.LINT for problem in shown)
    assert store.problems.count() == (len(shown), is_alert)


def test_mistakes_are_all_but_what_lint_finds_in_files_that_can_be_read(store: Store) -> None:
    worse = (Problem("a", "no"), Problem("b", "not set", severity=Severity.WARNING))
    unread = Problem("c", "no eval file", severity=Severity.LINT, code="json-syntax")
    lint = Problem("a", "no proof", severity=Severity.LINT, code="no-proof")
    store.handle(ProjectChecked((*worse, lint)))
    assert store.problems.mistakes == worse
    store.handle(ProjectChecked((*worse, lint, unread)))
    other = Problem("", "the disk is full")
    store.handle(ProblemFound(other))
    finish(store, down(ONE))
    assert store.problems.mistakes == tuple(one for one in store.problems.shown if one is not lint)
    assert len(store.problems.mistakes) == 5


def test_the_lines_of_its_cases_go_by_the_rule_of_the_problem(store: Store) -> None:
    faults = store.board(scene.AGENT).faults

    def told() -> tuple[set[str], list[bool]]:
        codes = {problem.code for problem in store.problems.shown}
        return codes, [faults.is_down_for(case.key) for case in (ONE, TWO, THREE)]

    assert told() == (set(), [False, False, False])
    finish(store, down(ONE))
    assert told() == ({DOWN}, [True, False, False]), "it never answered"
    finish(store, down(TWO, OTHER, "auth"))
    assert told() == ({DOWN}, [True, True, False]), "whatever it said"
    finish(store, replace(scene.result(THREE, CaseStatus.PASSED), finished_at=scene.NOW + 1))
    finish(store, replace(down(ONE), finished_at=scene.NOW + 2))
    assert told() == ({FAULT}, [False, False, False]), "that may be the case's"
