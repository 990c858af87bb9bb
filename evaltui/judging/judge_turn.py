"""Judging a conversation turn by turn, while it goes on."""

from msgspec.structs import replace

from evaltui.core.check import CheckContext, Plan
from evaltui.core.driver import JudgeTurn
from evaltui.core.response import AgentResponse, Message
from evaltui.core.verdict import Verdict
from evaltui.judging.run_plan import run_plan


def turn_judge(plan: Plan, context: CheckContext) -> JudgeTurn:
    """By the stages of `plan`; of `context` it takes all but what belongs to one turn."""

    async def judge_turn(
        stage: int,
        response: AgentResponse,
        messages: tuple[Message, ...],
        *,
        turn: int,
        is_final: bool,
    ) -> tuple[Verdict, ...]:
        seen = replace(context, response=response, messages=messages, turn=turn, is_final=is_final)
        return await run_plan(plan[stage : stage + 1], seen)

    return judge_turn
