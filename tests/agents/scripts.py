"""Programs and functions that behave, or misbehave, written to disk for the tests."""

import asyncio
import os
import sys
from pathlib import Path


def program(root: Path, body: str, name: str = "agent.py") -> list[str]:
    """A Python program with the usual imports; gives back its command."""
    path = root / name
    path.write_text(f"import json, os, subprocess, sys, time\n{body}\n")
    return [sys.executable, str(path)]


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be reaped does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        return not Path("/proc/self").exists()
    return state != "Z"


async def until_gone(*pids: int, limit_s: float = 5.0) -> None:
    async with asyncio.timeout(limit_s):
        while any(is_alive(pid) for pid in pids):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def until_file(path: Path, limit_s: float = 10.0) -> str:
    """The content of a file once it is there and ends with a line break."""
    async with asyncio.timeout(limit_s):
        while not (text := _text(path)).endswith("\n"):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    return text


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""
