"""A click on a part of the header does what its key does, wherever the part stands."""

import pytest
from msgspec.structs import replace

from evaltui.tui.commands import BY_ID
from evaltui.tui.render.header_facts import Facts
from evaltui.tui.render.header_line import command_at, header_line
from tests.driver import driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession
from tests.tui.render.test_lines import LOOK, a_store

MADE = scene.suites(48)
BOARD = a_store(None).board(scene.AGENT)
BAD = ("bad", "bad", "bad")
FACTS = Facts("watching", BOARD, ("a.ts",), scene.NOW, only_agent="sonnet", problem=BAD)
PARTS = {
    "WATCH": "watch.pause",
    "sonnet": "baseline.menu",
    "bad": "pane.problems",
    "a.ts": "timeline.open",
    " ran": "cases.view",
    "#42": "timeline.open",
    "↓3": "cases.view",
}


@pytest.mark.parametrize("width", [200, 140, 100, 70])
def test_the_cells_of_a_part_are_its_command_and_those_between_parts_are_none(width: int) -> None:
    line = "".join(part.text for part in header_line(FACTS, width, LOOK))
    for said, command in PARTS.items():
        if said in line:
            assert command_at(FACTS, line.index(said), width, LOOK) == command, (said, line)
            assert command in BY_ID
    assert "↓3" in line
    gaps = [x for x in range(width - 1) if line[x : x + 2] == "  "]
    assert gaps and not any(command_at(FACTS, x, width, LOOK) for x in gaps)


async def test_a_click_on_the_state_pauses_and_one_on_the_counts_asks_for_a_view() -> None:
    async with driving(FakeSession(on_open=list(scene.opened(MADE)))) as driver:
        await driver.click("WATCH")
        driver.sees("● PAUSED")
        await driver.click("✓")
        driver.sees("Show which cases?")


async def test_a_click_on_what_is_affected_runs_it() -> None:
    async with driving(FakeSession(on_open=list(scene.opened(MADE)))) as driver:
        await driver.click("3 of 48 affected")
        due = tuple(case.key for case in MADE[0].cases[-3:])
        assert [keys for keys, *_ in driver.requested("rerun")] == [due]


def test_a_problem_that_nobody_agreed_leads_to_where_it_is_agreed_to() -> None:
    facts = replace(FACTS, is_untrusted=True)
    line = "".join(part.text for part in header_line(facts, 200, LOOK))
    assert command_at(facts, line.index("bad"), 200, LOOK) == "app.trust"
