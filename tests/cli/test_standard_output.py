"""Standard output that is closed or full, and an interrupt before anything has begun."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from evaltui import __main__, process
from evaltui.cli import main, parser
from tests.projects import make_project


def started(root: Path, command: str) -> "subprocess.CompletedProcess[str]":
    line = f"{sys.executable} -m evaltui {command}"
    return subprocess.run(
        ["sh", "-c", line], cwd=root, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    "command",
    [
        "run",
        *(pytest.param(one, marks=pytest.mark.slow) for one in ("run --json", "check")),
        "tools --json",
    ],
)
@pytest.mark.parametrize("where", [">&-", ">/dev/full"])
def test_it_is_said_in_one_line(tmp_path: Path, command: str, where: str) -> None:
    make_project(tmp_path)
    ended = started(tmp_path, f"{command} {where}")
    assert ended.returncode == 2
    (line,) = ended.stderr.splitlines()
    assert line.startswith("evaltui: Standard output cannot be written: ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_run_is_recorded_all_the_same(tmp_path: Path) -> None:
    make_project(tmp_path)
    started(tmp_path, "run >/dev/full")
    assert len(list((tmp_path / "evals" / "results").glob("*.json"))) == 2


def test_an_interrupt_while_flags_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(parser, "parse", interrupted)
    assert main.run_command(["run"]) == 130


def test_an_interrupt_while_modules_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> int:
        os.kill(os.getpid(), signal.SIGINT)
        return 0

    monkeypatch.setattr(process, "look_for_garbage_rarely", lambda: None)
    monkeypatch.setattr(main, "run_command", interrupted)
    monkeypatch.setattr(sys, "argv", ["evaltui", "check"])
    assert __main__.main() == 130
