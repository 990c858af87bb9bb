"""Who loads what was saved: one that was started before, which goes on to judge."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from evaltui.child.lines import LineChild
from evaltui.child.watchdog import WATCHDOG
from evaltui.core.permit import EVERYTHING, NOTHING
from evaltui.evaluators.describing import Describer
from evaltui.evaluators.handshake import Described
from evaltui.evaluators.loading import EvaluatorLoader
from evaltui.evaluators.plugin_entry import PluginEntry
from evaltui.net.secret_mask import SecretMask
from tests.evaluators.loaded import evaluator, load, loading, source, write
from tests.evaluators.seen import verdict_by

GOOD = evaluator("return passed('well')")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> asyncio.Queue[Any]:
    """Words of every child that is started."""
    found: asyncio.Queue[Any] = asyncio.Queue()
    start = LineChild.start

    async def noted(argv: Any, **options: Any) -> LineChild:
        found.put_nowait(argv)
        return await start(argv, **options)

    monkeypatch.setattr(LineChild, "start", noted)
    return found


def entry(root: Path, name: str = "./mine.py") -> PluginEntry:
    return PluginEntry(source(name), root)


async def reason(root: Path, loader: EvaluatorLoader) -> str:
    """Of the verdict, after its file was loaded as a save has it loaded."""
    loaded = await asyncio.to_thread(load, root, "./mine.py", loader=loader)
    assert loaded.problems == ()
    loader.warm_up()
    return (await verdict_by("mine", registry=loaded.registry)).reason


async def with_spare(root: Path, act: Callable[[Describer], Awaitable[Described]]) -> Described:
    describer = Describer(SecretMask())
    try:
        describer.have_spare(entry(root))
        assert describer.starting is not None
        await describer.starting
        return await act(describer)
    finally:
        await describer.close()


async def test_who_says_what_it_has_goes_on_to_judge(tmp_path: Path) -> None:
    noted = "import os\nopen('loaded', 'a').write(f'{os.getpid()} ')\n"
    async with loading() as loader:
        loader.warm_up()  # on the loop that it judges on
        for number in range(2):
            own = evaluator(f"return passed(f'{{os.getpid()}} {number}')")
            write(tmp_path, "mine.py", noted + own)
            judged = await reason(tmp_path, loader)
            assert f"{(tmp_path / 'loaded').read_text()}{number}" == judged
            (tmp_path / "loaded").unlink()


async def test_one_that_was_started_before_is_told_what_was_saved(
    tmp_path: Path, started: asyncio.Queue[Any]
) -> None:
    async def saved(describer: Describer) -> Described:
        started.get_nowait()
        write(tmp_path, "mine.py", GOOD)
        return await describer.describe(entry(tmp_path), stays=True)

    found = await with_spare(tmp_path, saved)
    assert found.said["evaluators"][0]["type"] == "mine"
    assert started.empty()


async def test_what_was_installed_since_it_was_started_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "mine.py", f"import os\nos.environ['INSTALLED']\n{GOOD}")

    async def installed(describer: Describer) -> Described:
        monkeypatch.setenv("INSTALLED", "now")
        return await describer.describe(entry(tmp_path), stays=True)

    assert "fault" not in (await with_spare(tmp_path, installed)).said


async def test_none_is_started_for_what_nobody_agreed_to(
    tmp_path: Path, started: asyncio.Queue[Any]
) -> None:
    before = WATCHDOG.groups
    write(tmp_path, "mine.py", GOOD)
    for permit, is_there in ((NOTHING, False), (EVERYTHING, True)):
        async with loading() as loader:
            loader.permit = permit
            await asyncio.to_thread(loader.load, [entry(tmp_path)])
            assert started.qsize() == is_there
            loader.warm_up()
            for _ in range(10):
                await asyncio.sleep(0)
        assert started.qsize() == 2 * is_there
        assert WATCHDOG.groups == before  # it ended with the loader


SAVED = """
from pathlib import Path
other = Path(__file__).with_name({name!r})
text = other.read_text()
other.write_text(text.replace("WORD = 'o" "ld'", "WORD = 'new'"))
"""
BY_WORD = GOOD.replace("'well'", "WORD")
OLD = "WORD = 'old'\n"


async def test_what_is_saved_while_it_is_loaded_counts(tmp_path: Path) -> None:
    write(tmp_path, "mine.py", OLD + BY_WORD + SAVED.format(name="mine.py"))
    async with loading() as loader:
        loader.warm_up()
        assert await reason(tmp_path, loader) == "old"
        assert await reason(tmp_path, loader) == "new"


async def test_what_it_imports_and_is_saved_meanwhile_judges(tmp_path: Path) -> None:
    write(tmp_path, "table.py", OLD)
    own = f"from table import WORD\n{BY_WORD}"
    write(tmp_path, "mine.py", own + SAVED.format(name="table.py"))
    async with loading() as loader:
        loader.warm_up()
        assert await reason(tmp_path, loader) == "new"


async def test_nobody_stays_with_one_that_was_closed_meanwhile(tmp_path: Path) -> None:
    write(tmp_path, "mine.py", GOOD)
    describer = Describer(SecretMask())
    await describer.close()
    found = await describer.describe(entry(tmp_path), stays=True)
    assert "fault" not in found.said
    assert found.child is None
