"""When we are killed, nothing that we started runs on, whatever it ignores."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from evaltui.child.process import Child
from evaltui.child.watchdog import WATCHDOG, Watchdog
from tests.agents.scripts import is_alive, program, until_file, until_gone

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups")

DEAF = """
import signal
from pathlib import Path
for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
below = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
Path({told!r}).write_text(f"{{os.getpid()}} {{below.pid}}\\n")
{serves}
time.sleep(600)
"""
"""Reads no stdin, hears no signal, and has a child of its own."""
SERVER = """
from mcp.server import MCPServer
import threading
threading.Timer(600, int).start()
MCPServer("deaf").run("stdio")
"""
CASE = {
    "id": "gs-1",
    "input": {"message": "hi"},
    "expect": {"responseContains": ["{{snapshot:a}}"]},
}
SETTINGS: Mapping[str, str] = {
    "command": 'agent = "a"\n[agents.a]\ntype = "command"\ncommand = {argv}\nis_free = true\n',
    "lines": 'agent = "a"\n[agents.a]\ntype = "command"\nmode = "jsonl"\ncommand = {argv}\n'
    "is_free = true\n",
    "python": 'agent = "a"\n[agents.a]\ntype = "python"\nfunction = "agent.py:answer"\n'
    "is_free = true\n",
    "snapshot": 'snapshot_enabled = true\nsnapshot = "{words}"\n',
    "mcp": 'registry = "mcp.json"\n',
}
LIMIT_S = 20.0


def deaf(root: Path, serves: str = "") -> list[str]:
    return program(root, DEAF.format(told=str(root / "told"), serves=serves))


@pytest.mark.parametrize(
    "kind",
    [
        *("lines", "python"),
        *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("command", "snapshot", "mcp")),
    ],
)
async def test_kill_9_leaves_nothing_running(tmp_path: Path, kind: str) -> None:
    argv = deaf(tmp_path, SERVER if kind == "mcp" else "")
    settings = SETTINGS[kind].format(argv=argv, words=" ".join(argv))
    (tmp_path / "evaltui.toml").write_text(settings)
    server = {"mcpServers": {"deaf": {"command": argv[0], "args": argv[1:]}}}
    (tmp_path / "mcp.json").write_text(json.dumps(server))
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals" / "a.golden.json").write_text(json.dumps({"cases": [CASE]}))
    ours = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "evaltui", "run", "--trust"),
        cwd=tmp_path,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    left = [int(pid) for pid in (await until_file(tmp_path / "told")).split()]
    assert all(map(is_alive, left))
    ours.kill()
    await ours.wait()
    try:
        await until_gone(*left, limit_s=LIMIT_S)
    finally:
        for pid in filter(is_alive, left):
            os.kill(pid, signal.SIGKILL)


def started(folder: Path) -> "subprocess.Popen[bytes]":
    folder.mkdir()
    return subprocess.Popen(deaf(folder), start_new_session=True)


def test_a_group_that_was_let_go_is_not_killed(tmp_path: Path) -> None:
    ours, other = started(tmp_path / "ours"), started(tmp_path / "other")
    watchdog = Watchdog()
    try:
        watchdog.watch(ours.pid)
        watchdog.watch(other.pid)
        watchdog.forget(other.pid)
        watchdog.close()
        assert ours.wait(LIMIT_S) == -signal.SIGKILL
        assert is_alive(other.pid)
    finally:
        os.killpg(other.pid, signal.SIGKILL)
        ours.wait()
        other.wait()


@pytest.mark.skipif(sys.platform != "linux", reason="finds it in /proc")
def test_a_program_that_is_just_being_started_is_found_by_its_mark(tmp_path: Path) -> None:
    watchdog = Watchdog()
    with watchdog.start_of(None) as env:
        program = subprocess.Popen(deaf(tmp_path), start_new_session=True, env=env)
        watchdog.close()  # as when we are killed before its number is known
        assert program.wait(LIMIT_S) == -signal.SIGKILL
    assert watchdog.pid is None


AWAY = """
import os, sys, time
from pathlib import Path
if not os.fork():
    os.setsid()
    if not os.fork():
        os.setsid()
        Path({told!r}).write_text(f"{{os.getpid()}}\\n")
        time.sleep(600)
    os._exit(0)
