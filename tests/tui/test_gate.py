"""The gate's decision has one owner: what the header says is what `ctrl+g` says."""

from evaltui.evidence.gates.gate_decision import GateDecision
from tests.driver import driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession

PASSED = GateDecision(passed=True)
FAILED = GateDecision(False, ("candidate pass_rate 0.9 is below min_pass_rate 0.99",))

OTHER = GateDecision(False, ("the decision is about a → c",), is_outdated=True)


async def test_the_header_follows_the_decision_although_no_event_tells_of_thresholds() -> None:
    session = FakeSession(on_open=list(scene.opened(scene.suites(3))))
    session.decision = PASSED
    async with driving(session) as driver:
        driver.sees("gate ✓ passed")
        session.decision = FAILED
        driver.app.dashboard.controller.tick()
        await driver.settle()
        driver.sees("gate ✗ failed")
        session.decision = OTHER
        driver.app.dashboard.controller.tick()
        await driver.settle()
        driver.sees("gate ⚠ about another comparison")
        session.decision = PASSED
        await driver.press("ctrl+g")
        driver.sees("gate ✓ passed")
        driver.misses("is below min_pass_rate")


async def test_waivers_are_named_with_who_agreed() -> None:
    session = FakeSession(on_open=list(scene.opened(scene.suites(3))))
    waiver = {"case_id": "x", "approved_by": "ada", "reason": "known", "expires_at": "2099-01-01"}
    session.decision = GateDecision(passed=True, waiver_refs=[waiver, 5])
    async with driving(session) as driver:
        await driver.press("ctrl+g")
        driver.sees("gate ✓ passed", "Not counted", "waived `x`: known (by ada, until 2099-01-01)")


async def test_what_refuses_nothing_is_said_with_the_decision() -> None:
    session = FakeSession(on_open=list(scene.opened(scene.suites(3))))
    session.decision = GateDecision(passed=True, warnings=("the code of `tone` was changed",))
    async with driving(session) as driver:
        await driver.press("ctrl+g")
        driver.sees("gate ✓ passed", "the code of `tone` was changed")
