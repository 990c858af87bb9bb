"""What one save did to the board: which results are held against which, until the next save."""

from collections import Counter

import pytest
from msgspec.structs import replace

from evaltui.core.baseline import Baseline, BaselineCase
from evaltui.core.case import Case
from evaltui.core.comparison import AtTimes, Effect, GoesOn, RunChanges, StoodBefore
from evaltui.core.events import (
    BaselinePinned,
    CaseFinished,
    CaseMuted,
    CasesStale,
    Event,
    NothingChanged,
    ProjectRead,
    ResultsLoaded,
    RunEnd,
    RunFinished,
    RunStarted,
)
from evaltui.core.result import CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.suite import EvalMetadata, Suite
from evaltui.core.tool import ToolDefinition, ToolRegistry
from evaltui.store.reach import Reach
from evaltui.store.row_status import Attention
from evaltui.store.store import Store
from evaltui.tui.render.case_note import note_of
from tests.tui import scene

P, F, E = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR
SUITES = scene.suites(5, 3)
ONE, TWO, THREE, *REST = scene.cases_of(SUITES)
AGENT = scene.AGENT


@pytest.fixture
def store() -> Store:
    """A board on which everything passed."""
    made = Store()
    made.handle(ProjectRead(SUITES, ToolRegistry(configured=False), ()))
    results = tuple(scene.result(case, P) for case in (ONE, TWO, THREE, *REST))
    made.handle(ResultsLoaded(AGENT, results))
    return made


def save(store: Store, *files: str) -> None:
    store.handle(CasesStale(AGENT, (), 5, files))


def run(store: Store, run_id: str, *files: str, **results: CaseStatus) -> None:
    """One run of these cases, by their last letter."""
    begin(store, run_id, *files)
    finish(store, run_id, **results)
    store.handle(RunFinished(run_id, AGENT, RunEnd.COMPLETED, 1.0))


def begin(store: Store, run_id: str, *files: str) -> None:
    cases = tuple(case.key for case in (ONE, TWO, THREE))
    store.handle(RunStarted(run_id, AGENT, 1, cases, "a reason", files))


def finish(store: Store, run_id: str, **results: CaseStatus) -> None:
    for name, status in results.items():
        case = {"one": ONE, "two": TWO, "three": THREE}[name]
        made = replace(scene.result(case, status), run_id=run_id, finished_at=scene.NOW + 9)
        store.handle(CaseFinished(run_id, made))


def effects(store: Store) -> dict[str, Effect]:
    rows = store.board(AGENT).rows
    named = {"one": ONE, "two": TWO, "three": THREE}
    found = {name: rows[case.key].effect for name, case in named.items()}
    return {name: effect for name, effect in found.items() if effect is not None}


def test_what_ran_is_held_against_what_was_and_the_rest_is_not_touched(store: Store) -> None:
    save(store, "a.ts")
    run(store, "run-2", "a.ts", one=F, two=P)
    board = store.board(AGENT)
    assert effects(store) == {"one": Effect.WORSE, "two": Effect.AS_BEFORE}
    assert board.rows[ONE.key].attention is Attention.WORSE
    assert board.headline.save is not None and board.headline.save.trigger == ("a.ts",)
    counts = board.counts.all.by_effect
    assert {effect: number for effect, number in counts.items() if number} == {
        Effect.WORSE: 1,
        Effect.AS_BEFORE: 1,
    }


def test_a_case_that_nobody_asks_or_judges_did_not_run_because_of_it(store: Store) -> None:
    save(store, "a.ts")
    run(store, "run-2", "a.ts", one=F, two=CaseStatus.SKIPPED)
    assert effects(store) == {"one": Effect.WORSE}
    assert store.board(AGENT).counts.all.ran == 1


def test_the_next_save_begins_anew_even_when_it_changes_nothing(store: Store) -> None:
    save(store, "a.ts")
    run(store, "run-2", "a.ts", one=F)
    reader = store.reader()
    save(store, "b.ts")
    assert effects(store) == {}
    assert not any(store.board(AGENT).counts.all.by_effect.values())
    assert store.drain(reader)[0].rows == {AGENT: {ONE.key}}
    run(store, "run-3", "b.ts", one=P)
    assert effects(store) == {"one": Effect.BETTER}


def test_a_run_by_hand_is_a_unit_of_its_own(store: Store) -> None:
    save(store, "a.ts")
    run(store, "run-2", "a.ts", one=F)
    run(store, "run-3", two=F)
    assert effects(store) == {"two": Effect.WORSE}


def test_judging_and_asking_for_one_save_belong_together(store: Store) -> None:
    save(store, "a.ts")
    run(store, "run-2", "a.ts", one=F)
    run(store, "run-3", "a.ts", two=F)
    assert effects(store) == {"one": Effect.WORSE, "two": Effect.WORSE}


def test_of_several_runs_for_one_save_the_first_says_why(store: Store) -> None:
    save(store, "a.ts")
    for reason in ("get_weather.description changed", "asked again"):
        store.handle(RunStarted("run-2", AGENT, 1, (ONE.key,), reason, ("a.ts",)))
    board = store.board(AGENT)
    assert (
        board.headline.save is not None
        and board.headline.save.reason == "get_weather.description changed"
    )
    store.handle(RunStarted("run-3", AGENT, 2, (ONE.key,), "by hand"))
    assert board.headline.save.reason == "by hand"


