"""A save that changes nothing says so; files that were saved before anybody watched do not."""

import os
from pathlib import Path

import pytest

from evaltui.core.events import NothingChanged
from tests.sample_project import FIND_ORDER, FIND_ORDER_TOOL, at_the_line, copy_samples
from tests.test_line import EXPECTED, WRONG

pytestmark = pytest.mark.slow

SAID = "changes no result"


COMMENT = "// what it is for\n"


@pytest.mark.parametrize("file", [FIND_ORDER, FIND_ORDER_TOOL])
async def test_a_save_that_changes_nothing_says_so(tmp_path: Path, file: str) -> None:
    samples = copy_samples(tmp_path / "samples")
    async with at_the_line(samples) as line:
        line.save(file, line.read(file) + ("\n" if file == FIND_ORDER else COMMENT))
        await line.shows(f"{Path(file).name}  {SAID}")
        line.edit(FIND_ORDER, EXPECTED, WRONG)
        await line.runs()
        assert SAID not in line.driver.lines[0]


@pytest.mark.parametrize("file", [FIND_ORDER, FIND_ORDER_TOOL])
async def test_a_file_that_holds_what_it_held_leaves_the_headline_as_it_is(
    tmp_path: Path, file: str
) -> None:
    samples = copy_samples(tmp_path / "samples")
    async with at_the_line(samples) as line:
        line.edit(FIND_ORDER, EXPECTED, WRONG)
        await line.runs()
        await line.shows("⚠ find_order.golden.json:10")  # as a closer look says after the run
        before = line.driver.lines[0]
        assert "4 judged again · 4 worse" in before, before
        line.save(file, line.read(file))
        await line.shows(f"{Path(file).name} {SAID}.")
        assert line.driver.lines[0] == before


async def test_the_view_of_a_save_that_changed_nothing_says_what_was_saved(tmp_path: Path) -> None:
    samples = copy_samples(tmp_path / "samples")
    async with at_the_line(samples) as line:
        await line.driver.press("F", "s")
        line.save(FIND_ORDER_TOOL, line.read(FIND_ORDER_TOOL) + COMMENT)
        await line.shows(f"{Path(FIND_ORDER_TOOL).name} was saved and changed no result")
        line.save(FIND_ORDER, "[")
        await line.shows("find_order.golden.json was saved and cannot be read")


async def test_what_was_saved_just_before_the_start_is_no_save(tmp_path: Path) -> None:
    samples = copy_samples(tmp_path / "samples")
    async with at_the_line(samples):
        pass
    os.utime(samples / FIND_ORDER)  # so young that it is looked at once more
    async with at_the_line(samples, is_first=False) as line:
        await line.shows("last results")
        await line.reread()
        told = [event for event in line.ear.ever if isinstance(event, NothingChanged)]
        assert not [event for event in told if FIND_ORDER in event.files]
