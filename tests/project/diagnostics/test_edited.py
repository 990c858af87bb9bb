"""Regression cases against their committed version."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.config import Config
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