def test_what_a_superseded_run_finished_counts_and_is_held_against_what_was_before_it(
    store: Store,
) -> None:
    save(store, "a.ts")
    begin(store, "run-2", "a.ts")
    finish(store, "run-2", one=F, two=F)
    save(store, "b.ts")
    store.handle(RunFinished("run-2", AGENT, RunEnd.SUPERSEDED, 1.0))
    run(store, "run-3", "a.ts", "b.ts", two=P, three=P)
    assert effects(store) == {
        "one": Effect.WORSE,
        "two": Effect.AS_BEFORE,
        "three": Effect.AS_BEFORE,
    }
    board = store.board(AGENT)
    assert board.headline.save is not None and board.headline.save.trigger == ("a.ts", "b.ts")


def test_a_run_goes_on_with_the_last_of_its_save_that_had_results_over_several_saves(
    store: Store,
) -> None:
    def goes_on(run_id: str) -> int | None:
        board = store.board(AGENT)
        found = board.headline.goes_on(run_id, board.counts.all)
        return None if found is None else found.number

    def begin(run_id: str, number: int) -> None:
        cases = tuple(case.key for case in (ONE, TWO, THREE))
        store.handle(RunStarted(run_id, AGENT, number, cases, "a reason", ("a.ts",)))

    save(store, "a.ts")
    begin("run-2", 2)
    # Of another run, as at a point of the past: it is told by this one all the same.
    store.handle(CaseFinished("run-2", replace(scene.result(ONE, F), run_id="run-1")))
    assert goes_on("run-2") is None
    for number in (3, 4):
        save(store, f"{number}.ts")
        store.handle(RunFinished(f"run-{number - 1}", AGENT, RunEnd.SUPERSEDED, 1.0))
        begin(f"run-{number}", number)
        assert goes_on(f"run-{number}") == 2, "run 3 was superseded before it had any"


def test_a_muted_case_is_neither_worse_nor_counted(store: Store) -> None:
    save(store, "a.ts")
    store.handle(CaseMuted(ONE.key, "known"))
    run(store, "run-2", "a.ts", one=F, two=F)
    assert effects(store) == {"two": Effect.WORSE}
    keys = [ONE.key, TWO.key, THREE.key]
    assert store.board(AGENT).changes(keys, "run-2") == RunChanges(worse=(TWO.key,), muted=1), (
        "the third did not run"
    )
    store.handle(CaseMuted(ONE.key, ""))
    assert effects(store) == {"one": Effect.WORSE, "two": Effect.WORSE}


def test_what_a_run_did_is_told_by_case_or_counted(store: Store) -> None:
    save(store, "a.ts")
    run(store, "run-2", "a.ts", one=F, two=E, three=P)
    keys = [case.key for case in (ONE, TWO, THREE)]
    board = store.board(AGENT)
    told = RunChanges(worse=(ONE.key,), errors=(TWO.key,), as_before=1)
    assert board.changes(keys, "run-2") == told
    assert board.changes(keys[1:], "run-2") == RunChanges(errors=(TWO.key,), as_before=1)
    save(store, "b.ts")
    run(store, "run-3", "b.ts", one=P, two=P, three=P)
    assert board.changes(keys, "run-3") == RunChanges(
        better=(ONE.key,), as_before=1, new=1, new_cases=(TWO.key,)
    )
    fresh = Store()
    fresh.handle(ProjectRead(SUITES, ToolRegistry(configured=False), ()))
    run(fresh, "run-2", one=F, two=P)
    assert fresh.board(AGENT).changes(keys[:2], "run-2") == RunChanges(new=2, new_failed=1)
    assert board.changes([], "run-3") == RunChanges()


def test_after_an_error_a_case_is_held_against_its_last_verdict(store: Store) -> None:
    """What broke while the agent was down does not look as if it had never run."""
    loaded = [scene.result(case, P) for case in (ONE, TWO)]
    store.handle(ResultsLoaded(AGENT, tuple(loaded), strips=((F, P), (P, F))))
    save(store, "a.ts")
    run(store, "run-2", "a.ts", one=E, two=E, three=E)
    save(store, "b.ts")
    run(store, "run-3", "b.ts", one=F, two=F)
    assert effects(store) == {"one": Effect.WORSE, "two": Effect.AS_BEFORE}
    assert store.board(AGENT).changes([ONE.key], "run-3").worse == (ONE.key,)


def test_a_run_that_goes_on_holds_what_followed_an_error_against_the_last_verdict() -> None:
    fresh = Store()
    fresh.handle(ProjectRead(SUITES, ToolRegistry(configured=False), ()))
    failed = replace(scene.result(ONE, F), run_id="run-1")
    fresh.handle(ResultsLoaded(AGENT, (failed,), strips=((P, E, F),)))
    before = StoodBefore(replace(scene.result(ONE, E), run_id="run-0"), P)
    fresh.handle(
        RunStarted("run-2", AGENT, 2, (TWO.key,), "", resumed=(ONE.key,), before=(before,))
    )
    assert effects(fresh) == {"one": Effect.WORSE}


