"""What took too long tells of the time limit that it had, and of no other."""

import asyncio
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.core.agent import AgentRequest
from evaltui.core.response import AgentResponse
from evaltui.core.statistics.trials import Trials
from evaltui.session import Session
from tests.session.test_session import all_keys, opened
from tests.session.trials.test_further_trials import edit, failing
from tests.simulated_agent import Simulated, World, simulate, simulated_project

CASE = "gs-000"
SHORT, LONG = 20, 60_000


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return simulate(monkeypatch)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return simulated_project(tmp_path, 1)


async def hang(_: Simulated, request: AgentRequest) -> AgentResponse:  # noqa: ARG001
    await asyncio.Event().wait()
    raise AssertionError


def sides(session: Session) -> str:
    (row,) = session.store.board("mine").rows.values()
    assert row.proof is not None
    return str(row.proof.sides)


async def ran(root: Path, limit_ms: int, trials: int = 1) -> str:
    async with opened(root, timeout_ms=limit_ms, trials=trials) as (session, _):
        await session.run(all_keys(session))
        found = sides(session)
    async with opened(root, timeout_ms=limit_ms, trials=trials) as (session, _):
        await session.evidence("mine").load()
        assert sides(session) == found, "the next process counts alike"
    return found


async def pinned(root: Path, limit_ms: int) -> None:
    async with opened(root, timeout_ms=limit_ms) as (session, _):
        keys = all_keys(session)
        await session.run(keys)
        await session.baselines.pin(keys, "mine", fresh=dict.fromkeys(keys, Trials(20, 0)))


@pytest.mark.parametrize("trials", [1, 2])
async def test_of_a_shorter_limit_it_is_no_trial_of_what_was_pinned(
    root: Path, world: World, monkeypatch: pytest.MonkeyPatch, trials: int
) -> None:
    await pinned(root, LONG)
    with monkeypatch.context() as patch:
        patch.setattr(Simulated, "respond", hang)
        assert await ran(root, SHORT, trials) == "20/20 → 0/0"
    assert await ran(root, LONG, trials) == f"{20 + trials}/{20 + trials} → 0/0"
    edit(root)
    world.rate = failing(CASE)
    assert await ran(root, LONG, trials) == f"{20 + trials}/{20 + trials} → 0/{trials}"


@pytest.mark.parametrize("trials", [1, 2])
async def test_nor_of_the_inputs_of_now_under_a_longer_one(
    root: Path, world: World, monkeypatch: pytest.MonkeyPatch, trials: int
) -> None:
    assert world is not None
    await pinned(root, LONG)
    edit(root)
    with monkeypatch.context() as patch:
        patch.setattr(Simulated, "respond", hang)
        assert await ran(root, SHORT, trials) == f"20/20 → 0/{trials}", "of that limit it is one"
    for path in (root / ".evaltui").glob("history*"):
        path.unlink()  # the result files say it too
    assert await ran(root, LONG, trials) == f"20/20 → {trials}/{trials}"
    assert await ran(root, SHORT, trials) == f"20/20 → {2 * trials}/{3 * trials}"


@pytest.mark.parametrize("trials", [1, 2])
async def test_under_the_same_limit_it_is_a_failure_as_any_other(
    root: Path, world: World, monkeypatch: pytest.MonkeyPatch, trials: int
) -> None:
    assert world is not None
    await pinned(root, SHORT)
    with monkeypatch.context() as patch:
        patch.setattr(Simulated, "respond", hang)
        assert await ran(root, SHORT, trials) == f"20/{20 + trials} → 0/0"


async def test_a_pin_of_another_limit_keeps_what_is_known(root: Path, world: World) -> None:
    await pinned(root, LONG)
    assert await ran(root, 2 * LONG, 2) == "22/22 → 0/0"
    async with opened(root, timeout_ms=2 * LONG) as (session, _):
        await session.baselines.pin(all_keys(session), "mine")
        await session.evidence("mine").load()
        assert sides(session) == "22/22 → 0/0"
    edit(root)
    world.rate = failing(CASE)
    assert await ran(root, 2 * LONG) == "22/22 → 0/1"


@pytest.mark.parametrize(("limit_ms", "is_other"), [(SHORT, True), (2 * SHORT, False)])
def test_a_gate_on_proof_alone_says_that_the_limit_was_another_at_the_pin(
    root: Path,
    world: World,  # noqa: ARG001
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    limit_ms: int,
    is_other: bool,
) -> None:
    asyncio.run(pinned(root, 2 * SHORT))
    monkeypatch.chdir(root)
    monkeypatch.setattr(Simulated, "respond", hang)
    assert run_command(["run", f"--timeout-ms={limit_ms}", "--fail-on=proven"]) == 0
    said = capsys.readouterr().err
    other = "1 case took longer than `timeout_ms`, which was another one when they were pinned"
    assert (other in said) is is_other
    assert ("nothing that evaltui sees changed" in said) is not is_other
