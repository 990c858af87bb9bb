"""Recording and replaying through the whole line."""

import sys
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from tests.projects import make_project

ANSWER = """
import json, sys
message = json.load(sys.stdin)["message"]
name = "play_music" if "song" in message else "find_order"
call = {"name": name, "success": True, "durationMs": 1, "params": {}}
json.dump({"response": "done", "toolCalls": [call]}, sys.stdout)
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(make_project(tmp_path))
    (tmp_path / "agent.py").write_text(ANSWER)
    command = f'command = ["{sys.executable}", "agent.py"]'
    settings = ('agent = "mine"', "[agents.mine]", 'type = "command"', command)
    (tmp_path / "evaltui.toml").write_text("\n".join(settings))
    return tmp_path


def test_a_recorded_run_is_replayed_without_its_agent(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["run", "--cassettes", "record"]) == 0
    (project / "agent.py").write_text("raise SystemExit(1)")
    capsys.readouterr()
    assert run_command(["run", "--cassettes", "replay"]) == 0
    assert capsys.readouterr().out.count("✓") == 3
    assert run_command(["run"]) == 1, "without the recording the agent is asked"


def test_a_miss_in_replay_is_loud_and_names_what_differs(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_command(["run", "--cassettes", "record"])
    evals = project / "evals" / "find_order.golden.json"
    evals.write_text(evals.read_text().replace("Look up order SO-1", "Look up order SO-7"))
    capsys.readouterr()
    assert run_command(["run", "--cassettes", "replay"]) == 1
    printed = capsys.readouterr().out
    assert "! gs-find-order-001" in printed
    assert "message" in printed.split("! gs-find-order-001")[1].split("\n")[1]


@pytest.mark.parametrize("agent", ["mine", "embedded"])
def test_the_embedded_agent_is_never_recorded(project: Path, agent: str) -> None:
    assert run_command(["run", "--cassettes", "record", "--agent", agent]) == 0
    assert any((project / "evals" / "cassettes").glob("**/*")) is (agent == "mine")
