"""Past runs survive processes, damage and other versions."""

import os
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from evaltui.core.called import calls_fingerprint
from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem
from evaltui.core.events import CaseFinished, RunEnd, RunFinished, RunStarted
from evaltui.core.inputs import Inputs
from evaltui.core.response import AgentResponse
from evaltui.core.result import CaseResult, CaseStatus, TrialResult
from evaltui.disk.history.first_results import read_first_results
from evaltui.disk.history.history import History
from evaltui.disk.history.history_file import HistoryError
from evaltui.disk.history.history_schema import FILE, KEPT
from evaltui.disk.history.run_record import RunRecord
from evaltui.disk.history.shared_inputs import shared_inputs
from evaltui.disk.journal.journal import Journal
from evaltui.disk.results.result_file import read_suite_result
from evaltui.disk.results.results_folder import write_results
from tests.disk.evidence_table import Counted, counted
from tests.disk.samples import (
    SUITE,
    errored,
    failed,
    many,
    no_problem,
    passed,
    reserved,
    suite_result,
)

P, F, E, S = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR, CaseStatus.SKIPPED
KEY = passed().key


def opened(tmp_path: Path) -> History:
    (tmp_path / "results").mkdir(exist_ok=True)
    return History.open(tmp_path / ".evaltui", tmp_path / "results")


def record(history: History, run: str, *results: CaseResult) -> RunRecord:
    entry = RunRecord(run, history.next_number(), "embedded", "asked for", finished_at=1.0)
    history.record(entry, (replace(result, run_id=run) for result in results))
    return entry


def finish(tmp_path: Path, history: History, run: str, *results: CaseResult) -> None:
    """As a session does it: result files first, then the history."""
    suites: dict[str, list[CaseResult]] = {}
    for result in results:
        suites.setdefault(result.key.suite, []).append(result)
    whole = tuple(suite_result(*cases, run=run, suite=name) for name, cases in suites.items())
    files = write_results(tmp_path / "results", whole)
    started = RunStarted(run, "embedded", history.next_number(), (), "asked for", started_at=1.0)
    history.record_finished(
        started,
        RunFinished(run, "embedded", RunEnd.COMPLETED, 1.0, whole, tuple(map(str, files))),
    )


def light(result: CaseResult) -> CaseResult:
    return replace(
        result,
        verdicts=(),
        response=None,
        calls=calls_fingerprint(result),
        typical_ms=result.duration_ms,
        known_cost_usd=result.cost_usd,
        skipped_tokens=(),
        attempts=(),
    )


def test_all_that_a_result_depends_on_is_known_again(tmp_path: Path) -> None:
    usual = Inputs(
        case="c1",
        tools={"t.description": "1"},
        registry="r",
        seed={"a": "2"},
        agent="agent",
        checks={"multiset_tools": "on"},
        answer="a1",
        rules="1",
        settings={"timeoutMs": 60_000, "trials": 1},
    )
    made = [
        usual,
        replace(usual, case="c2", answer=""),
        replace(usual, rules="2"),
        replace(usual, settings={"timeoutMs": 5, "trials": 3}),
        Inputs("older", {"t.description": "1"}, agent="agent"),
        Inputs(),
    ]
    history = opened(tmp_path)
    results = [replace(passed(f"c-{number}"), inputs=each) for number, each in enumerate(made)]
    record(history, "run-1", *results)
    found = history.last_results("embedded").results
    assert [result.inputs for result in found] == made
    history.close()


def test_last_results_without_their_details(tmp_path: Path) -> None:
    history = opened(tmp_path)
    results = (passed(), failed(), errored(), reserved())
    record(history, "run-1", *results)
    found = history.last_results("embedded")
    assert found.results == tuple(light(result) for result in results)
    assert found.strips == ((P,), (F,), (E,), (S,))
    assert found.numbered == 1
    assert history.last_results("other").results == ()
    first, second = found.results[:2]
    assert first.inputs.agent == second.inputs.agent
    history.close()
    again = opened(tmp_path)
    assert again.last_results("embedded") == found
    again.close()


