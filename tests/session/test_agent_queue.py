"""A change during a run of a slow agent, and what limits of money leave behind."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from evaltui.core.case import CaseKey
from evaltui.core.events import CaseFinished, RunEnd
from evaltui.session import Session
from tests.projects import case, make_project, with_description, write_suite, write_tools
from tests.session.test_session import Ear, all_keys, opened, written_by
from tests.test_robustness.agent_server import agent_server

COUNT = 8


def write_cases(root: Path, **messages: str) -> None:
    """Cases `c0` … `c7`; `messages` replaces some of theirs."""
    cases = [
        case(f"c{n}", messages.get(f"c{n}", f"Look up order SO-{n}"), "find_order")
        for n in range(COUNT)
    ]
    for one in cases:
        del one["stubs"]
    write_suite(root, "find_order", cases)


@asynccontextmanager
async def running(root: Path) -> AsyncIterator[tuple[Session, Ear]]:
    """Watching, in the middle of a run of all cases by an agent that takes 60 ms each."""
    make_project(root)
    (root / "evals" / "play_music.golden.json").unlink()
    write_cases(root)
    with agent_server(0.06) as url:
        async with opened(root, agent=[url]) as (session, ear):
            watching = asyncio.create_task(session.watch())
            session.rerun(all_keys(session))
            await ear.until(lambda: len(ear.all(CaseFinished)) >= 2)
            yield session, ear
            await session.close()
            await watching


def finished_in(ear: Ear, run_id: str) -> set[str]:
    return {
        event.result.key.case
        for event in ear.heard
        if isinstance(event, CaseFinished) and event.run_id == run_id
    }


async def test_a_change_to_a_waiting_case_supersedes_the_run_and_the_rest_follows(
    tmp_path: Path,
) -> None:
    async with running(tmp_path) as (session, ear):
        write_cases(tmp_path, c7="Look up order SO-77")
        await ear.until(lambda: len(ear.runs()) == 2)
        first, second = ear.runs()
        assert (first.end, second.end) == (RunEnd.SUPERSEDED, RunEnd.COMPLETED)
        kept, rest = finished_in(ear, first.run_id), finished_in(ear, second.run_id)
        assert len(kept) >= 2
        assert kept | rest == {f"c{n}" for n in range(COUNT)}
        assert not kept & rest, "what had finished and did not change is not asked again"
        await ear.until(lambda: session.stale_keys(session.agents[0]) == ())
        carried = {one["id"] for one in written_by(second)["cases"] if one.get("carriedFrom")}
        assert carried == kept


async def test_a_change_to_a_finished_case_runs_it_again(tmp_path: Path) -> None:
    async with running(tmp_path) as (_, ear):
        write_cases(tmp_path, c0="Look up order SO-100")
        await ear.until(lambda: len(ear.runs()) == 2)
        first, second = ear.runs()
        assert first.end is RunEnd.SUPERSEDED
        assert "c0" in finished_in(ear, first.run_id) & finished_in(ear, second.run_id)


async def test_a_change_that_touches_no_case_leaves_the_run_alone(tmp_path: Path) -> None:
    async with running(tmp_path) as (_, ear):
        write_tools(tmp_path, with_description("play_music", "Plays another song."))
        await ear.until(lambda: bool(ear.runs()))
        (only,) = ear.runs()
        assert only.end is RunEnd.COMPLETED
        assert len(finished_in(ear, only.run_id)) == COUNT


async def test_cancelling_forgets_the_queue_and_leaves_the_rest_stale(tmp_path: Path) -> None:
    async with running(tmp_path) as (session, ear):
        session.rerun(all_keys(session))
        session.cancel()
        (agent,) = session.agents
        await ear.until(lambda: bool(ear.runs()))
        await ear.until(lambda: len(session.stale_keys(agent)) < COUNT)
        (only,) = ear.runs()
        assert only.end is RunEnd.CANCELLED
        done = {
            CaseKey("evals/find_order.golden.json", id_) for id_ in finished_in(ear, only.run_id)
        }
        assert set(session.stale_keys(agent)) == set(all_keys(session)) - done
        assert len(ear.started()) == 1
