"""Of a tool its line, its page, the drawer, its filter and what keys are about say the same."""

import re
from pathlib import Path

import pytest

from tests.sample_project import Line, at_the_line, copy_samples

pytestmark = pytest.mark.slow


def drawn(line: Line, tool: str) -> tuple[int, int]:
    """What passed and how many cases there are, as the drawer's line has it."""
    (said,) = (text for text in line.driver.lines if re.match(rf"^[▸▾] {tool} ", text))
    found = re.search(r"(\d+) cases?((?: [✓✗!○·⊘]\d+)*)", said)
    assert found is not None, said
    passed = re.search(r"✓(\d+)", found[2])
    return int(passed[1]) if passed else 0, int(found[1])


async def test_whoever_counts_the_cases_of_a_tool_counts_the_same(tmp_path: Path) -> None:
    async with at_the_line(copy_samples(tmp_path / "samples")) as line:
        driver = line.driver
        await driver.resize(160, 80)
        names = [tool.name for tool in line.session.store.registry]
        await driver.press("5", "plus")
        in_drawer = {name: drawn(line, name) for name in names}
        await driver.press("plus", "escape", "1", "1")
        controller = driver.app.dashboard.controller
        for _ in names:
            tool = controller.layout.suites.tool
            passed, total = in_drawer[tool]
            (said,) = (text[:28] for text in driver.lines[2:] if text.startswith(f"›{tool} "))
            assert len(controller.selection) == total, tool
            if total:
                rate = re.search(r"(\d+)/(\d+)", said)
                page = re.search(r"(\d+)/(\d+) passed(?:, (\d+) not judged)?", driver.text)
                assert rate is not None and page is not None, driver.text
                assert int(rate[1]) == int(page[1]) == passed, tool
                assert int(rate[2]) + int(page[3] or 0) == total, tool
                assert rate[2] == page[2]
            known = re.search(r"of \d+ of (\d+) cases?: the others", driver.text)
            assert known is None or int(known[1]) == total, driver.text
            await driver.press("enter")
            driver.sees(f"2 Cases {total}/46")
            await driver.press("escape", "1", "j")


async def test_a_save_that_removes_a_tool_says_so_at_every_size(tmp_path: Path) -> None:
    async with at_the_line(copy_samples(tmp_path / "samples")) as line:
        (line.root / "tools/shop/check-stock.tool.ts").unlink()
        await line.shows("5 worse")
        for size in ((160, 45), (120, 35), (80, 24), (60, 20)):
            await line.driver.resize(*size)
            assert "check-stock.tool.ts removed" in line.driver.lines[0]
            line.driver.sees("WORSE 5  check_stock removed")


async def test_a_save_that_renames_a_tool_says_so_and_the_way_back_too(tmp_path: Path) -> None:
    file = "tools/shop/check-stock.tool.ts"
    async with at_the_line(copy_samples(tmp_path / "samples")) as line:
        whole = line.read(file)
        line.save(file, whole.replace("'check_stock'", "'look_up_stock'"))
        await line.shows("5 worse")
        line.driver.sees("WORSE 5  check_stock renamed to look_up_stock")
        await line.driver.resize(160, 45)
        said = "check-stock.tool.ts check_stock renamed to look_up_stock"
        assert said in line.driver.lines[0]
        line.save(file, whole)
        await line.shows("5 better")
        line.driver.sees("BETTER 5  look_up_stock renamed to check_stock")
