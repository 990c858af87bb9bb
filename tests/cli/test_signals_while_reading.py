"""A signal while a registry or an agent hangs: evaltui ends soon, and nothing of it runs on."""

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from tests.agents.scripts import until_file, until_gone
from tests.projects import make_project

HANGS = (
    "import os, subprocess, sys, time\n"
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
    "open('pids', 'w').write(f'{os.getpid()} {child.pid}\\n')\n"
    "time.sleep(600)\n"
)
PYTHON = '[[registries]]\npath = "hangs.py"\ntype = "python"\ntimeout = 90\n'
MCP = '[[registries]]\ntype = "mcp"\nname = "x"\ncommand = "{python} hangs.py"\ntimeout = 90\n'
AGENT = 'agent = "x"\n[agents.x]\ntype = "command"\ncommand = ["{python}", "hangs.py"]\n'
SNAPSHOT = 'snapshot_enabled = true\nsnapshot = "{python} hangs.py"\n'


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGTERM,
        *(pytest.param(one, marks=pytest.mark.slow) for one in (signal.SIGHUP, signal.SIGINT)),
    ],
)
@pytest.mark.parametrize(
    ("settings", "limit_s"),
    # A server has the two seconds of its protocol to end by itself before it is made to.
    [
        (PYTHON, 10.0),
        pytest.param(MCP, 30.0, marks=pytest.mark.slow),
        pytest.param(SNAPSHOT, 10.0, marks=pytest.mark.slow),
        (AGENT, 10.0),
    ],
    ids=["python", "mcp", "snapshot", "agent"],
)
async def test_it_ends_soon_and_leaves_nothing(
    tmp_path: Path, settings: str, limit_s: float, number: signal.Signals
) -> None:
    make_project(tmp_path)
    (tmp_path / "hangs.py").write_text(HANGS)
    (tmp_path / "evaltui.toml").write_text(settings.format(python=sys.executable))
    run = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "evaltui",
        "run",
        "--trust",
        cwd=tmp_path,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    pids = [int(pid) for pid in (await until_file(tmp_path / "pids")).split()]
    run.send_signal(number)
    try:
        async with asyncio.timeout(limit_s):
            _, said = await run.communicate()
    finally:
        if run.returncode is None:
            run.kill()
    assert run.returncode == 128 + number
    assert b"Traceback" not in said
    await until_gone(*pids)
