"""Metadata of another size of registry, or another major version, is a finding at its line."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.errors import Problem, Severity
from evaltui.project import project_problems, project_read_once
from evaltui.settings.load import load_config
from tests.projects import make_project


def found(root: Path, **metadata: Any) -> list[Problem]:
    make_project(root)
    path = root / "evals" / "find_order.golden.json"
    document = json.loads(path.read_text())
    document["metadata"] |= metadata
    path.write_text(json.dumps(document, indent=2))
    with project_read_once(load_config(root, {}).config) as project:
        problems = project_problems(project)
    return [one for one in problems if one.code == "outdated-metadata"]


@pytest.mark.parametrize(
    ("metadata", "key", "said"),
    [
        ({"registrySize": 1}, "metadata.registrySize", "grown from 1 to 2 tools"),
        ({"toolVersion": "2.0.0"}, "metadata.toolVersion", "is version 1.0.0"),
    ],
)
def test_what_changed_is_said_at_its_line(
    metadata: dict[str, Any], key: str, said: str, tmp_path: Path
) -> None:
    (problem,) = found(tmp_path, **metadata)
    assert said in problem.what
    assert (problem.key, problem.severity) == (key, Severity.LINT)
    line = (tmp_path / problem.file).read_text().splitlines()[problem.line - 1]
    assert key.rpartition(".")[2] in line
    assert f"`{key}`" in problem.hint


@pytest.mark.parametrize("metadata", [{"registrySize": 2}, {"toolVersion": "1.9"}, {}])
def test_what_is_still_so_is_none(metadata: dict[str, Any], tmp_path: Path) -> None:
    assert found(tmp_path, **metadata) == []