def test_what_did_not_run_in_an_interrupted_run_is_not_done_by_the_one_that_goes_on() -> None:
    fresh = Store()
    fresh.handle(ProjectRead(SUITES, ToolRegistry(configured=False), ()))
    skipped = replace(scene.result(TWO, CaseStatus.SKIPPED), run_id="run-1")
    failed = replace(scene.result(ONE, F), run_id="run-1")
    fresh.handle(ResultsLoaded(AGENT, (failed, skipped)))
    resumed = (ONE.key, TWO.key, THREE.key)
    fresh.handle(RunStarted("run-2", AGENT, 2, (REST[0].key,), "", resumed=resumed))
    assert effects(fresh) == {"one": Effect.NEW}
    assert fresh.board(AGENT).counts.all.ran == 1


def test_results_of_before_that_come_late_say_the_last_verdict_too() -> None:
    fresh = Store()
    fresh.handle(ProjectRead(SUITES, ToolRegistry(configured=False), ()))
    run(fresh, "run-2", one=F)
    fresh.handle(ResultsLoaded(AGENT, (scene.result(ONE, E),), strips=((P, E),)))
    assert effects(fresh) == {"one": Effect.WORSE}


def test_results_of_before_may_come_after_those_of_the_run() -> None:
    fresh = Store()
    fresh.handle(ProjectRead(SUITES, ToolRegistry(configured=False), ()))
    run(fresh, "run-2", one=F, two=P)
    assert effects(fresh) == {"one": Effect.NEW, "two": Effect.NEW}
    fresh.handle(ResultsLoaded(AGENT, (scene.result(ONE, P), scene.result(TWO, P))))
    assert effects(fresh) == {"one": Effect.WORSE, "two": Effect.AS_BEFORE}
    assert fresh.board(AGENT).counts.all.by_effect[Effect.WORSE] == 1


def pinned(status: CaseStatus, at: float, run_id: str = "run-0") -> BaselinePinned:
    cases = {case.key.case: BaselineCase(status) for case in (ONE, TWO)}
    baseline = Baseline(ONE.key.suite, run_id, "default", cases, pinned_at=at)
    return BaselinePinned(AGENT, "default", (baseline,))


@pytest.mark.parametrize("is_late", [False, True])
def test_a_baseline_may_be_read_after_results_that_are_held_against_it(is_late: bool) -> None:
    fresh = Store()
    fresh.handle(ProjectRead(SUITES, ToolRegistry(configured=False), ()))
    before = pinned(P, scene.NOW)
    if not is_late:
        fresh.handle(before)
    begin(fresh, "run-2")
    finish(fresh, "run-2", one=F, two=P)
    if is_late:
        fresh.handle(before)
    assert effects(fresh) == {"one": Effect.WORSE, "two": Effect.AS_BEFORE}
    assert fresh.board(AGENT).counts.all.by_effect[Effect.WORSE] == 1
    changes = fresh.board(AGENT).changes([ONE.key, TWO.key], "run-2")
    assert (changes.worse, changes.as_before) == ((ONE.key,), 1)


def test_what_failed_at_times_before_is_counted_and_said_in_its_row(store: Store) -> None:
    """It counted as failed, and is held for passed: without it the figures would not add up."""
    for case, passes in ((ONE, 19), (TWO, 18), (THREE, 3)):
        tried = replace(scene.result(case, F), run_id="pin", trials=20, passes=passes)
        store.handle(CaseFinished("pin", tried))
    board = store.board(AGENT)
    before = board.counts.all.passed
    save(store, "a.ts")
    run(store, "run-2", "a.ts", one=P, two=F, three=P)
    assert effects(store) == {"one": Effect.AS_BEFORE, "two": Effect.WORSE, "three": Effect.BETTER}
    counts = board.counts.all
    assert (counts.at_times, counts.passed - before) == (AtTimes(2, 0), 2)
    assert board.changes([ONE.key, TWO.key, THREE.key], "run-2").at_times == AtTimes(2, 0)
    notes = [note_of(board.rows[one.key])[0] for one in (ONE, TWO, THREE)]
    assert notes[0] == "19 of 20 passed before"
    assert notes[1].endswith(" · 18 of 20 passed before")
    assert "passed before" not in notes[2]
    keys = (TWO.key,)
    store.handle(RunStarted("beside", AGENT, 9, keys, "evaltui run", trials=20, command="c"))
    as_often = replace(scene.result(TWO, F), run_id="beside", trials=20, passes=0)
    store.handle(CaseFinished("beside", as_often))
    assert effects(store)["two"] is Effect.WORSE, "as the save left it"
    assert note_of(board.rows[TWO.key])[0].endswith(" · 18 of 20 passed before")


def test_the_first_run_against_a_baseline_counts_a_case_that_is_not_pinned_as_new() -> None:
    fresh = Store()
    fresh.handle(ProjectRead(SUITES, ToolRegistry(configured=False), ()))
    fresh.handle(pinned(P, scene.NOW))
    begin(fresh, "run-2")
    finish(fresh, "run-2", one=P, two=F, three=F)
    said = fresh.board(AGENT).changes([ONE.key, TWO.key, THREE.key], "run-2")
    fresh.handle(RunFinished("run-2", AGENT, RunEnd.COMPLETED, 1.0, changes=said))
    assert effects(fresh) == {"one": Effect.AS_BEFORE, "two": Effect.WORSE, "three": Effect.NEW}
    counts = fresh.board(AGENT).counts.all
    assert counts.by_effect == said.counts
    assert counts.new_failed == said.new_failed == 1


