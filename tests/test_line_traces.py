"""Traces at the dashboard, with the real session: their events, and the case made of one."""

import json
from pathlib import Path

import pytest

from tests.sample_project import at_the_line, copy_samples
from tests.test_line_keys import go_to

pytestmark = pytest.mark.slow

TRACES = "evals/support.trace.json"
NEW = "evals/support.labeled.json"


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    root = copy_samples(tmp_path / "samples")
    for path in (root / "evals").glob("*.json"):
        if path.name not in ("seed-manifest.json", Path(TRACES).name):
            path.unlink()
    return root


async def test_a_trace_opens_on_its_events_and_one_of_them_becomes_a_case(samples: Path) -> None:
    async with at_the_line(samples) as line:
        await go_to(line, "tr-support-001")
        line.driver.sees("[Events]", "6 events, 2.8s", "refund_order", "trajectory_step")
        await line.driver.press("P")
        line.driver.sees("to which file?", NEW)
        await line.driver.press("enter")
        line.driver.sees('"toolsCalled": ["find_order", "refund_order"]')
        assert not (samples / NEW).exists()
        await line.driver.press("y")
        (case,) = json.loads(line.read(NEW))["cases"]
        assert case["stubs"]["refund_order"]["paid_back"] == 64.5
        await line.until(lambda: len(line.board.rows) == 4)
        written = line.read(NEW)
        await line.driver.press("slash")
        await line.driver.write(" tier:trace")
        await line.driver.press("enter", "P", "enter")
        line.driver.sees("support.labeled.json has this case already")
        assert line.read(NEW) == written
        await line.driver.press("z")
        assert not (samples / NEW).exists()
        await line.until(lambda: len(line.board.rows) == 3)
        policy = '"forbidden_tools": ["cancel_order"]'
        line.edit(TRACES, policy, policy.replace("cancel", "refund"))
        await line.row_shows("tr-support-001", "✗")
