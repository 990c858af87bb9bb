"""A reader of standard output that pauses holds up neither answers nor what is kept of them."""

import io
import json
import os
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from threading import Event
from typing import Any, cast

import pytest

from evaltui.assets import asset_folder
from evaltui.cli.main import run_command
from evaltui.cli.written_beside import WrittenBeside
from evaltui.core.agent import AgentRequest
from tests.simulated_agent import simulate, simulated_project

LIMIT_S = 10.0


class Pausing(io.StringIO):
    """Takes nothing before it is read."""

    def __init__(self) -> None:
        super().__init__()
        self.is_read = Event()
        self.was_in_time = True

    def write(self, text: str) -> int:
        self.was_in_time &= self.is_read.wait(LIMIT_S)
        return super().write(text)


@pytest.mark.parametrize("reporter", ["jsonl", "console"])
def test_all_is_asked_while_nobody_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reporter: str
) -> None:
    world, out = simulate(monkeypatch), Pausing()

    def rate(_: str, request: AgentRequest) -> float:
        if request.key.case == "gs-005":
            out.is_read.set()
        return 1.0

    world.rate = rate
    monkeypatch.chdir(simulated_project(tmp_path, 6, "concurrency = 1"))
    monkeypatch.setattr(sys, "stdout", out)
    assert run_command(["run", "--reporter", reporter]) == 0
    assert out.was_in_time
    if reporter == "jsonl":
        told = [json.loads(line)["event"] for line in out.getvalue().splitlines()]
        assert (told.count("CaseFinished"), told[-1]) == (6, "RunFinished")


def test_everything_is_written_in_order_before_it_is_closed() -> None:
    out = Pausing()
    beside = WrittenBeside(out)
    for number in range(9):
        beside.write(f"{number}\n")
    assert out.getvalue() == ""
    out.is_read.set()
    beside.close()
    assert out.getvalue().split() == [*"012345678"]


class Full(io.StringIO):
    def write(self, _: str) -> int:
        raise OSError(28, "full")


def test_what_cannot_be_written_is_heard_at_the_end_at_the_latest() -> None:
    beside = WrittenBeside(Full())
    beside.write("lost")
    with pytest.raises(OSError, match="full"):
        beside.close()
    with pytest.raises(OSError, match="full"):
        beside.write("more")


def test_two_reporters_leave_each_others_lines_whole(tmp_path: Path) -> None:
    root = shutil.copytree(asset_folder("sample_evals"), tmp_path / "sample")
    command = [sys.executable, "-m", "evaltui", "run", "-C", str(root), "--fail-on", "never"]
    command += ["--reporter", "jsonl", "--reporter", "console"]
    heard = b""
    with subprocess.Popen(command, stdout=subprocess.PIPE) as run:
        assert run.stdout is not None
        while some := os.read(run.stdout.fileno(), 512):  # less than they write: they have to wait
            heard += some
    lines = [line for line in heard.decode().splitlines() if '{"' in line]
    assert [json.loads(line)["event"] for line in lines][-1] == "RunFinished"


class Raw(io.FileIO):
    """Notes how much each write took; `None`: it would have had to wait."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, "w")
        self.took: list[int | None] = []

    def write(self, data: Any) -> int:
        self.took.append(cast("int | None", super().write(data)))
        return cast("int", self.took[-1])


def test_a_full_pipe_that_does_not_wait_is_waited_for() -> None:
    read, write = os.pipe()
    os.set_blocking(write, False)
    text, raw = "x" * 300_000, Raw(write)
    with io.TextIOWrapper(io.BufferedWriter(raw)) as out, io.FileIO(read) as pipe:
        beside, heard = WrittenBeside(out), b""
        beside.write(text)
        while len(heard) < len(text):
            heard += pipe.read(9_000)
        beside.close()
    assert heard.decode() == text
    assert None in raw.took
    assert not any(one is other is None for one, other in pairwise(raw.took))
