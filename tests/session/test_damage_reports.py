"""Damaged files are told of from any thread, also from one that outlives the event loop."""

import asyncio

from evaltui.core.errors import Problem
from evaltui.session.damage_reports import DamageReports
from evaltui.session.event_bus import EventBus
from evaltui.store.store import Store


def test_what_is_found_when_the_loop_has_ended_is_told_to_nobody_and_breaks_nothing() -> None:
    store = Store()
    damage = DamageReports(EventBus(store))

    async def opened() -> None:
        damage.begin()

    asyncio.run(opened())
    damage.report(Problem("a.json", "is damaged"))
    assert store.problems.others == []


async def test_what_is_found_is_held_back_until_somebody_listens_and_told_at_once_then() -> None:
    store = Store()
    damage = DamageReports(EventBus(store))
    before, later = Problem("a.json", "is damaged"), Problem("b.json", "is damaged")
    damage.report(before)
    assert store.problems.others == []
    damage.begin()
    damage.begin()
    assert store.problems.others == [before], "once"
    await asyncio.to_thread(damage.report, later)
    await asyncio.sleep(0)
    assert store.problems.others == [before, later]
