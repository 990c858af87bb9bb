"""A program that a file of judge settings names starts only when somebody agreed."""

import json
import sys
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from tests.evidence.made_packs import says, suite_of

CODE = "from pathlib import Path; Path('started').touch(); print('{\"passed\": true}')"
JUDGES = ("--judge", "lean", "--judge-config", "judges.json")
LOOP = ("run-loop", "--suite", "s.json", "--out", "pack", "--propose-command", "true")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    suite_of(tmp_path / "s.json", says("a", "yes", metadata={"lean_payload": 1}))
    settings = {"lean": {"command": [sys.executable, "-c", CODE]}}
    Path("judges.json").write_text(json.dumps(settings))
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        ("run", "--suite", "s.json", "--out", "pack"),
        ("stability-check", "--suite", "s.json", "--runs", "2"),
        LOOP,
    ],
)
def test_it_is_told_and_not_started(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command([*command, *JUDGES]) == 1
    told = json.loads(capsys.readouterr().err)["error"]["message"]
    assert "nobody here agreed to" in told
    assert not Path("started").exists()
    assert not Path("pack").exists()


def test_with_agreement_it_judges_and_a_replay_here_runs_it_again() -> None:
    assert run_command(["run", "--suite", "s.json", "--out", "pack", *JUDGES, "--trust"]) == 0
    assert Path("started").exists()
    Path("started").unlink()
    assert run_command(["replay", "--run", "pack"]) == 0
    assert Path("started").exists()
