"""Which runs and results are the doing of the last save, and which stand aside from it."""

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.comparison import Effect
from evaltui.core.events import RunEnd, RunFinished, RunStarted
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.tool import ToolRegistry
from evaltui.store.board import Board
from evaltui.store.counts import Counts
from evaltui.store.headline import Headline
from evaltui.store.reach import Reach
from evaltui.store.row import Row
from evaltui.store.run_view import RunView
from tests.tui import scene

P, F = CaseStatus.PASSED, CaseStatus.FAILED
SUITES = scene.suites(3, 1)
ONE, TWO, THREE = scene.cases_of(SUITES)
REGISTRY = ToolRegistry(configured=False)


@pytest.fixture
def rows() -> dict[CaseKey, Row]:
    """All passed before, and are due."""
    board = Board(scene.AGENT)
    board.arrange(SUITES)
    for case in (ONE, TWO, THREE):
        board.finish(scene.result(case, P))
        board.rows[case.key].due = due(case.key)
    return board.rows


def due(key: CaseKey) -> DueCase:
    return DueCase(key, Degree.AFFECTED, ("it changed",))


def view(run_id: str = "r", end: RunEnd | None = None, **more: object) -> RunView:
    made = RunView.of(RunStarted(run_id, scene.AGENT, 7, (), "it changed", **more))  # type: ignore[arg-type]
    made.end = end
    return made


def saved(*trigger: str, due_now: tuple[CaseKey, ...] = (), run: str = "r") -> Headline:
    """After a save, or a key without a `trigger`, whose run is `run`."""
    made = Headline()
    made.begin_save(trigger, REGISTRY, SUITES, {}, None)
    made.note_reach(map(due, due_now), 3)
    assert made.save is not None
    made.save.runs[run] = view(run)
    return made


def failed(case_key: CaseKey, run_id: str = "r") -> CaseResult:
    return CaseResult(case_key, run_id, scene.AGENT, F, assertions_run=1)


@pytest.mark.parametrize(
    ("made", "run", "is_on"),
    [
        (saved("a.ts"), view(), True),
        (saved("a.ts"), view(end=RunEnd.SUPERSEDED), True),
        (saved("a.ts"), view(end=RunEnd.COMPLETED), False),
        (saved("a.ts"), view("another"), False),
        (saved("a.ts"), None, False),
        (saved(), view(), False),
        (Headline(), view(), False),
    ],
    ids=["on", "broken off", "over", "another", "none", "of a key", "no save"],
)
def test_a_save_is_being_run_for_as_long_as_its_run_is_on_or_goes_on(
    made: Headline, run: RunView | None, is_on: bool
) -> None:
    assert made.is_run_on(run) is is_on


def test_what_a_save_of_files_did_is_told_once_a_case_ran() -> None:
    seen = []
    for made in (Headline(), saved(), saved("a.ts")):
        seen.append(made.is_told)
        if made.save is not None:
            made.save.keys[ONE.key] = None
            seen.append(made.is_told)
    assert seen == [False, False, False, False, True]


def test_a_key_answers_a_save_where_it_runs_what_that_made_due(rows: dict[CaseKey, Row]) -> None:
    made = saved("a.ts", due_now=(ONE.key, TWO.key))
    assert made.save is not None
    assert made.is_answered_by([ONE.key], rows)
    assert not made.is_answered_by([THREE.key], rows)
    made.save.keys[ONE.key] = None
    assert not made.is_answered_by([ONE.key], rows), "it ran already"
    rows[TWO.key].due = None
    assert not made.is_answered_by([TWO.key], rows), "it is due no more"
    assert not saved(due_now=(ONE.key,)).is_answered_by([ONE.key], rows)
    assert not Headline().is_answered_by([ONE.key], rows)


@pytest.mark.parametrize(
    ("is_rest", "case", "is_its"), [(True, THREE, False), (True, ONE, True), (False, THREE, True)]
)
def test_the_rest_is_no_doing_of_the_save_unless_that_waits_for_it(
    rows: dict[CaseKey, Row], is_rest: bool, case: object, is_its: bool
) -> None:
    made = saved("a.ts", due_now=(ONE.key,))
    made.begin_run(view("next"), [case.key], rows, is_rest=is_rest)  # type: ignore[attr-defined]
    assert made.is_of_save("next") is is_its


