"""How often cases passed and failed under given inputs, and what was known when somebody pinned."""

import sqlite3
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.former_prints import NO_FORMER
from evaltui.core.result import LATE, CaseResult
from evaltui.core.statistics.trials import Trials
from evaltui.disk.history.history import History
from evaltui.disk.history.history_trials import MOST_PINS, Of
from evaltui.disk.history.pinned_inputs import PinnedInputs
from evaltui.disk.history.run_record import RunRecord
from evaltui.disk.history.shared_inputs import SamePrints
from tests.disk.samples import SUITE, failed, many, no_problem, passed

KEY, OTHER = CaseKey("s", "a"), CaseKey("s", "b")
OTHER_SUITE = "evals/other.json"


def rows(folder: Path) -> set[tuple[str, float]]:
    connection = sqlite3.connect(folder / "history.sqlite3")
    try:
        return {*connection.execute("SELECT name, pinned_at FROM discounted")}
    finally:
        connection.close()


def test_pins_long_past_are_forgotten_and_those_in_force_are_not(tmp_path: Path) -> None:
    history = History.open(tmp_path, tmp_path / "out")
    history.trials.note_pins("mine", {OTHER: PinnedInputs("then", 0.5)})
    for number in range(1, 40):
        pins = {KEY: PinnedInputs(f"inputs {number % 3}", float(number))}
        assert history.trials.note_pins("mine", pins) == {KEY: Trials()}
    last = {("a", float(number)) for number in range(40 - MOST_PINS, 40)}
    assert rows(tmp_path) == {("b", 0.5), *last}
    again = {KEY: PinnedInputs("inputs 1", 1.0)}  # an older name is the baseline again
    history.trials.note_pins("mine", again)
    assert rows(tmp_path) == {("b", 0.5), *last, ("a", 1.0)}


def test_a_pin_that_has_a_name_is_remembered_however_often_another_is_made_anew(
    tmp_path: Path,
) -> None:
    history, named = History.open(tmp_path, tmp_path / "out"), {KEY: PinnedInputs("then", 0.5)}
    for number in range(1, 40):
        history.trials.note_pins("mine", {KEY: PinnedInputs("now", float(number))}, [named])
    last = {("a", float(number)) for number in range(40 - MOST_PINS, 40)}
    assert rows(tmp_path) == {("a", 0.5), *last}


def test_pins_of_before_the_clock_was_set_back_are_forgotten_first(tmp_path: Path) -> None:
    """Another process, whose pin is not made yet, still asks what was known when it began."""
    now = time.time()
    history = History.open(tmp_path, tmp_path / "out")
    for number in range(MOST_PINS):
        history.trials.note_pins("mine", {KEY: PinnedInputs("then", now + 1e6 + number)})
    for at in (now - 1, now):
        history.trials.note_pins("mine", {KEY: PinnedInputs("now", at)})
    assert {("a", now - 1), ("a", now)} <= rows(tmp_path)
    assert len(rows(tmp_path)) == MOST_PINS


def recorded(tmp_path: Path, *results: CaseResult) -> History:
    history = History.open(tmp_path / ".evaltui", tmp_path / "results", no_problem)
    for run in sorted({result.run_id for result in results}):
        entry = RunRecord(run, history.next_number(), "embedded", "asked for", finished_at=1.0)
        history.record(entry, [result for result in results if result.run_id == run])
    return history


def of(result: CaseResult) -> Of:
    return result.key, SamePrints().of(result.inputs)


def test_each_of_many_cases_has_its_own_counts(tmp_path: Path) -> None:
    results = many(2_100)
    others = many(3, suite=OTHER_SUITE)
    history = recorded(tmp_path, *results, *others)
    found = history.trials.of("embedded", map(of, (*others, *results)))
    assert len(found) == 2_103
    assert all(found[of(one)] == one.trials_judged for one in (*results, *others))
    assert {found[of(one)] for one in results} == {Trials(1, 0), Trials(1, 1)}
    history.close()


def test_only_these_inputs_of_these_cases_of_this_agent_count(tmp_path: Path) -> None:
    now = replace(passed(run="run-2"), finished_at=2_000_000_000.0)
    then = failed(now.key.case, run="run-1")
    then = replace(then, inputs=replace(then.inputs, case="other"))
    history = recorded(tmp_path, then, now)
    nobody = CaseKey(SUITE, "nobody"), of(now)[1]
    strange = now.key, "strange"
    found = history.trials.of("embedded", [nobody, of(now), strange, of(then)])
    assert found == {of(now): Trials(1, 0), of(then): Trials(1, 1)}
    assert history.trials.of("other", [of(now)]) == {}
    assert history.trials.of("embedded", []) == {}


def test_what_a_run_made_that_is_on_is_left_out_whether_it_is_recorded_or_not(
    tmp_path: Path,
) -> None:
    before, now = passed(run="run-1"), replace(passed(run="run-2"), finished_at=2e9)
    (key, row), but = of(now), {now.key: ("run-2", {of(now)[1]: Trials(1, 0)})}
    history = recorded(tmp_path, before)
    for runs in (1, 2):
        assert history.trials.of("embedded", [(key, row)], on=but) == {(key, row): Trials(1, 0)}
        assert history.trials.of("embedded", [(key, row)]) == {(key, row): Trials(runs, 0)}
        entry = RunRecord("run-2", history.next_number(), "embedded", "asked for", finished_at=2.0)
        history.record(entry, [now])
    history.close()


def test_what_a_renamed_case_made_since_its_pin_are_new_answers_alone(tmp_path: Path) -> None:
    asked = replace(passed(run="run-1"), finished_at=4.0)
    again = replace(passed(run="run-2"), finished_at=6.0, was_counted=True)
    history, same = recorded(tmp_path, asked, again), of(asked)[1]
    then = CaseKey(SUITE, "its name then")
    history.trials.note_pins("embedded", {then: PinnedInputs(same, 5.0)})
    moved = {asked.key: PinnedInputs(same, 5.0, earlier=(then,))}
    assert history.trials.note_pins("embedded", moved) == {asked.key: Trials(1, 0)}
    history.close()


@pytest.mark.parametrize("is_late", [False, True])
@pytest.mark.parametrize("limit_ms", [3000, 5000])
def test_what_was_seen_before_a_pin_and_is_recorded_after_it_counts_as_little(
    tmp_path: Path, limit_ms: int, *, is_late: bool
) -> None:
    """Also what took too long; under another limit it counts for no such pin anyway."""
    history = recorded(tmp_path, passed())
    limited = replace(failed("limited"), attempts=(), trials=1, passes=0, finished_at=4.0)
    pinned = replace(limited.inputs, settings={"timeoutMs": 3000})
    pins = {limited.key: PinnedInputs(SamePrints().of(pinned), 5.0)}
    history.trials.note_pins("embedded", pins)
    now = replace(limited.inputs, settings={"timeoutMs": limit_ms})
    unseen = replace(limited, run_id="run-3", inputs=pinned, finished_at=6.0)
    for number, one in ((2, replace(limited, run_id="run-2", inputs=now)), (3, unseen)):
        if is_late:
            one = replace(one, category=LATE, assertions_run=0)
        history.record(RunRecord(one.run_id, number, "embedded"), (one,))
    assert history.trials.count_for_pins("embedded", pins, {}, (), NO_FORMER) == {
        limited.key: Trials(0, 1)
    }
    history.close()
