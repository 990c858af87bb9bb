"""`evaltui check` warns of the suites that the board marks as outdated."""

import json
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from tests.projects import make_project
from tests.session.test_outdated_suites import KEY, written_for


def test_an_outdated_suite_is_told_at_its_place_and_counted_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(make_project(tmp_path))
    assert run_command(["check"]) == 0
    assert "outdated" not in capsys.readouterr().out
    written_for(tmp_path, "0" * 12)
    assert run_command(["check"]) == 0
    said = capsys.readouterr().out
    assert f"{KEY.suite}:1:" in said
    assert "Evals for find_order generated against description hash 000000000000" in said
    assert said.rstrip().endswith("3 problems: 0 errors, 0 warnings, 3 lint findings, 1 outdated")
    run_command(["check", "--json"])
    problems = json.loads(capsys.readouterr().out)["problems"]
    (problem,) = (one for one in problems if one["code"] == "outdated")
    assert (problem["severity"], problem["file"]) == ("warning", KEY.suite)
