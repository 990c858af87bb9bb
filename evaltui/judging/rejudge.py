"""Judges a kept answer again when its expectations changed and no agent need be asked."""

from msgspec.structs import replace

from evaltui.core.bearing import judged_as
from evaltui.core.check import CheckContext, Plan
from evaltui.core.inputs import Inputs
from evaltui.core.outcome import Outcome
from evaltui.core.result import CaseResult
from evaltui.judging.judge import judge
from evaltui.judging.with_outcome import with_outcome


async def rejudge(
    result: CaseResult,
    answered: CheckContext | None,
    plan: Plan,
    now: Inputs,
    *,
    certain: Outcome | None = None,
) -> CaseResult:
    """The result with the verdict that its answer gets by `plan`; all else stays as it was.

    `answered` holds the answer that was kept: results that were read without their details have
    one too, which is to be loaded first. `None`: nobody answered (the time limit passed, the agent
    failed), which no expectation changes. `now` are the inputs that the case has now. Of these the
    result takes what shapes a verdict; what shaped its answer stays, so that it is as affected as
    before by what else changed. `certain`: the verdict, whatever was answered. For results that
    `can_be_judged_again`.
    """
    if certain is not None:
        result = with_outcome(result, certain)
    elif answered is not None:
        result = with_outcome(result, await judge(plan, answered))
    inputs = judged_as(result.inputs, now)
    return replace(result, inputs=now if inputs == now else inputs)  # equal ones are shared