def test_what_differs_and_how_long_a_case_takes_are_known_again(tmp_path: Path) -> None:
    history = opened(tmp_path)
    for number, took in enumerate((100.0, 300.0), 1):
        timed = replace(failed(), duration_ms=took, finished_at=float(number))
        record(history, f"run-{number}", replace(timed, in_short='city "a" → "b"'))
    (found,) = history.last_results("embedded").results
    assert (found.in_short, found.typical_ms) == ('city "a" → "b"', 200.0)
    history.close()


def test_which_tools_overlap_is_known_again(tmp_path: Path) -> None:
    history = opened(tmp_path)
    said = ["overlap: `a` and `b` share `rain`, margin 0.06", "\ud800"]
    response = AgentResponse("", explanation={"warnings": said})
    record(history, "run-1", replace(passed(), response=response), failed())
    tied, other = history.last_results("embedded").results
    assert tied.response is None and tied.overlaps == (said[0], "?")
    assert other.overlaps == ()
    history.close()


def test_score_and_metrics_are_known_again(tmp_path: Path) -> None:
    history = opened(tmp_path)
    scored = replace(failed(), score=0.25, metrics={"tone": 0.5})
    record(history, "run-1", scored, passed())
    first, second = history.last_results("embedded").results
    assert (first.score, first.metrics) == (0.25, {"tone": 0.5})
    assert (second.score, second.metrics) == (None, {})
    history.close()


def test_the_first_results_are_those_that_need_a_look_and_all_are_counted(tmp_path: Path) -> None:
    history = opened(tmp_path)
    strict = RunRecord("run-0", history.next_number(), "embedded/1:strict")
    history.record(strict, [replace(passed("z"), run_id="run-0", agent=strict.agent)])
    idle = replace(passed("f"), assertions_run=0)
    some = (passed("a"), failed("b"), errored("c"), failed("d"), reserved("e"), idle)
    record(history, "run-1", *some)
    folder = tmp_path / ".evaltui"
    found = read_first_results(folder, "embedded", 3)
    assert found is not None
    assert [result.key.case for result in found.results] == ["b", "c", "d"]
    assert found.strips == ((F,), (E,), (F,))
    assert found.counts == {SUITE: {P: 1, F: 2, E: 1, S: 2}}, "nothing was held against one pass"
    assert found.numbered == 2
    whole = history.last_results("embedded")
    every = read_first_results(folder, "embedded", 100)
    assert every is not None
    assert sorted(every.results, key=str) == sorted(whole.results, key=str)
    assert history.agents() == ("embedded", strict.agent)
    history.close()
    assert read_first_results(folder, "embedded", 3) == found
    assert read_first_results(folder, limit=3) == found
    named = read_first_results(folder, "strict")
    assert named is not None and named.agent == strict.agent
    assert read_first_results(folder, "other") is None


@pytest.mark.parametrize("content", [None, b"", b"no database", b"SQLite format 3\0" + b"x" * 5000])
def test_first_results_of_a_file_that_is_none_are_unknown(
    tmp_path: Path, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / FILE).write_bytes(content)
    assert read_first_results(tmp_path) is None
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [content][: content is not None]


def test_strips_entries_and_durations(tmp_path: Path) -> None:
    history = opened(tmp_path)
    for number in range(1, 14):
        one = passed() if number % 3 else replace(failed(KEY.case), error="no\nmore")
        record(history, f"run-{number}", replace(one, finished_at=float(number), duration_ms=100.0))
    (strip,) = history.last_results("embedded").strips
    assert strip == (P, P, F, P, P, F, P, P, F, P)
    entries = history.entries(KEY, "embedded", limit=3)
    assert [(entry.run_id, entry.number, entry.status) for entry in entries] == [
        ("run-13", 13, P),
        ("run-12", 12, F),
        ("run-11", 11, P),
    ]
    assert entries[1].error == "no"
    assert entries[1].trials == 3
    assert history.last_results("embedded").results[0].typical_ms == 100.0
    record(history, "run-14", replace(passed(), finished_at=14.0, duration_ms=300.0))
    assert history.last_results("embedded").results[0].typical_ms == 200.0
    assert history.entries(CaseKey(SUITE, "nobody"), "embedded") == []
    history.close()


