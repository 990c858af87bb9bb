"""A secret that was typed for a run is in none of its files, and is asked for again."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from tests.evidence.made_packs import says, suite_of

SECRET = "hunter2-hunter2"
ADAPTER = """
import sys
if "fail" in sys.argv:
    sys.exit(f"cannot log in with {sys.argv[2]}")
print('{"assistant_output": "yes, with %s"}' % sys.argv[2])
"""
LEAN = """
import sys, json
print(json.dumps({"passed": True, "reason": "signed in with " + sys.argv[2]}))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("adapter.py").write_text(ADAPTER)
    Path("lean.py").write_text(LEAN)
    payload = {"metadata": {"lean_payload": 1}}
    suite_of(tmp_path / "s.json", says("a", "yes", **payload))
    command = [sys.executable, "lean.py", "--token", SECRET]
    settings = {"lean": {"command": command}, "mine:Judge": {"api_key": SECRET}}
    Path("judges.json").write_text(json.dumps(settings))
    return tmp_path


def command(*more: str, flag: str = "--api-key") -> str:
    return " ".join((sys.executable, "adapter.py", flag, SECRET, *more))


def files_with_secret(folder: Path) -> list[str]:
    data = SECRET.encode()
    return [str(one) for one in folder.rglob("*") if one.is_file() and data in one.read_bytes()]


def error(capsys: Any) -> str:
    return str(json.loads(capsys.readouterr().err)["error"]["message"])


@pytest.mark.parametrize("more", [(), ("fail",)])
def test_no_file_of_a_loop_holds_it(folder: Path, capsys: Any, more: tuple[str, ...]) -> None:
    loop = ["run-loop", "--suite", "s.json", "--out", "pack", "--max-repairs", "0"]
    loop += ["--judge", "lean", "--judge", "regex", "--judge-config", "judges.json"]
    assert run_command([*loop, "--propose-command", command(*more)]) == 0
    assert files_with_secret(folder / "pack") == []
    kept = json.loads((folder / "pack/run/config.json").read_bytes())
    assert kept["execution_config"]["propose_command"] == command(*more).replace(SECRET, "***")
    assert kept["judge_configs"]["mine:Judge"]["api_key"] == "***"
    capsys.readouterr()
    again = ["replay-exec", "--run", "pack"]
    assert run_command(again) == 1
    assert "--propose-command" in error(capsys)
    again += ["--judge-config", "judges.json"]
    assert run_command([*again, "--propose-command", "true"]) == 1
    assert "not that of the run" in error(capsys)
    assert run_command([*again, "--propose-command", command(*more)]) == 0
    assert files_with_secret(folder / "pack") == []


@pytest.mark.parametrize("flag", ["--bearer", "-p"])
def test_it_is_known_by_other_flags_too(folder: Path, flag: str) -> None:
    loop = ["run-loop", "--suite", "s.json", "--out", "pack", "--max-repairs", "0"]
    assert run_command([*loop, "--propose-command", command(flag=flag)]) == 0
    assert files_with_secret(folder / "pack") == []
    assert "***" in (folder / "pack/cases/a/trajectory.json").read_text()


def test_a_replay_asks_for_settings_of_judges_again(folder: Path, capsys: Any) -> None:
    run = ["run", "--suite", "s.json", "--out", "pack", "--judge", "lean"]
    assert run_command([*run, "--judge-config", "judges.json"]) == 0
    assert files_with_secret(folder / "pack") == []
    capsys.readouterr()
    assert run_command(["replay", "--run", "pack"]) == 1
    assert "--judge-config" in error(capsys)
    assert run_command(["replay", "--run", "pack", "--judge-config", "judges.json"]) == 0
