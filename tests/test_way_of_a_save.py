"""The way of a save until its row changes: the map names the modules that it passes, in order."""

import asyncio
import json
import re
from collections import defaultdict
from pathlib import Path

import pytest

from tests.sample_project import FIND_ORDER_TOOL, at_the_line, copy_samples
from tests.way_of_a_save import Way, recorded

CASE = "gs-find-order-001"
MAP = (Path(__file__).parent.parent / "docs" / "map.md").read_text(encoding="utf-8")
WAY = MAP.split("## The way of a save")[1].split("\n## ")[0]
ROWS = re.findall(r"^\| \d+ \| `([\w/]+\.py)` \|[^|]+\|([^|]*)\|$", WAY, re.MULTILINE)
STEPS = [step for step, _ in ROWS]
ASKS = {step: tuple(re.findall(r"`([\w/.]+)`", asks)) for step, asks in ROWS}
ALWAYS = {step: tuple(re.findall(r"`([\w/.]+)`", asks.split("at times")[0])) for step, asks in ROWS}
"""But for what is asked only where the screen is painted meanwhile."""
BESIDE = tuple(re.findall(r"`([\w/.]+)`", WAY.split("Other code runs meanwhile")[1]))
"""What runs then, and no step has asked for it."""
COMMON = ("core/",)
"""May be asked by everyone."""


async def walked(folder: Path) -> Way:
    root = copy_samples(folder)
    # What a conversation asks besides is no step of the way, nor what is pinned of a suite gone.
    for file in (root / "evals").glob("*.scenario.json"):
        file.unlink()
    pins = root / "evals" / "baselines" / "pins.json"
    pinned = json.loads(pins.read_text())
    pinned["pins"] = [one for one in pinned["pins"] if "scenario" not in one["suite"]]
    pins.write_text(json.dumps(pinned))
    for copy in pins.parent.rglob("*.scenario-*.json"):
        copy.unlink()
    async with at_the_line(root) as line:
        with recorded(CASE) as way:
            line.edit(FIND_ORDER_TOOL, "Looks up one order", "Finds one order")
            async with asyncio.timeout(30):
                await way.painted.wait()
        await line.runs()
    return way


@pytest.mark.timeout(300)
@pytest.mark.slow
async def test_a_save_passes_the_modules_that_the_map_names(tmp_path: Path) -> None:
    asked = defaultdict[str, set[str]](set)
    idle: list[tuple[str, str]] = []
    for turn in range(3):  # what a machine paints in one frame depends on how busy it is
        way = await walked(tmp_path / f"samples-{turn}")
        assert list(way.steps) == STEPS
        _note(way, asked)
        idle = [
            (step, name)
            for step in STEPS
            for name in ALWAYS[step]
            if not _is_any_in(asked[step], name)
        ]
        if not idle:
            break
    assert not idle, "not asked by that step, and on the page"
    for step in STEPS:
        unnamed = {one for one in asked[step] if not one.startswith((*COMMON, *ASKS[step]))}
        assert not unnamed, f"asked by {step}, and not on the page"


def _note(way: Way, asked: dict[str, set[str]]) -> None:
    for *above, module in way.stacks:
        if module in STEPS:
            continue
        step = next((one for one in reversed(above) if one in STEPS), "")
        if step:
            asked[step].add(module)
        else:
            first = (*above, module)[0]
            assert first.startswith(BESIDE), f"{first} runs beside the way, and is not on the page"


def _is_any_in(modules: set[str], name: str) -> bool:
    return any(module.startswith(name) for module in modules)


def test_the_way_is_short() -> None:
    assert 15 <= len(STEPS) <= 24