def test_the_file_stops_growing(tmp_path: Path) -> None:
    history = opened(tmp_path)
    for number in range(KEPT + 20):
        inputs = Inputs(str(number), {"tool": str(number)})
        record(history, f"r-{number}", replace(passed(), finished_at=float(number), inputs=inputs))
    assert len(history.entries(KEY, "embedded", limit=1000)) == KEPT
    rows = history._file.connection.execute("SELECT count(*) FROM inputs").fetchone()[0]
    assert rows < KEPT
    history.close()


def test_recording_twice_adds_nothing(tmp_path: Path) -> None:
    history = opened(tmp_path)
    entry = record(history, "run-1", passed())
    history.record(entry, [replace(passed(), run_id="run-1")])
    assert len(history.entries(KEY, "embedded")) == 1
    carried = replace(passed(), run_id="run-1", carried_from="run-1")
    record(history, "run-2", replace(carried, carried_from="run-1"))
    assert history.last_results("embedded").results[0].run_id == "run-1"
    history.close()


def test_numbers_are_given_once(tmp_path: Path) -> None:
    one, two = opened(tmp_path), opened(tmp_path)
    numbers: list[int] = []

    def take(history: History) -> None:
        numbers.extend(history.next_number() for _ in range(20))

    threads = [threading.Thread(target=take, args=(history,)) for history in (one, two, one)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(numbers) == list(range(1, 61))
    one.close()
    two.close()


def test_detail_comes_from_the_result_file(tmp_path: Path) -> None:
    history = opened(tmp_path)
    finish(tmp_path, history, "run-1", passed(), failed())
    assert history.detail(KEY, "embedded") == passed()
    assert history.detail(CaseKey(SUITE, "nobody"), "embedded") is None
    finish(
        tmp_path,
        history,
        "run-2",
        replace(passed(run="run-1"), carried_from="run-1"),
        replace(failed(run="run-2"), finished_at=1_750_000_000.0),
    )
    for path in (tmp_path / "results").glob("*run-1*"):
        path.unlink()
    assert history.detail(KEY, "embedded") == replace(passed(), carried_from="run-1")
    for path in (tmp_path / "results").iterdir():
        path.unlink()
    assert history.detail(KEY, "embedded") is None
    history.close()


def test_detail_of_a_killed_run_comes_from_its_journal(tmp_path: Path) -> None:
    history = opened(tmp_path)
    journal = Journal(tmp_path / ".evaltui" / "runs")
    journal.handle(RunStarted("run-1", "embedded", 1, (KEY,), "asked for"))
    journal.handle(CaseFinished("run-1", passed()))
    journal.close()
    record(history, "run-1", passed())
    assert history.detail(KEY, "embedded") == passed()
    history.close()


def test_results_of_a_killed_run_get_their_details_back_from_its_journal(tmp_path: Path) -> None:
    """No result file has them, and the run that goes on writes the first one."""
    history = opened(tmp_path)
    journal = Journal(tmp_path / ".evaltui" / "runs")
    journal.handle(RunStarted("run-1", "embedded", 1, (KEY,), "asked for"))
    for result in (passed(), failed()):
        journal.handle(CaseFinished("run-1", result))
    journal.close()
    record(history, "run-1", passed(), failed())
    light = history.last_results("embedded").results
    assert not any(result.response for result in light)
    known = suite_result(*light, run="run-1")
    assert history.complete(known) is known, "a run that is on has its own details itself"
    assert history.complete(known, with_own=True).cases == (passed(), failed())
    carried = tuple(replace(result, carried_from="run-1") for result in light)
    assert history.complete(suite_result(*carried, run="run-2")).cases == tuple(
        replace(result, carried_from="run-1") for result in (passed(), failed())
    )
    history.close()


def test_carried_results_get_their_details_back(tmp_path: Path) -> None:
    history = opened(tmp_path)
    finish(tmp_path, history, "run-1", passed(), failed())
    carried = tuple(
        replace(result, carried_from="run-1") for result in history.last_results("embedded").results
    )
    whole = history.complete(suite_result(*carried, run="run-2"))
    assert whole.cases == tuple(
        replace(result, carried_from="run-1") for result in (passed(), failed())
    )
    fresh = suite_result(passed(run="run-2"), run="run-2")
    assert history.complete(fresh) is fresh
    history.close()


def damage(path: Path, how: str) -> None:
    match how:
        case "missing":
            for one in path.parent.glob(f"{FILE}*"):
                one.unlink()
        case "garbage":
            path.write_bytes(b"this is no database" * 500)
        case "torn":
            data = path.read_bytes()
            path.write_bytes(data[: len(data) // 3] + b"\0" * 4096)
        case "tables":
            connection = sqlite3.connect(path)
            connection.execute("DROP TABLE latest")
            connection.close()


def test_who_only_looks_leaves_nothing_behind(tmp_path: Path) -> None:
    folder = tmp_path / ".evaltui"
    history = History.open(folder, tmp_path / "results")
    assert (history.agents(), history.last_results("embedded").results) == ((), ())
    assert not folder.exists()
    assert history.next_number() == 1
    assert (folder / FILE).is_file()
    history.close()


def test_what_another_process_made_meanwhile_is_seen(tmp_path: Path) -> None:
    early = History.open(tmp_path / ".evaltui", tmp_path / "results")
    other = opened(tmp_path)
    finish(tmp_path, other, "run-1", passed())
    assert early.last_results("embedded").results == other.last_results("embedded").results != ()
    other.close()
    early.close()


@pytest.mark.parametrize("how", ["missing", "garbage", "torn", "tables"])
def test_made_anew_from_the_result_files(tmp_path: Path, how: str) -> None:
    history = opened(tmp_path)
    finish(tmp_path, history, "run-1", passed(), failed())
    later = replace(failed(KEY.case, run="run-2"), finished_at=1_750_000_000.0)
    finish(tmp_path, history, "run-2", later, replace(failed(), carried_from="run-1"))
    before = history.last_results("embedded")
    history.close()
    damage(tmp_path / ".evaltui" / FILE, how)
    problems: list[Problem] = []
    again = History.open(tmp_path / ".evaltui", tmp_path / "results", problems.append)
    found = again.last_results("embedded")
    unknown = tuple(replace(result, calls="", known_cost_usd=None) for result in before.results)
    assert found == replace(before, results=unknown), "calls are not read for that"
    assert again.next_number() == 3
    assert again.detail(KEY, "embedded") == later
    again.close()
    aside = [path.name for path in (tmp_path / ".evaltui").glob("*.damaged")]
    if how == "missing":
        assert not problems and not aside
    else:
        assert [problem.code for problem in problems] == ["set-aside"]
        assert aside == [f"{FILE}.damaged"], "nothing of it is lost"


def test_one_that_the_first_run_could_not_be_added_to_is_filled_from_its_files(
    tmp_path: Path,
) -> None:
    history = opened(tmp_path)
    assert history.next_number() == 1
    suite = replace(suite_result(passed(), failed()), run_id="r1")
    write_results(tmp_path / "results", (suite,))
    assert history.last_results("embedded").results == ()
    history.close()  # as the disk was full
    again = opened(tmp_path)
    assert [one.status for one in again.last_results("embedded").results] == [P, F]
    assert again.next_number() == 2
    again.close()


def test_one_that_a_later_version_wrote_is_left_as_it_is(tmp_path: Path) -> None:
    history = opened(tmp_path)
    finish(tmp_path, history, "run-1", passed())
    history.close()
    path = tmp_path / ".evaltui" / FILE
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version=99")
    connection.close()
    content, problems = path.read_bytes(), list[Problem]()
    again = History.open(tmp_path / ".evaltui", tmp_path / "results", problems.append)
    assert [result.key for result in again.last_results("embedded").results] == [KEY]
    record(again, "run-2", failed())
    again.close()
    (problem,) = problems
    assert "a later version of evaltui wrote it" in problem.what
    assert "use that version, or move the file away" in problem.hint
    assert path.read_bytes() == content
    assert not [*path.parent.glob("*.damaged")]


def test_a_byte_flipped_anywhere_costs_no_more_than_the_history(tmp_path: Path) -> None:
    folder, path = tmp_path / ".evaltui", tmp_path / ".evaltui" / FILE
    history = opened(tmp_path)
    finish(tmp_path, history, "run-1", *many(40), failed(), errored())
    history.close()
    whole, random = path.read_bytes(), Random(5)
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(random.choice((1, 3, 30))):
            data[random.randrange(len(data))] = random.randrange(256)
        for beside in folder.glob(f"{FILE}*"):
            beside.unlink()
        path.write_bytes(data)
        history = opened(tmp_path)
        history.last_results("embedded")
        read_first_results(folder, "embedded")
        history.entries(KEY, "embedded")
        history.detail(KEY, "embedded")
        record(history, "run-9", passed(), failed())
        history.close()
        read_first_results(folder)


def test_damage_while_it_is_open(tmp_path: Path) -> None:
    history = opened(tmp_path)
    finish(tmp_path, history, "run-1", passed())
    damage(tmp_path / ".evaltui" / FILE, "missing")
    record(history, "run-2", failed())
    assert [result.run_id for result in history.last_results("embedded").results] == [
        "run-1",
        "run-2",
    ]
    history.close()
    again = opened(tmp_path)
    assert len(again.last_results("embedded").results) == 2
    again.close()


def test_damaged_result_files_are_left_out(tmp_path: Path) -> None:
    history = opened(tmp_path)
    finish(tmp_path, history, "run-1", passed())
    history.close()
    damage(tmp_path / ".evaltui" / FILE, "missing")
    (tmp_path / "results" / "a.json").write_bytes(b"{")
    (tmp_path / "results" / "b.json").write_bytes(b'{"runId": "x", "cases": [{"id": "old"}]}')
    (tmp_path / "results" / "c.json").mkdir()
    again = opened(tmp_path)
    assert [result.key for result in again.last_results("embedded").results] == [KEY]
    again.close()


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    write_results(tmp_path / "results", [suite_result(passed())])
    (tmp_path / ".evaltui").write_bytes(b"a file in the way")
    problems: list[Problem] = []
    history = History.open(tmp_path / ".evaltui", tmp_path / "results", problems.append)
    assert ["permissions" in problem.hint for problem in problems] == [True]
    assert history.last_results("embedded").results == (
        replace(light(passed()), calls="", known_cost_usd=None),
    )
    assert history.next_number() == 2
    history.close()


def test_a_locked_history_is_an_error_not_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaltui.disk.history.history_schema.BUSY_S", 0.4)
    monkeypatch.setattr("evaltui.disk.history.history_schema.BUSY_STILL_S", 0.0)
    history = opened(tmp_path)
    record(history, "run-1", passed())
    other = sqlite3.connect(tmp_path / ".evaltui" / FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    waited_s = []
    for _ in range(4):
        began = time.monotonic()
        with pytest.raises(HistoryError, match="locked"):
            record(history, "run-2", passed())
        waited_s.append(time.monotonic() - began)
        assert history.entries(KEY, "embedded")
    assert waited_s[0] >= 0.4
    assert max(waited_s[1:]) < 0.4, "who waited in vain does not wait as long again"
    other.execute("ROLLBACK")
    other.close()
    record(history, "run-2", replace(passed(), finished_at=1_750_000_000.0))
    assert len(history.entries(KEY, "embedded")) == 2
    history.close()


WRITER = """
import sys
from msgspec.structs import replace
from pathlib import Path
from random import Random
from evaltui.disk.history.history import History
from evaltui.disk.history.run_record import RunRecord
from tests.disk.evidence_table import Counted, counted
from tests.disk.samples import passed
folder, name, rounds = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
history = History.open(folder / ".evaltui", folder / "results")
for number in range(rounds):
    run = f"{name}-{number}"
    results = [replace(passed(f"{name}-{case}", run=run), finished_at=number) for case in range(20)]
    history.record(RunRecord(run, history.next_number(), "embedded"), results)
    print(number, flush=True)
"""


def writer(tmp_path: Path, name: str, rounds: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path), name, str(rounds)],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])},
        stdout=subprocess.PIPE,
    )


