"""What another process ran by other files than are read here."""

import asyncio
from pathlib import Path

from msgspec.structs import replace

from evaltui.core.events import CaseFinished, RunEnd, RunFinished, RunStarted
from evaltui.session import Session
from tests.projects import make_project
from tests.session.test_session import AGENT, Ear, all_keys
from tests.session.test_two_dashboards import PAID, asked, project, until, watching


def beside(session: Session, agent: str) -> int:
    """A run of all cases as another process has them that read otherwise. Returns how many."""
    relay, rows = session._others._relay, session.store.board(agent).rows
    results = [row.result for row in rows.values() if row.result is not None]
    relay(RunStarted("run-x", agent, 7, tuple(rows), "evaltui run", reading=1))
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
