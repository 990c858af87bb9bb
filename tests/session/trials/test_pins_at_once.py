"""Trials that several commands make and pin at the same time: each counts once."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.statistics.trials import Trials
from evaltui.disk.history.shared_inputs import SamePrints
from evaltui.session.agent_queues import AgentQueues
from evaltui.session.baselines import Baselines
from tests.session.test_session import all_keys, opened
from tests.simulated_agent import simulate, simulated_project


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    simulate(monkeypatch)
    return simulated_project(tmp_path, 2)


async def pin(root: Path, name: str = "") -> None:
    async with opened(root) as (session, _):
        await session.fresh_pins.pin(all_keys(session), "mine", 5, name)


async def counted(root: Path, name: str) -> set[Trials]:
    """What counts for the baseline of that name, of all cases."""
    async with opened(root) as (session, _):
        await session.baselines.use(name, "mine")
        await session.evidence("mine").load()
        rows = session.store.board("mine").rows.values()
        return {row.proof.sides.baseline for row in rows if row.proof is not None}


def together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two make their trials at the same time: neither begins before both know what was made
    before, and neither pins before both have made all."""
    for owner, name in ((AgentQueues, "execute"), (Baselines, "pin")):
        met, original = asyncio.Barrier(2), getattr(owner, name)

        async def meeting(
            *given: Any, met: asyncio.Barrier = met, original: Any = original, **more: Any
        ) -> Any:
            await met.wait()
            return await original(*given, **more)

        monkeypatch.setattr(owner, name, meeting)


@pytest.mark.parametrize("is_pinned", [True, False])
async def test_under_one_name(
    root: Path, monkeypatch: pytest.MonkeyPatch, *, is_pinned: bool
) -> None:
    if is_pinned:
        await pin(root)
    together(monkeypatch)
    async with opened(root) as (one, _), opened(root) as (other, _):
        await asyncio.gather(
            *(each.fresh_pins.pin(all_keys(each), "mine", 5) for each in (one, other))
        )
        pins = other.baselines.inputs("mine", SamePrints())
        all_ = Trials(15 if is_pinned else 10, 0)
    assert await counted(root, "default") == {all_}
    assert {one.fresh for one in pins.values()} == {all_}


@pytest.mark.parametrize("is_pinned", [True, False])
async def test_under_two_names(
    root: Path, monkeypatch: pytest.MonkeyPatch, *, is_pinned: bool
) -> None:
    if is_pinned:
        await pin(root)
    together(monkeypatch)
    async with opened(root) as (one, _), opened(root) as (other, _):
        await asyncio.gather(
            one.fresh_pins.pin(all_keys(one), "mine", 5),
            other.fresh_pins.pin(all_keys(other), "mine", 5, "beside"),
        )
    assert await counted(root, "beside") == {Trials(10, 0)}
    assert await counted(root, "default") == {Trials(15 if is_pinned else 10, 0)}
