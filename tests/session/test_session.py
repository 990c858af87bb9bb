"""The line without a screen: real files, the embedded agent, events."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem
from evaltui.core.events import (
    CaseFinished,
    DetailLoaded,
    Event,
    ProblemFound,
    RunEnd,
    RunFinished,
    RunStarted,
    SpendingChanged,
)
from evaltui.core.result import CaseStatus
from evaltui.core.sink import Sink
from evaltui.core.spent import Spent
from evaltui.disk.history.history import History
from evaltui.disk.history.history_file import HistoryError
from evaltui.expectations.call_diff import DiffTarget
from evaltui.session import Session
from evaltui.session.agent_queue import AgentQueue
from evaltui.settings.load import load_config
from tests.projects import (
    MUSIC,
    ORDERS,
    make_project,
    with_description,
    write_suite,
    write_tools,
)

AGENT = "embedded/2"
MUSIC_TOO = {**MUSIC[0], "id": "gs-play-music-002"}
LIMIT_S = 20.0


class Ear(Sink):
    """Remembers every event and wakes whoever waits for one."""

    def __init__(self) -> None:
        self.heard: list[Event] = []
        self._news = asyncio.Event()

    def handle(self, event: Event) -> None:
        self.heard.append(event)
        self._news.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(LIMIT_S):
            while not condition():
                self._news.clear()
                await self._news.wait()

    def all(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.heard if isinstance(event, kind)]

    def runs(self) -> list[RunFinished]:
        return [event for event in self.heard if isinstance(event, RunFinished)]

    def started(self) -> list[RunStarted]:
        return [event for event in self.heard if isinstance(event, RunStarted)]


@asynccontextmanager
async def opened(root: Path, **overrides: object) -> AsyncIterator[tuple[Session, Ear]]:
    read = load_config(root, overrides)
    session = Session(read.config, overrides=overrides, problems=read.problems)
    ear = Ear()
    session.add_sink(ear)
    await session.open()
    try:
        yield session, ear
    finally:
        await session.close()


@asynccontextmanager
async def watched(root: Path, **overrides: object) -> AsyncIterator[tuple[Session, Ear]]:
    """Watching, after the first run of everything."""
    async with opened(root, **overrides) as (session, ear):
        watching = asyncio.create_task(session.watch())
        await ear.until(lambda: bool(ear.runs()))
        ear.heard.clear()
        try:
            yield session, ear
        finally:
            await session.close()
            await watching


def written_by(run: RunFinished) -> dict[str, Any]:
    """The first result file of a run."""
    document: dict[str, Any] = json.loads(Path(run.files[0]).read_text())
    return document


def asking(message: str) -> dict[str, Any]:
    """The first order case with another message."""
    return {**ORDERS[0], "input": {"message": message}}


def all_keys(session: Session) -> tuple[CaseKey, ...]:
    return tuple(case.key for suite in session.store.suites for case in suite.cases)


async def test_a_run_reaches_the_store_and_the_result_files(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, ear):
        (finished,) = await session.run(all_keys(session))
        board = session.store.board(AGENT)
    assert finished.end is RunEnd.COMPLETED
    assert [row.result.status for row in board.rows.values() if row.result] == [
        CaseStatus.PASSED
    ] * 3
    assert len(ear.all(CaseFinished)) == 3
    written = written_by(finished)
    assert written["summary"]["passed"] == len(written["cases"])
    assert written["runId"] == finished.run_id


async def test_the_next_process_knows_the_last_board_and_nothing_is_stale(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        await session.run(all_keys(session))
    async with opened(tmp_path) as (session, ear):
        board = session.store.board(AGENT)
        assert all(row.result and row.result.status == "passed" for row in board.rows.values())
        assert session.requests.due_keys(AGENT) == ()
        key = all_keys(session)[0]
        session.load_detail(key, AGENT)
        await ear.until(lambda: bool((row := board.rows[key]).result and row.result.verdicts))
        assert [type(event) for event in ear.heard[-1:]] == [DetailLoaded]


async def test_a_run_goes_on_while_earlier_results_and_baselines_are_read(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        await session.run(all_keys(session))
        await session.baselines.pin(all_keys(session), AGENT)
    write_tools(tmp_path, with_description("find_order", "Bakes bread."))
    session = Session(load_config(tmp_path, {}).config)
    await session.open(meanwhile=True)
    board = session.store.board(AGENT)
    assert not any(row.result for row in board.rows.values())
    chosen = tuple(key for key in all_keys(session) if "order" in key.suite)
    (finished,) = await session.run(chosen)
    await session.close()
    regressed = {row.key.case for row in board.rows.values() if row.regressed}
    assert {row.result.status for row in board.rows.values() if row.result} >= {
        CaseStatus.PASSED,
        CaseStatus.FAILED,
    }
    assert regressed
    assert set(written_by(finished)["regressions"]) == regressed
    assert {key.case: len(board.rows[key].recent) for key in board.rows} == {
        key.case: 1 + (key in chosen) for key in board.rows
    }
    assert not any(board.rows[key].is_due for key in chosen)
    assert all(case["verdicts"] for case in written_by(finished)["cases"])


async def test_what_cannot_be_remembered_is_said_after_the_results_are_safe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise HistoryError("it is locked")

    monkeypatch.setattr(History, "last_results", fail)
    session = Session(load_config(make_project(tmp_path), {}).config)
    ear = Ear()
    session.add_sink(ear)
    await session.open(meanwhile=True)
    await session.run(all_keys(session))
    (told,) = session.store.problems.others
    assert "it is locked" in str(told)
    await session.close()
    (finished,) = ear.runs()
    assert len(written_by(finished)["cases"]) == 2


async def test_a_pinned_case_that_fails_later_is_a_regression(tmp_path: Path) -> None:
    async with watched(make_project(tmp_path)) as (session, ear):
        await session.baselines.pin(all_keys(session), AGENT)
        write_tools(tmp_path, with_description("find_order", "Bakes bread."))
        await ear.until(lambda: bool(ear.runs()))
        board = session.store.board(AGENT)
        regressed = {row.key.case for row in board.rows.values() if row.regressed}
        result = written_by(ear.runs()[0])
    assert regressed
    assert set(result["regressions"]) == regressed


async def test_a_pin_can_be_undone_and_redone(tmp_path: Path) -> None:
    async with watched(make_project(tmp_path)) as (session, _):
        board = session.store.board(AGENT)
        await session.baselines.pin(all_keys(session), AGENT)
        assert len(board.standards.baselines) == 2
        session.undo.undo()
        assert not board.standards.baselines
        session.undo.redo()
        assert len(board.standards.baselines) == 2


async def test_an_accepted_call_is_written_and_rerun(tmp_path: Path) -> None:
    make_project(tmp_path)
    wrong = ({**ORDERS[0], "expect": {"toolsCalled": ["play_music"]}}, ORDERS[1])
    path = write_suite(tmp_path, "find_order", wrong)
    async with watched(tmp_path) as (session, ear):
        key = CaseKey("evals/find_order.golden.json", "gs-find-order-001")
        row = session.store.board(AGENT).rows[key]
        assert row.result is not None
        assert row.result.status == "failed"
        session.edits.apply(session.edits.preview_accept(key, AGENT, "calls"))
        await ear.until(lambda: bool(ear.runs()))
        assert row.result.status == "passed"
        assert json.loads(path.read_text())["cases"][0]["expect"]["toolsCalled"] == ["find_order"]
        before = json.dumps({"metadata": {"toolName": "find_order"}, "cases": wrong}, indent=2)
        session.undo.undo()
        assert path.read_text() == before


async def test_a_cancelled_run_leaves_its_cases_stale(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, ear):
        keys = all_keys(session)
        session.requests.rerun(keys)
        await ear.until(lambda: bool(ear.started()))
        session.requests.cancel()
        await ear.until(lambda: bool(ear.runs()) and not session.store.board(AGENT).activity)
        finished = {event.result.key for event in ear.heard if isinstance(event, CaseFinished)}
        await ear.until(lambda: set(session.requests.due_keys(AGENT)) == set(keys) - finished)
    assert ear.runs()[0].end is RunEnd.CANCELLED


async def test_two_agents_are_kept_apart(tmp_path: Path) -> None:
    make_project(tmp_path)
    (tmp_path / "evaltui.toml").write_text(
        'agent = ["embedded", "strict"]\n[agents.strict]\ntype = "embedded"\ncall_at = 0.99\n'
    )
    async with opened(tmp_path) as (session, ear):
        await session.run(all_keys(session))
        names = session.agents
        boards = [session.store.board(name) for name in names]
    assert len(set(names)) == 2
    assert {event.agent for event in ear.runs()} == set(names)
    assert {row.result.status for row in boards[0].rows.values() if row.result} == {"passed"}
    assert {row.result.status for row in boards[1].rows.values() if row.result} == {"failed"}


async def test_earlier_results_come_back_with_their_calls(tmp_path: Path) -> None:
    async with watched(make_project(tmp_path)) as (session, ear):
        key = CaseKey("evals/find_order.golden.json", "gs-find-order-002")
        assert session.earlier(key, AGENT, DiffTarget.PREVIOUS) is None
        await session.baselines.pin((key,), AGENT)
        write_tools(tmp_path, with_description("find_order", "Bakes bread."))
        await ear.until(lambda: bool(ear.runs()))
        for target in (DiffTarget.BASELINE, DiffTarget.PREVIOUS):
            earlier = session.earlier(key, AGENT, target)
            assert earlier is not None
            assert earlier.response is not None
            assert [call.name for call in earlier.response.tool_calls] == ["find_order"]
        row = session.store.board(AGENT).rows[key]
        assert row.result is not None
        assert row.result.status == "failed"


async def test_an_agent_that_cannot_be_asked_is_a_problem_and_the_other_runs(
    tmp_path: Path,
) -> None:
    make_project(tmp_path)
    (tmp_path / "evaltui.toml").write_text(
        'agent = ["remote", "embedded"]\n'
        '[agents.remote]\ntype = "http"\nurl = "http://localhost:9/"\n'
        'headers = { Authorization = "Bearer ${EVALTUI_TEST_UNSET}" }\n'
    )
    async with opened(tmp_path) as (session, _):
        assert session.agents == ("remote", AGENT)
        assert "EVALTUI_TEST_UNSET" in session.why_not_ask("remote")
        (problem,) = session.store.problems.of_project
        assert "EVALTUI_TEST_UNSET" in problem.what
        (finished,) = await session.run(all_keys(session))
    assert finished.end is RunEnd.COMPLETED


async def test_what_interrupted_commands_spent_is_added_up_by_agent(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        spent = session.interrupted.take_over(
            {
                "first": {AGENT: Spent(0.25), "judge": Spent(0.125)},
                "second": {AGENT: Spent(0.5, lost=1)},
            }
        )
    assert spent == {AGENT: Spent(0.75, lost=1), "judge": Spent(0.125)}


async def test_what_they_spent_counts_within_the_limit_of_cost(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path), max_cost_usd=1.0) as (session, ear):
        session.interrupted.take_over({"first": {AGENT: Spent(0.25), "another": Spent(0.5)}})
        await session.run(all_keys(session))
    told = ear.all(SpendingChanged)
    assert told == [SpendingChanged(AGENT, 0.25, 0.25)]


async def test_what_was_told_is_in_the_journal_once_it_is_flushed(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        session.emit(RunStarted("run-1", AGENT, 1, (), "asked for"))
        session.emit(ProblemFound(Problem("", "the disk is slow")))
        session.flush()
        (journal,) = (tmp_path / ".evaltui" / "runs").glob("run-1.*")
        assert "the disk is slow" in journal.read_text()


async def test_all_that_is_run_and_waited_for_is_one_command(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, ear):
        for key in all_keys(session)[:2]:
            await session.run([key])
    commands = {run.command for run in ear.started()}
    assert len(commands) == 1 and "" not in commands


async def test_what_is_run_while_the_session_watches_is_no_command(tmp_path: Path) -> None:
    async with watched(make_project(tmp_path)) as (session, ear):
        await session.run(all_keys(session)[:1])
        assert {run.command for run in ear.started()} == {""}


async def test_whoever_was_asked_is_let_go_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed, close = list[AgentQueue](), AgentQueue.close

    async def noted(queue: AgentQueue) -> None:
        await close(queue)
        closed.append(queue)

    monkeypatch.setattr(AgentQueue, "close", noted)
    async with opened(make_project(tmp_path)) as (session, _):
        queues = [*session._queues.by_name.values()]
    assert closed == queues


async def test_who_watches_hears_of_others_and_of_what_is_wrong_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    async def follow() -> None:
        done.append("saves")

    async with opened(make_project(tmp_path)) as (session, _):
        monkeypatch.setattr(session._others, "begin", lambda: done.append("others"))
        monkeypatch.setattr(session._check, "follow", lambda: done.append("check"))
        monkeypatch.setattr(session.watch_loop, "follow", follow)
        await session.watch()
    assert done == ["others", "check", "saves"]
