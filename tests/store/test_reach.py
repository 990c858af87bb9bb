"""How far a change reaches on a board."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.events import (
    CaseFinished,
    CasesStale,
    ProjectRead,
    RunEnd,
    RunFinished,
    RunStarted,
)
from evaltui.core.result import CaseStatus
from evaltui.core.staleness import NEVER_RUN, Degree, DueCase
from evaltui.core.tool import ToolRegistry
from evaltui.store.reach import Reach
from evaltui.store.store import Store
from tests.tui import scene


def stale(case: str, *reasons: str) -> DueCase:
    return DueCase(CaseKey("a.json", case), Degree.AFFECTED, reasons)


def test_how_far_a_change_reaches_is_said_with_its_most_frequent_first_reason() -> None:
    cases = [stale("1", "rare", "second"), stale("2", "often", "second")]
    assert Reach.of([*cases, stale("3", "often", "second")], 4) == Reach(4, 3, why="often")
    assert Reach.of([], 4) == Reach(4)


def test_certain_and_possible_are_counted_apart_and_cases_without_a_result_too() -> None:
    degrees = (Degree.AFFECTED, Degree.TO_JUDGE, Degree.POSSIBLY, Degree.NEVER_RUN)
    cases = [DueCase(CaseKey("a.json", degree), degree, ("r",)) for degree in degrees]
    assert Reach.of(cases, 9) == Reach(9, 2, 1, 1, "r")


def test_that_cases_never_ran_is_no_reason_beside_their_number() -> None:
    new = [DueCase(CaseKey("a.json", n), Degree.NEVER_RUN, (NEVER_RUN,)) for n in "123"]
    assert Reach.of(new, 9) == Reach(9, never_run=3)
    assert Reach.of([*new, stale("4", "case changed")], 9) == Reach(9, 1, 0, 3, "case changed")


@pytest.mark.parametrize(
    ("degree", "is_any"),
    [(one, one is not Degree.NEVER_RUN) for one in Degree],
)
def test_a_change_has_cases_to_run_where_one_has_a_result_that_it_may_touch(
    degree: Degree, is_any: bool
) -> None:
    assert Reach.of([DueCase(CaseKey("a.json", "1"), degree, ("r",))], 9).is_any is is_any


SUITES = scene.suites(4, 2)
CASES = scene.cases_of(SUITES)
KEYS = st.sets(st.sampled_from([case.key for case in CASES]), min_size=1)
ACTIONS = st.lists(st.tuples(st.sampled_from(("save", "run", "answer", "stop")), KEYS), max_size=8)


@given(ACTIONS)
def test_a_save_never_reaches_less_than_what_is_run_or_has_run_because_of_it(
    actions: list[tuple[str, set[CaseKey]]],
) -> None:
    """Whatever is left of the save before, and whatever answer comes too late."""
    store, agent = Store(), scene.AGENT
    store.handle(ProjectRead(SUITES, ToolRegistry(configured=False), ()))
    board, asked = store.board(agent), set[CaseKey]()
    for number, (action, keys) in enumerate([("save", {CASES[0].key}), *actions]):
        run = board.runs.last if board.runs.is_on else None
        if action == "save":
            made = tuple(DueCase(key, Degree.AFFECTED, ("case changed",)) for key in keys)
            store.handle(CasesStale(agent, made, len(CASES), (f"{number}.ts",), made))
        elif action == "run" and run is None and board.headline.save is not None:
            trigger = board.headline.save.trigger
            store.handle(RunStarted(f"run-{number}", agent, number, tuple(keys), "", trigger))
            asked = keys
        elif action == "answer" and run is not None:
            for case in CASES:
                if case.key in asked & keys:
                    result = replace(scene.result(case, CaseStatus.PASSED), run_id=run.run_id)
                    store.handle(CaseFinished(run.run_id, result))
        elif action == "stop" and run is not None:
            store.handle(RunFinished(run.run_id, agent, RunEnd.SUPERSEDED, 1.0))
        reach = board.headline.reach
        assert reach is not None
        last = board.runs.last
        of_run = last.total if last is not None and board.is_save_running else 0
        assert reach.affected >= max(of_run, board.counts.all.ran)


def test_what_a_save_left_undone_and_is_put_back_reaches_no_longer() -> None:
    store, agent = Store(), scene.AGENT
    store.handle(ProjectRead(SUITES, ToolRegistry(configured=False), ()))
    one, two, *_ = (DueCase(case.key, Degree.AFFECTED, ("case changed",)) for case in CASES)
    store.handle(CasesStale(agent, (one, two), 4, ("a.ts",), (one, two)))
    store.handle(RunStarted("run-1", agent, 1, (one.key, two.key), "", ("a.ts",)))
    store.handle(
        CaseFinished("run-1", replace(scene.result(CASES[0], CaseStatus.PASSED), run_id="run-1"))
    )
    store.handle(CasesStale(agent, (one,), 4, ("a.ts",), (one,)))
    store.handle(RunFinished("run-1", agent, RunEnd.SUPERSEDED, 1.0))
    store.handle(RunStarted("run-2", agent, 2, (one.key,), "", ("a.ts",)))
    reach = store.board(agent).headline.reach
    assert reach is not None and reach.affected == 1
