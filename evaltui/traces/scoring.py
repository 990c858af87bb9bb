"""Judging one trace: the verdicts of a stage of judges."""

from evaltui.core.case import Case
from evaltui.core.check import CheckContext, Stage
from evaltui.core.response import AgentResponse
from evaltui.core.verdict import Verdict
from evaltui.judging.run_plan import run_plan


async def score(case: Case, stage: Stage) -> tuple[Verdict, ...]:
    """A verdict of each judge, in their order; nothing is asked, and every judge is heard."""
    return await run_plan((stage,), CheckContext(case, AgentResponse("")))
