"""A scenario at the dashboard, with the real session: its row, its turns, what keys do to it."""

import json
from pathlib import Path

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.errors import UserError
from tests.sample_project import at_the_line, copy_samples
from tests.test_line_keys import go_to

pytestmark = pytest.mark.slow

SCENARIO = "evals/refund_order.scenario.json"
NAME = "sc-refund-order-001"


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    root = copy_samples(tmp_path / "samples")
    for path in (root / "evals").glob("*.json"):
        if path.name not in ("seed-manifest.json", "check_stock.golden.json", Path(SCENARIO).name):
            path.unlink()
    return root


async def test_a_scenario_is_shown_turn_by_turn_and_held_again_when_its_verdicts_end_it_earlier(
    samples: Path,
) -> None:
    async with at_the_line(samples) as line:
        await go_to(line, NAME)
        await line.driver.resize(140, 60)
        before = line.read(SCENARIO)
        with pytest.raises(UserError, match="a scenario, which expects no calls"):
            line.session.edits.preview_accept(CaseKey(SCENARIO, NAME), line.board.agent, "calls")
        assert line.read(SCENARIO) == before
        while "turn 1 of 3" not in line.driver.text:
            await line.driver.press("right_square_bracket")
            line.driver.sees(NAME)
        line.driver.sees("turn 1 of 3", "calls find_order", "turn 3 of 3", "Tool Call Count")
        written = json.loads(line.read(SCENARIO))
        written["evaluators"][0]["config"]["max"] = 29
        line.save(SCENARIO, json.dumps(written))
        await line.row_shows(NAME, "✗")
        await line.shows("turn 2 of 2", "ended it")
        line.driver.misses("turn 3 of 3")
