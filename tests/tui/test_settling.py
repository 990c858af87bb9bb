"""`x` on an undecided case says what settling it would take, and tries it until it is."""

from msgspec.structs import replace

from evaltui.core.config import RegressionsConfig
from evaltui.core.events import Event, EvidenceWeighed, ProjectRead
from evaltui.core.proof import Proof, Standing
from evaltui.core.statistics.trials import Trials, TwoSides
from tests.driver import driving
from tests.tui import scene
from tests.tui.fake_session import FakeEstimate, FakeSession

SIDES = TwoSides(Trials(20, 0), Trials(0, 1))


def opened() -> list[Event]:
    """Of an agent that may answer otherwise the next time."""
    return [
        replace(event, sampled=(scene.AGENT,)) if isinstance(event, ProjectRead) else event
        for event in scene.opened(scene.suites(48))
    ]


async def test_it_is_said_first_and_then_done() -> None:
    session = FakeSession(on_open=opened(), estimated=FakeEstimate(cost_usd=0.03))
    async with driving(session) as driver:
        row = driver.app.dashboard.controller.row
        assert row is not None
        proof = Proof(row.key, SIDES, further=3)
        await driver.hear(EvidenceWeighed(scene.AGENT, (proof,), 48))
        await driver.press("x")
        driver.sees("3 more failures would prove it", "about $0.03 if all fail")
        driver.sees("at most 20 each, with those made already")
        assert not driver.requested("confirm")
        await driver.press("s")
        assert driver.requested("confirm") == [((row.key,), 1, "undecided")]
        assert session.repeats == [True], "what the last save did stays told"
        for settled in (Proof(row.key, SIDES, Standing.REGRESSED), Proof(row.key, SIDES)):
            await driver.hear(EvidenceWeighed(scene.AGENT, (settled,), 48))
            await driver.press("x")
            driver.sees("how many times?")
            await driver.press("escape")


async def test_switched_off_nothing_is_offered_and_spent() -> None:
    session = FakeSession(on_open=opened())
    session.config = replace(session.config, regressions=RegressionsConfig(confirm="off"))
    async with driving(session) as driver:
        row = driver.app.dashboard.controller.row
        assert row is not None
        proof = Proof(row.key, SIDES, further=3)
        await driver.hear(EvidenceWeighed(scene.AGENT, (proof,), 48))
        await driver.press("x")
        driver.sees("how many times?")
        driver.misses("Until it is settled")
