"""A run as it is told over HTTP, with its figures in the units that it names."""

from evaltui.api.run_record import RunRecord
from evaltui.core.case import CaseKey
from evaltui.core.events import RunEnd, RunFinished, RunStarted

STARTED = RunStarted("r-1", "mine", 3, (CaseKey("evals/a.golden.json", "gs-1"),), "asked for")


def test_what_a_run_took_is_told_in_milliseconds() -> None:
    finished = RunFinished("r-1", "mine", RunEnd.COMPLETED, 1.23456, finished_at=1_700_000_000.25)
    told = RunRecord(STARTED, {}, {}, finished, "completed").json()
    assert (told["durationMs"], told["finishedAt"]) == (1234.6, "2023-11-14T22:13:20.250Z")
    assert "durationMs" not in RunRecord(STARTED, {}, {}, None, "running").json()
