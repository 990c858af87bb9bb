"""What a person agreed to is kept for the folder that it was said for."""

from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.core.errors import Problem
from evaltui.core.permit import grant
from evaltui.disk.trusted import read_agreement, remove_agreement, write_agreement
from tests.projects import make_project

RUN = grant("run", ["agent"], "`agent`", by="agent")


def test_it_is_read_again_until_it_is_removed(tmp_path: Path) -> None:
    write_agreement(tmp_path, [RUN])
    assert read_agreement(tmp_path) == {RUN.digest}
    assert not read_agreement(tmp_path / "other")
    assert remove_agreement(tmp_path) and not read_agreement(tmp_path)


def test_tests_agree_to_nothing_in_the_name_of_whoever_runs_them(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A folder of this name may be made again by the next run, which would be trusted at once."""
    assert write_agreement(tmp_path, [RUN]).is_relative_to(tmp_path_factory.getbasetemp())


def test_a_damaged_one_is_set_aside_and_said_to_whoever_hears(tmp_path: Path) -> None:
    path = write_agreement(tmp_path, [RUN])
    path.write_bytes(b"{")
    assert read_agreement(tmp_path) == frozenset() and path.exists(), "nobody hears"
    found: list[Problem] = []
    assert read_agreement(tmp_path, found.append) == frozenset()
    (problem,) = found
    assert (problem.file, problem.code, path.exists()) == (str(path), "set-aside", False)
    assert "`evaltui trust`" in problem.hint
    assert path.with_name(f"{path.name}.damaged").read_bytes() == b"{"


def test_a_command_that_is_refused_says_that_the_agreement_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("EVALTUI_TRUST", raising=False)
    make_project(tmp_path)
    (tmp_path / "evaltui.toml").write_text('agent = "http://localhost:1"\n')
    write_agreement(tmp_path, []).write_bytes(b"{")
    assert run_command(["run", "-C", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "is damaged and cannot be read" in said and "nobody agreed" in said
    write_agreement(tmp_path, []).write_bytes(b"{")
    assert run_command(["trust", "--list", "-C", str(tmp_path)]) == 0
    assert "is damaged and cannot be read" in capsys.readouterr().err
