"""What a run says of itself, what it hands to the runner, and what it says when writing fails."""

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.core.asked import AgentTraits
from evaltui.core.case import CaseKey
from evaltui.core.comparison import RunChanges
from evaltui.core.events import BaselineCompared, CaseFinished, ProblemFound, RunEnd
from evaltui.disk.history.history_file import HistoryError
from evaltui.disk.history.history_writer import HistoryWriter
from evaltui.disk.results.results_folder import write_results
from evaltui.session import Session
from evaltui.session.running.run_request import RunRequest
from evaltui.settings.load import load_config
from evaltui.store.row import Phase
from tests.projects import ORDERS, make_project, with_description, write_suite, write_tools
from tests.session.test_agent_queue import queued
from tests.session.test_session import AGENT, Ear, all_keys, opened

C0, C1 = (CaseKey("evals/find_order.golden.json", f"c{number}") for number in range(2))


def request(*keys: CaseKey) -> RunRequest:
    return RunRequest(dict.fromkeys(keys), "why", ("a.ts",), 3)


async def test_what_the_runner_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}

    async def run_cases(jobs: Any, *_: object, **more: Any) -> None:
        given.update(more, jobs=[(job.case.key, job.trials) for job in jobs])

    monkeypatch.setattr("evaltui.session.running.run.run_cases", run_cases)
    async with queued(tmp_path, 2) as line:
        line.agent.traits = AgentTraits(is_free=True, settings="temperature 0")
        config = replace(line.state.config, concurrency=4, timeout_ms=1500)
        line.state.settings.config = config
        finished = await line.queue.execute(request(C1))
        (started,) = line.ear.started()
        assert given["jobs"] == [(C1, 3)]
        assert given["run_id"] == finished.run_id == started.run_id
        assert (given["timeout_s"], given["concurrency"]) == (1.5, 4)
        assert given["rate"] is line.queue._spending.budgets.rate(line.agent.name)
        assert (started.cases, started.reason, started.trigger) == ((C1,), "why", ("a.ts",))
        assert (started.trials, started.concurrency, started.settings) == (3, 4, "temperature 0")
        assert started.reading == line.state.project.number > 0
        assert not started.is_rejudging


async def test_how_long_it_took_is_told_in_seconds_and_when_it_ended_as_a_time(
    tmp_path: Path,
) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        opened_at, began = time.time(), time.perf_counter()
        (finished,) = await session.run(all_keys(session))
        assert 0 < finished.duration_s <= time.perf_counter() - began
        assert opened_at <= finished.finished_at <= time.time()


async def test_what_a_run_says_when_it_begins_and_when_it_ends(tmp_path: Path) -> None:
    clock = iter(range(1000, 100_000))
    read = load_config(make_project(tmp_path), {})
    session, ear = Session(read.config, clock=lambda: float(next(clock))), Ear()
    session.add_sink(ear)
    await session.open()
    try:
        watching = asyncio.create_task(session.watch())
        await ear.until(lambda: len(ear.runs()) == 1)
        write_tools(tmp_path, with_description("find_order", "Bakes bread."))
        await ear.until(lambda: len(ear.runs()) == 2)
        first, second = ear.runs()
        begun, again = ear.started()
        assert again.number == begun.number + 1
        assert begun.eta_s is None and again.eta_s is not None and again.eta_s > 0
        assert again.reading > begun.reading
        assert again.trigger == ("tools.json",)
        assert (first.run_id, second.run_id) == (begun.run_id, again.run_id)
        assert 1000 <= begun.started_at < first.finished_at < again.started_at
        assert again.started_at < second.finished_at
        assert first.changes == RunChanges(new=3)
        assert second.changes.worse and set(second.changes.worse) <= set(again.cases)
        assert [suite.run_id for suite in second.suites] == [second.run_id] * len(second.suites)
        assert len(first.files) == len(first.suites) == 2
        at = [event.result.finished_at for event in ear.heard if isinstance(event, CaseFinished)]
        assert all(begun.started_at < one < first.finished_at for one in at[:3])
    finally:
        await session.close()
        await watching


async def test_a_run_that_was_stopped_before_it_began_asks_nobody(tmp_path: Path) -> None:
    async with queued(tmp_path, 1) as line:
        run = line.queue._new_run(request(C0))
        run.stop(RunEnd.SUPERSEDED)
        run.stop(RunEnd.CANCELLED)
        finished = await run.execute()
        assert finished.end is RunEnd.SUPERSEDED, "the first word counts"
        assert line.agent.asked == []
        assert list(run.pending) == [C0]


async def test_results_that_cannot_be_written_are_said_and_told_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("evaltui.session.running.kept_run.write_results", full)
    async with opened(make_project(tmp_path)) as (session, ear):
        (finished,) = await session.run(all_keys(session))
        (told,) = ear.all(ProblemFound)
        assert "No space left on device" in str(told)
    assert (finished.end, finished.files) == (RunEnd.COMPLETED, ())
    assert sum(len(suite.cases) for suite in finished.suites) == 3


async def test_a_run_that_cannot_be_recorded_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def locked(*_: object) -> None:
        raise HistoryError("the history is locked")

    monkeypatch.setattr(HistoryWriter, "finish", locked)
    async with opened(make_project(tmp_path)) as (session, ear):
        (finished,) = await session.run(all_keys(session))
        assert any("the history is locked" in str(told) for told in ear.all(ProblemFound))
    assert finished.files


