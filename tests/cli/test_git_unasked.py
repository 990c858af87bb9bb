"""Which commit a run was made at is written down with it, or it is said why not."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.disk.git_objects import commit_of
from tests.evidence.made_packs import GOOD
from tests.project.commits.test_tools_at import commit, git
from tests.projects import make_project

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
REPORTED = ("run", "--reporter")
SCORED = ("run", "--suite", str(GOOD), "--out")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("EVALTUI_TRUST")
    root = tmp_path / "project"
    root.mkdir()
    make_project(root)
    commit(root)
    monkeypatch.chdir(root)
    return root


def written(how: tuple[str, ...], place: Path, *flags: str) -> Any:
    """The commit in a pack that is made so."""
    where = f"evidence={place}" if how == REPORTED else str(place)
    assert run_command([*how, where, *flags]) in (0, 1)
    return json.loads((place / "run/config.json").read_text())["git_commit"]


@pytest.mark.parametrize("how", [REPORTED, SCORED], ids=["reporter", "suite"])
def test_the_commit_is_in_a_pack_where_git_is_asked_and_else_it_is_said(
    root: Path, capsys: pytest.CaptureFixture[str], how: tuple[str, ...]
) -> None:
    own = commit_of(root, "HEAD")
    assert own and written(how, root.parent / "plain") == own
    assert "git was not asked" not in capsys.readouterr().err
    git(root, "config", "include.path", "/nowhere/x")
    assert written(how, root.parent / "unasked") is None
    assert "git was not asked, as its settings" in capsys.readouterr().err
    assert written(how, root.parent / "trusted", "--trust") == own
    assert "git was not asked" not in capsys.readouterr().err


def test_a_commit_that_is_not_asked_for_is_no_difference_to_a_replay(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack = root.parent / "pack"
    assert written(SCORED, pack)
    git(root, "config", "include.path", "/nowhere/x")
    capsys.readouterr()
    assert run_command(["replay", "--run", str(pack), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["env_unverified"] == ["git_commit"]
    assert found["env_mismatches"] == []
