"""Each event by itself: what is known after it, and what a reader is told to paint anew."""

import pytest
from msgspec.structs import replace

from evaltui.core.baseline import Baseline, BaselineCase
from evaltui.core.case import CaseKey
from evaltui.core.comparison import Effect
from evaltui.core.errors import Problem
from evaltui.core.events import (
    BaselineCompared,
    BaselinePinned,
    CaseFinished,
    CasesStale,
    CaseStarted,
    Event,
    NothingChanged,
    ProblemFound,
    ProjectChecked,
    ProjectRead,
    ResultsLoaded,
    RunEnd,
    RunFinished,
    RunnerChanged,
    RunStarted,
    SpendingChanged,
    TextStreamed,
    ToolCalled,
    TurnFinished,
    WatchPaused,
    WatchResumed,
)
from evaltui.core.response import ToolCall
from evaltui.core.result import CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.tool import ToolRegistry
from evaltui.store.changes import Changes
from evaltui.store.reach import Reach
from evaltui.store.row import Phase
from evaltui.store.row_status import RowStatus
from evaltui.store.run_view import RunView
from evaltui.store.store import FEW, Store
from tests.tui import scene

AGENT = scene.AGENT
FIRST, SECOND = SUITES = scene.suites(4, 2)
ONE, TWO, THREE, FOUR = scene.cases_of(SUITES)
P, F = CaseStatus.PASSED, CaseStatus.FAILED
REGISTRY = ToolRegistry(configured=False)
STARTED = RunStarted("run-1", AGENT, 5, (ONE.key,), "why", ("a.ts",), 4, 3, 2.0, 9.0)
CROWDED = replace(STARTED, cases=tuple(CaseKey(FIRST.id, f"gs-{n}") for n in range(FEW + 1)))
FALLEN = BaselinePinned(
    AGENT, "default", (Baseline(FIRST.id, "run-0", "default", {ONE.id: BaselineCase(P)}),)
)


def read(**more: object) -> ProjectRead:
    return replace(ProjectRead(SUITES, REGISTRY, ()), **more)


@pytest.fixture
def store() -> Store:
    made = Store()
    made.handle(read(at=1.0))
    made.handle(CaseFinished("run-0", scene.result(ONE, F)))
    return made


def changes_of(store: Store, *events: Event) -> Changes:
    reader = store.reader()
    for event in events:
        store.handle(event)
    return store.drain(reader)[0]


def flags(changes: Changes) -> set[str]:
    names = (name for name in Changes.__struct_fields__ if name.startswith("is_"))
    return {name for name in names if getattr(changes, name)}


LIVE: tuple[Event, ...] = (
    CaseStarted("run-1", AGENT, ONE.key, at=7.0),
    TextStreamed("run-1", AGENT, ONE.key, "Let me"),
    TurnFinished("run-1", AGENT, ONE.key, 1, "Let me"),
    ToolCalled("run-1", AGENT, ONE.key, ToolCall("get_weather", {})),
    CaseFinished("run-1", scene.result(ONE, F)),
)


@pytest.mark.parametrize("event", LIVE, ids=lambda event: type(event).__name__)
def test_what_a_case_does_is_told_of_its_row_only(store: Store, event: Event) -> None:
    changes = changes_of(store, event)
    assert changes.rows == {AGENT: {ONE.key}}
    assert changes.counts == {}
    assert flags(changes) == set()


def test_since_when_a_case_runs_is_known(store: Store) -> None:
    store.handle(LIVE[0])
    row = store.board(AGENT).rows[ONE.key]
    assert (row.phase, row.started_at) == (Phase.RUNNING, 7.0)


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (WatchPaused(), {"is_run_changed"}),
        (WatchResumed(), {"is_run_changed"}),
        (RunnerChanged("pid 1"), {"is_run_changed"}),
        (SpendingChanged(AGENT, 0.5, 1.5), {"is_run_changed"}),
        (
            SpendingChanged(AGENT, 0.5, 1.5, is_freed=True),
            {"is_run_changed", "is_problems_changed"},
        ),
        (ProblemFound(Problem("", "full")), {"is_problems_changed"}),
        (BaselineCompared("run-1", AGENT, ()), {"is_baselines_changed"}),
        (BaselinePinned(AGENT, "default", ()), {"is_baselines_changed"}),
        (CasesStale(AGENT, (), 4), {"is_run_changed"}),
        (NothingChanged(("a.ts",)), {"is_run_changed"}),
        (ProjectChecked(()), set()),
        (ProjectChecked((Problem("a.ts", "odd"),)), {"is_problems_changed"}),
        (STARTED, {"is_run_changed"}),
        (CROWDED, {"is_run_changed", "is_queue_changed"}),
        (RunFinished("run-1", AGENT, RunEnd.COMPLETED, 1.0), {"is_run_changed"}),
        (read(), {"is_problems_changed"}),
        (read(suites=(SECOND, FIRST)), {"is_problems_changed", "is_rearranged"}),
        (read(suites=(FIRST,)), {"is_problems_changed", "is_rearranged"}),
        (read(registry=ToolRegistry()), {"is_problems_changed", "is_registry_changed"}),
        (ResultsLoaded(AGENT, (), (), 3), set()),
    ],
    ids=lambda one: type(one).__name__,
)
def test_what_has_to_be_painted_anew(store: Store, event: Event, expected: set[str]) -> None:
    assert flags(changes_of(store, event)) == expected


