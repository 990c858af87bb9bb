"""`evaltui baseline list` says how old what is pinned is, also where one case is younger."""

import json
from datetime import datetime
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from tests.projects import make_project


def test_one_case_pinned_anew_leaves_the_others_their_age(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(make_project(tmp_path))
    run_command(["run"])
    run_command(["baseline", "pin"])
    path = tmp_path / "evals" / "baselines" / "pins.json"
    listed = json.loads(path.read_text())
    for pin in listed["pins"]:
        pin["pinnedAt"] -= 3 * 3600
    path.write_text(json.dumps(listed))
    run_command(["baseline", "pin", "--filter", "gs-find-order-001"])
    capsys.readouterr()
    assert run_command(["baseline", "list"]) == 0
    orders, music = capsys.readouterr().out.splitlines()
    assert "  1 3h ago, 1 " in orders
    assert music.endswith("  1  3h ago")
    run_command(["baseline", "list", "--json"])
    orders, music = (row["pinned"] for row in json.loads(capsys.readouterr().out))
    first, last = (datetime.fromisoformat(orders[end]) for end in ("from", "to"))
    assert 3 * 3600 <= (last - first).total_seconds() < 4 * 3600
    assert music["from"] == music["to"] == orders["from"]
