"""What came of runs is passed over by version control, unless somebody wants it there."""

import subprocess
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from tests.projects import make_project

OURS = (".evaltui", "evals/results")


def ignored(root: Path) -> str:
    """What git would add."""
    command = ["git", "status", "--porcelain", "--untracked-files=all"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def project(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q"], cwd=make_project(tmp_path), check=True)
    assert run_command(["run", "-C", str(tmp_path)]) == 0
    return tmp_path


def test_git_sees_nothing_of_a_run(project: Path) -> None:
    assert [line for line in ignored(project).splitlines() if any(at in line for at in OURS)] == []
    assert "evals/find_order.golden.json" in ignored(project)


def test_a_pinned_baseline_is_seen(project: Path) -> None:
    assert run_command(["baseline", "pin", "-C", str(project)]) == 0
    assert "evals/baselines/pins.json" in ignored(project)


def test_one_that_was_taken_away_stays_away(project: Path) -> None:
    for folder in OURS:
        (project / folder / ".gitignore").unlink()
    assert run_command(["run", "-C", str(project)]) == 0
    assert not any((project / folder / ".gitignore").exists() for folder in OURS)
