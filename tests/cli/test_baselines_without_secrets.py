"""What was pinned is read and moved on a machine that has no secrets of the agent."""

import json
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.core.agent_name import EMBEDDED
from tests.projects import make_project

SETTINGS = """\
agent = "staging"
[agents.staging]
type = "http"
url = "https://staging.invalid/chat"
headers = { Authorization = "Bearer ${STAGING_TOKEN}" }
"""


@pytest.fixture
def pinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a pinned result of `staging`, whose token is not set here."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("STAGING_TOKEN", raising=False)
    root = make_project(tmp_path)
    assert run_command(["run", "--agent", EMBEDDED]) == 0
    run_command(["baseline", "pin", "--agent", EMBEDDED])
    pins = root / "evals" / "baselines" / "pins.json"
    listed = json.loads(pins.read_text())
    for pin in listed["pins"]:
        pin["agent"] = pin["agentEndpoint"] = "staging"
    pins.write_text(json.dumps(listed))
    (root / "evaltui.toml").write_text(SETTINGS)
    return root


@pytest.mark.usefixtures("pinned")
def test_a_baseline_is_listed_and_compared(capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run_command(["baseline", "list", "--trust", "--json"]) == 0
    assert [row["agent"] for row in json.loads(capsys.readouterr().out)] == ["staging"] * 2
    assert run_command(["baseline", "diff", "--trust"]) == 2
    said = capsys.readouterr().err
    assert "of `staging` have no result yet" in said and "STAGING_TOKEN" not in said


def test_a_baseline_is_moved(pinned: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pinned / "evals" / "find_order.golden.json").rename(pinned / "evals" / "orders.golden.json")
    capsys.readouterr()
    assert run_command(["baseline", "move", "--trust"]) == 0
    assert "evals/orders.golden.json::gs-find-order-001" in capsys.readouterr().out


@pytest.mark.usefixtures("pinned")
def test_a_run_still_names_the_variable_that_is_missing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run_command(["run", "--trust"]) == 2
    assert "`STAGING_TOKEN`" in capsys.readouterr().err
