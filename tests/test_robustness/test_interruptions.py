"""Ctrl+C, SIGTERM, kill -9: no half-written result, and what was shown as finished is known."""

import asyncio
import random
import signal
import subprocess
from pathlib import Path

import pytest

from evaltui.session import Session
from evaltui.settings.load import load_config
from tests.test_robustness.agent_server import agent_server
from tests.test_robustness.command import (
    evaltui,
    make_slow_project,
    newest_result,
    result_documents,
    start,
)

LATENCY_S = 0.02


@pytest.fixture(autouse=True)
def hearing() -> None:
    """Jobs in the background are started deaf to Ctrl+C, and so is what they start."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def wait_for_lines(process: "subprocess.Popen[str]", count: int) -> list[str]:
    """The first lines of standard output that tell of a finished case."""
    assert process.stdout is not None
    shown: list[str] = []
    while len(shown) < count:
        line = process.stdout.readline()
        assert line, "the run ended before it was interrupted"
        if line.startswith("  ✓ "):
            shown.append(line)
    return shown


@pytest.mark.parametrize(
    ("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["ctrl-c", "sigterm"]
)
def test_a_polite_stop_prints_totals_and_writes_results(
    tmp_path: Path, sent: signal.Signals, code: int
) -> None:
    make_slow_project(tmp_path)
    with agent_server(LATENCY_S) as url:
        process = start(tmp_path, "run", "--agent", url)
        shown = wait_for_lines(process, 3)
        process.send_signal(sent)
        assert process.stdout is not None
        # Not `communicate`: it passes over what was read ahead of the lines above.
        out = process.stdout.read()
        _, err = process.communicate(timeout=20)
    assert process.returncode == code
    assert "Traceback" not in err
    finished = len(shown) + sum(line.startswith("  ✓ ") for line in out.splitlines())
    assert f"  {finished}/{finished} passed" in out
    assert "cancelled before all cases were run" in out
    (document,) = result_documents(tmp_path)
    assert document["summary"]["totalCases"] == len(document["cases"]) == finished


@pytest.mark.slow
def test_the_next_start_goes_on_from_an_interrupted_run(tmp_path: Path) -> None:
    make_slow_project(tmp_path, 8)
    with agent_server(LATENCY_S) as url:
        process = start(tmp_path, "run", "--agent", url)
        wait_for_lines(process, 3)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        done = evaltui(tmp_path, "run", "--agent", url, "--filter", "find-order-007")
    assert done.returncode == 0, done.stderr
    cases = newest_result(tmp_path)["cases"]
    assert len(cases) >= 4, "what finished before the interruption is carried over"
    assert {one["id"] for one in cases if not one.get("carriedFrom")} == {"gs-find-order-007"}


async def known_cases(root: Path, url: str) -> set[str]:
    """Ids of the cases that a new session has a result of."""
    read = load_config(root, {"agent": [url]})
    session = Session(read.config)
    await session.open()
    try:
        (name,) = session.agents
        rows = session.store.board(name).rows
        return {key.case for key, row in rows.items() if row.result is not None}
    finally:
        await session.close()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
async def test_kill_9_loses_nothing_that_was_shown(tmp_path: Path, seed: int) -> None:
    make_slow_project(tmp_path, 100)
    with agent_server(0.01) as url:
        process = start(tmp_path, "run", "--agent", url, "--concurrency", "2")
        shown = wait_for_lines(process, 1 + seed // 4 * 8)
        # A journal line is on disk within one frame; the terminal is a pipe here and slower.
        await asyncio.sleep(0.04 + random.Random(seed).random() * 0.2)
        process.kill()
        out, _ = process.communicate(timeout=20)
        assert process.returncode == -signal.SIGKILL
        at_kill = shown + [line for line in out.splitlines() if line.startswith("  ✓ gs-find")]
        for document in result_documents(tmp_path):
            assert document["summary"]["totalCases"] == len(document["cases"])
        known = await known_cases(tmp_path, url)
        assert {line.split()[1] for line in shown} <= known
        assert len(known) >= len(at_kill) - 12, "at most one frame's results are lost"
        again = evaltui(tmp_path, "run", "--agent", url)
    assert again.returncode == 0, again.stderr
    assert not list((tmp_path / ".evaltui" / "runs").glob("*.open.jsonl"))
    assert newest_result(tmp_path)["summary"]["passed"] == 100
