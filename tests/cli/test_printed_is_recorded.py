"""What is printed stands in the journal's file by then, whatever becomes of the process next."""

import io
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.disk.journal import journal
from evaltui.reporters import framed
from evaltui.session import event_bus
from tests.projects import case, make_project, write_suite


def recorded(root: Path) -> set[str]:
    """Ids of the results in the journals' files as they are now."""
    while True:
        try:
            texts = [path.read_text() for path in (root / ".evaltui" / "runs").glob("*.jsonl")]
        except FileNotFoundError:  # its run has ended meanwhile, and it has its last name
            continue
        return {name for text in texts for name in finished(text)}


def finished(text: str) -> Iterator[str]:
    for line in text.splitlines(keepends=True):
        if line.endswith("\n") and (said := json.loads(line))["event"] == "CaseFinished":
            yield said["case"]["id"] if "case" in said else said["result"]["key"][1]


def printed(text: str) -> set[str]:
    """Ids of the results that a text of the console's names."""
    lines = [line.split() for line in text.splitlines() if line.startswith(("  ✓", "  ✗"))]
    return {words[1] for words in lines}


def orders(number: int) -> list[dict[str, Any]]:
    return [case(f"gs-{at:03}", f"Order SO-{at}", "find_order") for at in range(number)]


class Printer(io.StringIO):
    """Looks at each write what is recorded by then."""

    def __init__(self, root: Path, is_json: bool) -> None:
        super().__init__()
        self.root, self.is_json = root, is_json
        self.named: set[str] = set()

    def write(self, text: str) -> int:
        named = set(finished(text)) if self.is_json else printed(text)
        assert named <= recorded(self.root)
        self.named |= named
        return super().write(text)


@pytest.mark.parametrize("reporter", ["console", "jsonl"])
def test_the_journal_comes_first_however_slow_its_clock_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reporter: str
) -> None:
    monkeypatch.chdir(make_project(tmp_path))
    write_suite(tmp_path, "find_order", orders(60))
    monkeypatch.setattr(journal, "FRAME_S", 1e9)
    monkeypatch.setattr(event_bus, "FRAME_S", 1e9)
    monkeypatch.setattr(framed, "FRAME_S", 0)
    out = Printer(tmp_path, reporter == "jsonl")
    monkeypatch.setattr(sys, "stdout", out)
    assert run_command(["run", "--reporter", reporter]) in (0, 1)
    assert len(out.named) == 61
    assert "sink-dropped" not in out.getvalue() and "stopped:" not in out.getvalue()


@pytest.mark.slow
def test_a_run_that_is_killed_has_recorded_what_it_printed(tmp_path: Path) -> None:
    make_project(tmp_path)
    write_suite(tmp_path, "find_order", orders(400))
    argv = [sys.executable, "-m", "evaltui", "run", "--reporter", "jsonl"]
    for wanted in (1, 40, 150):
        with subprocess.Popen(argv, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as run:
            assert run.stdout is not None
            lines: list[str] = []
            while sum('"CaseFinished"' in line for line in lines) < wanted:
                lines.append(run.stdout.readline())
            run.send_signal(signal.SIGKILL)
            lines += run.stdout.readlines()
        assert set(finished("".join(lines))) <= recorded(tmp_path)
