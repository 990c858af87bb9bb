"""What a real run wrote is played: its journal gives the events back that the run emitted."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.cli.main import run_command
from evaltui.core.events import (
    BaselineCompared,
    BaselinePinned,
    CaseFinished,
    CaseStarted,
    Event,
    ProjectRead,
    RunFinished,
    RunStarted,
    ToolCalled,
    TurnFinished,
)
from evaltui.core.result import CaseResult
from evaltui.disk.journal.journal_reading import read_events
from evaltui.tui.sessions.replay import play
from tests.projects import make_project
from tests.tui.fake_session import FakeSession

ON_THE_WAY = (CaseStarted, ToolCalled, TurnFinished)
KEPT = (ProjectRead, RunStarted, CaseFinished, BaselinePinned, BaselineCompared, RunFinished)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(make_project(tmp_path))
    return tmp_path


def run(project: Path, *arguments: str) -> tuple[list[Event], list[Event], Path]:
    """The events that a run emitted, those in its journal, and the journal."""
    emitted = project / "emitted.jsonl"
    run_command(["run", "--reporter", f"jsonl={emitted}", *arguments])
    journal = max(
        (project / ".evaltui" / "runs").glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns
    )
    return list(read_events(emitted)), list(read_events(journal)), journal


def as_kept(event: Event) -> Event:
    """Times of results are kept to the microsecond, the time of day to the millisecond."""

    def kept(result: CaseResult) -> CaseResult:
        return replace(
            result,
            duration_ms=round(result.duration_ms, 3),
            queued_ms=round(result.queued_ms, 3),
            finished_at=round(result.finished_at, 3),
        )

    match event:
        case CaseFinished():
            return replace(event, result=kept(event.result))
        case RunFinished():
            suites = tuple(
                replace(suite, cases=tuple(map(kept, suite.cases))) for suite in event.suites
            )
            return replace(event, suites=suites)
    return event


@pytest.mark.parametrize("trials", ["1", "2"])
def test_the_journal_of_a_run_says_what_the_run_said(project: Path, trials: str) -> None:
    run(project)
    run_command(["baseline", "pin"])
    emitted, journaled, _ = run(project, "--trials", trials)
    assert {type(event) for event in journaled} >= set(KEPT)
    assert [event for event in journaled if isinstance(event, KEPT)] == [
        as_kept(event) for event in emitted if isinstance(event, KEPT)
    ]
    said = iter(event for event in emitted if isinstance(event, ON_THE_WAY))
    kept = [event for event in journaled if isinstance(event, ON_THE_WAY)]
    assert all(event in said for event in kept), "and nothing that was not said, in its order"


async def test_a_run_is_played_from_its_journal(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    emitted, _, journal = await asyncio.to_thread(run, project)
    session = FakeSession()
    await play(journal, session, lambda _: None)
    finished = {e.result.key: e.result.status for e in emitted if isinstance(e, CaseFinished)}
    assert len(finished) == 3
    (board,) = [board for board in session.store.boards.values() if board.rows]
    assert {key: row.result and row.result.status for key, row in board.rows.items()} == finished
    assert board.runs.last is not None and board.runs.last.done == 3
    assert capsys.readouterr().err == ""
