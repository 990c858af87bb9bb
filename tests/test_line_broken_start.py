"""The dashboard starts with an eval file that is broken at that moment, and it is mended."""

from pathlib import Path

from tests.sample_project import FIND_ORDER, at_the_line, copy_samples


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
