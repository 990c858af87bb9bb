"""A file that is saved often leaves nothing behind; a run that began before keeps its judges."""

import asyncio
from pathlib import Path
from typing import Any
from weakref import WeakSet

from evaltui.child.watchdog import WATCHDOG
from evaltui.evaluators.evaluator_host import EvaluatorHost
from tests.evaluators.loaded import evaluator, load, loading, write
from tests.evaluators.seen import verdict_by


async def falls_to(most: int, made: WeakSet[EvaluatorHost]) -> bool:
    """Once the children of those that judged have ended."""
    for _ in range(2_000):
        if len(made) <= most:
            return True
        await asyncio.sleep(0.01)
    return False


async def test_what_was_replaced_is_let_go_of(tmp_path: Path, monkeypatch: Any) -> None:
    made = WeakSet[EvaluatorHost]()

    class Counted(EvaluatorHost):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            made.add(self)

    monkeypatch.setattr("evaltui.evaluators.loading.EvaluatorHost", Counted)
    async with loading() as loader:
        loader.warm_up()
        for number in range(5):
            write(tmp_path, "mine.py", evaluator(f"return passed('{number}')"))
            loaded = await asyncio.to_thread(load, tmp_path, "./mine.py", loader=loader)
            loader.warm_up()
            assert (await verdict_by("mine", registry=loaded.registry)).reason == str(number)
            del loaded
        assert await falls_to(1, made)
        await asyncio.to_thread(load, tmp_path, loader=loader)
        assert await falls_to(0, made)


async def test_a_run_that_began_before_a_save_has_its_own_judges_ended_at_the_close(
    tmp_path: Path,
) -> None:
    before = WATCHDOG.groups
    async with loading() as loader:
        loader.warm_up()
        write(tmp_path, "mine.py", evaluator("return passed('old')"))
        old = await asyncio.to_thread(load, tmp_path, "./mine.py", loader=loader)
        write(tmp_path, "mine.py", evaluator("return passed('new')"))
        for _ in range(2):
            await asyncio.to_thread(load, tmp_path, "./mine.py", loader=loader)
        assert (await verdict_by("mine", registry=old.registry)).reason == "old"
    assert WATCHDOG.groups == before
