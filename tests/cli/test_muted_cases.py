"""Muted cases count for no command: they are told apart, not run as failed, and never regress."""

import json
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from tests.projects import ORDERS, make_project, with_description, write_suite, write_tools

SUITE = "evals/find_order.golden.json"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return make_project(tmp_path)


def mute(root: Path, case: str) -> None:
    (root / "evaltui.toml").write_text(f'[mute]\n"{SUITE}::{case}" = "waits for the depot"\n')


def test_failed_leaves_muted_cases_out(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = [{**one, "expect": {"toolsCalled": ["play_music"]}} for one in ORDERS]
    write_suite(project, "find_order", wrong)
    run_command(["run"])
    mute(project, "gs-find-order-001")
    capsys.readouterr()
    assert run_command(["run", "--failed", "--reporter", "jsonl"]) == 1
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    ran = [one["result"]["key"][1] for one in events if one["event"] == "CaseFinished"]
    assert ran == ["gs-find-order-002"]


def test_a_fall_of_a_muted_case_is_no_difference(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_command(["run"])
    run_command(["baseline", "pin"])
    write_tools(project, with_description("find_order", "Bakes bread."))
    run_command(["run"])
    assert run_command(["baseline", "diff", "--json"]) == 1
    assert "gs-find-order-002" in capsys.readouterr().out
    mute(project, "gs-find-order-002")
    assert run_command(["baseline", "diff"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "No case changed against the baseline."
    (whole,) = said[1:]
    assert ", lost 0, gained 0, " in whole


def test_a_muted_case_that_ran_is_told_in_the_figures_of_the_run_and_when_it_is_played_again(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mute(project, "gs-find-order-001")
    run_command(["run"])
    capsys.readouterr()
    outputs = ["--reporter", "jsonl=run.jsonl", "--reporter", "markdown=run.md"]
    run_command(["run", "--reporter", "console", *outputs])
    told = "0 worse · 0 better · 2 as before · 1 muted"
    assert told in capsys.readouterr().out.splitlines()
    assert told in (project / "run.md").read_text().splitlines()
    ends = [json.loads(line) for line in (project / "run.jsonl").read_text().splitlines()]
    assert [end["changes"]["muted"] for end in ends if end["event"] == "RunFinished"] == [1]
    run_command(["--replay", "run.jsonl"])
    assert told in capsys.readouterr().out.splitlines()
