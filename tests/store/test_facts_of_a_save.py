"""What a save or key did is a fact of its run: the header says what the timeline does of it."""

from collections.abc import Iterable
from typing import Any, TypeAlias

from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.case import Case, CaseKey
from evaltui.core.comparison import RunChanges, is_same
from evaltui.core.events import (
    CaseFinished,
    CasesStale,
    ProjectRead,
    ResultsLoaded,
    RunEnd,
    RunFinished,
    RunStarted,
)
from evaltui.core.response import ToolCall
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.tool import ToolRegistry
from evaltui.store.store import Store
from evaltui.tui.order import NOT_TOUCHED, RAN_BESIDES, SaveGroup, by_save
from tests.tui import scene

AGENT = scene.AGENT
SUITES = scene.suites(4, 2)
CASES = scene.cases_of(SUITES)
P, F, E = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR

Came: TypeAlias = tuple[CaseStatus, str, int, int]
"""Verdict, the city that is sent, trials and how many of them passed."""
Answers: TypeAlias = dict[int, Came]
Step: TypeAlias = tuple[str, Answers, Answers]
"""What is done, what cases come to by it, and to what by a command meanwhile."""

PASSES, FAILS, AT_TIMES = (P, "Paris", 1, 1), (F, "Rome", 1, 0), (F, "Paris", 5, 4)
CAME = st.sampled_from([PASSES, (P, "Rome", 1, 1), FAILS, (E, "", 1, 0), AT_TIMES])
ANSWERS = st.dictionaries(st.sampled_from(range(len(CASES))), CAME, min_size=1)
KINDS = ("save", "key", "command", "command meanwhile", "correction", "restart")
STEPS = st.lists(st.tuples(st.sampled_from(KINDS), ANSWERS, ANSWERS), max_size=7)


class Days:
    """A dashboard that is opened again and again, and what its timeline has of each run."""

    def __init__(self) -> None:
        self.told: dict[str, RunChanges] = {}
        self.made = 0
        self.store = self._opened(())

    def _opened(self, results: Iterable[CaseResult]) -> Store:
        store = Store()
        store.handle(ProjectRead(SUITES, ToolRegistry(configured=False), ()))
        store.handle(ResultsLoaded(AGENT, tuple(results)))
        return store

    def do(self, step: Step) -> None:
        kind, answers, meanwhile = step
        match kind:
            case "save":
                self._run(answers, trigger=("a.ts",))
            case "key":
                self._run(answers)
            case "command":
                self._run(answers, command="evaltui run")
            case "command meanwhile":
                run_id = self._begin(answers, trigger=("a.ts",))
                first, *others = answers.items()
                self._finish(run_id, dict([first]))
                self._run(meanwhile, command="evaltui run")
                self._finish(run_id, dict(others))
                self._end(run_id, answers)
            case "correction":
                self._run(answers, is_correction=True)
            case "restart":
                rows = self.store.board(AGENT).rows.values()
                self.store = self._opened([row.result for row in rows if row.result is not None])

    def _run(self, answers: Answers, **more: Any) -> None:
        run_id = self._begin(answers, **more)
        self._finish(run_id, answers)
        self._end(run_id, answers)

    def _begin(self, answers: Answers, **more: Any) -> str:
        self.made += 1
        run_id, keys = f"run-{self.made}", tuple(CASES[one].key for one in answers)
        if more.get("trigger"):
            self.store.handle(CasesStale(AGENT, (), len(CASES), ("a.ts",)))
        self.store.handle(RunStarted(run_id, AGENT, self.made, keys, "why", **more))
        return run_id

    def _finish(self, run_id: str, answers: Answers) -> None:
        for one, came in answers.items():
            self.store.handle(CaseFinished(run_id, result(CASES[one], came, run_id, self.made)))

    def _end(self, run_id: str, answers: Answers) -> None:
        keys = [CASES[one].key for one in answers]
        self.told[run_id] = self.store.board(AGENT).changes(keys, run_id)
        self.store.handle(RunFinished(run_id, AGENT, RunEnd.COMPLETED, 1.0))


def result(case: Case, came: Came, run_id: str, at: int) -> CaseResult:
    status, city, trials, passes = came
    made = scene.result(case, status)
    assert made.response is not None
    calls = (ToolCall("weather", {"city": city}, success=True),)
    response = replace(made.response, tool_calls=calls if city else ())
    return replace(
        made, run_id=run_id, finished_at=float(at), trials=trials, passes=passes, response=response
    )


def header(store: Store) -> tuple[object, ...]:
    counts = store.board(AGENT).counts.all
    return dict(counts.by_effect), counts.new_failed, counts.at_times


def line_of_timeline(told: RunChanges) -> tuple[object, ...]:
    return told.counts, told.new_failed, told.at_times


@given(STEPS)
@example([("key", {0: PASSES}, {}), ("command", {0: FAILS}, {})])
@example([("key", {0: PASSES}, {}), ("save", {0: AT_TIMES}, {}), ("command", {0: PASSES}, {})])
def test_the_header_says_of_a_save_what_its_line_of_the_timeline_does(steps: list[Step]) -> None:
    days = Days()
    for step in steps:
        days.do(step)
        save = days.store.board(AGENT).headline.save
        if save is not None and save.runs:
            (run_id,) = save.runs
            assert header(days.store) == line_of_timeline(days.told[run_id]), step


@given(STEPS)
def test_a_case_stands_in_the_group_of_the_save_as_long_as_it_comes_out_as_that_left_it(
    steps: list[Step],
) -> None:
    days, left = Days(), dict[CaseKey, CaseResult]()
    for step in steps:
        days.do(step)
        board = days.store.board(AGENT)
        save = board.headline.save
        for row in board.rows.values():
            if save is not None and row.result is not None and row.result.run_id in save.runs:
                left[row.key] = row.result
        groups = {
            key: line.name
            for line in by_save(board.rows.values(), ())
            if isinstance(line, SaveGroup)
            for key in line.keys
        }
        assert groups.keys() == board.rows.keys()
        for key, row in board.rows.items():
            if save is None or key not in save.keys:
                assert groups[key] in (NOT_TOUCHED, RAN_BESIDES)
            elif key in left and row.result is not None and left[key].run_id in save.runs:
                is_as_left = row.result is left[key] or is_same(left[key], row.result)
                assert (groups[key] != RAN_BESIDES) is is_as_left