@pytest.mark.parametrize("run_id", ["run-2", "run-0"])
def test_what_is_pinned_afterwards_says_nothing_of_what_a_save_did(run_id: str) -> None:
    fresh = Store()
    fresh.handle(ProjectRead(SUITES, ToolRegistry(configured=False), ()))
    run(fresh, "run-2", one=F, two=P)
    at = 0.0 if run_id == "run-2" else scene.NOW + 10
    fresh.handle(pinned(P, at, run_id))
    assert effects(fresh) == {"one": Effect.NEW, "two": Effect.NEW}


@pytest.mark.parametrize(
    ("said", "known"),
    [
        (
            RunChanges(worse=(ONE.key,), better=(TWO.key,), as_before=1),
            {"one": Effect.WORSE, "two": Effect.BETTER, "three": Effect.AS_BEFORE},
        ),
        (
            RunChanges(errors=(ONE.key,), calls_differ=(TWO.key,), as_before=1),
            {"one": Effect.ERROR, "two": Effect.CALLS_DIFFER, "three": Effect.AS_BEFORE},
        ),
        (
            RunChanges(as_before=2, new=1, new_cases=(ONE.key,)),
            {"one": Effect.NEW, "two": Effect.AS_BEFORE, "three": Effect.AS_BEFORE},
        ),
        (RunChanges(as_before=3), dict.fromkeys(("one", "two", "three"), Effect.AS_BEFORE)),
        (RunChanges(new=3), dict.fromkeys(("one", "two", "three"), Effect.NEW)),
        (RunChanges(), dict.fromkeys(("one", "two", "three"), Effect.NEW)),
    ],
)
def test_a_run_that_is_played_again_says_itself_what_became_of_its_cases(
    said: RunChanges, known: dict[str, Effect]
) -> None:
    """There is no history at hand that its results could be held against."""
    fresh = Store()
    fresh.handle(ProjectRead(SUITES, ToolRegistry(configured=False), ()))
    begin(fresh, "run-2")
    finish(fresh, "run-2", one=F, two=P, three=P)
    reader = fresh.reader()
    fresh.handle(RunFinished("run-2", AGENT, RunEnd.COMPLETED, 1.0, changes=said))
    assert effects(fresh) == known
    named = {"one": ONE, "two": TWO, "three": THREE}
    touched = {named[name].key for name, effect in known.items() if effect is not Effect.NEW}
    assert fresh.drain(reader)[0].rows.get(AGENT, set()) >= touched
    counts = fresh.board(AGENT).counts.all.by_effect
    assert {effect: counts[effect] for effect in known.values()} == Counter(known.values())


def test_what_is_known_of_before_is_believed_rather_than_what_a_run_said(store: Store) -> None:
    begin(store, "run-2")
    finish(store, "run-2", one=F, two=P)
    said = RunChanges(better=(ONE.key, TWO.key, THREE.key))
    store.handle(RunFinished("run-2", AGENT, RunEnd.COMPLETED, 1.0, changes=said))
    assert effects(store) == {"one": Effect.WORSE, "two": Effect.AS_BEFORE}


def test_what_another_run_said_is_no_matter() -> None:
    fresh = Store()
    fresh.handle(ProjectRead(SUITES, ToolRegistry(configured=False), ()))
    begin(fresh, "run-2")
    finish(fresh, "run-2", one=F)
    said = RunChanges(worse=(ONE.key,))
    fresh.handle(RunFinished("run-1", AGENT, RunEnd.COMPLETED, 1.0, changes=said))
    assert effects(fresh) == {"one": Effect.NEW}


def stale(case: Case, degree: Degree = Degree.AFFECTED) -> DueCase:
    return DueCase(case.key, degree, ("case changed",))


def opening(store: Store) -> None:
    """Everything is being run, because the project was opened; the first case is done."""
    cases = tuple(case.key for case in (ONE, TWO, THREE, *REST))
    store.handle(RunStarted("run-1", AGENT, 1, cases, "never run"))
    finish(store, "run-1", one=F)


def test_what_an_opening_had_begun_is_not_what_a_save_did_before_nor_after(store: Store) -> None:
    opening(store)
    assert effects(store) == {"one": Effect.WORSE}
    save(store, "a.ts")
    finish(store, "run-1", two=F)  # it was on its way
    board = store.board(AGENT)
    assert (effects(store), board.counts.all.ran) == ({}, 0)
    assert board.changes([ONE.key, TWO.key], "run-1") == RunChanges(worse=(ONE.key, TWO.key))
    store.handle(RunFinished("run-1", AGENT, RunEnd.SUPERSEDED, 1.0))
    run(store, "run-2", "a.ts", three=F)
    assert effects(store) == {"three": Effect.WORSE}
    store.handle(RunStarted("run-3", AGENT, 3, (TWO.key,), "never run", is_rest=True))
    assert board.runs.is_on and not board.is_save_running
    finish(store, "run-3", two=P)
    assert board.changes([TWO.key], "run-3") == RunChanges(as_before=1), (
        "held against what was before the opening"
    )
    store.handle(RunFinished("run-3", AGENT, RunEnd.COMPLETED, 1.0))
    assert effects(store) == {"three": Effect.WORSE}
    assert board.headline.save is not None and board.headline.save.trigger == ("a.ts",)
    assert board.headline.save.reason == "a reason"
    assert store.trigger == ("a.ts",)