def test_several_processes_write_at_once(tmp_path: Path) -> None:
    processes = [writer(tmp_path, name, 15) for name in "abc"]
    for process in processes:
        process.communicate(timeout=60)
        assert process.returncode == 0
    history = opened(tmp_path)
    found = history.last_results("embedded")
    assert len(found.results) == 60
    assert found.numbered == 45
    assert all(strip == (P,) * 10 for strip in found.strips)
    history.close()


def test_kill_9_while_writing_keeps_whole_runs(tmp_path: Path) -> None:
    process = writer(tmp_path, "a", 100_000)
    assert process.stdout is not None
    for _ in range(10):
        process.stdout.readline()
    time.sleep(0.005)
    process.kill()
    process.communicate()
    history = History.open(tmp_path / ".evaltui", tmp_path / "results", no_problem)
    runs = {result.run_id for result in history.last_results("embedded").results}
    assert len(runs) == 1
    assert len(history.last_results("embedded").results) == 20
    history.close()


def test_thousands_of_cases(tmp_path: Path) -> None:
    history = opened(tmp_path)
    results = many(3_000)
    record(history, "run-1", *results)
    assert history.last_results("embedded").results == tuple(map(light, results))
    history.close()


def test_evidence_counts_attempts_with_the_same_inputs(tmp_path: Path) -> None:
    history = opened(tmp_path)
    edited = Inputs("another", {}, "", {}, "embedded/1")
    one = replace(passed(), attempts=())
    twice = TrialResult(0, P), TrialResult(1, F), TrialResult(2, E)
    runs = (
        replace(one, finished_at=1.0),
        replace(one, status=F, passes=0, finished_at=2.0),
        replace(one, status=E, passes=0, finished_at=3.0),
        replace(one, inputs=edited, trials=5, passes=3, finished_at=4.0),
        replace(one, inputs=edited, status=F, trials=3, passes=1, attempts=twice, finished_at=5.0),
    )
    for number, result in enumerate(runs, 1):
        record(history, f"run-{number}", result)
        record(history, f"run-{number}", result)
    record(history, "run-6", errored(), reserved())
    found = counted(history, "embedded")
    assert found == {KEY: (Counted(4, 3, 5.0, True), Counted(1, 1, 2.0, False))}
    assert counted(history, "other") == {}
    history.close()


