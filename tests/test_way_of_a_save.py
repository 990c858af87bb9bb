"""The way of a save until its row changes: the map names the modules that it passes, in order."""

import asyncio
import re
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

import evaltui
from tests.sample_project import FIND_ORDER_TOOL, at_the_line, copy_samples

PACKAGE = Path(evaltui.__file__).parent
MAP = (PACKAGE.parent / "docs" / "map.md").read_text(encoding="utf-8")
WAY = MAP.split("## The way of a save")[1].split("\n## ")[0]
ROWS = re.findall(r"^\| \d+ \| `([\w/]+\.py)` \|[^|]+\|([^|]*)\|$", WAY, re.MULTILINE)
STEPS = [step for step, _ in ROWS]
ASKED = tuple(name for _, asks in ROWS for name in re.findall(r"`([\w/.]+)`", asks))
"""Files and folders that the steps ask, which stand beside the way."""


@contextmanager
def recorded() -> Iterator[list[str]]:
    """Modules of the package in the order in which their functions are called, repeats folded."""
    passed: list[str] = [""]
    root = f"{PACKAGE}/"

    def enter(frame: FrameType, event: str, _: object) -> None:
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(root) and frame.f_code.co_name != "<module>":
            module = name.removeprefix(root)
            if passed[-1] != module:
                passed.append(module)

    # Threads that are there already cannot be listened to: give the loop new ones.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())
    threading.setprofile(enter)
    sys.setprofile(enter)
    try:
        yield passed
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


@pytest.mark.timeout(300)
async def test_a_save_passes_the_modules_that_the_map_names(tmp_path: Path) -> None:
    async with at_the_line(copy_samples(tmp_path / "samples")) as line:
        with recorded() as passed:
            line.edit(FIND_ORDER_TOOL, "Looks up one order", "Finds one order")
            await line.runs()
            await line.shows("find-order.tool.ts description", " ran")
    left = iter(passed)
    for step in STEPS:
        assert step in left, f"{step} is not entered after the steps before it"
    beside = {name for name in passed if name and name not in STEPS}
    unnamed = sorted(name for name in beside if not name.startswith(ASKED))
    assert not unnamed, "entered between the save and the row, and not on the page"


def test_the_way_is_short() -> None:
    assert 15 <= len(STEPS) <= 24
