"""A kept conversation gets new verdicts turn by turn, or is to be held again."""

import pytest

from evaltui.core.check import CheckContext
from evaltui.core.judge import Panel
from evaltui.core.response import AgentResponse
from evaltui.core.verdict import VerdictStatus
from evaltui.judging.judge_turn import turn_judge
from evaltui.scenarios.conversation import played_conversation
from evaltui.scenarios.kept_conversation import judged_again
from tests.scenarios.held import Asked, Says, fails_in_turn, held, passes, plan_of, scenario
from tests.scenarios.judges import DecidingJudge

CONTEXT = CheckContext(scenario(), AgentResponse(""))


async def test_every_turn_is_judged_by_what_was_said_and_nothing_else_changes() -> None:
    case = scenario("a", "b", "c")
    kept = await held(case, Asked(), plan_of(Says(passes)))
    check = Says(fails_in_turn(3), seen=[])
    again = await judged_again(case, kept, turn_judge(plan_of(check), CONTEXT))
    assert again is not None
    assert again.messages == kept.messages
    assert [seen.response.text for seen in check.seen] == ["answer 1", "answer 2", "answer 3"]
    assert [seen.is_final for seen in check.seen] == [False, False, True]
    statuses = [turn.verdicts[0].status for turn in again.conversation]
    assert statuses == [VerdictStatus.PASSED] * 2 + [VerdictStatus.FAILED]


@pytest.mark.parametrize(("first", "then"), [(9, 2), (2, 9), (1, 2)])
async def test_one_that_would_have_ended_at_another_turn_is_to_be_held_again(
    first: int, then: int
) -> None:
    case = scenario("a", "b", "c")
    kept = await held(case, Asked(), plan_of(Says(fails_in_turn(first))))
    judge_turn = turn_judge(plan_of(Says(fails_in_turn(then))), CONTEXT)
    assert await judged_again(case, kept, judge_turn) is None


async def test_what_a_model_said_as_the_user_is_said_again() -> None:
    case = scenario(max_messages=4)
    drive = played_conversation(Panel(DecidingJudge(lambda _: "where is it?", cost_usd=0.5)))
    kept = await drive(case, Asked(), turn_judge(plan_of(Says(passes)), CONTEXT))
    again = await judged_again(case, kept, turn_judge(plan_of(Says(passes)), CONTEXT))
    assert again == kept


async def test_lines_that_are_other_ones_now_are_not_taken_for_those_that_were_said() -> None:
    kept = await held(scenario("a"), Asked(), plan_of(Says(passes)))
    judge_turn = turn_judge(plan_of(Says(passes)), CONTEXT)
    assert await judged_again(scenario("b"), kept, judge_turn) is None
