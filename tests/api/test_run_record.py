"""A run as it is told over HTTP, with its figures in the units that it names."""

from typing import Any

from msgspec.structs import replace

from evaltui.api.run_record import RunRecord
from evaltui.core.case import CaseKey
from evaltui.core.events import RunEnd, RunFinished, RunStarted
from evaltui.core.result import CaseResult, CaseStatus

KEY = CaseKey("evals/a.golden.json", "gs-1")
STARTED = RunStarted("r-1", "mine", 3, (KEY,), "asked for")


def test_what_a_run_took_is_told_in_milliseconds() -> None:
    finished = RunFinished("r-1", "mine", RunEnd.COMPLETED, 1.23456, finished_at=1_700_000_000.25)
    told = RunRecord(STARTED, {}, {}, finished, "completed").json()
    assert (told["durationMs"], told["finishedAt"]) == (1234.6, "2023-11-14T22:13:20.250Z")
    assert "durationMs" not in RunRecord(STARTED, {}, {}, None, "running").json()


def test_a_pass_of_nothing_is_told_as_one_that_was_skipped() -> None:
    held = CaseResult(KEY, "r-1", "mine", CaseStatus.PASSED, assertions_run=1, passes=1)
    other = KEY._replace(case="gs-2")
    idle = replace(held, key=other, assertions_run=0, passes=3, trials=3)
    record = RunRecord(STARTED, {KEY: held, other: idle}, {}, None, "running")
    told = record.json()
    assert told["cases"] == [*cases_of(record, "passed"), *cases_of(record, "skipped")]
    (passed,) = cases_of(record, "passed")
    assert "reason" not in passed
    (one,) = cases_of(record, "skipped")
    assert (one["id"], one["passed"], one["reason"]) == ("gs-2", False, "nothing asserted")
    assert (one["trials"], one["passes"]) == (3, 0)
    assert "statistics" not in one
    summary = told["summary"]
    assert isinstance(summary, dict)
    counted = ("passed", "failed", "skippedCases", "nothingAsserted")
    assert [summary[key] for key in counted] == [1, 0, 1, 1]


def test_a_page_names_the_next_one_only_where_more_is_left() -> None:
    other = KEY._replace(case="gs-2")
    results = {key: CaseResult(key, "r-1", "mine", CaseStatus.PASSED) for key in (KEY, other)}
    record = RunRecord(STARTED, results, {}, None, "running")
    first, last = record.json(limit=1), record.json(offset=1, limit=1)
    assert (first["next"], "next" in last) == (1, False)
    assert "next" not in record.json(limit=2)


def cases_of(record: RunRecord, status: str) -> list[Any]:
    cases = record.json(status=status)["cases"]
    assert isinstance(cases, list)
    return cases