def test_a_run_reaches_what_it_is_about_but_for_what_is_never_asked(
    rows: dict[CaseKey, Row],
) -> None:
    made = saved("a.ts", due_now=(ONE.key,))
    asked = view("next", never_asked=(THREE.key,))
    made.begin_run(asked, [TWO.key, THREE.key], rows, is_rest=False)
    assert made.save is not None and made.reach is not None
    assert set(made.save.reached) == {ONE.key, TWO.key}
    assert (made.reach.affected, made.reach.total) == (2, 3)


def test_what_a_run_beside_comes_to_is_held_against_nothing(rows: dict[CaseKey, Row]) -> None:
    made = saved("a.ts")
    row = rows[ONE.key]
    made.compare(row, failed(row.key, "b"), "b", None, is_beside=True)
    assert made.compared(row, "b").effect is None
    made.compare(row, failed(row.key, "b"), "b", None, is_beside=False)
    assert (made.compared(row, "b").effect, row.changed) == (Effect.WORSE, None)
    made.compare(row, failed(row.key), "r", view(), is_beside=False)
    assert made.compared(row, "r").effect is row.changed is Effect.WORSE


def test_a_repeat_tells_better_what_the_save_did(rows: dict[CaseKey, Row]) -> None:
    made = saved("a.ts")
    row = rows[ONE.key]
    made.compare(row, failed(row.key), "r", view(), is_beside=False)
    again = scene.result(ONE, P)
    repeat = view("again")
    seen = []
    for repeat.is_repeat in (False, True):
        made.compare(row, again, "again", repeat, is_beside=False)
        seen.append(row.changed)
    assert seen == [Effect.WORSE, Effect.AS_BEFORE], "the first was for something else"


@pytest.mark.parametrize(("end", "is_kept"), [(RunEnd.SUPERSEDED, True), (RunEnd.COMPLETED, False)])
def test_what_stands_aside_is_forgotten_at_the_end_unless_it_goes_on(
    rows: dict[CaseKey, Row], end: RunEnd, is_kept: bool
) -> None:
    made = saved("a.ts")
    made.compare(rows[ONE.key], failed(ONE.key, "b"), "b", None, is_beside=False)
    made.end_run(RunFinished("b", scene.AGENT, end, 1.0), rows)
    assert (ONE.key in made.aside.cases) is is_kept


def test_a_save_that_is_undone_reaches_nothing(rows: dict[CaseKey, Row]) -> None:
    made = saved("a.ts", due_now=(ONE.key,))
    made.end_run(RunFinished("r", scene.AGENT, RunEnd.COMPLETED, 1.0), rows)
    assert made.reach is not None and made.reach.is_any
    made.end_run(RunFinished("r", scene.AGENT, RunEnd.UNDONE, 1.0), rows)
    assert made.reach == Reach(3)


def test_a_run_goes_on_with_the_last_of_the_save_that_had_results() -> None:
    made = saved("a.ts")
    assert made.save is not None
    made.save.runs["next"] = view("next")
    assert made.goes_on("next", Counts()) is None, "nothing came of the one before"
    made.save.with_results.add("r")
    found = made.goes_on("next", Counts())
    assert found is not None and found.number == 7
    assert made.goes_on("r", Counts()) is None
    assert made.goes_on("another", Counts()) is None


@pytest.mark.parametrize(
    ("run", "is_displaced"),
    [(view(), True), (view("another"), False), (view(end=RunEnd.COMPLETED), False)],
    ids=["on", "another", "over"],
)
def test_what_a_key_runs_stands_aside_while_a_save_waits_for_its_end(
    rows: dict[CaseKey, Row], run: RunView, is_displaced: bool
) -> None:
    made = saved()
    made.compare(rows[ONE.key], failed(ONE.key), "r", view(), is_beside=False)
    assert [*made.begin_save(("b.ts",), REGISTRY, SUITES, rows, run)] == [rows[ONE.key]]
    assert rows[ONE.key].changed is None
    assert (ONE.key in made.aside.cases) is is_displaced
    made.note_reach([due(TWO.key)], 3)
    given_back = [*made.withdraw_save(REGISTRY, SUITES, rows, run)]
    assert given_back == ([rows[ONE.key]] if is_displaced else [])
    assert made.save is not None
    assert made.save.trigger == (() if is_displaced else ("b.ts",))
    assert made.reach == (None if is_displaced else Reach(3))
    assert rows[ONE.key].changed is (Effect.WORSE if is_displaced else None)