def test_what_was_called_and_limits_make_no_other_evidence(tmp_path: Path) -> None:
    history = opened(tmp_path)
    one = replace(passed(), attempts=())
    called = replace(one.inputs, called={"move": "abc"})
    limited = replace(one.inputs, settings={"timeoutMs": 5, "trials": 9})
    for number, inputs in enumerate((one.inputs, called, limited), 1):
        result = replace(one, inputs=inputs, finished_at=float(number))
        record(history, f"run-{number}", result)
        assert history.last_results("embedded").results[0].inputs == inputs
    assert [each.passed for each in counted(history, "embedded")[KEY]] == [3]
    history.close()


def test_evidence_outlives_the_results(tmp_path: Path) -> None:
    history = opened(tmp_path)
    for number in range(KEPT + 20):
        record(history, f"run-{number}", replace(passed(), finished_at=float(number)))
    assert counted(history, "embedded")[KEY] == (Counted(KEPT + 20, 0, KEPT + 19.0, True),)
    assert len(history.entries(KEY, "embedded", 1000)) == KEPT
    history.close()


def test_evidence_is_made_anew_from_the_result_files(tmp_path: Path) -> None:
    history = opened(tmp_path)
    finish(tmp_path, history, "run-1", passed(run="run-1"))
    several = replace(failed(KEY.case, run="run-2"), trials=4, passes=1, attempts=())
    finish(tmp_path, history, "run-2", replace(several, finished_at=1_750_000_000.0))
    before = counted(history, "embedded")
    assert sum(one.passed + one.failed for one in before[KEY]) == 5
    history.close()
    (tmp_path / ".evaltui" / FILE).unlink()
    history = opened(tmp_path)
    assert counted(history, "embedded") == before
    history.close()


