"""Runs that ended before any case finished stand among the others."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.events import RunEnd
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.disk.history.history import History
from evaltui.disk.history.history_schema import KEPT
from evaltui.disk.history.run_record import RunRecord

AGENT = "embedded"


def run(history: History, cases: Iterable[str], ended: RunEnd = RunEnd.COMPLETED) -> None:
    """Record a run of a second."""
    number = history.next_number()
    name, at = f"run-{number}", 1_000.0 * number
    key = [CaseKey("a.golden.json", case) for case in cases]
    results = [CaseResult(one, name, AGENT, CaseStatus.PASSED, finished_at=at) for one in key]
    made = RunRecord(name, number, AGENT, "asked for", ended, at - 1, finished_at=at)
    history.record(made, results)


@pytest.mark.parametrize("older", [0, KEPT - 2, KEPT + 3])
def test_one_without_a_result_is_known_and_one_whose_results_are_gone_is_not(
    tmp_path: Path, older: int
) -> None:
    history = History.open(tmp_path / ".evaltui", tmp_path / "results")
    for _ in range(older):
        run(history, ["a"])
    run(history, [], RunEnd.CANCELLED)
    run(history, ["a"])
    run(history, ["a", "b"])
    run(history, [], RunEnd.SUPERSEDED)
    found = history.runs(AGENT)
    assert [point.number for point in found[:4]] == [*range(older + 4, older, -1)]
    assert [point.ran for point in found[:4]] == [0, 2, 1, 0]
    assert [str(point.end) for point in found[:4:3]] == ["superseded", "cancelled"]
    with_results = history.timeline(AGENT)
    assert [point for point in found if point.ran] == with_results
    assert len(found) == len(with_results) + 2 == min(older + 2, KEPT) + 2
    assert history.runs("another") == []
    history.close()
