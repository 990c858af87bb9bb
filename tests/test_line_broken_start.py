"""The dashboard starts with an eval file that is broken at that moment, and it is mended."""

from pathlib import Path

import pytest

from tests.sample_project import FIND_ORDER, FIND_ORDER_TOOL, at_the_line, copy_samples

pytestmark = pytest.mark.slow

BARREL = "tools/tools.exports.ts"


async def test_what_was_broken_at_the_start_is_as_ever_when_it_is_mended(tmp_path: Path) -> None:
    root = copy_samples(tmp_path / "samples")
    async with at_the_line(root):
        pass
    path = root / FIND_ORDER
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole[: len(whole) // 2], encoding="utf-8")
    async with at_the_line(root, is_first=False) as line:
        await line.driver.press("/")
        await line.driver.write("gs-find-order-00")
        await line.driver.press("enter")
        await line.shows("as last known", "asks (not known: its file cannot be read)")
        line.driver.misses("no stubs in this case")
        line.save(FIND_ORDER, whole)
        await line.shows("find_order.golden.json  changes no result", "asks What is in order")
        line.driver.misses("as last known", "not known")


@pytest.mark.parametrize("file", [FIND_ORDER_TOOL, BARREL])
async def test_tools_that_are_broken_at_the_start_are_as_they_were_and_nothing_runs(
    tmp_path: Path, file: str
) -> None:
    root = copy_samples(tmp_path / "samples")
    async with at_the_line(root) as line:
        tools, before = line.session.project.registry.tools, line.board.counts.all.by_status
    whole = (root / file).read_text(encoding="utf-8")
    (root / file).write_text(whole[: len(whole) // 2], encoding="utf-8")
    async with at_the_line(root, is_first=False) as line:
        (problem,) = line.session.store.problems.mistakes
        assert problem.file == file and problem.hint.endswith("stay in force.")
        assert line.session.project.registry.tools == tools
        assert line.board.counts.all.by_status == before
        assert not line.board.counts.all.due
        assert not line.board.runs.is_on and not line.session.is_running
        line.save(file, whole)
        await line.reread()
        assert not line.session.store.problems.mistakes and not line.board.counts.all.due
        (run,) = line.ear.started
        assert len(run.cases) == 1, "of the file by which it is known that all was read"