@pytest.mark.parametrize(
    "saved_of_nothing",
    [
        NothingChanged(("a.ts",)),
        CasesStale(AGENT, (stale(THREE),), 5, ("a.ts",), ()),
    ],
)
def test_a_save_that_changes_nothing_leaves_what_runs_its_figures_and_is_told_of(
    store: Store, saved_of_nothing: Event
) -> None:
    opening(store)
    reader = store.reader()
    store.handle(saved_of_nothing)
    assert store.drain(reader)[0].idle_saves == {AGENT: ("a.ts",)}
    finish(store, "run-1", two=F)
    assert (saved(store), effects(store)) == ((), {"one": Effect.WORSE, "two": Effect.WORSE})
    store.handle(RunFinished("run-1", AGENT, RunEnd.COMPLETED, 1.0))
    assert saved(store) == ()
    reader = store.reader()
    store.handle(saved_of_nothing)
    assert not store.drain(reader)[0].idle_saves, "the headline says it"
    assert (saved(store), effects(store)) == (("a.ts",), {})


def test_what_is_put_back_while_the_run_of_a_key_is_on_leaves_the_headline_to_that(
    store: Store,
) -> None:
    begin(store, "run-1")
    finish(store, "run-1", one=F)
    board = store.board(AGENT)
    store.handle(CasesStale(AGENT, (stale(ONE),), 5, ("mine.py",), (stale(ONE),)))
    assert (saved(store), board.headline.reach) == (("mine.py",), Reach(5, 1, why="case changed"))
    finish(store, "run-1", two=F)
    reader = store.reader()
    store.handle(CasesStale(AGENT, (), 5, ("mine.py",), ()))
    assert store.drain(reader)[0].idle_saves == {AGENT: ("mine.py",)}
    finish(store, "run-1", three=P)
    store.handle(RunFinished("run-1", AGENT, RunEnd.COMPLETED, 1.0))
    assert (saved(store), board.headline.reach) == ((), None)
    assert effects(store) == {"one": Effect.WORSE, "two": Effect.WORSE, "three": Effect.AS_BEFORE}
    assert board.counts.all.ran == 3


def test_what_is_put_back_while_its_own_run_is_on_is_told_no_longer(store: Store) -> None:
    """An answer that is on its way still counts, and the headline says what it is about."""
    first, *others = SUITES
    edited = replace(first, cases=(replace(ONE, description="other"), *first.cases[1:]))
    reading = ProjectRead((edited, *others), ToolRegistry(configured=False), (), ("a.json",))
    store.handle(reading)
    store.handle(CasesStale(AGENT, (stale(ONE),), 5, ("a.json",), (stale(ONE),)))
    begin(store, "run-1", "a.json")
    board = store.board(AGENT)
    assert board.headline.save is not None and board.headline.save.cases
    store.handle(replace(reading, suites=SUITES))
    store.handle(CasesStale(AGENT, (), 5, ("a.json",), ()))
    assert saved(store) == ("a.json",) and board.is_save_running
    assert not board.headline.save.cases


def test_what_is_put_back_while_the_rest_of_an_opening_runs_reaches_nothing(store: Store) -> None:
    opening(store)
    save(store, "a.ts")
    run(store, "run-2", "a.ts", one=F)
    store.handle(RunStarted("run-3", AGENT, 3, (TWO.key,), "never run", is_rest=True))
    store.handle(CasesStale(AGENT, (stale(ONE),), 5, ("mine.py",), (stale(ONE),)))
    store.handle(CasesStale(AGENT, (), 5, ("mine.py",), ()))
    assert (saved(store), store.board(AGENT).headline.reach) == (("mine.py",), Reach(5))


def test_a_save_that_changes_nothing_waits_for_what_is_about_to_run(store: Store) -> None:
    save(store, "a.ts")
    reader = store.reader()
    store.handle(NothingChanged(("b.ts",), is_aside=True))
    assert saved(store) == ("a.ts",)
    assert store.drain(reader)[0].idle_saves == {AGENT: ("b.ts",)}


def test_what_a_run_aside_did_is_forgotten_with_its_end(store: Store) -> None:
    opening(store)
    save(store, "a.ts")
    store.handle(RunFinished("run-1", AGENT, RunEnd.COMPLETED, 1.0))
    store.handle(RunStarted("run-2", AGENT, 2, (ONE.key,), "", is_rest=True))
    finish(store, "run-2", one=F)
    assert store.board(AGENT).changes([ONE.key], "run-2") == RunChanges(as_before=1)


def test_a_save_after_a_save_that_has_run_does_not_go_on_with_it(store: Store) -> None:
    opening(store)
    save(store, "a.ts")
    store.handle(RunFinished("run-1", AGENT, RunEnd.SUPERSEDED, 1.0))
    run(store, "run-2", "a.ts", two=F)
    store.handle(RunStarted("run-3", AGENT, 3, (THREE.key,), "never run", is_rest=True))
    save(store, "b.ts")
    board = store.board(AGENT)
    assert board.headline.save is not None and board.headline.save.trigger == ("b.ts",)
    assert effects(store) == {}


def test_the_rest_alone_is_a_unit_of_its_own() -> None:
    """As where its journal is played again."""
    fresh = Store()
    fresh.handle(ProjectRead(SUITES, ToolRegistry(configured=False), (), ("a.ts",)))
    fresh.handle(RunStarted("run-3", AGENT, 3, (ONE.key,), "never run", is_rest=True))
    finish(fresh, "run-3", one=F)
    assert effects(fresh) == {"one": Effect.NEW}
    assert fresh.trigger == ()


