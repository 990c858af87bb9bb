"""A fall of an agent that is sampled is shown as moved, `↓?`, in the detail's head and its row."""

import time

import pytest
from msgspec.structs import replace

from evaltui.core.baseline import Baseline, BaselineCase
from evaltui.core.events import BaselinePinned, EvidenceWeighed, ProjectRead
from evaltui.core.proof import Proof
from evaltui.core.result import CaseStatus
from evaltui.core.statistics.trials import Trials, TwoSides
from tests.driver import driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession

CASE = "gs-get-weather-003"


def fallen(*, is_sampled: bool) -> FakeSession:
    """A case that failed and is pinned as passed."""
    made = scene.suites(48)
    (suite,) = (one for one in made if any(case.id == CASE for case in one.cases))
    pinned = {CASE: BaselineCase(CaseStatus.PASSED)}
    pins = (Baseline(suite.id, "run-0", "default", pinned, time.time() - 300),)
    sampled = (scene.AGENT,) if is_sampled else ()
    events = [
        replace(event, sampled=sampled) if isinstance(event, ProjectRead) else event
        for event in scene.opened(made, at=time.time() - 240)
        if not isinstance(event, BaselinePinned)
    ]
    return FakeSession(on_open=[*events, BaselinePinned(scene.AGENT, "default", pins)])


@pytest.mark.parametrize("is_sampled", [True, pytest.param(False, marks=pytest.mark.slow)])
async def test_the_head_of_the_detail_says_whether_a_fall_is_proven(is_sampled: bool) -> None:
    async with driving(fallen(is_sampled=is_sampled), size=(160, 45)) as driver:
        await driver.press("/")
        await driver.write(CASE)
        await driver.press("enter")
        head = next(line for line in driver.lines if "✗ failed" in line)
        assert ("↓? moved" in head) is is_sampled
        assert ("↓ regressed" in head) is not is_sampled
        assert ("↓?" in driver.row(CASE)) is is_sampled


async def test_the_detail_says_among_how_many_cases_evidence_is_weighed() -> None:
    host = fallen(is_sampled=True)
    async with driving(host, size=(120, 35)) as driver:
        await driver.press("/")
        await driver.write(CASE)
        await driver.press("enter")
        row = driver.app.dashboard.controller.row
        assert row is not None
        proof = Proof(row.key, TwoSides(Trials(20, 0), Trials(0, 1)), further=3)
        await driver.hear(EvidenceWeighed(scene.AGENT, (proof,), 48))
        await driver.press("3", *["]"] * 4)
        driver.sees("[History]")
        for affected in (48, 9):
            await driver.hear(EvidenceWeighed(scene.AGENT, (), affected))
            said = f"would prove it, of {affected} that edits can affect"
            assert said in " ".join(driver.text.split()), driver.text
