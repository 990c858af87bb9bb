"""A reader of standard output that pauses holds up neither answers nor what is kept of them."""

import io
import json
import sys
from pathlib import Path
from threading import Event

import pytest

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
