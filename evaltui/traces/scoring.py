"""Judging one trace: the verdicts of a stage of judges, then of the evaluators it names."""

from typing import TYPE_CHECKING

from evaltui.core.case import Case
from evaltui.core.check import CheckContext, Stage
from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.response import AgentResponse
from evaltui.core.verdict import Verdict
from evaltui.judging.run_plan import run_plan
from evaltui.traces.mistakes import SuiteMistake
from evaltui.traces.reading import trace_body
from evaltui.traces.recorded_response import recorded_response
from evaltui.traces.trace_stage import trace_stage

if TYPE_CHECKING:
    from evaltui.evaluators.registry import EvaluatorRegistry


async def score(
    case: Case, stage: Stage, registry: "EvaluatorRegistry | None" = None
) -> tuple[Verdict, ...]:
    """A verdict of each judge, in their order; nothing is asked, and every judge is heard.

    Behind them stand those of the evaluators that the case names, each by a name of its own.
    `registry`: all evaluators there are; without it those that come along. Raises SuiteMistake for
    one that is not among them: without it the case would be judged by less than it says.
    """
    uses = trace_body(case).evaluators
    if not uses:
        return await score_by(case, stage)
    from evaltui.evaluators.registry import create_registry

    known = create_registry() if registry is None else registry
    for number, use in enumerate(uses):
        if known.registered(use.type) is None:
            place = f"evaluators[{number}].type"
            what = f"case `{case.id}` names the evaluator `{use.type}`, which does not exist"
            near = did_you_mean(use.type, known.types())
            hint = near or "Name what holds it in `evaluators` of the settings."
            raise SuiteMistake("", place, what, hint, case.id)
    stage = trace_stage(case, stage, known)
    return await run_plan((stage,), CheckContext(case, recorded_response(case)))


async def score_by(case: Case, stage: Stage) -> tuple[Verdict, ...]:
    """The same of these judges alone."""
    return await run_plan((stage,), CheckContext(case, AgentResponse("")))
