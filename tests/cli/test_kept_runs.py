"""`keep_runs`: of so many runs journals and result files are kept."""

from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from evaltui.disk.results.result_file import read_suite_result
from tests.cli.test_resume import SETTINGS, make


@pytest.mark.slow
def test_old_runs_go_and_what_is_known_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path / "project", settings=f"keep_runs = 2\n{SETTINGS}")
    here = ["-C", str(tmp_path / "project"), "run"]
    run_command([*here, "evals/a.golden.json"])
    for _ in range(9):
        run_command([*here, "evals/b.golden.json"])
    folder = tmp_path / "project" / "evals" / "results"
    suites = [read_suite_result(path).suite for path in folder.glob("*.json")]
    assert sorted(suites) == ["evals/a.golden.json", *["evals/b.golden.json"] * 2]
    assert len([*(tmp_path / "project" / ".evaltui" / "runs").glob("*.jsonl")]) == 2
    capsys.readouterr()
    assert run_command([*here, "--failed"]) == 0
    assert "Nothing failed last time" in capsys.readouterr().err
