"""`baseline diff` says how the agent does over all cases, and how surely."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.agent import AgentRequest
from evaltui.core.errors import AgentError
from tests.projects import ORDERS, case, make_project, write_suite
from tests.session.trials.test_further_trials import edit, failing
from tests.simulated_agent import simulate, simulated_project


def told(capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    run_command(["baseline", "diff"])
    *_, last = capsys.readouterr().out.splitlines()
    return last


def rows(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """As programs read it."""
    capsys.readouterr()
    run_command(["baseline", "diff", "--json"])
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return found


def test_all_pinned_cases_are_paired(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_project(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert run_command(["run"]) == run_command(["baseline", "pin"]) == 0
    same = told(capsys)
    assert same.startswith("`embedded/2` against its baseline: mean difference 0.0 points")
    assert "might not have been seen (80 % power)" in same
    (whole,) = rows(capsys)
    assert whole["agent"] == "embedded/2"
    assert (whole["paired"]["cases"], whole["paired"]["mean"]) == (3, 0.0)
    worse = case("gs-find-order-001", "Look up order SO-1", "play_music")
    write_suite(tmp_path, "find_order", [worse, *ORDERS[1:]])
    run_command(["run"])
    assert "mean difference -33.3 points" in told(capsys)
    assert "lost 1, gained 0" in told(capsys)
    change, whole = rows(capsys)
    assert change["change"] == "regressed"
    paired = whole["paired"]
    assert (round(paired["mean"], 3), paired["lost"], paired["gained"]) == (-0.333, 1, 0)
    assert paired["low"] <= paired["mean"] <= paired["high"]
    assert paired["smallest_visible_drop"] > 0
    run_command(["baseline", "diff", "--json", "--filter=-002"])
    assert json.loads(capsys.readouterr().out) == [], "one case tells nothing of how much they vary"


def test_pins_that_were_chosen_for_being_green_are_no_side_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    world = simulate(monkeypatch)
    root = simulated_project(tmp_path, 6)
    monkeypatch.chdir(root)
    world.rate = lambda *_: 1.0
    assert run_command(["run"]) == run_command(["baseline", "pin"]) == 0
    edit(root)
    world.rate = failing("gs-002")
    run_command(["run"])
    assert "against its baseline" not in told(capsys)
    world.rate = lambda *_: 1.0
    assert run_command(["baseline", "pin", "--trials", "4", "--yes"]) == 0
    edit(root, 2)
    world.rate = failing("gs-002")
    run_command(["run"])
    assert "mean difference -16.7 points" in told(capsys)
    assert "lost and gained not compared: one side has more trials" in told(capsys)
    run_command(["run", "--trials", "4"])


def test_a_pin_that_lost_an_attempt_leaves_out_its_own_case_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    world = simulate(monkeypatch)
    root = simulated_project(tmp_path, 6)
    monkeypatch.chdir(root)

    def rate(_name: str, request: AgentRequest) -> float:
        if (request.key.case, request.trial) == ("gs-001", 2):
            raise AgentError("HTTP 500: out of order")
        return 1.0

    world.rate = rate
    assert run_command(["baseline", "pin", "--trials", "4", "--yes"]) == 0
    edit(root)
    world.rate = failing("gs-002")
    run_command(["run", "--trials", "4"])
    said = told(capsys)
    assert "lost 1, gained 0, p = 1 (McNemar)" in said
    assert "lost and gained without 1 case that lost attempts to errors" in said
