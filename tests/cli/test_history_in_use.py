"""A history that cannot be used is said with its file and what to do; what can run runs."""

import sqlite3
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from tests.cli.test_resume import asked, interrupt, make

TWO = """
agent = ["one", "two"]

""" + "\n".join(
    f'[agents.{name}]\ntype = "python"\nfunction = "agent.py:answer"\nis_free = true\n'
    for name in ("one", "two")
)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two agents whose last run was interrupted."""
    make(tmp_path, settings=TWO)
    monkeypatch.chdir(tmp_path)
    assert run_command(["run"]) == 0
    interrupt(tmp_path, lambda count, _: count < 3)
    asked(tmp_path)
    return tmp_path


LOCKED = sqlite3.OperationalError("database is locked")


def fail(monkeypatch: pytest.MonkeyPatch, name: str, error: Exception = LOCKED) -> None:
    """From now on this part of the history's SQL fails."""

    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(f"evaltui.disk.history.history.{name}", fails)


@pytest.mark.parametrize(("flag", "part"), [("--resume", "runs_of"), ("--failed", "last_results")])
def test_what_needs_it_says_so_and_asks_nobody(
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    flag: str,
    part: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    fail(monkeypatch, part)
    assert run_command(["run", flag]) == 2
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert (
        "history.sqlite3` cannot be used: database is locked. Another program is using it" in said
    )
    assert asked(root) == []


def test_a_run_goes_on_without_it_and_says_so(
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    fail(monkeypatch, "last_number")
    run_command(["run"])
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err
    assert "database is locked. Another program is using it" in printed.out + printed.err
    assert asked(root)


def test_what_ran_is_reported_though_it_cannot_be_read_at_the_end(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fail(monkeypatch, "last_results", sqlite3.OperationalError("disk I/O error"))
    (root / "wrong.txt").write_text("a0")
    assert run_command(["run"]) == 1
    printed = capsys.readouterr()
    assert "disk I/O error" in printed.out + printed.err
    assert "Traceback" not in printed.err
