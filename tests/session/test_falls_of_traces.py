"""A trace is read and nobody is asked: its fall is proof at once, beside any agent."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.events import EvidenceWeighed
from evaltui.store.row_status import RowMark
from evaltui.tui.actions.run import repeat
from tests.session.test_session import all_keys, opened
from tests.session.test_trace_suites import NAME, write
from tests.simulated_agent import simulate, simulated_project


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A case and a trace, pinned with fresh trials; then the trace calls what it must not."""
    simulate(monkeypatch)
    simulated_project(tmp_path, 1)
    write(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def test_it_takes_no_trials_and_no_evidence(root: Path) -> None:
    async with opened(root) as (session, _):
        fresh = (await session.fresh_pins.pin(all_keys(session), "mine", 5)).pinned
        assert sorted(of.count for of in fresh.values()) == [1, 5]
    write(root, forbidden="find_order")
    async with opened(root) as (session, ear):
        (finished,) = await session.run([key for key in all_keys(session) if key.suite == NAME])
        assert [str(key) for key in finished.proven] == [f"{NAME}::so-1"]
        (row,) = (row for row in session.store.board("mine").rows.values() if row.regressed)
        assert RowMark.MOVED not in row.marks
        assert row.proof is None
        told = [
            proof for one in ear.heard if isinstance(one, EvidenceWeighed) for proof in one.proofs
        ]
        assert finished.proven[0] not in {proof.key for proof in told}


async def test_a_pinned_trace_that_is_gone_is_none_that_an_edit_can_affect(root: Path) -> None:
    async with opened(root) as (session, _):
        await session.fresh_pins.pin(all_keys(session), "mine", 5)
    (root / NAME).unlink()
    async with opened(root) as (session, _):
        await session.evidence("mine").load()
        assert [str(key) for key in session.baselines.gone("mine")] == [f"{NAME}::so-1"]
        assert session.evidence("mine").level.affected == 0


async def test_no_trials_are_offered_for_it_and_it_counts_for_no_call(root: Path) -> None:
    async with opened(root) as (session, _):
        keys = all_keys(session)
        (trace,) = (key for key in keys if key.suite == NAME)
        assert session.fresh_pins.asked(keys, "mine") == tuple(set(keys) - {trace})
        assert session.requests.estimate(keys, ("mine",), 20).cases == 20
        assert session.requests.estimate([trace], ("mine",), 20).cases == 0
        told: list[str] = []
        row = session.store.board("mine").rows[trace]
        controller: Any = SimpleNamespace(
            selected_rows=lambda: iter([row]), selection=(trace,), warn=told.append
        )
        repeat(controller)
        assert told == ["A trace asks no agent: its verdict is the same every time."]


@pytest.mark.usefixtures("root")
def test_what_a_pin_takes_is_said_of_the_cases_that_are_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run_command(["baseline", "pin", "--trials", "3"]) == 0
    said = capsys.readouterr()
    assert "1 case of `mine`, 3 trials each, and 1 that are only read: 3 trials, free" in said.err
    assert said.out.rstrip().endswith("4 trials")


@pytest.mark.parametrize("more", [[], ["--confirm"]])
def test_the_gate_on_what_is_proven_does_not_let_it_pass(
    root: Path, more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["run", NAME]) == 0
    assert run_command(["baseline", "pin"]) == 0
    write(root, forbidden="find_order")
    capsys.readouterr()
    assert run_command(["run", NAME, "--fail-on", "proven", *more]) == 1
    said = capsys.readouterr().out
    assert "↓ REGRESSION so-1" in said
    assert "tried again" not in said
    assert run_command(["baseline", "diff", "--json"]) == 1
    (told,) = json.loads(capsys.readouterr().out)
    assert told["change"] == "regressed"
