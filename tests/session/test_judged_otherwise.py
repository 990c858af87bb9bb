"""A fall that an edited expectation made is told apart from one of the agent."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.store.row_status import RowMark
from tests.session.test_session import opened
from tests.session.trials.test_further_trials import edit, pinned
from tests.simulated_agent import World, simulate, simulated_project

SAID = "regressed, but only what is expected of it changed since the pin"


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return simulate(monkeypatch)


def changed(root: Path, change: Callable[[dict[str, Any]], None]) -> None:
    (path,) = (root / "evals").glob("*.golden.json")
    document = json.loads(path.read_text())
    for case in document["cases"]:
        change(case)
    path.write_text(json.dumps(document))


def expectation(root: Path, _: World) -> None:
    changed(root, lambda case: case["expect"].update(toolsCalled=["play_music"]))


def setting(root: Path, _: World) -> None:
    path = root / "evaltui.toml"
    path.write_text(path.read_text().replace("multiset_tools = false", "multiset_tools = true"))


def tool(root: Path, world: World) -> None:
    edit(root)
    world.rate = lambda *_: 0.0


def message(root: Path, world: World) -> None:
    changed(root, lambda case: case["input"].update(message="something else"))
    world.rate = lambda *_: 0.0


def both(root: Path, world: World) -> None:
    expectation(root, world)
    edit(root)


@pytest.mark.parametrize(
    ("what", "is_said"),
    [(expectation, True), (setting, True), (tool, False), (message, False), (both, False)],
)
def test_only_where_nothing_else_changed(
    tmp_path: Path,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    what: Callable[[Path, World], None],
    is_said: bool,
) -> None:
    root = simulated_project(tmp_path, 1, "multiset_tools = false")
    monkeypatch.chdir(root)
    if what is setting:
        twice = {"toolsAcceptable": [["find_order", "find_order"]]}
        changed(root, lambda case: case.update(expect=twice))
    asyncio.run(pinned(root, world))
    what(root, world)
    assert run_command(["run", "--confirm", "--fail-on", "proven"]) == 1
    said = capsys.readouterr().out
    assert "↓ REGRESSION" in said
    assert (SAID in said) is is_said

    async def known() -> bool:
        async with opened(root) as (session, _):
            await session.evidence("mine").load()
            (row,) = session.store.board("mine").rows.values()
            assert row.proof is not None and row.against is RowMark.REGRESSED
            return row.proof.is_judged_otherwise

    assert asyncio.run(known()) is is_said
