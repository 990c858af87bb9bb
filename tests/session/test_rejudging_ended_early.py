"""Judging several kept answers at once, of which nobody takes the rest any more."""

import asyncio
from contextlib import aclosing

from evaltui.core.result import CaseResult, CaseStatus
from evaltui.session.running import rejudging
from tests.tui import scene


async def test_judging_that_is_ended_early_waits_for_all_that_was_asked() -> None:
    """Whatever comes of those that nobody waits for any more."""
    ended: list[str] = []

    async def at_once() -> CaseResult | None:
        return judged

    async def stubborn(name: str) -> CaseResult | None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.01)
            ended.append(name)
            if name == "raises":
                raise ConnectionError(name)
        return None

    judged = scene.result(scene.suites(1)[0].cases[0], CaseStatus.PASSED)
    asked = iter([at_once(), stubborn("raises"), stubborn("cancelled")])
    async with aclosing(rejudging._in_order(asked, 3)) as found:
        async for one in found:
            assert one is judged
            break
    assert ended == ["raises", "cancelled"]
