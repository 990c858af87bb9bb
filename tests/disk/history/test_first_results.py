"""What the first frame shows of a history."""

from pathlib import Path

from msgspec.structs import replace

from evaltui.core.result import CaseResult, CaseStatus
from evaltui.disk.history.first_results import read_first_results
from evaltui.disk.history.history import History
from evaltui.disk.history.run_record import RunRecord
from tests.disk.samples import SUITE, failed, no_problem, passed


def broken_off(
    folder: Path, finished: tuple[CaseResult, ...], attempts: tuple[CaseResult, ...]
) -> None:
    history = History.open(folder, folder / "out", no_problem)
    run = RunRecord("run-1", history.next_number(), "embedded")
    history.record(run, finished, attempts=attempts)
    history.close()


def test_a_case_that_no_run_finished_has_not_passed(tmp_path: Path) -> None:
    never = replace(failed("never"), trial=1)
    elsewhere = replace(failed("it", suite="evals/other.json"), trial=1)
    again = replace(passed("b"), trial=1)
    broken_off(tmp_path, (passed("a"), failed("b")), (never, again, elsewhere))
    found = read_first_results(tmp_path)
    assert found is not None
    assert found.counts == {SUITE: {CaseStatus.PASSED: 1, CaseStatus.FAILED: 1}}
    assert [result.key.case for result in found.results] == ["a", "b"]


def test_where_none_was_finished_there_are_no_results(tmp_path: Path) -> None:
    broken_off(tmp_path, (), (replace(failed("never"), trial=1),))
    found = read_first_results(tmp_path)
    assert found is not None
    assert (found.counts, found.results, found.numbered) == ({}, (), 1)