def test_how_many_attempts_erred_is_known_without_the_attempts(tmp_path: Path) -> None:
    tried = (TrialResult(0, F, 1.0, "no"), TrialResult(1, E, 1.0, "down"))
    one = replace(failed(), trials=1, erred=1, attempts=tried)
    history = opened(tmp_path)
    finish(tmp_path, history, "run-1", one)
    (known,) = history.last_results("embedded").results
    assert (known.attempts, known.trials, known.erred) == ((), 1, 1)
    (path,) = (tmp_path / "results").glob("*.json")
    (whole,) = read_suite_result(path).cases
    assert (whole.trials, whole.erred) == (1, 1)
    history.close()


def test_that_each_attempt_erred_is_known_wherever_it_is_read(tmp_path: Path) -> None:
    tried = tuple(TrialResult(n, E, 1.0, "down") for n in range(3))
    one = replace(failed(), status=E, trials=3, passes=0, erred=3, attempts=tried)
    history = opened(tmp_path)
    finish(tmp_path, history, "run-1", one)
    (path,) = (tmp_path / "results").glob("*.json")
    both = (*history.last_results("embedded").results, *read_suite_result(path).cases)
    assert [(found.trials, found.erred, found.unjudged) for found in both] == [(3, 3, "")] * 2
    history.close()


