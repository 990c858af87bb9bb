"""What a save did to a case, once something else is known of before it."""

import pytest

from evaltui.core.comparison import Effect
from evaltui.core.events import RunStarted
from evaltui.core.result import CaseStatus
from evaltui.core.tool import ToolRegistry
from evaltui.store.counts import Counts
from evaltui.store.headline import Headline
from evaltui.store.row import Row
from evaltui.store.run_view import RunView
from evaltui.store.save_view import SaveView
from tests.tui import scene

P, F = CaseStatus.PASSED, CaseStatus.FAILED
SUITE = scene.suites(1, 1)[0]
CASE = SUITE.cases[0]


def made(*, did: Effect | None, is_run: bool = True) -> Row:
    """Its result passed; what stood before it passed too, as is known by now."""
    row = Row(CASE.key, CASE, SUITE, scene.result(CASE, P) if is_run else None)
    row.before, row.verdict_before, row.changed = scene.result(CASE, P), P, did
    return row


def save(**reported: Effect) -> SaveView:
    view = SaveView((), ToolRegistry({}), (), {})
    view.reported_effects = {str(CASE.key): one for one in reported.values()}
    return view


@pytest.mark.parametrize(
    ("row", "did"),
    [
        (made(did=Effect.NEW), Effect.AS_BEFORE),
        (made(did=None), None),
        (made(did=Effect.NEW, is_run=False), Effect.NEW),
    ],
    ids=["it ran", "it did not run", "it has no result any more"],
)
def test_what_ran_is_held_against_a_baseline_that_is_read_only_now(
    row: Row, did: Effect | None
) -> None:
    save().compare_late([row])
    assert row.changed is did


def test_what_came_to_something_else_since_is_told_by_the_result_of_the_save() -> None:
    row = made(did=Effect.NEW)
    row.of_save = scene.result(CASE, F)
    save().compare_late([row])
    assert row.changed is Effect.WORSE


def test_a_run_of_the_past_is_believed_whatever_baseline_is_read_now() -> None:
    """What was known of before it then is not known any more."""
    row = made(did=Effect.BETTER)
    save(told=Effect.BETTER).compare_late([row])
    assert row.changed is Effect.BETTER


def ran(number: int, done: int = 0) -> RunView:
    run = RunView.of(RunStarted(f"run-{number}", scene.AGENT, number, (CASE.key,), "changed"))
    run.done = done
    return run


def with_runs(*runs: RunView) -> SaveView:
    """Of these runs of its own those have results that are done with some."""
    view = save()
    view.runs = {run.run_id: run for run in runs}
    view.with_results = {run.run_id for run in runs if run.done}
    return view


def test_a_run_goes_on_with_the_last_one_that_had_results() -> None:
    view = with_runs(ran(1), ran(2, done=1), ran(3), ran(4))
    assert [view.goes_on_with(f"run-{number}") for number in (1, 2, 3, 4)] == [None, None, 2, 2]


def test_what_asks_its_cases_again_goes_on_with_the_last_of_all_that_had_results() -> None:
    view = with_runs(ran(1, done=1), ran(2))
    view.repeats = {f"run-{n}": ran(n, done) for n, done in ((3, 0), (4, 1), (5, 0), (6, 1))}
    said = [view.goes_on_with(f"run-{number}") for number in (3, 4, 5, 6)]
    assert said == [1, 1, 4, 4]


def test_a_run_of_something_else_goes_on_with_nothing_of_the_save() -> None:
    view = with_runs(ran(1, done=1))
    view.repeats = {"run-2": ran(2, done=1)}
    view.again = {CASE.key}
    headline = Headline(save=view)
    again = headline.goes_on("run-2", Counts())
    assert again is not None and (again.number, again.again) == (1, 1)
    assert headline.goes_on("run-9", Counts()) is None
