"""What each event makes known, and what its readers are told has changed."""

from typing import get_args

import pytest
from msgspec.structs import replace

from evaltui.core.baseline import Comparison
from evaltui.core.case import Case
from evaltui.core.comparison import Effect
from evaltui.core.errors import Problem
from evaltui.core.events import (
    BaselineCompared,
    CaseFinished,
    CaseMuted,
    CasesStale,
    CaseStarted,
    DetailLoaded,
    Event,
    ProblemFound,
    ProjectRead,
    ResultsLoaded,
    RunEnd,
    RunFinished,
    RunStarted,
    TextStreamed,
    ToolCalled,
    TrialFinished,
    TurnFinished,
    WatchPaused,
)
from evaltui.core.response import ToolCall
from evaltui.core.result import CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.tool import ToolRegistry
from evaltui.store.changes import Changes
from evaltui.store.row import Phase
from evaltui.store.store import Store
from tests.tui import scene

AGENT, OTHER = scene.AGENT, "other"
SUITES = scene.suites(6, 2)
CASES = scene.cases_of(SUITES)
ONE, TWO = CASES[0], CASES[1]
P, F = CaseStatus.PASSED, CaseStatus.FAILED


@pytest.fixture
def store() -> Store:
    made = Store()
    made.handle(ProjectRead(SUITES, ToolRegistry(configured=False), (), at=1.0))
    made.board(AGENT)
    made.board(OTHER)
    return made


def changes_of(store: Store, *events: Event) -> Changes:
    """What a reader learns of these events."""
    reader = store.reader()
    for event in events:
        store.handle(event)
    changes, _ = store.drain(reader)
    return changes


def started(*cases: Case, trigger: tuple[str, ...] = (), run_id: str = "run-1") -> RunStarted:
    keys = tuple(case.key for case in cases)
    return RunStarted(run_id, AGENT, 5, keys, "asked for", trigger, 4, 1, 2.0, 9.0)


def finished(case: Case, status: CaseStatus = P, *, run_id: str = "run-1") -> CaseFinished:
    return CaseFinished(run_id, replace(scene.result(case, status), run_id=run_id))


def test_a_run_counts_its_own_results_and_what_they_cost(store: Store) -> None:
    run = (started(ONE, TWO), finished(ONE), finished(TWO, F, run_id="run-0"))
    changes = changes_of(store, *run)
    view = store.board(AGENT).runs.last
    assert view is not None
    assert (view.number, view.total, view.done, view.spent_usd) == (5, 2, 1, 0.0004)
    assert changes.is_run_changed
    assert changes.rows == {AGENT: {ONE.key, TWO.key}}
    assert store.board(OTHER).runs.last is None


def test_a_case_is_queued_then_running_then_idle_with_its_result(store: Store) -> None:
    row = store.board(AGENT).rows[ONE.key]
    phases = []
    for event in (started(ONE), CaseStarted("run-1", AGENT, ONE.key), finished(ONE)):
        store.handle(event)
        phases.append(row.phase)
    assert phases == [Phase.QUEUED, Phase.RUNNING, Phase.IDLE]
    assert row.result is not None and row.result.status is P


def test_what_an_agent_does_is_seen_until_the_result_comes(store: Store) -> None:
    row, call = store.board(AGENT).rows[ONE.key], ToolCall("get_weather", {})
    store.handle(started(ONE))
    store.handle(CaseStarted("run-1", AGENT, ONE.key))
    changes = changes_of(
        store,
        TextStreamed("run-1", AGENT, ONE.key, "Let"),
        TurnFinished("run-1", AGENT, ONE.key, 1, "Let me see."),
        ToolCalled("run-1", AGENT, ONE.key, call),
    )
    assert (row.live_text, row.live_calls) == ("Let me see.", [call])
    assert changes.rows == {AGENT: {ONE.key}}
    assert not changes.counts
    store.handle(finished(ONE))
    assert (row.live_text, row.live_calls) == ("", [])


def test_at_the_end_of_a_run_nothing_waits_any_more(store: Store) -> None:
    store.handle(started(ONE, TWO))
    store.handle(CaseStarted("run-1", AGENT, ONE.key))
    end = RunFinished("run-1", AGENT, RunEnd.CANCELLED, 1.0, finished_at=3.0)
    changes = changes_of(store, end)
    board = store.board(AGENT)
    assert {row.phase for row in board.rows.values()} == {Phase.IDLE}
    assert changes.rows == {AGENT: {ONE.key, TWO.key}}
    assert board.runs.last is not None
    assert (board.runs.last.end, board.runs.last.finished_at) == (RunEnd.CANCELLED, 3.0)


