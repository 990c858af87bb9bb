"""What is muted is no failure to any key, and the same key has it count again."""

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.events import CaseMuted
from evaltui.store.row_status import RowStatus
from tests.driver import Driver, driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession

REASON = "known"


async def mute_the_first(driver: Driver) -> CaseKey:
    """The case that the board shows first: it failed."""
    row = driver.app.dashboard.controller.row
    assert row is not None and row.status is RowStatus.FAILED
    await driver.hear(CaseMuted(row.key, REASON))
    return row.key


def session() -> FakeSession:
    return FakeSession(on_open=[*scene.opened(scene.suites(48))])


@pytest.mark.parametrize("key", ["n", "i"])
async def test_no_key_that_goes_through_failures_comes_to_it(key: str) -> None:
    async with driving(session()) as driver:
        muted = await mute_the_first(driver)
        seen = set()
        for _ in range(8):
            await driver.press(key)
            row = driver.app.dashboard.controller.row
            assert row is not None
            seen.add(row.key)
        assert len(seen) == 8 and muted not in seen
        if key == "i":
            driver.sees("WALK 8/8")


async def test_it_is_not_rerun_with_what_failed() -> None:
    async with driving(session()) as driver:
        muted = await mute_the_first(driver)
        await driver.press("f")
        [(keys, *_)] = driver.requested("rerun")
        assert len(keys) == 5 and muted not in keys


async def test_the_key_that_mutes_has_it_count_again() -> None:
    async with driving(session()) as driver:
        await driver.press("m")
        await driver.write(REASON)
        await driver.press("enter")
        ((_, key),) = driver.requested("mute")
        driver.sees("⊘1")
        await driver.press("G")  # it stands last now
        row = driver.app.dashboard.controller.row
        assert row is not None and row.key == key
        await driver.press("m")
        assert driver.requested("unmute") == [(key,)]
        driver.sees("counts again; z undoes it")
        driver.misses("⊘1")
