"""Regression cases against their committed version."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.config import Config
from evaltui.disk import git_process
from evaltui.disk.git_objects import contents
from evaltui.project import project_problems, read_project

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def git(root: Path, *arguments: str) -> None:
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


def case(id_: str, message: str = "m") -> dict[str, Any]:
    return {"id": id_, "input": {"message": message}, "expect": {"toolsCalled": ["a"]}}


def edited(root: Path) -> list[str]:
    problems = project_problems(read_project(Config(root)))
    return [problem.case for problem in problems if problem.code == "edited-regression"]


def test_only_edits_of_committed_regression_cases_are_told(tmp_path: Path) -> None:
    root = tmp_path / "repository" / "below"
    (root / "evals").mkdir(parents=True)
    fixed = root / "evals/a.regression.json"
    golden = root / "evals/a.golden.json"
    fixed.write_text(json.dumps([case("rg-a-001"), case("rg-a-002")]))
    golden.write_text(json.dumps([case("gs-a-001")]))
    assert edited(root) == []
    git(root.parent, "init", "-q")
    assert edited(root) == [], "nothing is committed yet"
    git(root.parent, "add", ".")
    git(root.parent, "commit", "-qm", "x")
    assert edited(root) == []
    fixed.write_text(json.dumps([case("rg-a-002", "new"), case("rg-a-003")], indent=2))
    golden.write_text(json.dumps([case("gs-a-001", "new")]))
    assert edited(root) == ["rg-a-002"]


def unasked(config: Config) -> list[str]:
    problems = project_problems(read_project(config))
    return [problem.what for problem in problems if problem.code == "git-unasked"]


def test_what_git_would_read_elsewhere_is_left_out_until_somebody_agreed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EVALTUI_TRUST", raising=False)
    root, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    (root / "evals").mkdir(parents=True)
    (root / "evals/a.regression.json").write_text(json.dumps([case("rg-a-001")]))
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "x")
    (root / "evals/a.regression.json").write_text(json.dumps([case("rg-a-001", "new")]))
    assert unasked(Config(root)) == []
    with (root / ".git/config").open("a") as config:
        config.write(f"[include]\n\tpath = {elsewhere}\n")
    (said,) = unasked(Config(root))
    assert "git was not asked" in said
    assert edited(root) == []
    monkeypatch.setenv("EVALTUI_TRUST", "1")
    assert unasked(Config(root)) == []
    assert edited(root) == ["rg-a-001"]


def test_that_git_does_not_answer_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals/a.regression.json").write_text(json.dumps([case("rg-a-001")]))
    git(tmp_path, "init", "-q")
    os.mkfifo(tmp_path / ".git/packed-refs")
    monkeypatch.setattr(git_process, "PATIENCE_S", 0.4)
    (said,) = unasked(Config(tmp_path))
    assert "did not answer within" in said


def test_what_is_committed_is_not_read_where_it_is_larger_than_an_eval_file_may_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "evals").mkdir()
    for name in "abc":
        (tmp_path / f"evals/{name}.regression.json").write_text(
            json.dumps([case(f"rg-{name}-001")]) + " " * (5000 if name == "b" else 900)
        )
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "x")
    for name in "abc":
        (tmp_path / f"evals/{name}.regression.json").write_text(
            json.dumps([case(f"rg-{name}-001", "new")])
        )
    read: list[int] = []

    def noted(*asked: Any) -> list[bytes | None]:
        found = contents(*asked)
        read.append(sum(len(one or b"") for one in found))
        return found

    monkeypatch.setattr("evaltui.project.diagnostics.edited.contents", noted)
    monkeypatch.setattr("evaltui.project.diagnostics.edited.MAX_BYTES", 1500)
    problems = project_problems(read_project(Config(tmp_path)))
    (said,) = (one for one in problems if one.code == "git-unasked")
    assert said.file == "evals/b.regression.json"
    assert "the committed version is larger than" in said.what
    assert [one.case for one in problems if one.code == "edited-regression"] == [
        "rg-a-001",
        "rg-c-001",
    ]
    assert len(read) == 2 and max(read) <= 1500, "not all at once"