def test_a_save_reaches_what_it_made_due_and_not_what_was_due_before(store: Store) -> None:
    due = (stale(ONE), stale(TWO), stale(THREE, Degree.NEVER_RUN))
    store.handle(CasesStale(AGENT, due, 5, ("a.ts",), (stale(THREE),)))
    assert store.board(AGENT).headline.reach == Reach(5, 1, why="case changed")
    assert store.board(AGENT).counts.all.due == 2, "they are due all the same"
    store.handle(CasesStale(AGENT, due, 5, ("a.ts",)))
    assert store.board(AGENT).headline.reach == Reach(5, 2, 0, 1, "case changed"), (
        "an older journal"
    )


def test_a_run_of_the_past_is_believed_and_was_about_more_than_has_a_result(store: Store) -> None:
    """Calls are not kept, so that their difference cannot be found out again."""
    told = {str(ONE.key): Effect.CALLS_DIFFER, str(TWO.key): Effect.NEW}
    started = RunStarted("run-2", AGENT, 2, (ONE.key,), "", told=told, total=13)
    store.handle(started)
    finish(store, "run-2", one=P, two=F, three=P)
    assert effects(store) == {
        "one": Effect.CALLS_DIFFER,
        "two": Effect.NEW,
        "three": Effect.AS_BEFORE,
    }
    board = store.board(AGENT)
    assert board.runs.last is not None and (board.runs.last.done, board.runs.last.total) == (3, 13)
    run(store, "run-3", one=P)
    assert effects(store) == {"one": Effect.AS_BEFORE}, "it told that of itself alone"


def read(store: Store, description: str, *files: str) -> None:
    registry = ToolRegistry({"told": ToolDefinition("told", description)})
    store.handle(ProjectRead(SUITES, registry, (), files))


def told(store: Store) -> list[tuple[str | None, str | None]]:
    """What the last save made of the tool's description: before and now."""
    board = store.board(AGENT)
    assert board.headline.save is not None
    return [
        (change.before.description if change.before else None, change.now.description)
        for change in board.headline.save.tools.values()
    ]


def test_a_save_knows_what_it_changed_in_a_tool_until_the_next_one(store: Store) -> None:
    read(store, "one")
    read(store, "two", "a.ts")
    save(store, "a.ts")
    assert told(store) == [("one", "two")]
    run(store, "run-2", "a.ts", one=F)
    assert told(store) == [("one", "two")]
    save(store, "evals/b.json")
    assert told(store) == []


def test_a_save_that_nothing_ran_for_yet_counts_with_the_next_one(store: Store) -> None:
    read(store, "one")
    read(store, "two", "a.ts")
    save(store, "a.ts")
    read(store, "three", "a.ts")
    save(store, "a.ts")
    assert told(store) == [("one", "three")]
    run(store, "run-2", one=F)
    assert told(store) == [("one", "three")]
    run(store, "run-3", one=F)
    assert told(store) == []


def test_a_save_during_a_run_is_part_of_it(store: Store) -> None:
    read(store, "one")
    read(store, "two", "a.ts")
    save(store, "a.ts")
    begin(store, "run-2", "a.ts")
    finish(store, "run-2", one=F)
    read(store, "three", "a.ts")
    save(store, "a.ts")
    assert told(store) == [("one", "three")]


def test_a_save_that_waits_is_answered_by_the_key_that_runs_it(store: Store) -> None:
    due = (stale(ONE), stale(TWO))
    store.handle(CasesStale(AGENT, due, 5, ("a.ts",), due))
    board = store.board(AGENT)
    begin(store, "run-2")
    assert (saved(store), store.trigger) == (("a.ts",), ("a.ts",))
    assert board.headline.reach is not None and board.headline.reach.affected == 3
    finish(store, "run-2", one=F)
    store.handle(RunFinished("run-2", AGENT, RunEnd.CANCELLED, 1.0))
    store.handle(RunStarted("run-3", AGENT, 3, (TWO.key,), "due"))
    finish(store, "run-3", two=F)
    assert effects(store) == {"one": Effect.WORSE, "two": Effect.WORSE}
    assert saved(store) == ("a.ts",)
    begin(store, "run-4")
    assert (saved(store), effects(store)) == ((), {}), "all of it ran"


def test_the_rest_of_the_run_that_answers_a_save_is_its_doing_too(store: Store) -> None:
    due = (stale(ONE), stale(TWO))
    store.handle(CasesStale(AGENT, due, 5, ("a.ts",), due))
    begin(store, "run-2")
    finish(store, "run-2", one=F)
    store.handle(CasesStale(AGENT, (stale(TWO), stale(THREE)), 5, ("b.ts",), (stale(THREE),)))
    store.handle(RunFinished("run-2", AGENT, RunEnd.SUPERSEDED, 1.0))
    store.handle(RunStarted("run-3", AGENT, 3, (THREE.key,), "b", ("b.ts",)))
    finish(store, "run-3", three=F)
    store.handle(RunFinished("run-3", AGENT, RunEnd.COMPLETED, 1.0))
    store.handle(RunStarted("run-4", AGENT, 4, (TWO.key,), "due", is_rest=True))
    finish(store, "run-4", two=F)
    assert effects(store) == dict.fromkeys(("one", "two", "three"), Effect.WORSE)
    assert {*saved(store)} == {"a.ts", "b.ts"}


