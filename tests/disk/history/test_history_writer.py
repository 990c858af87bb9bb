"""Results reach the history while the last cases are awaited, and none is lost or doubled."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.core.events import RunEnd, RunFinished, RunStarted
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.disk.history.history import History
from evaltui.disk.history.history_file import HistoryError
from evaltui.disk.history.history_writer import HistoryWriter
from evaltui.disk.history.run_record import RunRecord
from tests.disk.samples import failed, passed, suite_result

RUN = "run-1"
FIRST, LAST = (replace(result, run_id=RUN) for result in (passed(), failed()))


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History.open(tmp_path / ".evaltui", tmp_path / "results")


def started(history: History) -> RunStarted:
    keys = (FIRST.key, LAST.key)
    return RunStarted(RUN, FIRST.agent, history.next_number(), keys, "asked for", started_at=1.0)


def finished(*results: CaseResult) -> RunFinished:
    whole = suite_result(*results, run=RUN)
    return RunFinished(RUN, FIRST.agent, RunEnd.COMPLETED, 1.0, (whole,), finished_at=2.0)


def strips(history: History) -> dict[str, tuple[CaseStatus, ...]]:
    last = history.last_results(FIRST.agent)
    return {result.key.case: strip for result, strip in zip(last.results, last.strips, strict=True)}


async def test_what_was_written_early_is_not_written_again(history: History) -> None:
    recording = HistoryWriter(history, started(history), lambda _: "")
    recording.add(FIRST)
    recording.begin()
    recording.add(LAST)
    await recording.finish(finished(FIRST, LAST))
    assert strips(history) == {FIRST.key.case: (FIRST.status,), LAST.key.case: (LAST.status,)}
    assert len(history.entries(FIRST.key, FIRST.agent)) == 1


async def test_what_could_not_be_written_early_is_not_lost_when_it_begins_again(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cases without a judge come to their end before those with one do."""

    def fail(*_: object) -> None:
        raise HistoryError("the disk is full")

    recording = HistoryWriter(history, started(history), lambda _: "")
    recording.add(FIRST)
    with monkeypatch.context() as broken:
        broken.setattr(History, "record", fail)
        recording.begin()
        assert recording._writing is not None
        with pytest.raises(HistoryError):
            await recording._writing
    recording.add(LAST)
    recording.begin()
    await recording.finish(finished())
    assert set(strips(history)) == {FIRST.key.case, LAST.key.case}


async def test_a_run_that_was_cut_short_is_written_at_its_end(history: History) -> None:
    recording = HistoryWriter(history, started(history), lambda _: "")
    recording.add(FIRST)
    await recording.finish(finished(FIRST))
    assert strips(history) == {FIRST.key.case: (FIRST.status,)}


async def test_what_finished_is_written_though_its_file_is_gone_at_the_end(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise HistoryError("the disk is full")

    recording = HistoryWriter(history, started(history), lambda _: "")
    recording.add(FIRST)
    with monkeypatch.context() as broken:
        broken.setattr(History, "record", fail)
        recording.begin()
        assert recording._writing is not None
        with pytest.raises(HistoryError):
            await recording._writing
    recording.add(LAST)
    await recording.finish(finished())
    assert strips(history) == {FIRST.key.case: (FIRST.status,), LAST.key.case: (LAST.status,)}


async def test_what_could_not_be_written_early_is_written_at_the_end(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise HistoryError("the disk is full")

    recording = HistoryWriter(history, started(history), lambda _: "")
    recording.add(FIRST)
    with monkeypatch.context() as broken:
        broken.setattr(History, "checkpoint", fail)
        broken.setattr(History, "record", fail)
        recording.begin()
        assert recording._writing is not None
        with pytest.raises(HistoryError):
            await recording._writing
    await recording.finish(finished(FIRST, LAST))
    assert set(strips(history)) == {FIRST.key.case, LAST.key.case}


def test_the_end_of_a_run_replaces_what_was_thought_of_it(history: History, tmp_path: Path) -> None:
    begun = RunRecord.of(started(history), None)
    history.record(begun, [FIRST])
    history.record_finished(started(history), finished(FIRST, LAST), {FIRST.key})
    history.record(begun, [FIRST])
    history.close()
    import sqlite3

    connection = sqlite3.connect(tmp_path / ".evaltui" / "history.sqlite3")
    assert connection.execute("SELECT ended, finished_at FROM runs").fetchall() == [
        ("completed", 2.0)
    ]
    connection.close()
