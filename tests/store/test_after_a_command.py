"""What a save or key did stays as its own run left it, whatever a command makes of its cases."""

import pytest
from msgspec.structs import replace

from evaltui.core.comparison import Effect
from evaltui.core.events import CaseFinished, CasesStale, ProjectRead, ResultsLoaded, RunStarted
from evaltui.core.result import CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.tool import ToolRegistry
from evaltui.store.store import Store
from tests.store.test_beside import COMMAND, end
from tests.store.test_saves import (
    AGENT,
    ONE,
    SUITES,
    THREE,
    TWO,
    F,
    P,
    begin,
    effects,
    finish,
    pinned,
    save,
)
from tests.store.test_saves import store as store
from tests.tui import scene


def run_beside(store: Store, at: float, **results: CaseStatus) -> None:
    """A command that runs these, and is over."""
    named = {"one": ONE, "two": TWO, "three": THREE}
    keys = tuple(named[name].key for name in results)
    store.handle(RunStarted("beside", AGENT, 9, keys, "evaltui run", command=COMMAND))
    for name, status in results.items():
        result = replace(scene.result(named[name], status), run_id="beside", finished_at=at)
        store.handle(CaseFinished("beside", result))
    end(store, "beside")


def figures(store: Store) -> dict[Effect, int]:
    """What the header says that the last save or key did."""
    by_effect = store.board(AGENT).counts.all.by_effect
    return {effect: number for effect, number in by_effect.items() if number}


def first_run() -> Store:
    """Everything is new to it."""
    fresh = Store()
    fresh.handle(ProjectRead(SUITES, ToolRegistry(configured=False), ()))
    begin(fresh, "own")
    finish(fresh, "own", one=F, two=F)
    end(fresh, "own")
    return fresh


def test_what_is_read_late_of_before_a_run_is_held_against_what_that_came_to() -> None:
    fresh = first_run()
    run_beside(fresh, scene.NOW + 20, one=P, two=P)
    assert figures(fresh) == {Effect.NEW: 2}
    assert fresh.board(AGENT).counts.all.new_failed == 2, "of the run, not of the command"
    fresh.handle(ResultsLoaded(AGENT, (scene.result(ONE, P), scene.result(TWO, P))))
    assert figures(fresh) == {Effect.WORSE: 2}


@pytest.mark.parametrize(
    ("at", "told"),
    [(scene.NOW, {Effect.WORSE: 2}), (scene.NOW + 15, {Effect.NEW: 2})],
    ids=["before the run", "between the run and the command"],
)
def test_a_baseline_that_is_read_late_bears_on_a_run_if_it_was_pinned_before_that(
    at: float, told: dict[Effect, int]
) -> None:
    fresh = first_run()
    run_beside(fresh, scene.NOW + 20, one=P, two=P)
    fresh.handle(pinned(P, at))
    assert figures(fresh) == told


def test_the_next_save_or_key_holds_its_results_against_those_of_the_command(store: Store) -> None:
    save(store, "a.ts")
    begin(store, "own", "a.ts")
    finish(store, "own", one=F)
    end(store, "own")
    run_beside(store, scene.NOW + 20, one=P)
    begin(store, "next")
    finish(store, "next", one=P)
    end(store, "next")
    assert (effects(store), figures(store)) == ({"one": Effect.AS_BEFORE}, {Effect.AS_BEFORE: 1})


def came_to(store: Store) -> CaseStatus | None:
    """To what the run of the last save or key brought the first case."""
    result = store.board(AGENT).rows[ONE.key].compared.came_to
    return result.status if result is not None else None


def test_a_further_run_of_the_save_tells_what_it_did_to_what_a_command_ran(store: Store) -> None:
    save(store, "a.ts")
    begin(store, "own", "a.ts")
    finish(store, "own", one=F)
    end(store, "own")
    run_beside(store, scene.NOW + 20, one=P)
    assert (came_to(store), effects(store)) == (F, {})
    begin(store, "more", "a.ts")
    finish(store, "more", one=P)
    end(store, "more")
    assert (came_to(store), effects(store)) == (P, {"one": Effect.AS_BEFORE})


def test_what_a_save_before_the_last_left_says_nothing_of_what_runs_besides(store: Store) -> None:
    save(store, "a.ts")
    begin(store, "own", "a.ts")
    finish(store, "own", one=F)
    end(store, "own")
    run_beside(store, scene.NOW + 20, one=P)
    save(store, "b.ts")
    begin(store, "next", "b.ts")
    finish(store, "next", two=F)
    end(store, "next")
    run_beside(store, scene.NOW + 30, one=F)
    assert store.board(AGENT).rows[ONE.key].ran_besides


def test_what_is_given_back_to_a_key_is_as_its_own_run_left_it(store: Store) -> None:
    """As where a save waits for the end of its run, a command ran one, and the save is undone."""
    due = DueCase(TWO.key, Degree.AFFECTED, ("it changed",))
    begin(store, "own")
    finish(store, "own", one=F, three=F)
    store.handle(CasesStale(AGENT, (due,), 5, ("a.ts",), (due,)))
    run_beside(store, scene.NOW + 20, one=P, three=F)
    store.handle(CasesStale(AGENT, (), 5, ("a.ts",), ()))
    end(store, "own")
    assert figures(store) == {Effect.WORSE: 2}
    assert effects(store) == {"three": Effect.WORSE}, "the other one passes again"
    assert came_to(store) is F


def test_trying_a_case_again_after_a_command_tells_what_the_save_did(store: Store) -> None:
    save(store, "a.ts")
    begin(store, "own", "a.ts")
    finish(store, "own", one=F)
    end(store, "own")
    run_beside(store, scene.NOW + 20, one=P)
    again = RunStarted("again", AGENT, 10, (ONE.key,), "asked for", is_repeat=True)
    store.handle(again)
    finish(store, "again", one=F)
    assert (effects(store), figures(store)) == ({"one": Effect.WORSE}, {Effect.WORSE: 1})
