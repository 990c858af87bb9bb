"""`-C`, the command lines that are printed, and folders in which nothing is left behind."""

import shlex
from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.cli.main import run_command
from evaltui.core.case import CaseKey
from evaltui.core.config import Config
from evaltui.settings.load import load_config
from evaltui.tui.command_line import check_again, run_again
from tests.projects import make_project

CASE = CaseKey("evals/find_order.golden.json", "gs-find-order-001")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "a project").mkdir()
    return make_project(tmp_path / "a project")


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Another folder, which is the one that somebody works in."""
    other = tmp_path / "elsewhere"
    other.mkdir()
    monkeypatch.chdir(other)
    return other


def run_printed(line: str) -> int:
    name, *words = shlex.split(line)
    assert name == "evaltui"
    return run_command(words)


@pytest.mark.parametrize("has_namesake", [False, True])
def test_the_printed_line_runs_the_case_from_another_folder(
    project: Path, elsewhere: Path, has_namesake: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    if has_namesake:  # a path that is there from here too
        make_project(elsewhere)
        (elsewhere / CASE.suite).write_text('{"cases": []}')
    line = run_again(load_config(project).config, CASE, "embedded/1")
    assert run_printed(line) == 0, capsys.readouterr().err
    shown = capsys.readouterr().out
    assert CASE.case in shown
    assert "1/1 passed" in shown
    assert (project / ".evaltui").is_dir()
    assert has_namesake or not list(elsewhere.iterdir())


def test_within_the_project_the_line_is_short(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    line = run_again(load_config(project).config, CASE, "embedded/1")
    assert line == f"evaltui run {CASE} --agent embedded/1"
    assert run_printed(line) == 0, capsys.readouterr().err
    (project / ".git").mkdir()
    (project / "evaltui.toml").touch()
    monkeypatch.chdir(project / "evals")
    line = run_again(load_config(Path.cwd()).config, CASE, "embedded/1")
    assert run_printed(line) == 0, capsys.readouterr().err


@pytest.mark.usefixtures("elsewhere")
def test_a_settings_file_of_another_name_is_named(project: Path) -> None:
    (project / "mine.toml").write_text("concurrency = 0")
    config = replace(Config(project), file="mine.toml")
    assert run_printed(check_again(config)) == 2, "its mistake is found, so it was read"


COMMANDS = (
    "run",
    "run evals/none.golden.json::a",
    "run --agent nowhere",
    "baseline pin",
    "baseline list",
    "baseline diff",
    "check evals/none.golden.json",
    "tools --registry none.ts",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_where_there_is_no_project_nothing_is_left_behind(
    elsewhere: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run_command(command.split())
    assert "Traceback" not in capsys.readouterr().err
    assert not list(elsewhere.iterdir())


@pytest.mark.parametrize("command", ["run", "baseline list", "check", "tools", "init --force"])
@pytest.mark.parametrize("is_before", [True, False])
def test_every_command_works_in_the_folder_that_is_named(
    project: Path, elsewhere: Path, command: str, is_before: bool
) -> None:
    where = ["-C", str(project)]
    words = command.split()
    assert run_command([*where, *words] if is_before else [*words, *where]) == 0
    assert not list(elsewhere.iterdir())


@pytest.mark.parametrize(
    "line",
    ["check", "run", "tools", "trust --list", "init", "baseline list", ""],
)
def test_a_folder_that_is_gone_is_said(
    elsewhere: Path, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere.rmdir()
    assert run_command(line.split()) == 2
    said = capsys.readouterr()
    assert "The folder you work in is gone." in said.err
    assert "with -C" in said.err
    assert not said.out


def test_from_a_folder_that_is_gone_another_is_reached(
    project: Path, elsewhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere.rmdir()
    assert run_command(["-C", str(project), "check"]) == 0, capsys.readouterr().err
    assert run_command(["-C", str(project), "run"]) == 0, capsys.readouterr().err


def test_a_file_that_is_missing_is_no_folder_that_is_gone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(_: object) -> int:
        raise FileNotFoundError

    monkeypatch.setattr("evaltui.cli.check.run", missing)
    assert run_command(["check"]) == 3
    assert "is gone" not in capsys.readouterr().err


@pytest.mark.parametrize("command", ["init", "check"])
def test_a_folder_that_is_not_there_is_asked_for_as_people_name_one(
    elsewhere: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command([command, "-C", "nope"]) == 2
    said = capsys.readouterr().err
    assert "There is no folder `nope`. Give an existing one with -C." in said
    assert not list(elsewhere.iterdir())
