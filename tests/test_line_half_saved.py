"""A half-saved file: `evaltui run` beside the board meanwhile, and what the last save did."""

import json
from pathlib import Path

import pytest

from evaltui.core.errors import unread_files
from evaltui.session import Session
from evaltui.settings.load import load_config
from tests.evaluators.loaded import evaluator
from tests.sample_project import FIND_ORDER, FIND_ORDER_TOOL, at_the_line, copy_samples
from tests.test_line import EXPECTED, WRONG

pytestmark = pytest.mark.slow

STOCK, CHECK = "evals/check_stock.golden.json", "checks/polite.py"


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
        await line.shows("⚠ find_order.golden.json:10")  # as a closer look says after the run
        before = line.driver.lines[0]
        assert "4 judged again · 4 worse" in before, before
        whole = line.read(file)
        line.save(file, whole[: len(whole) // 2])
        await line.until(lambda: file in unread_files(line.session.store.problems.of_project))
        line.save(file, whole)
        await line.shows(f"{Path(file).name} changes no result.", "⚠ find_order.golden.json:10")
        assert line.driver.lines[0] == before
        assert line.board.counts.all.ran == 4


async def test_what_is_run_again_because_of_one_leaves_what_the_last_save_did(
    tmp_path: Path,
) -> None:
    root = copy_samples(tmp_path / "samples")
    async with at_the_line(root) as line:
        line.edit(FIND_ORDER_TOOL, "Looks up one order", "Finds one order")
        (saved,) = await line.runs()
        said = f"{len(saved.cases)} ran · 0 worse · 0 better · {len(saved.cases)} as before"
        whole = line.read(FIND_ORDER_TOOL)
        line.save(FIND_ORDER_TOOL, whole[: len(whole) // 2])
        await line.shows("last good version in force", said)
        await run_beside(root)
        *_, again = await line.runs(3)
        assert again.reason == "another process read other files"
        assert said in line.driver.lines[0], line.driver.lines[0]
        await line.driver.press("H")
        await line.shows("another process read")
        row = next(row for row in line.driver.lines if "another process read" in row)
        assert f"{len(again.cases)} ran · 0 worse · 0 better · {len(again.cases)} as" in row, row


async def test_an_evaluator_that_is_broken_leaves_what_the_last_save_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = copy_samples(tmp_path / "samples")
    for path in (root / "evals").glob("*.json"):
        if path.name not in ("seed-manifest.json", "check_stock.golden.json"):
            path.unlink()
    document = json.loads((root / STOCK).read_text())
    for case in document["cases"]:
        case["evaluators"] = [{"type": "polite"}]
    (root / STOCK).write_text(json.dumps(document, indent=2))
    settings = root / "evaltui.toml"
    settings.write_text(f'evaluators = ["./{CHECK}"]\n{settings.read_text()}')
    (root / CHECK).parent.mkdir()
    (root / CHECK).write_text(evaluator("return passed('well')", "polite"))
    monkeypatch.setenv("EVALTUI_TRUST", "1")
    async with at_the_line(root) as line:
        worse = evaluator("return failed('rude')", "polite")
        line.save(CHECK, worse)
        await line.runs()
        before = line.driver.lines[0]
        assert "3 judged again · 3 worse" in before, before
        line.save(CHECK, worse[:-5])
        await line.shows("last good version in force")
        assert "3 judged again · 3 worse" in line.driver.lines[0]
        line.save(CHECK, worse)
        await line.shows("changes no result.")
        assert line.driver.lines[0] == before
