"""`evaltui run --resume` of a run that tries again what is undecided goes on with that too."""

import asyncio
import json
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.store.row import Row
from tests.cli.test_resume import interrupt
from tests.session.test_session import opened
from tests.session.trials.test_further_trials import edit, pinned
from tests.simulated_agent import World, simulate, simulated_project

CASES = 3


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return simulate(monkeypatch)


@pytest.fixture
def root(tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch) -> Path:
    """All of it was pinned with twenty passes, and nothing passes since an edit."""
    root = simulated_project(tmp_path, CASES, "concurrency = 1")
    monkeypatch.chdir(root)
    asyncio.run(pinned(root, world))
    edit(root)
    world.rate = lambda *_: 0.0
    return root


def killed(root: Path, world: World, *command: str, after: int) -> None:
    """A confirming run of which nothing is known beyond so many results."""
    assert run_command(["run", "--fail-on", "proven", *command]) == 1
    assert len(world.asked) >= after
    interrupt(root, lambda number, _: number <= after)
    world.asked.clear()


def known(root: Path) -> list[Row]:
    """As another process reads it."""

    async def read() -> list[Row]:
        async with opened(root) as (session, _):
            await session.evidence("mine").load()
            return [*session.store.board("mine").rows.values()]

    return asyncio.run(read())


@pytest.mark.parametrize("after", range(1, 7))
@pytest.mark.parametrize("again", [[], ["--confirm"]])
def test_what_it_left_undecided_is_tried_until_it_is_proven(
    root: Path, world: World, capsys: pytest.CaptureFixture[str], after: int, again: list[str]
) -> None:
    killed(root, world, "--confirm", after=after)
    capsys.readouterr()
    assert run_command(["run", "--fail-on", "proven", "--resume", *again]) == 1
    said = capsys.readouterr().out
    assert said.count("↓ REGRESSION") == CASES
    assert f"{CASES} worse · 0 better" in said
    assert (said.count(" passed | "), said.count(f"  0/{CASES} passed | ")) == (1, 1), "each once"
    rows = known(root)
    trials = after + len(world.asked)
    assert sum(row.proof.sides.now.failures for row in rows if row.proof) == trials, "each once"
    assert sum(row.result.trials for row in rows if row.result) == trials
    assert {row.result.trials for row in rows if row.result} == {2}, "as if it had not been killed"
    assert all(row.result and row.result.error for row in rows)


def test_a_pass_among_them_leaves_the_case_moved(
    root: Path, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    killed(root, world, "--confirm", after=CASES)
    world.rate = lambda _, request: float(request.trial == 1)
    capsys.readouterr()
    assert run_command(["run", "--fail-on", "proven", "--resume"]) == 1
    rows = known(root)
    assert {
        (row.result.passes, row.proof.sides.now.passes) for row in rows if row.result and row.proof
    } == {(1, 1)}
    files = [*(root / "evals" / "results").glob("*.json")]
    cases = json.loads(max(files, key=lambda path: path.stat().st_mtime_ns).read_text())["cases"]
    assert all(one["verdicts"] and one["toolCalls"] == [] for one in cases), "that of a failure"


def test_settings_that_confirm_by_themselves_do_so_here_too(root: Path, world: World) -> None:
    killed(root, world, "--confirm", after=CASES)
    journal = next((root / ".evaltui" / "runs").glob("*.jsonl"))
    journal.write_text(journal.read_text().replace('"tries_again":true', '"tries_again":false'))
    path = root / "evaltui.toml"
    path.write_text(path.read_text() + '\n[regressions]\nconfirm = "auto"\n')
    assert run_command(["run", "--fail-on", "proven", "--resume"]) == 1


def test_a_run_that_did_not_confirm_goes_on_as_it_was(root: Path, world: World) -> None:
    assert run_command(["run", "--fail-on", "proven"]) == 0
    interrupt(root, lambda number, _: number <= 1)
    world.asked.clear()
    assert run_command(["run", "--fail-on", "proven", "--resume"]) == 0
    assert len(world.asked) == CASES - 1


def test_a_finished_run_of_another_agent_that_confirmed_has_no_say(
    root: Path, world: World
) -> None:
    assert run_command(["run", "--fail-on", "proven"]) == 0
    interrupt(root, lambda number, _: number <= 1)
    run_command(["run", "--fail-on", "proven", "--agent", "other", "--confirm"])
    world.asked.clear()
    run_command(["run", "--resume", "--agent", "mine", "--agent", "other"])
    of_mine = [request for agent, request in world.asked if agent == "mine"]
    assert len(of_mine) == CASES - 1, "nobody asked to try again what mine left undecided"


def test_passes_alone_are_kept_beside_the_failure_that_was_there(root: Path, world: World) -> None:
    killed(root, world, "--confirm", after=CASES)
    world.rate = lambda *_: 1.0
    assert run_command(["run", "--fail-on", "proven", "--resume"]) == 0
    rows = known(root)
    assert sum(row.proof.sides.now.passes for row in rows if row.proof) == len(world.asked) > 0
    assert all(row.result and row.result.trials > row.result.passes for row in rows)
