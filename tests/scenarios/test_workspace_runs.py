"""Runs that cannot be read are told with the reason, and hide no others."""

from pathlib import Path

import pytest

from evaltui.core.errors import Problem
from evaltui.files import read_file
from evaltui.scenarios.workspace_runs import workspace_runs


@pytest.mark.parametrize(
    ("error", "why"),
    [(PermissionError(13, "Permission denied"), "Permission denied"), (OSError(), "OSError")],
)
def test_why_a_file_cannot_be_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, why: str
) -> None:
    locked, good = tmp_path / "locked", tmp_path / "good"
    good.mkdir()
    (good / "runs.json").write_text('[{"id": "a"}]')

    def read(path: Path) -> bytes:
        if path.parent == locked:
            raise error
        return read_file(path)

    monkeypatch.setattr("evaltui.scenarios.workspace_runs.read_file", read)
    problem, run = workspace_runs([locked, good])
    assert isinstance(problem, Problem)
    assert problem.what == f"The file cannot be read: {why}"
    assert run == {"id": "a"}
