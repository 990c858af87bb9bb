"""The command line as a user calls it, in a process of its own."""

import sys
from pathlib import Path

from benchmarks.contenders import wall_seconds

_SCRIPT = Path(sys.executable).with_name("evaltui")
EVALTUI = (str(_SCRIPT),) if _SCRIPT.exists() else (sys.executable, "-m", "evaltui")
"""The program as it was installed."""


def run_project(root: Path, url: str, concurrency: int) -> float:
    """Seconds of `evaltui run` from start to exit, result files written."""
    return wall_seconds(
        *EVALTUI,
        "run",
        "--agent",
        url,
        "--registry",
        "tools.json",
        "--concurrency",
        str(concurrency),
        "--output-dir",
        "results",
        cwd=root,
    )


def is_there() -> bool:
    """Whether this checkout has its command line yet."""
    try:
        wall_seconds(*EVALTUI, "--version")
    except RuntimeError:
        return False
    return True
