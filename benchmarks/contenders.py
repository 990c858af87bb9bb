"""Each contender in a process of its own; all take turns, so that noise hits them alike."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median

from benchmarks.servers import ROOT


def environment() -> dict[str, str]:
    """Without what would have everything compiled anew at each start, which no installed program
    is."""
    return {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}


def interleaved(contenders: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """Median of what each contender returns, over `rounds` turns, every order alike.

    Each runs twice in a row and the second time counts: a machine that has to read a program's
    files from its disk, because another one ran in between, would measure its disk.
    """
    taken: dict[str, list[float]] = {name: [] for name in contenders}
    names = list(contenders)
    for turn in range(rounds):
        shift = turn % len(names)
        for name in names[shift:] + names[:shift]:
            contenders[name]()
            taken[name].append(contenders[name]())
    return {name: median(values) for name, values in taken.items()}


def printed_seconds(*arguments: str) -> float:
    """Run one of our own modules; the last line it prints is its seconds."""
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)} failed:\n{done.stderr[-2000:]}")
    return float(done.stdout.split()[-1])


def wall_seconds(*command: str, cwd: Path = ROOT) -> float:
    """From start to exit of a command. Raises RuntimeError with its output when it fails."""
    started = time.perf_counter()
    done = subprocess.run(
        command, cwd=cwd, env=environment(), capture_output=True, text=True, check=False
    )
    taken = time.perf_counter() - started
    if done.returncode:
        raise RuntimeError(f"{command} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return taken


def show(title: str, rows: Mapping[str, float], floor: str, unit: str = "s") -> None:
    """A small table with every contender as a multiple of `floor`."""
    print(f"\n{title}")
    for name, value in rows.items():
        print(f"  {name:<34}{value:10.3f} {unit}   {value / rows[floor]:6.2f} × {floor}")
