"""Two dashboards on one folder: one runs what is saved, the other shows it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.comparison import Effect
from evaltui.core.errors import UserError
from evaltui.core.events import (
    BaselinePinned,
    CaseFinished,
    CaseMuted,
    RunEnd,
    RunFinished,
    RunnerChanged,
    RunStarted,
)
from evaltui.core.result import CaseResult
from evaltui.core.watch_state import WatchState
from evaltui.disk.baselines.pins import PINS
from evaltui.disk.journal.journal import Journal
from evaltui.disk.runner_lock import RunnerLock
from evaltui.session import Session
from evaltui.store.row_status import RowStatus
from tests.projects import ORDERS, make_project, write_suite
from tests.sample_project import copy_samples
from tests.session.test_session import LIMIT_S, Ear, all_keys, asking, opened

PAID = "paid"
FUNCTION = """
from pathlib import Path

def answer(message, tools=()):
    with Path("asked.txt").open("a") as file:
        file.write(message + "\\n")
    return {"response": "done", "toolCalls": [], "usage": {"cost_usd": 0.01}}
"""


def project(root: Path) -> Path:
    """Three cases and an agent that costs money and writes down what it is asked."""
    make_project(root)
    (root / "mine.py").write_text(FUNCTION.replace("asked.txt", str(root / "asked.txt")))
    (root / "evaltui.toml").write_text(
        f'agent = "{PAID}"\n[agents.{PAID}]\ntype = "python"\nfunction = "mine.py:answer"\n'
    )
    return root


def slow(root: Path) -> Path:
    """Of that project, an agent that takes its time for all but one of the cases."""
    wait = '    __import__("time").sleep(0.0 if "SO-1" in message else 0.3)\n    return'
    path = root / "mine.py"
    path.write_text(path.read_text().replace("    return", wait))
    return root


def asked(root: Path) -> list[str]:
    path = root / "asked.txt"
    return path.read_text().splitlines() if path.exists() else []


async def until(condition: Callable[[], bool]) -> None:
    """For what is the doing of two sessions, and no event of one."""
    async with asyncio.timeout(LIMIT_S):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


@asynccontextmanager
async def watching(root: Path) -> AsyncIterator[tuple[Session, Ear]]:
    async with opened(root) as (session, ear):
        watch = asyncio.create_task(session.watch())
        await until(lambda: session.state in (WatchState.WATCHING, WatchState.FOLLOWING))
        yield session, ear
        await session.close()
        await watch


@asynccontextmanager
async def both(root: Path) -> AsyncIterator[tuple[Session, Ear, Session, Ear]]:
    """Two that watch; every case has run once."""
    async with AsyncExitStack() as stack:
        runner, ear = await stack.enter_async_context(watching(root))
        runner.requests.rerun(all_keys(runner))
        await ear.until(lambda: bool(ear.runs()))
        follower, other_ear = await stack.enter_async_context(watching(root))
        yield runner, ear, follower, other_ear


def texts(session: Session) -> dict[CaseKey, tuple[str, bool]]:
    """The run of each case's result, and whether it is stale."""
    rows = session.store.board(PAID).rows.values()
    return {row.key: (row.result.run_id if row.result else "", bool(row.due)) for row in rows}


