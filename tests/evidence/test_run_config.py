"""Which commit is checked out, asked of git so that it starts nothing and looks nowhere else."""

import shutil
from pathlib import Path

import pytest

from evaltui.disk.git_objects import commit_of
from evaltui.evidence.run_config import git_commit
from tests.project.commits.test_tools_at import commit, write

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def test_it_is_that_of_the_folder_also_within_a_hook_of_another_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("own", "other"):
        write(tmp_path / name, "file", name)
        commit(tmp_path / name)
    own = commit_of(tmp_path / "own", "HEAD")
    assert own and own != commit_of(tmp_path / "other", "HEAD")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other" / ".git"))
    assert git_commit(tmp_path / "own") == own


def test_there_is_none_outside_of_a_repository(tmp_path: Path) -> None:
    assert git_commit(tmp_path) is None
