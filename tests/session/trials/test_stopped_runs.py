"""Whoever breaks off a run does not choose what counts: the trials that it made are evidence."""

import asyncio
from pathlib import Path

import pytest

from evaltui.core.agent import AgentRequest
from evaltui.core.proof import Proof, evidence_in_words
from evaltui.core.response import AgentResponse
from evaltui.core.statistics.trials import Trials
from evaltui.session import Session
from tests.session.test_session import all_keys, opened
from tests.session.trials.test_further_trials import edit, pinned
from tests.simulated_agent import Simulated, World, simulate, simulated_project

MADE = 4


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return simulate(monkeypatch)


def now(session: Session) -> Trials:
    return proof(session).sides.now


def proof(session: Session) -> Proof:
    (row,) = session.store.board("mine").rows.values()
    return row.proof or Proof(row.key)


async def test_they_count_here_and_for_whoever_comes_next(
    tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = simulated_project(tmp_path, 1, "concurrency = 1")
    await pinned(root, world)
    edit(root)
    async with opened(root) as (session, _):
        keys = all_keys(session)
        world.rate = lambda *_: 0.0
        await session.run(keys)

        respond = Simulated.respond

        async def stop(agent: Simulated, request: AgentRequest) -> AgentResponse:
            if request.trial == MADE:
                session.requests.cancel()
                await asyncio.Event().wait()
            return await respond(agent, request)

        monkeypatch.setattr(Simulated, "respond", stop)
        await session.run(keys, trials=2 * MADE)
        await session.evidence("mine").load()
        assert now(session) == Trials(0, 1 + MADE)
    for _ in range(2):
        async with opened(root) as (session, _):
            await session.evidence("mine").load()
            assert now(session) == Trials(0, 1 + MADE)


async def test_a_proof_stays_where_a_run_with_more_trials_is_broken_off(
    tmp_path: Path, world: World
) -> None:
    root = simulated_project(tmp_path, 1, "concurrency = 1")
    await pinned(root, world)
    edit(root)
    world.rate = lambda *_: 0.0
    async with opened(root, trials=MADE) as (session, _):
        await session.run(all_keys(session), trials=MADE)
    async with opened(root, trials=2 * MADE) as (session, _):
        await session.evidence("mine").load()
        (row,) = session.store.board("mine").rows.values()
        assert row.is_due, "it is to be tried more often"
        assert row.regressed
        assert session.store.board("mine").affected == 1
        assert evidence_in_words(proof(session)) == "20/20 → 0/4, e = 1703: regressed"


async def test_more_trials_that_are_asked_for_are_no_edit(tmp_path: Path, world: World) -> None:
    root = simulated_project(tmp_path, 2)
    await pinned(root, world)
    async with opened(root, trials=MADE) as (session, _):
        await session.evidence("mine").load()
        rows = session.store.board("mine").rows.values()
        assert all(row.is_due for row in rows)
        assert session.store.board("mine").affected == 0, "no edit can have affected them"
