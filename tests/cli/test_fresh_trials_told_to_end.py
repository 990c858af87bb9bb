"""A signal while fresh trials are made: each answer that came is kept, as it may have been paid."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from evaltui.core.events import TrialFinished
from evaltui.disk.journal.journal_reading import read_events
from tests.simulated_agent import simulated_project

PROGRAM = """
import asyncio, os, sys
import pytest
from evaltui.cli.main import run_command
from tests.simulated_agent import Simulated, simulate

respond, asked = Simulated.respond, []

async def told_to_end(agent, request):
    asked.append(request)
    if len(asked) <= 4:
        answer = await respond(agent, request)
        while len(asked) < 4:
            await asyncio.sleep(0)
        return answer
    if len(asked) == 8:  # each of the first four has made room for one of these
        os.kill(os.getpid(), int(sys.argv[1]))
    await asyncio.Event().wait()

simulate(pytest.MonkeyPatch())
Simulated.respond = told_to_end
sys.exit(run_command(["baseline", "pin", "--trials", "10", "--yes"]))
"""


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_the_answers_that_came_are_kept(tmp_path: Path, number: signal.Signals) -> None:
    root = simulated_project(tmp_path, 1, "concurrency = 4")
    program = [sys.executable, "-c", PROGRAM, str(int(number))]
    run = subprocess.run(program, cwd=root, timeout=60, check=False, capture_output=True)
    assert run.returncode == 128 + number, run.stderr
    assert b"Traceback" not in run.stderr
    (journal,) = (root / ".evaltui" / "runs").glob("*.jsonl")
    kept = [event for event in read_events(journal) if isinstance(event, TrialFinished)]
    assert len(kept) == 4
    assert not (root / "evals" / "baselines").exists(), "nothing is pinned of it"
