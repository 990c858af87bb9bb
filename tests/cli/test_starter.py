"""`evaltui init --out`: files that work as they are, and none that is lost."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.cli.starter import FILES


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def output_of(capsys: pytest.CaptureFixture[str], *flags: str) -> tuple[int, Any]:
    capsys.readouterr()
    code = run_command(["init", "--out", ".", *flags])
    return code, json.loads(capsys.readouterr().out)


def test_files_that_are_there_stay_and_others_are_written(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, answer = output_of(capsys)
    assert (code, answer["skipped_existing"], len(answer["created"])) == (0, [], len(FILES))
    gate = here / "config" / "gate.json"
    gate.write_text("{}")
    (here / "config" / "judges.json").unlink()
    code, answer = output_of(capsys)
    assert (code, answer["created"]) == (1, ["config/judges.json"])
    assert len(answer["skipped_existing"]) == len(FILES) - 1
    assert gate.read_text() == "{}"
    assert output_of(capsys, "--force")[0] == 0
    assert "min_pass_rate" in gate.read_text()


def test_what_it_writes_is_valid_and_the_commands_of_its_ci_pass(here: Path) -> None:
    run_command(["init", "--out", "."])
    suite = "suites/starter_suite.json"
    strict = ["schema", "validate", "--input", suite, "--strict", "--require-version", "1.0.0"]
    assert run_command(strict) == 0
    judges = ("--judge-config", "config/judges.json")
    assert run_command(["run", "--suite", suite, "--out", "runs/baseline", *judges]) == 0
    workflow = (here / "ci" / "github-actions-evaltui.yml").read_text()
    commands = [line.split("run: ")[1] for line in workflow.splitlines() if "run: evaltui" in line]
    assert len(commands) == 3
    commands[0] += " --judge-config config/judges.json"
    for command in commands:
        assert run_command(shlex.split(command)[1:]) == 0, command


def test_the_quickstart_ends_as_it_says(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    examples = Path(__file__).parent.parent.parent / "examples"
    (here / "examples").symlink_to(examples)
    lines = """
    init --out .
    run --suite examples/suite_good.json --out runs/baseline --run-id baseline-1
    run --suite examples/suite_bad.json --out runs/candidate --run-id candidate-1
    compare --baseline runs/baseline --candidate runs/candidate --out runs/candidate/compare/d.json
    registry dataset-add --suite suites/starter_suite.json --dataset-id starter-suite
    registry baseline-set --name main --run runs/baseline
    compare --baseline main --candidate runs/candidate
    replay --run runs/candidate --out runs/candidate/compare/replay_report.json
    schema validate --input suites/starter_suite.json --strict --require-version 1.0.0
    """
    for line in lines.strip().splitlines():
        assert run_command(shlex.split(line)) == 0, line
    delta = "runs/candidate/compare/d.json"
    bounds = ["--min-pass-rate", "0.95", "--max-hard-fail-increase", "0.00"]
    assert run_command(["gate", "--compare", delta, *bounds]) == 1
    page = "runs/candidate/compare/report.md"
    reports = ["--gate", "runs/candidate/compare/gate_decision.json"]
    reports += ["--replay", "runs/candidate/compare/replay_report.json"]
    named = ["--out", page, "--title", "Release Eval Report"]
    assert run_command(["report", "markdown", "--compare", delta, *reports, *named]) == 0
    assert Path(page).read_text().startswith("# Release Eval Report\n")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_no_starter_is_written_through_a_link_to_elsewhere(here: Path, force: list[str]) -> None:
    outside = here / "outside"
    outside.mkdir()
    project = here / "project"
    project.mkdir()
    (project / "suites").symlink_to(outside)
    assert run_command(["init", "--out", str(project), *force]) == 1
    assert [*outside.iterdir()] == []
    assert not (project / "config").exists()