def test_a_case_that_runs_alone_is_idle_at_the_end_too(store: Store) -> None:
    store.handle(started(ONE))
    store.handle(CaseStarted("run-1", AGENT, ONE.key))
    store.handle(RunFinished("run-1", AGENT, RunEnd.CANCELLED, 1.0))
    assert store.board(AGENT).rows[ONE.key].phase is Phase.IDLE


def test_numbers_of_runs_never_go_back(store: Store) -> None:
    store.handle(started(ONE))
    store.handle(ResultsLoaded(AGENT, (), (), 3))
    assert store.board(AGENT).runs.number == 5
    store.handle(ResultsLoaded(AGENT, (), (), 7))
    assert store.board(AGENT).runs.number == 7


def test_nothing_was_read_before_the_project_was(store: Store) -> None:
    assert (Store().read_at, store.read_at) == (0.0, 1.0)


def test_results_of_earlier_processes_are_told_of(store: Store) -> None:
    loaded = ResultsLoaded(AGENT, (scene.result(ONE, P), scene.result(TWO, F)), ((P,), (P, F)), 3)
    assert changes_of(store, loaded).rows == {AGENT: {ONE.key, TWO.key}}
    assert store.board(AGENT).rows[TWO.key].recent == (P, F)


def test_the_end_of_another_run_leaves_the_view_of_this_one(store: Store) -> None:
    store.handle(started(ONE))
    store.handle(RunFinished("run-0", AGENT, RunEnd.SUPERSEDED, 1.0))
    run = store.board(AGENT).runs.last
    assert run is not None and run.end is None


def test_a_change_is_remembered_until_something_is_run_by_hand(store: Store) -> None:
    stale = CasesStale(
        AGENT, (DueCase(ONE.key, Degree.AFFECTED, ("changed",)),), 6, ("tools/a.ts",)
    )
    store.handle(stale)
    reach = store.board(AGENT).headline.reach
    assert reach is not None
    assert (store.trigger, reach.affected, reach.total, reach.why) == (
        ("tools/a.ts",),
        1,
        6,
        "changed",
    )
    store.handle(started(ONE, trigger=("tools/a.ts",)))
    assert store.trigger
    store.handle(started(ONE))
    assert (store.trigger, store.board(AGENT).headline.reach) == ((), None)


def test_problems_of_the_project_are_replaced_others_go_with_the_next_run(store: Store) -> None:
    mistake, full = Problem("a.json", "is broken"), Problem("", "The disk is full.")
    read = ProjectRead(SUITES, store.registry, (mistake,))
    store.handle(started(ONE))
    assert changes_of(store, ProblemFound(full)).is_problems_changed
    store.handle(RunFinished("run-1", AGENT, RunEnd.COMPLETED, 1.0))
    assert changes_of(store, read).is_problems_changed
    both = store.problems.reported
    assert changes_of(store, started(ONE, run_id="run-2")).is_problems_changed
    left = store.problems.reported
    store.handle(ProjectRead(SUITES, store.registry, ()))
    assert [both, left, store.problems.reported] == [(mistake, full), (mistake,), ()]


def test_a_mute_is_known_for_every_agent(store: Store) -> None:
    for agent in (AGENT, OTHER):
        store.handle(CaseFinished("run-1", scene.result(ONE, F, agent=agent)))
    changes = changes_of(store, CaseMuted(ONE.key, "known"))
    assert changes.rows == {AGENT: {ONE.key}, OTHER: {ONE.key}}
    assert [store.board(agent).counts.all.muted for agent in (AGENT, OTHER)] == [1, 1]
    store.handle(CaseMuted(ONE.key, ""))
    assert store.board(AGENT).counts.all.muted == 0


def test_details_are_told_of_without_a_change_of_counts(store: Store) -> None:
    whole = scene.result(ONE, F)
    store.handle(CaseFinished("run-1", replace(whole, verdicts=(), response=None)))
    changes = changes_of(store, DetailLoaded(AGENT, whole))
    assert store.board(AGENT).rows[ONE.key].result == whole
    assert changes.rows == {AGENT: {ONE.key}}
    assert not changes.counts


