"""A mistake of evaltui's own: exit code 3, the traceback, and where what ran is recorded."""

import json
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.session.running.kept_run import KeptRun
from tests.projects import make_project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """In which a run breaks at its end; an earlier one was recorded as well."""
    monkeypatch.chdir(make_project(tmp_path))
    assert run_command(["run"]) == 0

    async def finish(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(KeptRun, "finish", finish)
    return tmp_path


def journals(root: Path) -> set[Path]:
    return {*(root / ".evaltui" / "runs").glob("*.jsonl")}


def test_it_names_the_journal_of_the_run(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = journals(project)
    assert run_command(["run"]) == 3
    said = capsys.readouterr().err
    (journal,) = journals(project) - before
    assert "ZeroDivisionError: a bug" in said
    assert f"this is a bug in evaltui. What was running is in {journal}; please report" in said


def test_it_names_it_for_programs_too(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = journals(project)
    assert run_command(["run", "--reporter", "jsonl"]) == 3
    (journal,) = journals(project) - before
    capsys.readouterr()

    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("evaltui.cli.check.project_problems", broken)
    assert run_command(["check", "--json"]) == 3
    said = json.loads(capsys.readouterr().err)["error"]
    assert said == {"code": "internal", "message": "ZeroDivisionError: a bug"}, "nothing ran"
    monkeypatch.setattr("evaltui.cli.main.time", lambda: 0.0)
    assert run_command(["check", "--json"]) == 3
    assert json.loads(capsys.readouterr().err)["error"]["journal"] == str(journal)


def test_where_nothing_ran_it_names_no_journal(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert journals(project)

    def broken(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("evaltui.cli.check.project_problems", broken)
    assert run_command(["check"]) == 3
    said = capsys.readouterr().err
    assert "this is a bug in evaltui. Please report it with the lines above." in said