def test_the_rest_of_a_key_that_ran_all_after_a_save_is_its_doing_too(store: Store) -> None:
    """The key came before the save had anything run, whose own run broke in."""
    store.handle(CasesStale(AGENT, (stale(TWO),), 5, ("a.ts",), (stale(TWO),)))
    begin(store, "run-2")
    finish(store, "run-2", one=F)
    store.handle(RunFinished("run-2", AGENT, RunEnd.SUPERSEDED, 1.0))
    store.handle(RunStarted("run-3", AGENT, 3, (TWO.key,), "a", ("a.ts",)))
    finish(store, "run-3", two=F)
    store.handle(RunFinished("run-3", AGENT, RunEnd.COMPLETED, 1.0))
    store.handle(RunStarted("run-4", AGENT, 4, (THREE.key,), "all cases", is_rest=True))
    finish(store, "run-4", three=F)
    assert effects(store) == dict.fromkeys(("one", "two", "three"), Effect.WORSE)
    assert saved(store) == ("a.ts",)


def test_what_ran_since_a_save_for_another_reason_is_known(store: Store) -> None:
    begin(store, "run-2")  # by a key, before anything was saved
    finish(store, "run-2", one=P)
    rows = store.board(AGENT).rows
    save(store, "a.ts")
    store.handle(RunFinished("run-2", AGENT, RunEnd.SUPERSEDED, 1.0))
    run(store, "run-3", "a.ts", two=F)
    store.handle(RunStarted("run-4", AGENT, 4, (THREE.key,), "all cases", is_rest=True))
    finish(store, "run-4", three=F)
    assert [row.key for row in rows.values() if row.ran_besides] == [THREE.key]
    assert effects(store) == {"two": Effect.WORSE}
    reader = store.reader()
    save(store, "b.ts")
    assert not any(row.ran_besides for row in rows.values())
    assert store.drain(reader)[0].rows == {AGENT: {TWO.key, THREE.key}}


def test_a_key_that_runs_nothing_of_a_save_that_waits_is_a_unit_of_its_own(store: Store) -> None:
    store.handle(CasesStale(AGENT, (stale(ONE),), 5, ("a.ts",), (stale(ONE),)))
    store.handle(RunStarted("run-2", AGENT, 2, (TWO.key,), "by hand"))
    finish(store, "run-2", two=F)
    assert (saved(store), effects(store)) == ((), {"two": Effect.WORSE})


def saved(store: Store) -> tuple[str, ...]:
    board = store.board(AGENT)
    assert board.headline.save is not None
    return board.headline.save.trigger


def test_a_save_during_a_run_is_named_beside_what_it_runs_for(store: Store) -> None:
    save(store, "a.ts")
    begin(store, "run-2", "a.ts")
    finish(store, "run-2", one=F)
    save(store, "b.ts")
    assert saved(store) == ("a.ts", "b.ts")
    store.handle(RunFinished("run-2", AGENT, RunEnd.SUPERSEDED, 1.0))
    save(store, "c.ts")  # before what goes on with it has begun
    run(store, "run-3", "a.ts", "b.ts", "c.ts", two=F)
    assert saved(store) == ("a.ts", "b.ts", "c.ts")
    assert effects(store) == {"one": Effect.WORSE, "two": Effect.WORSE}


def test_a_save_before_the_run_of_another_began_does_not_take_its_name(store: Store) -> None:
    save(store, "a.ts")
    save(store, "b.ts")
    run(store, "run-2", "a.ts", "b.ts", one=F)
    assert saved(store) == ("a.ts", "b.ts")


def test_a_save_of_nothing_leaves_the_run_of_a_save_its_name(store: Store) -> None:
    save(store, "a.ts")
    begin(store, "run-2", "a.ts")
    finish(store, "run-2", one=F)
    store.handle(NothingChanged(("b.ts",)))
    store.handle(CasesStale(AGENT, (stale(THREE),), 5, ("c.ts",), ()))
    finish(store, "run-2", two=F)
    store.handle(RunFinished("run-2", AGENT, RunEnd.COMPLETED, 1.0))
    assert saved(store) == ("a.ts",)
    assert effects(store) == {"one": Effect.WORSE, "two": Effect.WORSE}
    store.handle(NothingChanged(("b.ts",)))
    assert (saved(store), effects(store)) == (("b.ts",), {})


def test_a_pass_of_nothing_is_no_pass_in_the_strip(store: Store) -> None:
    store.handle(CaseFinished("run-9", replace(scene.result(ONE, P), assertions_run=0)))
    assert store.board(AGENT).rows[ONE.key].recent[-1] is CaseStatus.SKIPPED


def repeat(store: Store, *cases: Case, run_id: str = "run-9") -> None:
    keys = tuple(case.key for case in cases)
    store.handle(RunStarted(run_id, AGENT, 9, keys, "10 times", trials=10, is_repeat=True))


def test_trying_a_case_again_leaves_told_what_the_save_did(store: Store) -> None:
    save(store, "a.ts")
    run(store, "run-2", "a.ts", one=F, two=P)
    repeat(store, ONE, THREE)
    finish(store, "run-9", one=F, three=F)
    board = store.board(AGENT)
    assert board.headline.save is not None and board.headline.save.trigger == ("a.ts",)
    assert effects(store) == {"one": Effect.WORSE, "two": Effect.AS_BEFORE}
    said = board.changes([ONE.key, THREE.key], "run-9")
    assert said == RunChanges(worse=(THREE.key,), as_before=1), "it tells what it did itself"


