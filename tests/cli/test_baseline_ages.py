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
    for path in (tmp_path / "evals" / "baselines").glob("*/*/*.json"):
        copy = json.loads(path.read_text())
        for case in copy["cases"]:
            case["pinned"]["at"] -= 3 * 3600
        path.write_text(json.dumps(copy))
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


def test_every_name_is_listed_with_its_age(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(make_project(tmp_path))
    run_command(["run"])
    run_command(["baseline", "pin"])
    run_command(["baseline", "pin", "--name", "alt", "--filter", "gs-find-order-001"])
    capsys.readouterr()
    run_command(["baseline", "list", "--json"])
    rows = json.loads(capsys.readouterr().out)
    assert [(row["name"], row["suite"], row["cases"]) for row in rows] == [
        ("default", "evals/find_order.golden.json", 2),
        ("default", "evals/play_music.golden.json", 1),
        ("alt", "evals/find_order.golden.json", 1),
    ]
    assert all(row["pinned"] for row in rows)
    run_command(["baseline", "list", "--json", "--name", "alt"])
    assert [row["name"] for row in json.loads(capsys.readouterr().out)] == ["alt"]
