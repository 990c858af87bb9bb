"""A conversation is judged turn by turn: by one stage, of what was said so far."""

import pytest

from evaltui.core.check import CheckContext
from evaltui.core.response import AgentResponse, Message
from evaltui.judging.judge_turn import turn_judge
from tests.expectations.judging import make_case
from tests.judging.test_run_plan import Says

PLAN = ((Says("a"),), (Says("b"), Says("c")), (Says("d"),))


@pytest.mark.parametrize(("stage", "asked"), [(0, ["a"]), (1, ["b", "c"]), (2, ["d"])])
async def test_one_stage_judges_the_turn(stage: int, asked: list[str]) -> None:
    judged = turn_judge(PLAN, CheckContext(make_case({}), AgentResponse("before")))
    told = (Message("user", "hello"),)
    found = await judged(stage, AgentResponse("now"), told, turn=2, is_final=True)
    assert [verdict.check for verdict in found] == asked