def test_the_cases_of_a_run_of_few_are_named(store: Store) -> None:
    assert changes_of(store, STARTED).rows == {AGENT: {*STARTED.cases}}
    assert not changes_of(store, CROWDED).rows


def test_nothing_is_forgotten_between_two_looks(store: Store) -> None:
    changes = changes_of(
        store,
        read(suites=(SECOND, FIRST), registry=ToolRegistry()),
        CROWDED,
        BaselineCompared("run-1", AGENT, ()),
        WatchPaused(),
        ProblemFound(Problem("", "full")),
        BaselineCompared("run-1", AGENT, ()),
    )
    names = {name for name in Changes.__struct_fields__ if name.startswith("is_")}
    assert flags(changes) == names


def test_a_run_is_known_with_all_that_it_said_of_itself(store: Store) -> None:
    store.handle(STARTED)
    board = store.board(AGENT)
    assert board.runs.last == RunView("run-1", 5, "why", ("a.ts",), 1, 4, 3, 2.0, 9.0)
    assert (board.runs.number, board.runs.is_on) == (5, True)
    assert board.rows[ONE.key].phase is Phase.QUEUED
    store.handle(RunFinished("run-1", AGENT, RunEnd.COMPLETED, 1.0, finished_at=8.0))
    assert board.runs.last.finished_at == 8.0
    assert store.board(AGENT).runs.last is board.runs.last and not store.boards[AGENT].runs.is_on


def test_judging_again_costs_nothing(store: Store) -> None:
    store.handle(replace(STARTED, is_rejudging=True))
    store.handle(CaseFinished("run-1", scene.result(ONE, P)))
    run = store.board(AGENT).runs.last
    assert run is not None
    assert (run.is_rejudging, run.done, run.spent_usd) == (True, 1, 0.0)


def test_judging_again_teaches_nothing_of_how_long_a_case_takes(store: Store) -> None:
    """Its answer is the one that took so long already."""
    row = store.board(AGENT).rows[ONE.key]
    slow = replace(scene.result(ONE, P), run_id="run-1", duration_ms=300.0)
    store.handle(CaseFinished("run-1", slow))
    usual_ms = row.usual_ms
    store.handle(replace(STARTED, run_id="run-2", is_rejudging=True))
    store.handle(CaseFinished("run-2", replace(slow, status=F)))
    assert (row.status, row.usual_ms) == (RowStatus.FAILED, usual_ms)


def test_what_is_stale_without_a_save_leaves_the_last_change(store: Store) -> None:
    case = DueCase(ONE.key, Degree.AFFECTED, ("changed",))
    changes = changes_of(store, CasesStale(AGENT, (case,), 4, ("a.ts",)))
    assert changes.rows == {AGENT: {ONE.key}}
    assert changes.counts == {AGENT: {FIRST.id}}
    reach = store.board(AGENT).headline.reach
    assert (store.trigger, reach is not None and reach.total) == (("a.ts",), 4)
    assert changes_of(store, CasesStale(AGENT, (), 4)).rows == {AGENT: {ONE.key}}
    assert (store.trigger, store.board(AGENT).headline.reach) == (("a.ts",), reach)


def test_what_falls_against_a_baseline_is_told_of(store: Store) -> None:
    changes = changes_of(store, FALLEN)
    assert changes.rows == {AGENT: {ONE.key}}
    assert changes.counts == {AGENT: {FIRST.id}}


