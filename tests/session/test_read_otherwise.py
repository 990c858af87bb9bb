"""What another process ran by other files than are read here."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.comparison import Effect
from evaltui.core.events import CaseFinished, RunEnd, RunFinished, RunStarted
from evaltui.core.result import CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.session import Session
from evaltui.session.running.run_request import RunRequest
from tests.projects import make_project
from tests.session.test_session import AGENT, Ear, all_keys
from tests.session.test_two_dashboards import PAID, asked, project, until, watching

if TYPE_CHECKING:
    from evaltui.session.running.run import Run


def beside(session: Session, agent: str) -> int:
    """A run of all cases as another process has them that read otherwise. Returns how many."""
    relay, rows = session._others._relay, session.store.board(agent).rows
    results = [row.result for row in rows.values() if row.result is not None]
    relay(RunStarted("run-x", agent, 7, tuple(rows), "evaltui run", reading=1, command="x"))
    for result in results:
        inputs = replace(result.inputs, case="0" * 12, answer="0" * 12)
        relay(CaseFinished("run-x", replace(result, run_id="run-x", inputs=inputs)))
    relay(RunFinished("run-x", agent, RunEnd.COMPLETED, 1.0))
    return len(results)


async def quiet(session: Session) -> None:
    """What was heard of was looked into, and nothing waits to be run."""
    loop = session.watch_loop
    await until(lambda: loop._timer is None and not loop._reading.locked())
    await until(lambda: not any(one.is_busy for one in session._queues.by_name.values()))


async def ran_all(session: Session, ear: Ear) -> None:
    session.requests.rerun(all_keys(session))
    await ear.until(lambda: bool(ear.runs()))
    await quiet(session)
    ear.heard.clear()


async def test_it_is_run_again_by_what_is_read_here(tmp_path: Path) -> None:
    async with watching(make_project(tmp_path)) as (session, ear):
        await ran_all(session, ear)
        count = beside(session, AGENT)
        await ear.until(lambda: len(ear.runs()) == 2)
        assert len(ear.started()[1].cases) == count > 0
        await quiet(session)
        assert session.requests.due_keys(AGENT) == ()
        assert len(ear.runs()) == 2
        assert ear.started()[1].is_correction
        assert ear.runs()[1].changes.as_before == count


async def test_what_costs_money_is_left_due(tmp_path: Path) -> None:
    async with watching(project(tmp_path)) as (session, ear):
        await ran_all(session, ear)
        before = asked(tmp_path)
        count = beside(session, PAID)
        await quiet(session)
        assert len(session.requests.due_keys(PAID)) == count
        assert asked(tmp_path) == before


async def test_what_comes_while_paused_is_run_when_watching_goes_on(tmp_path: Path) -> None:
    async with watching(make_project(tmp_path)) as (session, ear):
        await ran_all(session, ear)
        session.watch_loop.pause()
        count = beside(session, AGENT)
        await quiet(session)
        assert len(session.requests.due_keys(AGENT)) == count
        assert len(ear.runs()) == 1
        session.watch_loop.resume()
        await ear.until(lambda: len(ear.runs()) == 2)
        assert len(ear.started()[1].cases) == count


async def test_what_was_cancelled_here_is_none_of_it(tmp_path: Path) -> None:
    async with watching(make_project(tmp_path)) as (session, ear):
        await ran_all(session, ear)
        first, *others = all_keys(session)
        stale = session._queues.by_name[AGENT].due
        stale.release([first], by_save=False)
        relay = session._others._relay
        result = session.store.board(AGENT).rows[others[0]].result
        assert result is not None
        relay(RunStarted("run-x", AGENT, 7, (others[0],), "evaltui run", reading=1))
        relay(CaseFinished("run-x", replace(result, run_id="run-x")))
        relay(RunFinished("run-x", AGENT, RunEnd.COMPLETED, 1.0))
        await asyncio.sleep(0)
        await quiet(session)
        assert session.requests.due_keys(AGENT) == (first,)
        assert len(ear.started()) == 1


def judged_without_answer(session: Session, agent: str) -> CaseKey:
    """One case was to be judged again, and no answer of it was found."""
    key, queue = all_keys(session)[0], session._queues.by_name[agent]
    queue.due._mark(key, DueCase(key, Degree.TO_JUDGE, ("an evaluator changed",)))
    run = SimpleNamespace(lost={key}, request=RunRequest({key: None}, ""), end=RunEnd.COMPLETED)
    queue._follow_rejudged(cast("Run", run))
    return key


async def test_what_has_no_answer_to_judge_again_is_asked_if_that_is_free(tmp_path: Path) -> None:
    async with watching(make_project(tmp_path)) as (session, ear):
        await ran_all(session, ear)
        key = judged_without_answer(session, AGENT)
        await ear.until(lambda: len(ear.runs()) == 1)
        assert ear.started()[0].cases == (key,)
        await quiet(session)
        assert session.requests.due_keys(AGENT) == ()


async def test_what_has_no_answer_to_judge_again_and_costs_money_is_left_due(
    tmp_path: Path,
) -> None:
    async with watching(project(tmp_path)) as (session, ear):
        await ran_all(session, ear)
        before = asked(tmp_path)
        key = judged_without_answer(session, PAID)
        await quiet(session)
        assert session.requests.due_keys(PAID, to_judge=False) == (key,)
        assert asked(tmp_path) == before


async def test_what_a_key_did_stays_in_the_header_as_its_line_of_the_timeline_has_it(
    tmp_path: Path,
) -> None:
    async with watching(make_project(tmp_path)) as (session, ear):
        await ran_all(session, ear)
        board, relay = session.store.board(AGENT), session._others._relay
        session.requests.rerun(all_keys(session))
        await ear.until(lambda: bool(ear.runs()))
        (own,) = ear.runs()
        results = [row.result for row in board.rows.values() if row.result is not None]
        relay(RunStarted("run-x", AGENT, 7, tuple(board.rows), "evaltui run", command="x"))
        for result in results:
            failed = replace(result, run_id="run-x", status=CaseStatus.FAILED, passes=0)
            relay(CaseFinished("run-x", failed))
        relay(RunFinished("run-x", AGENT, RunEnd.COMPLETED, 1.0))
        await quiet(session)
        (line, *_) = session.history.timeline(AGENT)
        assert line.run_id == own.run_id
        assert board.counts.all.by_effect == line.effects == own.changes.counts
        assert line.effects[Effect.AS_BEFORE] == len(results) > 0
        assert all(row.is_failing and row.ran_besides for row in board.rows.values())