async def test_what_ran_is_remembered_whatever_becomes_of_its_files(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        (finished,) = await session.run(all_keys(session))
    for file in (tmp_path / "evals" / "results").glob("*.json"):
        file.unlink()
    async with opened(tmp_path) as (session, _):
        (entry,) = session.past(all_keys(session)[0], AGENT)
        assert entry.run_id == finished.run_id
        assert session.requests.due_keys(AGENT) == ()


async def test_a_run_is_compared_only_where_there_is_a_baseline(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, ear):
        await session.run(all_keys(session))
        assert ear.all(BaselineCompared) == []
        await session.baselines.pin(all_keys(session), AGENT)
        (finished,) = await session.run(all_keys(session))
        (told,) = ear.all(BaselineCompared)
        assert isinstance(told, BaselineCompared)
        assert (told.run_id, len(told.comparisons)) == (finished.run_id, 2)


async def test_a_result_of_judging_again_is_of_its_own_run(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        await session.run(all_keys(session))
    async with opened(tmp_path) as (session, ear):
        (first,) = await session.run(all_keys(session)[:1])
        (again,) = await session.run(all_keys(session), is_rejudging=True)
        made = [told.result for told in ear.heard if isinstance(told, CaseFinished)][1:]
        assert {(one.run_id, one.carried_from) for one in made} == {(again.run_id, "")}
        assert all(one.finished_at >= first.finished_at for one in made)
        assert len(made) == 3


async def test_as_often_as_was_asked_or_as_the_settings_say(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path), trials=2) as (session, ear):
        keys = all_keys(session)
        await session.run(keys[:1])
        await session.run(keys[:1], trials=3)
        assert [run.trials for run in ear.started()] == [2, 3]
        assert [
            session.requests.estimate(keys).cases,
            session.requests.estimate(keys, trials=3).cases,
        ] == [6, 9]


async def test_what_goes_wrong_beside_the_line_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(make_project(tmp_path)) as (session, ear):

        async def full(*_: object) -> None:
            raise OSError("the disk is full")

        monkeypatch.setattr(session.baselines, "pin", full)
        session.background.begin(session.baselines.pin(all_keys(session), AGENT))
        await ear.until(lambda: bool(ear.all(ProblemFound)))
        (told,) = ear.all(ProblemFound)
        assert isinstance(told, ProblemFound)
        assert (told.problem.what, told.problem.hint) == (
            "the disk is full",
            "Nothing was changed.",
        )


async def test_a_run_whose_caller_is_cancelled_says_so_and_keeps_what_finished(
    tmp_path: Path,
) -> None:
    async with queued(tmp_path, 2) as line:
        await line.agent.go_on("m0")
        waiting = asyncio.create_task(line.queue.execute(RunRequest({C0: None, C1: None}, "why")))
        await line.agent.until_asked("m1")
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        (finished,) = line.ear.runs()
        assert finished.end is RunEnd.CANCELLED
        assert [case.key for suite in finished.suites for case in suite.cases] == [C0]
        assert len(finished.files) == 1


@pytest.mark.parametrize("is_cancelled_before", [False, True])
async def test_a_cancellation_does_not_break_off_what_a_run_writes_at_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_cancelled_before: bool
) -> None:
    writes, may_write = threading.Event(), threading.Event()

    def held(*arguments: Any) -> tuple[Path, ...]:
        writes.set()
        assert may_write.wait(20)
        return write_results(*arguments)

    monkeypatch.setattr("evaltui.session.running.kept_run.write_results", held)
    async with queued(tmp_path, 2) as line:
        await line.agent.go_on("m0")
        waiting = asyncio.create_task(line.queue.execute(RunRequest({C0: None, C1: None}, "why")))
        if is_cancelled_before:
            await line.agent.until_asked("m1")
            waiting.cancel()
        else:
            await line.agent.go_on("m1")
        await asyncio.to_thread(writes.wait, 20)
        for _ in range(3):
            waiting.cancel()
            await asyncio.sleep(0)
        assert not waiting.done(), "files are open that the session closes next"
        may_write.set()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        (finished,) = line.ear.runs()
        end = RunEnd.CANCELLED if is_cancelled_before else RunEnd.COMPLETED
        assert (finished.end, len(finished.files)) == (end, 1)


async def test_what_nobody_is_asked_for_is_neither_queued_nor_counted(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    reserved = {**ORDERS[1], "rubric": [{"dimension": "tone", "maxScore": 5, "criteria": "kind"}]}
    del reserved["expect"]
    write_suite(root, "find_order", [ORDERS[0], reserved])
    never = CaseKey("evals/find_order.golden.json", ORDERS[1]["id"])
    async with opened(root) as (session, ear):
        await session.run(all_keys(session))
        (started,) = ear.started()
        assert started.never_asked == (never,)
        board = session.store.board(AGENT)
        assert board.runs.last is not None
        assert (board.runs.last.done, board.runs.last.total) == (2, 2)
        assert board.rows[never].result is not None, "it is told of all the same"
        session.store.handle(replace(started, run_id="another"))
        phases = {row.key: row.phase for row in board.rows.values()}
        assert phases.pop(never) is Phase.IDLE
        assert set(phases.values()) == {Phase.QUEUED}
