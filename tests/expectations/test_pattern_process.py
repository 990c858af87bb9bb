"""The life of the processes: sharing, killing, restarting, ending."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import pytest

from evaltui.expectations import pattern_process
from evaltui.expectations.pattern_process import (
    PatternCrash,
    PatternInvalid,
    PatternProcess,
    PatternProcesses,
    PatternTimeout,
)

ENDLESS, TEXT = "(?:(?:a+)+)+$", "a" * 40 + "b"
LIMIT_S = 10.0


@pytest.fixture
def processes() -> Iterator[PatternProcesses]:
    owned = PatternProcesses()
    yield owned
    owned.close()


def pids(processes: PatternProcesses) -> tuple[int, ...]:
    """Of the children that run now."""
    return tuple(one.pid for one in processes._all if one.pid is not None)


async def test_one_process_serves_one_after_the_other(processes: PatternProcesses) -> None:
    assert pids(processes) == ()
    answers = [await processes.test(r"^\d+$", text, LIMIT_S) for text in ("1", "x", "22")]
    assert answers == [True, False, True]
    assert len(pids(processes)) == 1


async def test_many_at_once_get_their_own_answers(processes: PatternProcesses) -> None:
    patterns = [(rf"^x{{{number}}}$", "x" * (number % 7)) for number in range(200)]
    answers = await asyncio.gather(*(processes.test(*pattern, LIMIT_S) for pattern in patterns))
    assert answers == [number == number % 7 for number in range(200)]
    assert len(pids(processes)) <= 2


def test_one_child_tells_a_pattern_of_python_from_the_same_of_javascript() -> None:
    """`\\d` of Python takes the digits of every script."""
    process = PatternProcess()
    asked = (False, True, False)
    found = [process.test(r"\d+ degrees", "٣ degrees", 5, is_python=one) for one in asked]
    process.close()
    assert found == [False, True, False]


async def test_ctrl_c_at_the_terminal_is_for_us_and_ends_no_pattern(
    processes: PatternProcesses,
) -> None:
    assert await processes.test("a+", TEXT, LIMIT_S)
    before = pids(processes)
    for pid in before:
        os.kill(pid, signal.SIGINT)
    assert await processes.test("a+", TEXT, LIMIT_S)
    assert pids(processes) == before


async def test_a_slow_pattern_holds_up_no_other_and_its_process_is_replaced(
    processes: PatternProcesses,
) -> None:
    slow = asyncio.create_task(processes.test(ENDLESS, TEXT, 1.5))
    assert await processes.test("a+", TEXT, LIMIT_S)
    assert not slow.done()
    with pytest.raises(PatternTimeout):
        await slow
    assert await processes.test("a+", TEXT, LIMIT_S)


async def test_large_texts_go_through(processes: PatternProcesses) -> None:
    assert await processes.test("y$", "x" * 3_000_000 + "y", 10)


async def test_an_invalid_pattern_does_not_cost_the_process(processes: PatternProcesses) -> None:
    with pytest.raises(PatternInvalid, match="group"):
        await processes.test("(?i)x", "x", LIMIT_S)
    before = pids(processes)
    assert await processes.test("x+", "x", LIMIT_S)
    assert pids(processes) == before


async def test_a_process_that_was_killed_is_started_again(processes: PatternProcesses) -> None:
    assert await processes.test("x+", "x", LIMIT_S)
    (pid,) = pids(processes)
    os.kill(pid, signal.SIGKILL)
    _await_end(pid, is_child=True)
    assert await processes.test("x+", "x", LIMIT_S)
    assert pids(processes) != (pid,)


def test_several_event_loops_share_them(processes: PatternProcesses) -> None:
    assert asyncio.run(processes.test("x+", "x", LIMIT_S))
    before = pids(processes)
    assert asyncio.run(processes.test("y+", "y", LIMIT_S))
    assert pids(processes) == before


def test_closing_ends_a_test_under_way() -> None:
    process = PatternProcess()

    async def close_meanwhile() -> None:
        running = asyncio.create_task(asyncio.to_thread(process.test, ENDLESS, TEXT, 30))
        while process.pid is None:  # noqa: ASYNC110  (nobody tells)
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        process.close()
        with pytest.raises(PatternCrash):
            await running

    asyncio.run(close_meanwhile())
    with pytest.raises(PatternCrash, match="closing"):
        process.test("x+", "x", 1)


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no SIGSTOP here")
def test_a_process_that_hangs_is_killed_from_outside() -> None:
    process = PatternProcess()
    assert process.test("x+", "x", 1)
    pid = process.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    with pytest.raises(PatternTimeout):
        process.test("x+", "x", 0.2)
    assert process.test("x+", "x", 1)
    process.close()


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no SIGSTOP here")
def test_a_slow_start_is_not_the_time_of_the_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine that is busy: the child gets its first turn after the limit."""
    start, limit_s = pattern_process._start, 1.0

    def start_slowly() -> "subprocess.Popen[bytes]":
        child = start()
        child.send_signal(signal.SIGSTOP)
        Timer(limit_s + 0.2, child.send_signal, (signal.SIGCONT,)).start()
        return child

    monkeypatch.setattr(pattern_process, "_start", start_slowly)
    process = PatternProcess()
    assert process.test("x+", "x", limit_s)
    process.close()


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no SIGSTOP here")
def test_a_process_that_does_not_start_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    start = pattern_process._start

    def never_start() -> "subprocess.Popen[bytes]":
        child = start()
        child.send_signal(signal.SIGSTOP)
        return child

    monkeypatch.setattr(pattern_process, "_start", never_start)
    monkeypatch.setattr(pattern_process, "LONGEST_START_S", 0.1)
    with pytest.raises(PatternCrash):
        PatternProcess().test("x+", "x", 0.05)


SCRIPT = """
import asyncio, sys
from evaltui.expectations.pattern import find_pattern
from evaltui.expectations.pattern_process import shared_processes
async def main():
    await find_pattern("x+", "x")
    print(*(one.pid for one in shared_processes()._all), flush=True)
    if sys.argv[1] == "busy":
        print("trying", flush=True)
        await find_pattern("(?:(?:a+)+)+$", "a" * 40 + "b", 1)
asyncio.run(main())
"""


def test_nothing_is_left_and_nothing_is_warned_of_at_exit() -> None:
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-X", "dev", "-c", SCRIPT, "idle"],
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    assert ended.stderr == ""
    _await_end(int(ended.stdout), is_child=False)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
def test_a_busy_process_does_not_outlive_a_killed_parent() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, "busy"], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert parent.stdout.readline() == "trying\n"
        before = _cpu_ticks(pid)
        while _cpu_ticks(pid) < before + 5:
            time.sleep(0.01)
        parent.kill()
    _await_end(pid, is_child=False)


def _cpu_ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def _await_end(pid: int, *, is_child: bool) -> None:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if is_child and Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
            return
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        if not is_child and _is_zombie(pid):
            return
        time.sleep(0.01)
    raise AssertionError(f"process {pid} lives on")


def _is_zombie(pid: int) -> bool:
    """An orphan that nobody reaps, as in a container without an init process, has ended too."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return False