def test_a_reading_tells_what_is_outdated_muted_and_sampled(store: Store) -> None:
    store.handle(FALLEN)
    board = store.board(AGENT)
    assert changes_of(store, read(outdated=(SECOND.id,))).rows == {AGENT: {THREE.key, FOUR.key}}
    assert changes_of(store, read()).rows == {AGENT: {THREE.key, FOUR.key}}
    assert changes_of(store, read(sampled=(AGENT,))).rows == {AGENT: {ONE.key}}
    assert (board.rows[ONE.key].regressed, board.rows[ONE.key].moved) == (False, True)
    assert changes_of(store, read()).rows == {AGENT: {ONE.key}}
    assert changes_of(store, read(mutes={str(TWO.key): "known"})).rows == {AGENT: {TWO.key}}
    assert store.mutes == {str(TWO.key): "known"}
    assert changes_of(store, read()).rows == {AGENT: {TWO.key}}


def test_a_reading_remembers_when_it_was_and_which_files_led_to_it(store: Store) -> None:
    store.handle(read(changed=("a.ts",), at=3.0))
    assert (store.trigger, store.read_at) == (("a.ts",), 3.0)
    store.handle(read(at=4.0))
    assert (store.trigger, store.read_at) == (("a.ts",), 4.0)


def test_the_board_of_another_agent_knows_all_that_was_read_before(store: Store) -> None:
    mutes = {str(TWO.key): "known"}
    store.handle(read(outdated=(SECOND.id,), mutes=mutes, sampled=("late",)))
    changes = changes_of(store, CaseStarted("run-9", "late", ONE.key))
    assert changes.rows == {"late": {ONE.key}}
    assert changes.counts == {}, "it is new: nothing of it changed"
    board = store.board("late")
    assert [row.is_outdated for row in board.rows.values()] == [False, False, True, True]
    assert [row.muted for row in board.rows.values()] == ["", "known", "", ""]
    assert board.standards.is_sampled and not store.board(AGENT).standards.is_sampled


def test_a_cached_board_is_told_of_when_it_comes_and_when_it_gives_way() -> None:
    store = Store()
    result = scene.result(ONE, P)
    cached = ResultsLoaded(AGENT, (result,), ((P,),), 3, {FIRST.id: {P: 2}}, 9.0)
    changes = changes_of(store, cached)
    assert changes.is_rearranged
    assert changes.rows == {AGENT: {ONE.key}}
    store.handle(read(outdated=(SECOND.id,)))
    changes = changes_of(store, ResultsLoaded(AGENT, (result,), ((F, P),), 4))
    assert changes.is_rearranged
    assert changes.rows == {AGENT: {ONE.key, TWO.key, THREE.key, FOUR.key}}
    board = store.board(AGENT)
    assert board.rows[ONE.key].recent == (F, P)
    assert (board.runs.number, board.counts.all.outdated) == (4, 2)
    store.handle(ResultsLoaded(AGENT, (result,), (), 2))
    assert board.rows[ONE.key].recent == (F, P), "without strips they stay"
    assert board.runs.number == 4


def test_before_the_project_is_read_results_without_counts_are_no_board() -> None:
    store = Store()
    store.handle(ResultsLoaded(AGENT, (scene.result(ONE, P),), ((P,),), 3))
    board = store.board(AGENT)
    assert (board.is_cached, len(board.rows), board.runs.number) == (False, 0, 3)


def test_a_closer_look_takes_the_place_of_what_was_found_before(store: Store) -> None:
    first, second = Problem("a.ts", "odd"), Problem("b.ts", "odd")
    store.handle(ProblemFound(Problem("", "full")))
    for found in ((first,), (first, second), (second,)):
        store.handle(ProjectChecked(found))
        assert store.problems.of_project == found
    assert [one.what for one in store.problems.reported] == ["odd", "full"]


def test_a_save_that_changed_nothing_is_the_last_one_and_reaches_no_case(store: Store) -> None:
    store.handle(CasesStale(AGENT, (DueCase(ONE.key, Degree.AFFECTED, ("x",)),), 4, ("a.ts",)))
    store.handle(STARTED)
    store.handle(CaseFinished("run-1", scene.result(ONE, P)))
    store.handle(RunFinished("run-1", AGENT, RunEnd.COMPLETED, 1.0))
    board = store.board(AGENT)
    assert board.rows[ONE.key].effect is Effect.BETTER
    changes = changes_of(store, NothingChanged(("b.ts", "c.ts")))
    assert changes.rows == {AGENT: {ONE.key}}
    assert board.rows[ONE.key].effect is None
    assert store.trigger == ("b.ts", "c.ts")
    assert board.headline.save is not None and board.headline.save.trigger == ("b.ts", "c.ts")
    assert board.headline.reach == Reach(4)


def test_whoever_is_gone_is_told_no_more(store: Store) -> None:
    gone, stays = store.reader(), store.reader()
    store.forget(gone)
    store.handle(LIVE[0])
    assert (gone.rows, stays.rows) == ({}, {AGENT: {ONE.key}})
