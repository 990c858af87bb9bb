"""A half-saved file: `evaltui run` beside the board meanwhile, and what the last save did."""

from pathlib import Path

import pytest

from evaltui.session import Session
from evaltui.settings.load import load_config
from tests.sample_project import FIND_ORDER, FIND_ORDER_TOOL, at_the_line, copy_samples
from tests.test_line import EXPECTED, WRONG

pytestmark = pytest.mark.slow


async def run_beside(root: Path) -> None:
    """Run all cases as another process would, by the files as they are now."""
    other = Session(load_config(root, {}).config)
    await other.open(is_strict=True)
    await other.run([case.key for suite in other.project.suites for case in suite.cases])
    await other.close()


async def test_what_was_read_otherwise_beside_is_run_again_and_leaves_no_fall(
    tmp_path: Path,
) -> None:
    root = copy_samples(tmp_path / "samples")
    async with at_the_line(root) as line:
        before = dict(line.board.counts.all.by_status)
        whole = line.read(FIND_ORDER_TOOL)
        line.save(FIND_ORDER_TOOL, whole[: len(whole) // 2])
        await line.shows("does not parse")
        await run_beside(root)
        beside, again = await line.runs(2)
        assert again.reason == "another process read other files"
        assert len(beside.cases) > len(again.cases) > 0
        assert line.board.counts.all.by_status == before
        assert not line.board.counts.all.due
        assert "↓" not in line.driver.lines[0], line.driver.lines[0]
        line.save(FIND_ORDER_TOOL, whole)
        await line.reread()
        assert line.board.counts.all.by_status == before


@pytest.mark.parametrize("file", [FIND_ORDER, FIND_ORDER_TOOL])
async def test_one_that_is_put_back_leaves_what_the_last_save_did(
    tmp_path: Path, file: str
) -> None:
    root = copy_samples(tmp_path / "samples")
    async with at_the_line(root) as line:
        line.edit(FIND_ORDER, EXPECTED, WRONG)
        await line.runs()
        before = line.driver.lines[0]
        assert "4 judged again · 4 worse" in before, before
        whole = line.read(file)
        line.save(file, whole[: len(whole) // 2])
        await line.shows("last good version in force")
        line.save(file, whole)
        await line.shows(f"{Path(file).name} changes no result.")
        assert line.driver.lines[0] == before
        assert line.board.counts.all.ran == 4
