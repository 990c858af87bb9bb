"""The pin of a renamed case is moved to its new name, and that is taken back."""

from pathlib import Path

import pytest

from tests.sample_project import FIND_ORDER, at_the_line, copy_samples

pytestmark = pytest.mark.slow


async def test_the_headline_follows_a_moved_pin_and_its_undoing(tmp_path: Path) -> None:
    async with at_the_line(copy_samples(tmp_path / "samples")) as line:
        line.edit(FIND_ORDER, "gs-find-order-001", "gs-find-order-101")
        await line.shows("1 ran", "1 new")
        await line.looked_into()
        told = line.driver.lines[0]
        for _ in range(2):
            await line.driver.press("B", "m")
            await line.shows("Moved the baseline of 1 case", "1 as before")
            assert "1 new" not in line.driver.lines[0]
            await line.driver.press("z")
            await line.shows("Undone", "1 new")
            # What is left behind is looked for again a moment later.
            await line.until(lambda: line.driver.lines[0] == told)
