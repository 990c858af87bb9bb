"""An agent that is down is said once with its number of cases, until it answers."""

from msgspec.structs import replace

from evaltui.core.events import CaseFinished, Event
from evaltui.core.result import CaseStatus
from tests.driver import driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession
from tests.tui.test_exit_summary import down

MADE = scene.suites(12)
CASES = scene.cases_of(MADE)
SAID = "connection refused by"


async def test_an_agent_that_is_down_is_told_once_with_its_cases_until_it_answers() -> None:
    session = FakeSession(on_open=list(scene.opened(MADE)))
    at = scene.NOW + 60
    async with driving(session) as driver:
        await driver.hear(CaseFinished("run-2", down(CASES[0], at)))
        assert SAID in driver.row(CASES[0].id), "one case says why itself"
        await driver.hear(*(CaseFinished("run-2", down(case, at)) for case in CASES[1:10]))
        for case in CASES[:10]:
            row = driver.row(case.id)
            assert "agent down" in row and SAID not in row, row
        header = driver.lines[0]
        assert f"agent down: {SAID}" in header and "10 cases" in header, header
        await driver.press("4")
        driver.sees("4 Problems 1", "✗ error     `embedded`: connection refused")
        answered = scene.result(CASES[0], CaseStatus.PASSED, at=at + 1)
        await driver.hear(CaseFinished("run-3", answered))
        assert "agent down" not in driver.lines[0]
        assert SAID in driver.row(CASES[1].id), "that is what it was, and it is not so any more"


async def test_below_the_heading_of_a_save_no_row_says_again_that_the_agent_is_down() -> None:
    at = scene.NOW + 60
    cases = {case.key: case for case in CASES}

    def unanswered(event: Event) -> Event:
        if not isinstance(event, CaseFinished):
            return event
        return CaseFinished(
            event.run_id, replace(down(cases[event.result.key], at), run_id="run-42")
        )

    async with driving(FakeSession(on_open=list(scene.opened(MADE)))) as driver:
        await driver.hear(*map(unanswered, scene.run(CASES, at=at)))
        counted = [case for case in CASES if "muted" not in driver.row(case.id)]
        driver.sees(f"ERROR {len(counted)} · agent down")
        for case in counted:
            assert "agent down" not in driver.row(case.id)
        answered = replace(scene.result(CASES[0], CaseStatus.PASSED, at=at + 1), run_id="run-43")
        await driver.hear(CaseFinished("run-43", answered))
        driver.misses("agent down")
        assert SAID in driver.row(CASES[1].id)


async def test_of_several_agents_the_header_says_which_is_down_unless_it_is_the_one_shown() -> None:
    agents = ("one", "two", "three")
    session = FakeSession(agents=agents)
    for number, agent in enumerate(agents):
        opened = list(scene.opened(MADE, agent=agent))
        session.on_open = (*session.on_open, *opened[1 if number else 0 :])
    at = scene.NOW + 60
    async with driving(session) as driver:
        for agent in agents[1:]:
            results = (replace(down(case, at), agent=agent) for case in CASES)
            await driver.hear(*(CaseFinished("run-2", result) for result in results))
        for shown, said in (("@one", "@two down: "), ("@two", "agent down"), ("@three", "agent")):
            assert f"{shown} " in driver.lines[0], driver.lines[0]
            assert f"⚠ {said}" in driver.lines[0], driver.lines[0]
            await driver.press("at")


async def test_of_one_that_never_answered_row_and_header_say_that_it_is_down() -> None:
    session = FakeSession(on_open=list(scene.opened(MADE))[:1])
    async with driving(session) as driver:
        await driver.hear(CaseFinished("run-2", down(CASES[0], scene.NOW + 60)))
        assert "agent down" in driver.lines[0]
        assert "agent down" in driver.row(CASES[0].id)