def test_what_the_save_did_is_told_as_further_tries_have_it(store: Store) -> None:
    save(store, "a.ts")
    run(store, "run-2", "a.ts", one=F)
    repeat(store, ONE)
    finish(store, "run-9", one=P)
    assert effects(store) == {"one": Effect.AS_BEFORE}
    assert store.board(AGENT).counts.all.by_effect[Effect.WORSE] == 0


def test_trying_what_a_save_made_due_or_where_none_did_anything_is_a_unit_of_its_own(
    store: Store,
) -> None:
    repeat(store, ONE, run_id="run-1")
    finish(store, "run-1", one=F)
    assert effects(store) == {"one": Effect.WORSE}, "nothing was saved"
    store.handle(RunFinished("run-1", AGENT, RunEnd.COMPLETED, 1.0))
    save(store, "a.ts")
    run(store, "run-2", "a.ts", two=F)
    due = (DueCase(THREE.key, Degree.AFFECTED, ("why",)),)
    store.handle(CasesStale(AGENT, due, 5))
    repeat(store, THREE)
    finish(store, "run-9", three=F)
    assert effects(store) == {"three": Effect.WORSE}


def suites_for(*files: str, description_hash: str = "0" * 12) -> tuple[Suite, ...]:
    """These were written for another description than before."""
    return tuple(
        replace(
            suite,
            file_hash="1" * 12,
            cases=tuple(replace(case, line=case.line + 1) for case in suite.cases),
            metadata=EvalMetadata(suite.tool_name, description_hash=description_hash),
        )
        if suite.id in files
        else suite
        for suite in SUITES
    )


def test_saying_for_what_a_suite_is_written_leaves_told_what_the_save_did(store: Store) -> None:
    reader = store.reader()
    save(store, "a.ts")
    run(store, "run-2", "a.ts", one=F)
    store.handle(ProjectRead(suites_for(ONE.key.suite), ToolRegistry(configured=False), ()))
    store.handle(CasesStale(AGENT, (), 5, (ONE.key.suite,), ()))
    assert effects(store) == {"one": Effect.WORSE}
    assert store.drain(reader)[0].idle_saves == {AGENT: (ONE.key.suite,)}, "told aside"
    store.handle(ProjectRead(SUITES, ToolRegistry(configured=False), ()))
    store.handle(CasesStale(AGENT, (), 5, (ONE.key.suite,), ()))
    assert effects(store) == {"one": Effect.WORSE}, "taken back"
    store.handle(ProjectRead(suites_for(ONE.key.suite), ToolRegistry(configured=False), ()))
    store.handle(CasesStale(AGENT, (), 5, (ONE.key.suite, "b.ts"), ()))
    assert effects(store) == {}, "another file is a save"


def test_a_suite_of_which_nothing_is_different_is_a_save(store: Store) -> None:
    save(store, "a.ts")
    run(store, "run-2", "a.ts", one=F)
    store.handle(CasesStale(AGENT, (), 5, (ONE.key.suite,), ()))
    assert effects(store) == {}


@pytest.mark.parametrize("is_reached", [True, False])
def test_a_suite_of_which_more_is_saved_is_a_save(store: Store, *, is_reached: bool) -> None:
    save(store, "a.ts")
    run(store, "run-2", "a.ts", one=F)
    changed, *others = suites_for(ONE.key.suite)
    if not is_reached:
        (first, *rest) = changed.cases
        changed = replace(changed, cases=(replace(first, description="another"), *rest))
    store.handle(ProjectRead((changed, *others), ToolRegistry(configured=False), ()))
    reached = (DueCase(ONE.key, Degree.AFFECTED, ("why",)),) if is_reached else ()
    store.handle(CasesStale(AGENT, reached, 5, (ONE.key.suite,), reached))
    assert effects(store) == {}


def test_a_case_that_is_gone_since_the_last_save_is_no_matter_of_the_next(store: Store) -> None:
    save(store, "a.ts")
    run(store, "run-2", "a.ts", one=F, three=F)
    left = tuple(suite for suite in SUITES if suite.id != ONE.key.suite)
    store.handle(ProjectRead(left, ToolRegistry(configured=False), ()))
    reader = store.reader()
    save(store, "b.ts")
    changed = store.drain(reader)[0].rows[AGENT]
    assert THREE.key in changed and ONE.key not in changed
    assert not any(row.changed for row in store.board(AGENT).rows.values())


def test_what_asks_its_cases_again_goes_on_with_the_run_of_the_save_and_repeats_the_header(
    store: Store,
) -> None:
    def goes_on(run_id: str) -> GoesOn | None:
        board = store.board(AGENT)
        return board.headline.goes_on(run_id, board.counts.all)

    save(store, "a.ts")
    run(store, "run-2", "a.ts", one=F, two=P)
    repeat(store, ONE, THREE)
    finish(store, "run-9", one=P, three=F)
    counts = store.board(AGENT).counts.all
    found = goes_on("run-9")
    assert found is not None
    assert (found.number, found.again) == (1, 1), "`three` is none of its cases"
    assert (found.ran, found.effects) == (counts.ran, counts.by_effect)
    store.handle(RunFinished("run-9", AGENT, RunEnd.COMPLETED, 1.0))
    repeat(store, THREE, run_id="run-10")
    finish(store, "run-10", three=P)
    assert goes_on("run-10") is None, "it asked none of the save"
