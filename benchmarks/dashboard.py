"""The dashboard on a throw-away project, opened, run and left as a person would."""

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

from benchmarks.clocked import Clocked, clocked
from benchmarks.command_line import EVALTUI
from benchmarks.project_folder import project_folder

SUITES = 300
FAILING_EVERY = 16
"""A board with something to read: every sixteenth case fails."""
CURSOR = re.compile(r"│›[^│\n]{0,12}?(gs-[a-z0-9-]+)")
HEADER = re.compile(r"● [A-Z]+  [^●\r]*")


def options(url: str, concurrency: int = 32) -> list[str]:
    """The same for the command line and the dashboard."""
    known = ["--agent", url, "--registry", "tools.json", "--output-dir", "results"]
    return [*known, "--concurrency", str(concurrency)]


def failing(count: int) -> int:
    return len(range(0, count, FAILING_EVERY))


def until_run(shown: Clocked, count: int, failed: int, limit_s: float = 120.0) -> float:
    """When the header had counted the result of every case, and the run was over."""
    counted = f"✓{count - failed:,} ✗{failed:,}"
    return shown.clock(lambda text: _is_over(text, counted), limit_s)


def _is_over(text: str, counted: str) -> bool:
    return counted in text and counted in header(text) and not is_running(text)


def header(text: str) -> str:
    """The header as it was painted last."""
    found = HEADER.findall(text)
    return found[-1] if found else ""


def is_running(text: str) -> bool:
    """Whether the header shows how far a run is; it does in every frame while one is on."""
    return "/" in header(text).partition("run #")[2].partition("✓")[0]


@contextlib.contextmanager
def known_project(url: str, count: int) -> Iterator[Path]:
    """A project that was run once in the dashboard, which left its results behind."""
    with project_folder(count, min(SUITES, count), FAILING_EVERY) as root:
        with clocked([*EVALTUI, *options(url)], root) as shown:
            until_run(shown, count, failing(count))
            shown.quit()
        assert (root / ".evaltui" / "history.sqlite3").exists()
        yield root