def test_a_reading_that_changed_nothing_rearranges_nothing(store: Store) -> None:
    same = ProjectRead(SUITES, store.registry, ())
    changes = changes_of(store, same)
    assert not changes.is_rearranged and not changes.is_registry_changed
    assert not changes.counts
    changes = changes_of(store, ProjectRead(SUITES[:1], ToolRegistry(), ()))
    assert changes.is_rearranged and changes.is_registry_changed
    assert changes.counts[AGENT] == {SUITES[1].id}
    assert changes.rows[AGENT] == {case.key for case in SUITES[1].cases}


def test_comparisons_and_the_state_of_the_watch_are_told(store: Store) -> None:
    comparison = Comparison(SUITES[0].id, "run-0", (), (), ())
    assert changes_of(store, BaselineCompared("run-1", AGENT, (comparison,))).is_baselines_changed
    assert store.comparisons == {AGENT: (comparison,)}
    assert changes_of(store, WatchPaused()).is_run_changed


def test_readers_drain_at_their_own_pace(store: Store) -> None:
    slow = store.reader()
    assert changes_of(store, finished(ONE)).rows == {AGENT: {ONE.key}}
    assert changes_of(store, finished(TWO)).rows == {AGENT: {TWO.key}}
    changes, fresh = store.drain(slow)
    assert changes.rows == {AGENT: {ONE.key, TWO.key}}
    assert not fresh


def test_without_a_screen_nobody_asks_what_a_case_is_doing() -> None:
    hidden = Store(is_shown=False)
    live = {CaseStarted, ToolCalled, TurnFinished, TextStreamed}
    assert hidden.hears == frozenset(get_args(Event)) - live
    assert not hasattr(Store(), "hears")


def test_only_the_agent_that_is_asked_is_shown_running(store: Store) -> None:
    store.handle(started(ONE))
    changes = changes_of(store, CaseStarted("run-1", OTHER, ONE.key))
    assert store.board(AGENT).rows[ONE.key].phase is Phase.QUEUED
    assert store.board(OTHER).rows[ONE.key].phase is Phase.RUNNING
    assert changes.rows == {OTHER: {ONE.key}}


def test_a_problem_stands_until_a_run_begins_after_its_own(store: Store) -> None:
    def names(what: str) -> list[str]:
        store.handle(ProblemFound(Problem("", what)))
        return [problem.what for problem in store.problems.others]

    assert names("set aside") == ["set aside"], "found in opening: it stays"
    store.handle(started(ONE, run_id="run-1"))
    assert names("no snapshot") == ["set aside", "no snapshot"]
    store.handle(RunFinished("run-1", AGENT, RunEnd.COMPLETED, 1.0))
    assert names("disk full") == ["set aside", "no snapshot", "disk full"], "found between two runs"
    store.handle(started(ONE, run_id="run-2"))
    assert names("now") == ["set aside", "disk full", "now"]
    store.handle(RunFinished("run-2", AGENT, RunEnd.COMPLETED, 1.0))
    store.handle(started(ONE, run_id="run-3"))
    assert [problem.what for problem in store.problems.others] == ["set aside"]


def test_what_a_run_of_the_past_told_counts_though_the_rest_is_run_beside_it(store: Store) -> None:
    """The rest told nothing of its own, which takes nothing away from what the save did."""
    said = {str(ONE.key): Effect.CALLS_DIFFER}
    store.handle(RunStarted("run-1", AGENT, 1, (ONE.key,), "", ("a.ts",), told=said))
    store.handle(RunFinished("run-1", AGENT, RunEnd.SUPERSEDED, 1.0))
    store.handle(RunStarted("run-2", AGENT, 2, (ONE.key,), "", is_rest=True))
    store.handle(CaseFinished("run-1", scene.result(ONE, P)))
    assert store.board(AGENT).rows[ONE.key].changed is Effect.CALLS_DIFFER


def test_trials_count_for_the_run_that_tells_them(store: Store) -> None:
    changes = changes_of(
        store,
        started(ONE, TWO),
        TrialFinished("run-1", scene.result(ONE, P)),
        TrialFinished("run-0", scene.result(TWO, P)),
    )
    run = store.board(AGENT).runs.last
    assert run is not None and run.trials_done == 1
    assert changes.is_run_changed
    assert not changes_of(store, TrialFinished("run-0", scene.result(TWO, P)))


def test_what_is_never_asked_does_not_wait_for_its_turn(store: Store) -> None:
    store.handle(replace(started(ONE, TWO), never_asked=(TWO.key,), waiting=(CASES[2].key,)))
    rows = store.board(AGENT).rows
    assert [rows[case.key].phase for case in CASES[:4]] == [
        Phase.QUEUED,
        Phase.IDLE,
        Phase.QUEUED,
        Phase.IDLE,
    ]
