"""Comparing two states from the palette: cost first, then the report."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.core.ab_reach import AbReach
from evaltui.core.ab_report import AbPair, AbReport
from evaltui.core.config import RegressionsConfig
from evaltui.core.errors import UserError
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.session.side_by_side.ab_plan import AbPlan
from tests.driver import Driver, driving
from tests.tui import scene
from tests.tui.fake_session import FakeEstimate, FakeSession

CASES = scene.cases_of(scene.suites(48))


@dataclass
class FakeSide:
    name: str


@dataclass
class FakeAb:
    """Plans about the first two cases, and notes what was run."""

    ran: list[bool] = field(default_factory=list)
    cancelled: int = 0
    progress: tuple[int, int] | None = None
    beside: tuple[str, ...] = ()
    no_commit: str = ""
    cases: int = 2
    confirmed: int = 20

    def others(self, _agent: str) -> tuple[str, ...]:
        return self.beside

    def why_no_commit(self, _agent: str) -> str:
        return self.no_commit

    async def plan(self, against: str, _agent: str) -> AbPlan:
        if against == "nowhere":
            raise UserError(f"git knows no commit `{against}` here.", "Name another.")
        before: Any = FakeSide(against)
        keys = () if against == "same" else tuple(case.key for case in CASES[:2])
        return AbPlan(before, before, keys, len(CASES), 5, 3, ("src/made.ts",))

    def estimate(self, plan: AbPlan, *, confirms: bool = False) -> FakeEstimate:
        times = 4 if confirms else 1
        return FakeEstimate(times * plan.calls, cost_usd=times * 0.31, seconds=26.0)

    def reach(self, _plan: AbPlan, *, confirms: bool = False) -> AbReach:
        return AbReach(self.cases, self.confirmed if confirms else 5, 0.1, self.confirmed)

    async def run(self, plan: AbPlan, *, confirms: bool) -> AbReport:
        self.ran.append(confirms)
        pairs = {key: AbPair(TwoSides(Trials(20, 0), Trials(0, 20))) for key in plan.keys}
        names = "HEAD (abc)", "now"
        return AbReport(*names, (scene.AGENT, scene.AGENT), plan.cases, pairs, 3, 0.1, 20)

    def cancel(self) -> None:
        self.cancelled += 1


async def asked(driver: Driver, against: str) -> None:
    await driver.press("X", "ctrl+u")
    await driver.write(against)
    await driver.press("enter")


@pytest.mark.slow
async def test_where_nothing_differs_what_could_not_is_named() -> None:
    session = FakeSession(on_open=[*scene.opened(scene.suites(48))])
    session.ab = FakeAb()
    async with driving(session) as driver:
        await asked(driver, "same")
        said = " ".join(driver.text.replace("`", "").split())
        assert "48 cases depend on differs from same" in said
        assert "src/made.ts" in said


async def test_the_cost_is_told_before_anybody_is_asked() -> None:
    session = FakeSession(on_open=[*scene.opened(scene.suites(48))])
    session.ab = ab = FakeAb()
    async with driving(session) as driver:
        await asked(driver, "nowhere")
        assert "git knows no commit nowhere here" in driver.text.replace("`", "")
        await driver.press("c")
        assert ab.cancelled == 0, "nothing is on"
        await asked(driver, "main")
        assert "2 of 48 cases can differ: 20 trials, about 26s, about $0.31" in driver.text
        assert "rerun undecided cases: at most 80 trials, about $1.24" in driver.text
        await driver.press("escape")
        assert not ab.ran
        session.is_comparing = True
        await driver.press("c")
        assert ab.cancelled == 1
        await asked(driver, "main")
        await driver.press("c")
        assert ab.ran == [True]
        assert "20/20 → 0/20" in driver.text
        assert CASES[0].id in driver.text


@pytest.mark.slow
async def test_no_further_trials_are_offered_where_they_are_switched_off() -> None:
    session = FakeSession(on_open=[*scene.opened(scene.suites(48))])
    session.ab = ab = FakeAb()
    session.config = replace(session.config, regressions=RegressionsConfig(confirm="off"))
    async with driving(session) as driver:
        await asked(driver, "main")
        assert "rerun undecided cases" not in driver.text
        await driver.press("a")
        assert ab.ran == [False]


@pytest.mark.parametrize(("confirmed", "ways"), [(20, 0), (5, 2)])
async def test_before_it_spends_it_says_what_so_many_trials_cannot_prove(
    confirmed: int, ways: int
) -> None:
    session = FakeSession(on_open=[*scene.opened(scene.suites(48))])
    session.ab = ab = FakeAb(confirmed=confirmed)
    said = "cannot prove that one case of 48 got worse, only that 8 or more did"
    async with driving(session) as driver:
        await asked(driver, "main")
        assert "cannot prove" not in driver.text
        await driver.press("escape")
        ab.cases = 48
        await asked(driver, "main")
        assert driver.text.count(said) == max(1, ways)
        assert driver.text.count("--trials 7 can") == ways


ELSEWHERE = "`paid` is not given the definitions"


@pytest.mark.slow
async def test_no_commit_is_offered_to_an_agent_that_has_its_tools_from_elsewhere() -> None:
    session = FakeSession(on_open=[*scene.opened(scene.suites(48))])
    session.ab = ab = FakeAb(no_commit=ELSEWHERE)
    async with driving(session) as driver:
        await driver.press("X")
        said = driver.text.replace("`", "")
        assert "paid is not given the definitions, and no other agen" in said
        assert "Compare" not in said
        ab.beside = ("free", "dear")
        await driver.press("X")
        said = driver.text.replace("`", "")
        assert "Compare with which other agent?" in said
        assert "Also under test: free, dear." in said
        assert "commit" not in said and "HEAD" not in said
        await driver.press("enter")
        assert "can differ" in driver.text
        await driver.press("escape")
        ab.no_commit = ""
        await driver.press("X")
        assert "which commit, or which other agent?" in driver.text
        assert "HEAD" in driver.text


async def test_the_header_says_how_far_a_comparison_is() -> None:
    session = FakeSession(on_open=[*scene.opened(scene.suites(48))])
    session.ab = ab = FakeAb()
    async with driving(session) as driver:
        tick = driver.app.dashboard.controller.tick
        for is_on, told in ((True, "comparing 34/120"), (True, "comparing 35/120"), (False, "")):
            session.is_comparing = is_on
            ab.progress = (int(told[-6:-4]), 120) if told else None
            tick()
            await driver.settle()
            header = driver.text.splitlines()[0]
            assert (told in header) if told else ("comparing" not in header), header
