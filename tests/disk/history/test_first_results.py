"""What the first frame shows of a history."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.core.result import CaseResult, CaseStatus
from evaltui.disk.history.first_results import read_first_results
from evaltui.disk.history.history import History
from evaltui.disk.history.run_record import RunRecord
from tests.disk.samples import SUITE, errored, failed, no_problem, passed, reserved


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


FAILING = [f"{suite}.{case}" for suite in "ab" for case in ("f0", "f1", "e")]


@pytest.mark.parametrize(
    ("limit", "wanted"),
    [
        (3, {"a.f0", "a.f1", "a.e", "b.f0"}),  # the last one of the list that has no suites
        (9, {*FAILING, "a.p0", "a.p1", "a.p2"}),
        (12, {*FAILING, "a.p0", "a.p1", "a.p2", "a.s", "b.p0", "b.p1", "b.p2"}),
    ],
)
def test_of_a_list_by_suites_what_fails_of_all_comes_before_what_passes_of_the_first(
    tmp_path: Path, limit: int, wanted: set[str]
) -> None:
    results = [
        make(name, suite=f"evals/{of}.json")
        for of in "ab"
        for make, names in (
            (passed, ("p0", "p1", "p2")),
            (reserved, ("s",)),
            (failed, ("f0", "f1")),
            (errored, ("e",)),
        )
        for name in names
    ]
    broken_off(tmp_path, tuple(results), ())
    found = read_first_results(tmp_path, limit=limit)
    assert found is not None
    assert {f"{one.key.suite[6]}.{one.key.case}" for one in found.results} == wanted
