"""One case is pinned anew beside those that were pinned long ago."""

import re
from pathlib import Path

import pytest

from tests.sample_project import FIND_ORDER_TOOL, at_the_line, copy_samples

pytestmark = pytest.mark.slow


async def test_the_header_still_says_what_is_compared_with(tmp_path: Path) -> None:
    async with at_the_line(copy_samples(tmp_path / "samples")) as line:
        line.edit(FIND_ORDER_TOOL, "Looks up one order", "Shows one order")
        await line.shows("description", " ran · ")
        header = line.driver.lines[0]
        assert re.search(r"vs default, 43 pinned \d+d ago ", header), header
        key, agent = line.row("gs-find-order-001").key, line.session.agents[0]
        await line.session.baselines.pin([key], agent)
        await line.driver.settle()
        header = line.driver.lines[0]
        assert "vs default, 43 pinned" in header and "21 ran" in header, header
