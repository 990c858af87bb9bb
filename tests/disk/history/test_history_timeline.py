"""Past runs as points in time: what each changed, and the board as it stood."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.comparison import Effect, ReportedEffect, RunChanges, effect_of
from evaltui.core.events import RunEnd, RunFinished, RunStarted
from evaltui.core.proof import Proof, Standing
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.statistics.trials import Planned, Trials, TwoSides
from evaltui.disk.history.history import History
from evaltui.disk.history.history_schema import FILE, KEPT
from evaltui.disk.history.run_record import RunRecord
from evaltui.disk.journal.journal import Journal
from tests.disk.evidence_table import drop_since_11, drop_since_13

P, F, E = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR
SUITE, AGENT = "evals/get_weather.golden.json", "embedded"

NOT_TOLD = RunChanges()


def key(case: str) -> CaseKey:
    return CaseKey(SUITE, case)


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    opened = History.open(tmp_path / ".evaltui", tmp_path / "results")
    yield opened
    opened.close()


def run(
    history: History,
    statuses: dict[str, CaseStatus],
    agent: str = AGENT,
    changes: RunChanges = NOT_TOLD,
) -> str:
    """Record a run of one case a second."""
    number = history.next_number()
    name, at = f"run-{number}", 1_000.0 * number
    history.record(
        RunRecord(name, number, agent, "asked for", started_at=at, changes=changes),
        (
            CaseResult(
                key(case),
                name,
                agent,
                status,
                case,
                5.0,
                1,
                finished_at=at + index,
                passes=status is P,
            )
            for index, (case, status) in enumerate(statuses.items())
        ),
    )
    return name


def statuses(results: tuple[CaseResult, ...]) -> dict[str, CaseStatus]:
    return {result.key.case: result.status for result in results}


def test_each_run_is_a_point_that_says_what_it_changed_newest_first(history: History) -> None:
    run(history, {"a": P, "b": F, "c": P, "d": P})
    run(history, {"a": F, "b": P, "c": P, "d": E})
    run(history, {"a": F}, agent="another")
    newest, first = history.timeline(AGENT)
    assert (newest.number, newest.ran, newest.at) == (2, 4, 2003.0)
    assert {effect for effect, number in newest.effects.items() if number} == {
        Effect.WORSE, Effect.BETTER, Effect.AS_BEFORE, Effect.ERROR,
    }  # fmt: skip
    assert (first.number, first.effects[Effect.NEW]) == (1, 4)
    (other,) = history.timeline("another")
    assert (other.number, other.effects[Effect.NEW], other.effects[Effect.WORSE]) == (3, 1, 0)


def test_muted_cases_are_neither_worse_nor_better_and_ran_all_the_same(history: History) -> None:
    run(history, {"a": P, "b": P})
    run(history, {"a": F, "b": F})
    newest = history.timeline(AGENT, [f"{SUITE}::a"])[0]
    assert (newest.ran, newest.effects[Effect.WORSE]) == (2, 1)


def test_a_point_says_what_its_run_told_whatever_is_muted_since(history: History) -> None:
    run(history, {"a": P, "b": P, "c": P, "d": F})
    told = RunChanges(calls_differ=(key("a"), key("b")), as_before=1, muted=1)
    name = run(history, {"a": P, "b": P, "c": P, "d": P}, changes=told)
    for muted in ([], [f"{SUITE}::a"]):
        newest, first = history.timeline(AGENT, muted)
        assert (newest.run_id, newest.ran, newest.muted) == (name, 4, 1)
        assert newest.effects == told.counts, "neither letters nor later mutes change it"
        assert (first.effects[Effect.NEW], first.muted) == (4 - len(muted), 0)


def test_a_point_knows_whether_its_run_asked_anybody(history: History) -> None:
    for number, is_rejudging in ((1, True), (2, False)):
        told = RunRecord(f"run-{number}", number, AGENT, "", changes=RunChanges(as_before=1))
        told = replace(told, is_rejudging=is_rejudging)
        result = CaseResult(key("a"), told.run_id, AGENT, P, finished_at=float(number))
        history.record(told, (result,))
    points = history.timeline(AGENT)
    assert [point.is_rejudging for point in points] == [False, True]


def test_what_a_run_told_of_each_case_is_kept_with_whether_it_was_muted(history: History) -> None:
    first = run(history, {"a": P, "b": P, "c": P})
    said = {
        key("a"): ReportedEffect(Effect.CALLS_DIFFER),
        key("b"): ReportedEffect(Effect.WORSE, is_muted=True),
    }
    changes = RunChanges(calls_differ=(key("a"),), muted=1)
    record = RunRecord("run-2", 2, AGENT, "", "cancelled", changes=changes, cases=13)
    results = (CaseResult(one, "run-2", AGENT, P, finished_at=5_000.0) for one in said)
    history.record(record, results, reported=lambda result: said[result.key])
    newest, before = history.timeline(AGENT)
    assert (newest.cases, newest.effects[Effect.CALLS_DIFFER], newest.muted) == (13, 1, 1)
    assert history.results_between(AGENT, None, newest).reported == said
    assert (before.run_id, history.results_between(AGENT, None, before).reported) == (first, {})


def drop_since_5(connection: sqlite3.Connection) -> None:
    for table in ("mutes", "saved"):
        connection.execute(f"DROP TABLE {table}")
    for column in ("calls", "asserted", "metrics", "rejudged"):
        connection.execute(f"ALTER TABLE past DROP COLUMN {column}")
    drop_since_11(connection)


def found_by(number: int, **fields: Any) -> tuple[RunRecord, CaseResult]:
    """A run of one case, and what it found."""
    name = f"run-{number}"
    made = CaseResult(key("a"), name, AGENT, P, finished_at=float(number), passes=1)
    return RunRecord(name, number, AGENT), replace(made, **fields)


def test_the_calls_of_each_point_are_known_by_their_fingerprint(history: History) -> None:
    for number, calls in enumerate(("one", "two", "one"), 1):
        record, result = found_by(number, calls=calls, assertions_run=1)
        history.record(record, (result,))
    third, second, first = history.timeline(AGENT)
    found = history.results_between(AGENT, first, second)
    (before,), (now,) = found.before, found.since
    assert (before.calls, now.calls) == ("one", "two")
    assert effect_of(before, now) is Effect.CALLS_DIFFER
    found = history.results_between(AGENT, first, third)
    assert effect_of(found.before[0], found.since[0]) is Effect.AS_BEFORE


def test_a_strip_of_the_past_shows_a_pass_of_nothing_as_the_board_of_then_did(
    history: History,
) -> None:
    boards = []
    for number, asserted in enumerate((0, 2, 0, 1), 1):
        record, result = found_by(number, assertions_run=asserted)
        history.record(record, (result,))
        boards.append(history.last_results(AGENT))
    for point, board in zip(history.timeline(AGENT)[::-1], boards, strict=True):
        past = history.results_between(AGENT, point, point)
        assert past.strips == board.strips
        assert past.before[0].assertions_run == board.results[0].assertions_run


def test_a_run_keeps_what_was_muted_at_its_end(history: History) -> None:
    muted = (f"{SUITE}::a", f"{SUITE}::never run")
    for number, names in enumerate((None, (), muted), 1):
        record, result = found_by(number)
        history.record(replace(record, muted=names), (result,))
    found = [history.results_between(AGENT, None, one).muted for one in history.timeline(AGENT)]
    assert found == [frozenset(muted), frozenset(), None]


def test_a_history_of_version_5_is_taken_over(tmp_path: Path) -> None:
    folder = tmp_path / ".evaltui"
    opened = History.open(folder, tmp_path / "results")
    record, result = found_by(1, assertions_run=0, calls="one")
    opened.record(replace(record, muted=()), (result,))
    opened.close()
    with closing(sqlite3.connect(folder / FILE)) as connection:
        drop_since_5(connection)
        connection.execute("PRAGMA user_version=5")
    opened = History.open(folder, tmp_path / "results")
    record, result = found_by(2, assertions_run=0, calls="two")
    opened.record(record, (result,))
    newest, first = opened.timeline(AGENT)
    found = opened.results_between(AGENT, first, newest)
    assert (found.before[0].calls, found.since[0].calls, found.muted) == ("", "two", None)
    assert found.strips == ((CaseStatus.SKIPPED,),), "as much was asserted as is now"
    opened.close()


def test_a_history_that_did_not_keep_what_was_told_of_each_case_is_taken_over(
    tmp_path: Path,
) -> None:
    folder = tmp_path / ".evaltui"
    opened = History.open(folder, tmp_path / "results")
    run(opened, {"a": P}, changes=RunChanges(calls_differ=(key("a"),)))
    opened.close()
    with closing(sqlite3.connect(folder / FILE)) as connection:
        drop_since_5(connection)
        connection.execute("ALTER TABLE past DROP COLUMN told")
        connection.execute("PRAGMA user_version=4")
    opened = History.open(folder, tmp_path / "results")
    (point,) = opened.timeline(AGENT)
    assert point.effects[Effect.CALLS_DIFFER] == 1, "its own figures are kept"
    found = opened.results_between(AGENT, None, point)
    assert (len(found.since), found.reported) == (1, {})
    opened.close()


def test_a_history_of_before_runs_told_anything_is_taken_over(tmp_path: Path) -> None:
    folder = tmp_path / ".evaltui"
    for _ in range(2):
        opened = History.open(folder, tmp_path / "results")
        run(opened, {"a": P})
        opened.close()
        with closing(sqlite3.connect(folder / FILE)) as connection:
            drop_since_5(connection)
            connection.execute("DROP TABLE told")
            connection.execute("ALTER TABLE past DROP COLUMN told")
            connection.execute("PRAGMA user_version=3")
    opened = History.open(folder, tmp_path / "results")
    run(opened, {"a": F}, changes=RunChanges(worse=(key("a"),)))
    points = opened.timeline(AGENT)
    opened.close()
    found = [{one for one, number in point.effects.items() if number} for point in points]
    assert found == [{Effect.WORSE}, {Effect.AS_BEFORE}, {Effect.NEW}]


def test_cases_that_nobody_asks_or_judges_did_not_run(history: History) -> None:
    run(history, {"a": P, "b": CaseStatus.SKIPPED})
    (only,) = history.timeline(AGENT)
    assert (only.ran, sum(only.effects.values())) == (1, 1)


def test_a_point_shows_what_stood_before_it_and_what_its_run_found(history: History) -> None:
    run(history, {"a": P, "b": F})
    run(history, {"a": F})
    run(history, {"b": P})
    third, second, first = history.timeline(AGENT)
    found = history.results_between(AGENT, None, second)
    assert statuses(found.before) == {"a": P, "b": F}
    assert statuses(found.since) == {"a": F}
    assert found.strips == ((P,), (F,))
    assert statuses(history.results_between(AGENT, None, first).before) == {}
    both = history.results_between(AGENT, first, third)
    assert (statuses(both.before), statuses(both.since)) == ({"a": P, "b": F}, {"a": F, "b": P})
    assert both.strips_since == ((P, F), (F, P)), "as they stood then"
    assert history.results_between(AGENT, third, third).since == ()


def test_a_point_names_the_files_that_its_journal_names(tmp_path: Path, history: History) -> None:
    name = run(history, {"a": P})
    run(history, {"a": P})
    journal = Journal(tmp_path / ".evaltui" / "runs")
    journal.handle(RunStarted(name, AGENT, 1, (key("a"),), "saved", ("tools/a.tool.ts",)))
    journal.handle(RunFinished(name, AGENT, RunEnd.COMPLETED, 1.0))
    journal.close()
    assert [point.trigger for point in history.timeline(AGENT)] == [(), ("tools/a.tool.ts",)]


def test_no_point_is_kept_whose_results_are_gone(history: History) -> None:
    for number in range(KEPT + 3):
        run(history, {"a": P} if number % 2 else {"a": F, "b": P})
    points = history.timeline(AGENT)
    assert (len(points), points[0].number, points[-1].number) == (KEPT, KEPT + 3, 4)
    for newer, older in pairwise(points):
        found = history.results_between(AGENT, None, newer)
        assert statuses(found.before)["a"] is (P if older.number % 2 == 0 else F)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.dictionaries(st.sampled_from("abcd"), st.sampled_from([P, F, E]), min_size=1),
        min_size=1,
        max_size=14,
    )
)
def test_the_last_point_is_the_board_of_now_and_each_follows_from_the_one_before(
    tmp_path_factory: pytest.TempPathFactory, runs: list[dict[str, CaseStatus]]
) -> None:
    folder = tmp_path_factory.mktemp("history")
    history = History.open(folder / ".evaltui", folder / "results")
    try:
        board: dict[str, CaseStatus] = {}
        boards = []
        for found in runs:
            run(history, found)
            board |= found
            boards.append(dict(board))
        points = history.timeline(AGENT)[::-1]
        for index, (point, ran) in enumerate(zip(points, runs, strict=True)):
            past = history.results_between(AGENT, None, point)
            assert statuses(past.since) == ran
            assert statuses(past.before) == (boards[index - 1] if index else {})
        last = history.results_between(AGENT, points[-1], points[-1])
        now = history.last_results(AGENT)
        assert (last.before, last.strips, last.since) == (now.results, now.strips, ())
    finally:
        history.close()


def test_the_files_of_a_save_are_known_when_its_journal_is_gone(history: History) -> None:
    for number, trigger in ((1, ("tools/a.tool.ts", "b.json")), (2, ())):
        record, result = found_by(number)
        history.record(replace(record, trigger=trigger), (result,))
    points = history.timeline(AGENT)
    assert [point.trigger for point in points] == [(), ("tools/a.tool.ts", "b.json")]


def weighed(history: History, number: int) -> None:
    record, result = found_by(number)
    history.record(replace(record, proofs=PROOFS), (result,))


PROOFS = (Proof(key("a"), TwoSides(Trials(19, 1), Trials(0, 4)), Standing.REGRESSED),)


def test_what_trials_proved_is_kept_of_the_last_runs(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaltui.disk.history.run_record._WEIGHED_RUNS", 2)
    for number in (1, 2, 3):
        weighed(history, number)
    points = history.timeline(AGENT)
    kept = [history.results_between(AGENT, None, at).proofs for at in points]
    assert kept == [PROOFS, PROOFS, ()]


def test_a_history_of_version_10_is_taken_over(tmp_path: Path) -> None:
    folder = tmp_path / ".evaltui"
    opened = History.open(folder, tmp_path / "results")
    weighed(opened, 1)
    opened.close()
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.execute("DROP TABLE weighed")
        drop_since_11(connection)
        connection.execute("PRAGMA user_version=10")
    opened = History.open(folder, tmp_path / "results")
    weighed(opened, 2)
    points = opened.timeline(AGENT)
    assert [opened.results_between(AGENT, None, at).proofs for at in points] == [PROOFS, ()]
    opened.close()


def test_of_results_of_version_13_all_trials_count_as_planned(tmp_path: Path) -> None:
    folder = tmp_path / ".evaltui"
    tried = CaseResult(key("a"), "run-1", AGENT, F, "", 5.0, 1, trials=3, passes=2)
    once = Planned(Trials(0, 1))
    stood: list[tuple[CaseResult, ...]] = []
    for number in (1, 2, 3):
        opened = History.open(folder, tmp_path / "results")
        made = replace(tried, run_id=f"run-{number}", finished_at=float(number), planned=once)
        opened.record(RunRecord(made.run_id, number, AGENT, started_at=float(number)), (made,))
        stood = [opened.results_between(AGENT, None, at).before for at in opened.timeline(AGENT)]
        opened.close()
        if number == 1:
            with closing(sqlite3.connect(folder / FILE)) as connection:
                drop_since_13(connection)
                connection.execute("PRAGMA user_version=13")
    planned = [one.planned for before in stood for one in before]
    assert planned == [once, None], "the newest first"
    assert [one.as_planned.judged for before in stood for one in before][-1] == Trials(2, 1)
