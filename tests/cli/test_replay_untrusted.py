"""A recorded run is played in a project that nobody trusts: nothing is started, nobody is asked."""

import asyncio
import subprocess
from argparse import Namespace
from pathlib import Path

import pytest

from evaltui.cli.dashboard import _load_session
from evaltui.cli.main import run_command
from evaltui.core.config import Config
from evaltui.tui.sessions.offline_session import OfflineSession
from tests.projects import make_project

STARTED = "started.txt"
AGENT = f"""import json, sys
open({STARTED!r}, "a").write("x")
json.load(sys.stdin)
print(json.dumps({{"response": "x", "toolCalls": [{{"name": "find_order", "success": True}}]}}))
"""
SETTINGS = """agent = "mine"
snapshot_enabled = true
snapshot = "python3 agent.py"
[agents.mine]
type = "command"
command = ["python3", "agent.py"]
is_free = true
"""


@pytest.fixture
def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of a program that was agreed to for that command alone."""
    monkeypatch.chdir(make_project(tmp_path))
    monkeypatch.delenv("EVALTUI_TRUST", raising=False)
    (tmp_path / "agent.py").write_text(AGENT)
    (tmp_path / "evaltui.toml").write_text(SETTINGS.replace("snapshot_enabled = true\n", ""))
    run_command(["run", "--trust", "--filter=order-001", "--reporter", "jsonl=run.jsonl"])
    (tmp_path / STARTED).unlink()
    (tmp_path / "evaltui.toml").write_text(SETTINGS)
    return tmp_path


def test_without_a_terminal_it_is_printed(
    recorded: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert run_command(["--replay", "run.jsonl"]) == 0
    said = capsys.readouterr()
    assert "✓ gs-find-order-001" in said.out
    assert "trust" not in said.out + said.err
    assert not (recorded / STARTED).exists()
    assert run_command(["run"]) == 2, "while a run would have to be agreed to"


def test_the_dashboard_plays_it_without_asking(
    recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess.Popen, "__init__", _refuse)
    monkeypatch.setattr(asyncio, "create_subprocess_exec", _refuse)
    before = OfflineSession(Config(recorded), is_replay=True)
    session = _load_session(Namespace(), before, is_replay=True)
    assert session.is_trusted and session.grants() == ()
    assert not (recorded / STARTED).exists()


def _refuse(*_: object, **__: object) -> None:
    pytest.fail("a program was started")
