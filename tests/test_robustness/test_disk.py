"""A full disk, folders that cannot be written, and two runs in one folder at once."""

import ctypes
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from evaltui.cli.main import run_command
from tests.projects import make_project
from tests.test_robustness.agent_server import agent_server
from tests.test_robustness.command import (
    evaltui,
    make_slow_project,
    result_documents,
    start,
    tree,
    written,
)


def limit_files(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize(
    "limit",
    [4_096, *(pytest.param(size, marks=pytest.mark.slow) for size in (0, 8_192, 20_000))],
)
def test_a_full_disk_is_said_and_leaves_no_half_result(tmp_path: Path, limit: int) -> None:
    make_project(tmp_path)
    done = evaltui(tmp_path, "run", preexec_fn=lambda: limit_files(limit))
    assert done.returncode in (0, 2), done.stderr
    assert "Traceback" not in done.stderr
    documents = result_documents(tmp_path)
    if done.returncode == 2:
        assert "could not be written" in done.stdout + done.stderr
    else:
        assert len(documents) == 2
    assert not list((tmp_path / "evals" / "results").glob(".*evaltui-tmp"))
    assert run_command(["run", "-C", str(tmp_path)]) == 0
    assert len(result_documents(tmp_path)) == len(documents) + 2


def test_a_report_that_does_not_fit_is_a_mistake_not_a_bug(tmp_path: Path) -> None:
    make_project(tmp_path)
    done = evaltui(
        tmp_path,
        *("run", "--reporter", "jsonl=out.jsonl", "--reporter", "console"),
        preexec_fn=lambda: limit_files(1_000),
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "JsonlReporter" in done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="root obeys nothing elsewhere")
def test_a_read_only_project_runs_when_results_go_elsewhere(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    make_project(project)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for path in (project, project / "evals"):
        path.chmod(0o555)
    before = tree(project)

    def run(*flags: str) -> "subprocess.CompletedProcess[str]":
        return evaltui(project, "run", *flags, preexec_fn=give_up_overriding_permissions)

    try:
        refused = run()
        assert refused.returncode == 2
        assert "cannot be written" in refused.stderr
        assert "--output-dir" in refused.stderr
        done = run("--output-dir", str(elsewhere))
        assert done.returncode == 0, done.stdout + done.stderr
        assert "are not remembered" in done.stdout
        assert len(list(elsewhere.glob("*.json"))) == 2
        assert written(before, tree(project)) == []
    finally:
        for path in (project, project / "evals"):
            path.chmod(0o755)


def give_up_overriding_permissions() -> None:
    """Root obeys permission bits in what is executed next (Linux: `PR_CAPBSET_DROP`)."""
    if os.geteuid() == 0:
        ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)


@pytest.mark.slow
def test_two_runs_in_one_folder_at_once_both_count(tmp_path: Path) -> None:
    make_slow_project(tmp_path, 20)
    with agent_server(0.01) as url:
        both = [start(tmp_path, "run", "--agent", url) for _ in range(2)]
        ends = [process.communicate(timeout=60) for process in both]
    assert [process.returncode for process in both] == [0, 0], ends
    documents = result_documents(tmp_path)
    assert len({one["runId"] for one in documents}) == 2
    assert [len(one["cases"]) for one in documents] == [20, 20]
    assert all(not one.get("carriedFrom") for doc in documents for one in doc["cases"])
    assert not list((tmp_path / ".evaltui" / "runs").glob("*.open.jsonl"))


@pytest.mark.parametrize("damaged", [".evaltui/history.sqlite3", "evals/baselines/pins.json"])
def test_a_damaged_file_of_our_own_does_not_stop_a_run(
    tmp_path: Path, damaged: str, capsys: pytest.CaptureFixture[str]
) -> None:
    make_project(tmp_path)
    run = ["run", "-C", str(tmp_path)]
    assert run_command(run) == 0
    assert run_command(["baseline", "pin", "-C", str(tmp_path)]) == 0
    assert (tmp_path / damaged).exists()
    (tmp_path / damaged).write_bytes(b"\x00garbage\xff" * 1_000)
    capsys.readouterr()
    assert run_command(run) == 0
    captured = capsys.readouterr()
    assert captured.out.count("passed |") == 3, "of two suites, and of both"
    assert captured.out.count(str(tmp_path / damaged)) >= 1, "it is said that it was set aside"
    assert captured.err == ""
    assert len(result_documents(tmp_path)) == 4
