"""Whoever breaks off a run does not choose what counts: the trials that it made are evidence."""

import asyncio
from pathlib import Path

import pytest

from evaltui.core.agent import AgentRequest
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
    (row,) = session.store.board("mine").rows.values()
    return Trials() if row.proof is None else row.proof.sides.now


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