os.wait()
"""
"""Leaves a program behind that is no child of its any more, in a session of its own."""


def leave(folder: Path, watchdog: Watchdog) -> None:
    """Its program has ended and is let go of."""
    with watchdog.start_of(None) as env:
        argv = [sys.executable, str(folder / "away.py")]
        program = subprocess.Popen(argv, start_new_session=True, env=env)
        watchdog.watch(program.pid)
    assert program.wait(LIMIT_S) == 0
    watchdog.forget(program.pid)


@pytest.mark.skipif(sys.platform != "linux", reason="finds it in /proc")
async def test_what_left_its_session_ends_with_us(tmp_path: Path) -> None:
    ours, other = tmp_path / "ours", tmp_path / "other"
    for folder in (ours, other):
        folder.mkdir()
        (folder / "away.py").write_text(AWAY.format(told=str(folder / "told")))
    watchdogs = {ours: Watchdog(), other: Watchdog()}
    for folder, watchdog in watchdogs.items():
        leave(folder, watchdog)
    left = {folder: int(await until_file(folder / "told")) for folder in watchdogs}
    try:
        watchdogs[ours].close()
        await until_gone(left[ours], limit_s=LIMIT_S)
        assert is_alive(left[other]), "what another one started is not ours"
        watchdogs[other].close()
        await until_gone(left[other], limit_s=LIMIT_S)
    finally:
        for pid in filter(is_alive, left.values()):
            os.kill(pid, signal.SIGKILL)


FORKS = """
import os, subprocess, sys, time
from pathlib import Path
from evaltui.child.watchdog import WATCHDOG

def start(name):
    with WATCHDOG.start_of(None) as env:
        argv = [sys.executable, "-c", "import time; time.sleep(600)"]
        program = subprocess.Popen(argv, start_new_session=True, env=env)
        WATCHDOG.watch(program.pid)
    Path(name).write_text(f"{os.getpid()} {WATCHDOG.pid} {program.pid}\\n")

start("parent")
for name in ("first", "second"):
    if not os.fork():
        start(name)
        break
time.sleep(600)
"""
"""A process and two forks of it with a program each: its number, its watchdog's, the program's."""


@pytest.mark.skipif(sys.platform != "linux", reason="finds it in /proc")
async def test_of_forks_each_ends_what_it_started_itself(tmp_path: Path) -> None:
    ours = await asyncio.create_subprocess_exec(sys.executable, "-c", FORKS, cwd=tmp_path)
    told = {
        name: [int(pid) for pid in (await until_file(tmp_path / name)).split()]
        for name in ("first", "parent", "second")
    }
    left = {pid for pids in told.values() for pid in pids}
    try:
        assert len(left) == 9, "each has a watchdog of its own"
        while told:
            process, *its = told.pop(next(iter(told)))
            os.kill(process, signal.SIGKILL)
            await until_gone(*its, limit_s=LIMIT_S)
            assert all(is_alive(pid) for others in told.values() for pid in others)
    finally:
        for pid in filter(is_alive, left):
            os.kill(pid, signal.SIGKILL)
        await ours.wait()


def test_a_watchdog_that_was_killed_is_followed_by_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaltui.child.watchdog._SHORTEST_LIFE_S", 0.0)
    watched = started(tmp_path / "watched")
    watchdog = Watchdog()
    watchdog.watch(watched.pid)
    first = watchdog.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    end = time.monotonic() + 20
    while watchdog.pid in (first, None):  # nothing else is started meanwhile
        assert time.monotonic() < end, "nobody took its place"
        time.sleep(0.005)
    watchdog.close()
    assert watched.wait(LIMIT_S) == -signal.SIGKILL


@pytest.mark.parametrize("turns", range(12))
async def test_a_start_that_is_given_up_leaves_nothing_running_or_watched(
    tmp_path: Path, turns: int
) -> None:
    before = WATCHDOG.groups
    starting = asyncio.create_task(Child.start(deaf(tmp_path), lambda _: None, cwd=tmp_path))
    for _ in range(turns):
        await asyncio.sleep(0)
    begun = WATCHDOG.groups - before
    starting.cancel()
    (ended,) = await asyncio.gather(starting, return_exceptions=True)
    if isinstance(ended, Child):
        await ended.end()
    async with asyncio.timeout(LIMIT_S):
        while WATCHDOG.groups - before:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    await until_gone(*begun, limit_s=LIMIT_S)


async def test_a_child_is_watched_until_its_end(tmp_path: Path) -> None:
    before = WATCHDOG.groups
    child = await Child.start(deaf(tmp_path), lambda _: None, cwd=tmp_path)
    assert len(WATCHDOG.groups - before) == 1
    await child.end()
    assert WATCHDOG.groups == before