async def test_a_save_makes_one_run_and_both_show_it(tmp_path: Path) -> None:
    async with both(project(tmp_path)) as (runner, ear, follower, other_ear):
        assert (runner.state, follower.state) == (WatchState.WATCHING, WatchState.FOLLOWING)
        ear.heard.clear()
        write_suite(tmp_path, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        await ear.until(lambda: bool(ear.runs()))
        await other_ear.until(lambda: bool(other_ear.runs()))
        await until(lambda: texts(runner) == texts(follower))
        assert not any(is_due for _, is_due in texts(follower).values())
        (run,) = other_ear.started()
        assert run.run_id == ear.started()[0].run_id
        assert run.trigger == ("evals/find_order.golden.json",)
        row = next(iter(follower.store.board(PAID).rows.values()))
        assert row.result is not None and row.result.response is not None, "with its answer"
    assert asked(tmp_path)[3:] == ["Show order SO-9"]
    assert len(list((tmp_path / ".evaltui" / "runs").iterdir())) == 2


async def test_a_follower_tells_a_result_from_one_before_that_it_knew_without_its_calls(
    tmp_path: Path,
) -> None:
    root = copy_samples(tmp_path / "samples")
    tool = root / "tools/calendar/move-event.tool.ts"
    words = tool.read_text()
    tool.write_text(words.replace("reschedule, postpone or", "reschedule or"))
    async with AsyncExitStack() as stack:
        _, ear = await stack.enter_async_context(watching(root))
        await ear.until(lambda: bool(ear.runs()))
        follower, _ = await stack.enter_async_context(watching(root))
        tool.write_text(words)
        case = CaseKey("evals/calendar.labeled.json", "ls-move-event-001")

        def before() -> CaseResult | None:
            row = follower.store.board(follower.agents[0]).rows[case]
            return row.before if row.effect is Effect.BETTER else None

        await until(lambda: before() is not None)
        await until(lambda: (one := before()) is not None and one.response is not None)


async def test_a_run_that_is_on_is_shown_from_its_beginning(tmp_path: Path) -> None:
    root = slow(project(tmp_path))
    async with watching(root) as (runner, ear):
        runner.requests.rerun(all_keys(runner))
        await ear.until(lambda: bool(ear.started()))
        async with watching(root) as (follower, other_ear):
            await other_ear.until(lambda: bool(other_ear.runs()))
            assert follower.store.board(PAID).runs.last is not None
            assert {run for run, _ in texts(follower).values()} == {ear.started()[0].run_id}
    assert len(asked(tmp_path)) == 3


async def test_a_follower_runs_nothing_and_says_who_does(tmp_path: Path) -> None:
    async with both(project(tmp_path)) as (runner, _, follower, other_ear):
        holder = RunnerLock(tmp_path / ".evaltui")
        assert not holder.take()
        who = holder.holder()
        holder.release()
        assert who is not None
        assert runner.why_not_run == ""
        assert follower.other_runner == f"pid {who.pid}"
        assert f"the dashboard with pid {who.pid} runs here" in follower.why_not_run
        with pytest.raises(UserError, match=r"runs here: what you save reruns there"):
            follower.requests.rerun(all_keys(follower))
        with pytest.raises(UserError, match="runs here"):
            follower.requests.rejudge(all_keys(follower))
        assert other_ear.all(RunnerChanged) == [RunnerChanged(f"pid {who.pid}")]
        assert not other_ear.started()
    assert len(asked(tmp_path)) == 3


async def test_the_follower_runs_once_the_runner_has_left(tmp_path: Path) -> None:
    async with both(project(tmp_path)) as (runner, _, follower, other_ear):
        await runner.close()
        await until(lambda: follower.state is WatchState.WATCHING)
        assert (follower.other_runner, follower.why_not_run) == ("", "")
        assert other_ear.all(RunnerChanged)[-1] == RunnerChanged("")
        assert len(asked(tmp_path)) == 3, "nothing is asked because of it"
        write_suite(tmp_path, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        await other_ear.until(lambda: bool(other_ear.runs()))
    assert asked(tmp_path)[3:] == ["Show order SO-9"]


async def test_what_is_due_and_free_runs_in_whoever_takes_over(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    async with watching(root) as (runner, ear):
        await ear.until(lambda: bool(ear.runs()))
        runner.watch_loop.pause()
        async with watching(root) as (follower, other_ear):
            write_suite(tmp_path, "find_order", (asking("Show order SO-9"), ORDERS[1]))
            agent = follower.agents[0]
            await until(
                lambda: (
                    bool(follower.requests.due_keys(agent))
                    and runner.watch_loop.pending(runner.agents[0]) > 0
                )
            )
            assert not other_ear.started()
            await runner.close()
            await other_ear.until(lambda: bool(other_ear.runs()))
            assert follower.requests.due_keys(agent) == ()
            assert other_ear.started()[0].trigger == ("evals/find_order.golden.json",)


async def test_a_follower_runs_nothing_when_it_is_opened(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    async with watching(root) as (runner, ear):
        await ear.until(lambda: bool(ear.runs()))
        runner.watch_loop.pause()
        write_suite(tmp_path, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        await until(lambda: runner.watch_loop.pending(runner.agents[0]) > 0)
        async with watching(root) as (follower, other_ear):
            assert follower.requests.due_keys(follower.agents[0])
            runner.watch_loop.resume()
            await ear.until(lambda: len(ear.runs()) == 2)
            await other_ear.until(lambda: bool(other_ear.runs()))
            assert [run.run_id for run in other_ear.started()] == [ear.started()[1].run_id]


async def test_what_was_cancelled_is_not_asked_by_whoever_takes_over(tmp_path: Path) -> None:
    async with both(slow(project(tmp_path))) as (runner, ear, follower, other_ear):
        write_suite(tmp_path, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        await ear.until(lambda: len(ear.started()) == 2)
        await until(lambda: len(asked(tmp_path)) == 4)
        await other_ear.until(lambda: bool(other_ear.started()))
        runner.requests.cancel()
        await other_ear.until(lambda: bool(other_ear.runs()))
        assert other_ear.runs()[0].end is RunEnd.CANCELLED
        await runner.close()
        await until(lambda: follower.state is WatchState.WATCHING)
        assert [key.case for key in follower.requests.due_keys(PAID)] == [ORDERS[0]["id"]]
        follower.requests.rerun(all_keys(follower)[2:], reason="the last")
        await other_ear.until(lambda: len(other_ear.started()) == 2)
        assert other_ear.started()[1].reason == "the last"


async def test_a_run_beside_that_is_killed_ends_and_keeps_what_it_had(tmp_path: Path) -> None:
    async with watching(project(tmp_path)) as (session, ear):
        session.requests.rerun(all_keys(session))
        await ear.until(lambda: bool(ear.runs()))
        key = all_keys(session)[0]
        known = session.store.board(PAID).rows[key].result
        assert known is not None
        result = replace(known, run_id="killed", finished_at=known.finished_at + 1)
        journal = Journal(tmp_path / ".evaltui" / "runs")
        journal.handle(RunStarted("killed", PAID, 7, all_keys(session)[:2], "asked for"))
        journal.handle(CaseFinished("killed", result))
        journal.flush()
        await ear.until(lambda: len(ear.started()) == 2)
        assert session.store.board(PAID).runs.is_on
        journal.close()
        await ear.until(lambda: len(ear.runs()) == 2)
        assert ear.runs()[1].end is RunEnd.LOST
        assert not session.store.board(PAID).runs.is_on
        await until((tmp_path / ".evaltui" / "runs" / "killed.jsonl").exists)
        assert next(entry.run_id for entry in session.past(key, PAID)) == "killed"
    assert len(asked(tmp_path)) == 3


async def test_a_run_beside_appears_in_the_dashboard(tmp_path: Path) -> None:
    """As `evaltui run` does: it asks nobody who runs here."""
    async with watching(project(tmp_path)) as (session, ear):
        async with opened(tmp_path) as (beside, _):
            await beside.run(all_keys(beside))
        await ear.until(lambda: bool(ear.runs()))
        assert session.state is WatchState.WATCHING
        board = session.store.board(PAID)
        assert all(row.result and not row.due for row in board.rows.values())
        last = board.runs.last
        assert last is not None and (last.end, last.done) == (RunEnd.COMPLETED, 3)
        assert not session.requests.due_keys(PAID)
    assert len(asked(tmp_path)) == 3


async def test_a_run_beside_leaves_the_dashboards_the_run_that_is_on(tmp_path: Path) -> None:
    async with both(slow(project(tmp_path))) as (runner, ear, follower, other_ear):
        boards = [one.store.board(PAID) for one in (runner, follower)]
        ear.heard.clear()
        runner.requests.rerun(all_keys(runner), trials=50)
        await until(lambda: all(board.runs.is_on for board in boards))
        (own,) = ear.started()
        async with opened(tmp_path) as (beside, _):
            (other,) = await beside.run(all_keys(beside)[:1])
        await ear.until(lambda: other.run_id in {run.run_id for run in ear.runs()})
        await other_ear.until(lambda: other.run_id in {run.run_id for run in other_ear.runs()})
        assert [board.runs.last and board.runs.last.run_id for board in boards] == [own.run_id] * 2
        assert [board.runs.last and board.runs.last.end for board in boards] == [None] * 2
        assert (runner.is_running, follower.is_running) == (True, False)
        runner.requests.cancel()
        await other_ear.until(lambda: own.run_id in {run.run_id for run in other_ear.runs()})
        ends = [board.runs.last and board.runs.last.end for board in boards]
        assert ends == [RunEnd.CANCELLED] * 2
        await until(lambda: texts(runner) == texts(follower))
        await until(lambda: not runner.is_running)  # the others hear of its end a little sooner


async def test_results_of_a_run_that_was_begun_before_a_save_are_stale(tmp_path: Path) -> None:
    async with opened(project(tmp_path)) as (beside, _):
        before = beside.project
        write_suite(tmp_path, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        async with watching(tmp_path) as (session, ear):
            assert before is beside.project
            await beside.run(all_keys(beside))
            await ear.until(lambda: bool(ear.runs()))
            assert [key.case for key in session.requests.due_keys(PAID)] == [ORDERS[0]["id"]]
            rows = session.store.board(PAID).rows.values()
            assert [bool(row.due) for row in rows] == [True, False, False]


async def test_events_of_others_are_not_written_down_again(tmp_path: Path) -> None:
    async with both(project(tmp_path)) as (_, _, follower, other_ear):
        write_suite(tmp_path, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        await other_ear.until(lambda: bool(other_ear.runs()))
        (run,) = [event for event in other_ear.heard if isinstance(event, RunStarted)]
        lines = (tmp_path / ".evaltui" / "runs" / f"{run.run_id}.jsonl").read_bytes().splitlines()
        assert sum(b'"event":"RunStarted"' in line for line in lines) == 1
        assert sum(b'"event":"CaseFinished"' in line for line in lines) == 1
        assert isinstance(other_ear.runs()[0], RunFinished)
        key = run.cases[0]
        assert len(follower.past(key, PAID)) == 2


async def test_a_pin_in_the_follower_is_seen_by_the_runner(tmp_path: Path) -> None:
    async with both(project(tmp_path)) as (runner, _, follower, _):
        key, *_ = all_keys(follower)
        await follower.baselines.pin((key,), PAID)
        await until(lambda: bool(pinned(runner)))
        assert pinned(runner) == pinned(follower) == [key]
        await runner.baselines.pin(all_keys(runner)[1:], PAID)
        await until(lambda: len(pinned(follower)) == 3)
        follower.undo.undo()
        await until(lambda: pinned(runner) == [*all_keys(runner)[1:]])
        runner.undo.undo()
        await until(lambda: not pinned(follower))
    async with opened(tmp_path) as (session, _):
        assert pinned(session) == []


async def test_baselines_that_version_control_brings_are_followed(tmp_path: Path) -> None:
    """List first, copies later, and a conflict that somebody still has to settle."""
    folder = project(tmp_path) / "evals" / "baselines"
    async with watching(tmp_path) as (session, ear):
        session.requests.rerun(all_keys(session))
        await ear.until(lambda: bool(ear.runs()))
        await session.baselines.pin(all_keys(session), PAID)
        written = {path: path.read_bytes() for path in folder.rglob("*.json")}
        session.undo.undo()
        await until(lambda: not pinned(session))
        assert len(written) == 3
        for path, content in sorted(written.items(), key=lambda item: item[0].name != PINS):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        await until(lambda: len(pinned(session)) == 3)
        (folder / PINS).write_text("<<<<<<< HEAD\n" + (folder / PINS).read_text())
        await until(lambda: bool(session.store.problems.mistakes))
        (problem,) = session.store.problems.mistakes
        assert problem.file.endswith(PINS) and "cannot be read now" in problem.what
        assert (folder / PINS).read_text().startswith("<<<<"), "it is left to whoever merges"
        assert len(pinned(session)) == 3
        (folder / PINS).write_text('{"format": "evaltui-pins/1", "pins": []}')
        await until(lambda: not pinned(session) and not session.store.problems.mistakes)


async def test_a_run_that_the_settings_compare_with_stays(tmp_path: Path) -> None:
    async with opened(project(tmp_path)) as (session, _):
        (run,) = await session.run(all_keys(session))
    async with opened(tmp_path, baseline_run_id=run.run_id) as (session, ear):
        watch = asyncio.create_task(session.watch())
        await until(lambda: session.state is WatchState.WATCHING)
        async with watching(tmp_path) as (other, _):
            await other.baselines.pin(all_keys(other)[:1], PAID)
            await until(lambda: len(pinned(other)) == 1)
            await until(lambda: session.baselines.names(PAID) == ("default",))
        assert len(pinned(session)) == 3
        assert len(ear.all(BaselinePinned)) == 1
        await session.close()
        await watch


async def test_a_mute_in_the_follower_is_seen_by_the_runner(tmp_path: Path) -> None:
    async with both(project(tmp_path)) as (runner, ear, follower, other_ear):
        first, second, third = all_keys(follower)
        follower.edits.mute("flaky", first)
        await until(lambda: muted(runner) == {first: "flaky"})
        runner.edits.mute("known", second)
        assert muted(runner) == {first: "flaky", second: "known"}
        await until(lambda: muted(follower) == muted(runner))
        runner.undo.undo()
        await until(lambda: muted(follower) == {first: "flaky"})
        assert ear.all(CaseMuted) == other_ear.all(CaseMuted), "each once"
        path = tmp_path / ".evaltui" / "mutes.json"
        path.write_text("{")
        await until(lambda: bool(runner.store.problems.mistakes))
        assert "cannot be read now" in runner.store.problems.mistakes[-1].what
        assert path.read_text() == "{", "it is left to whoever edits it"
        path.write_text(f'{{"{third}": "by hand", "no case": "x"}}')
        await until(lambda: muted(runner) == muted(follower) == {third: "by hand"})
        # One of these mutes nothing, which a closer look says sooner or later.
        told = {one.code for one in runner.store.problems.mistakes}
        assert told <= {"unknown-mute"}, "it can be read again"
        path.unlink()
        await until(lambda: muted(runner) == muted(follower) == {})


async def test_a_follower_accepts_and_captures(tmp_path: Path) -> None:
    async with both(project(tmp_path)) as (runner, _, follower, _):
        assert follower.state is WatchState.FOLLOWING
        rows = follower.store.board(PAID).rows.values()
        row = next(row for row in rows if row.status is RowStatus.FAILED)
        follower.load_detail(row.key, PAID)  # as the dashboard does for the case under its cursor
        await until(lambda: row.result is not None and row.result.response is not None)
        suite = tmp_path / row.key.suite
        before = suite.read_bytes()
        follower.edits.apply(follower.edits.preview_accept(row.key, PAID, "calls"))
        assert suite.read_bytes() != before
        follower.undo.undo()
        assert suite.read_bytes() == before
        edit = follower.edits.preview_capture(row.key, PAID, bug_ref="#12", case_id="rg-mine")
        follower.edits.apply(edit)
        captured = CaseKey(edit.file.relative_to(tmp_path).as_posix(), "rg-mine")
        await until(lambda: captured in runner.store.board(PAID).rows)
        await until(lambda: captured in follower.store.board(PAID).rows)


def muted(session: Session) -> dict[CaseKey, str]:
    rows = session.store.board(PAID).rows.values()
    return {row.key: row.muted for row in rows if row.muted}


def pinned(session: Session) -> list[CaseKey]:
    rows = session.store.board(PAID).rows.values()
    return [row.key for row in rows if row.baseline is not None]