def test_one_that_was_repaired_is_judged_again_by_its_last_answer(tmp_path: Path) -> None:
    attempts = (TrialResult(0, F, 1.0, "no"), TrialResult(1, P, 1.0))
    history = opened(tmp_path)
    finish(tmp_path, history, "run-1", replace(passed(), attempts=attempts))
    (path,) = (tmp_path / "results").glob("*.json")
    (whole,) = read_suite_result(path).cases
    (known,) = history.last_results("embedded").results
    assert (whole.trials, whole.erred, known.erred) == (1, 0, 0)
    history.close()


def test_what_older_versions_did_not_know_does_not_make_other_inputs_of_the_same() -> None:
    assert shared_inputs(Inputs("c", {"a.b": "1"}, agent="x")) == (
        '{"tools":{"a.b":"1"},"registry":"","seed":{},"agent":"x","checks":{}}'
    )


def test_of_a_large_suite_the_worst_stand_first_too(tmp_path: Path) -> None:
    history = opened(tmp_path)
    results = many(1_500)
    record(history, "run-1", *results)
    order = {P: 1, F: 0}
    worst = sorted(results, key=lambda result: order[result.status])[:250]
    found = read_first_results(tmp_path / ".evaltui", "embedded", 250)
    assert found is not None
    assert {result.key for result in found.results} == {result.key for result in worst}
    assert found.counts == {SUITE: {P: 1_285, F: 215}}
    history.close()
