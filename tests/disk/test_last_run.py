"""What an agent's last run left to be run, as its journal tells it."""

from pathlib import Path

from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.events import (
    CaseFinished,
    Event,
    RunEnd,
    RunFinished,
    RunStarted,
    TrialFinished,
)
from evaltui.core.response import AgentResponse, Usage
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.spent import Spent
from evaltui.disk.codec import encode_event
from evaltui.disk.last_run import last_run

SAVED, REST = CaseKey("a.json", "saved"), CaseKey("a.json", "rest")
STARTED = RunStarted("run-1", "agent", 1, (SAVED,), "case changed", ("a.json",))
DONE = CaseFinished("run-1", CaseResult(SAVED, "run-1", "agent", CaseStatus.PASSED))
ENDED = RunFinished("run-1", "agent", RunEnd.COMPLETED, 1.0)


def is_interrupted(folder: Path, *events: Event) -> bool:
    (folder / "run-1.jsonl").write_bytes(b"".join(encode_event(event) + b"\n" for event in events))
    found = last_run(folder, ["run-1"])
    assert found is not None
    return found.is_interrupted


def test_what_a_save_came_before_is_not_lost_where_its_run_was_the_last_one(tmp_path: Path) -> None:
    """Whoever is killed between the two runs goes on with the rest of the first."""
    left = RunStarted("run-1", "agent", 1, (SAVED,), "case changed", ("a.json",), left=(REST,))
    assert is_interrupted(tmp_path, left, DONE, ENDED)
    found = last_run(tmp_path, ["run-1"])
    assert found is not None and set(found.cases) - found.finished == {REST}
    assert not is_interrupted(tmp_path, STARTED, DONE, ENDED)


def test_a_result_that_is_told_again_is_paid_once(tmp_path: Path) -> None:
    """A case that was undecided was tried again: its second result holds the first."""

    def costing(usd: float) -> CaseFinished:
        response = AgentResponse("", usage=Usage(1, 1, usd))
        return CaseFinished(
            "run-1", CaseResult(SAVED, "run-1", "agent", CaseStatus.FAILED, response=response)
        )

    assert is_interrupted(tmp_path, STARTED, costing(0.25), costing(0.5))
    found = last_run(tmp_path, ["run-1"])
    assert found is not None
    assert found.spent.usd == 0.5


def test_what_it_took_over_is_made_and_was_paid_already(tmp_path: Path) -> None:
    """It was killed before it asked anything itself."""
    response = AgentResponse("", usage=Usage(1, 1, 0.25))
    made = CaseResult(SAVED, "run-0", "agent", CaseStatus.FAILED, response=response)
    goes_on = replace(STARTED, goes_on_from=1, spent=Spent(usd=0.25))
    assert is_interrupted(tmp_path, goes_on, TrialFinished("run-1", made))
    found = last_run(tmp_path, ["run-1"])
    assert found is not None
    assert [one.status for one in found.attempts[SAVED]] == [CaseStatus.FAILED]
    assert found.spent.usd == 0.25
