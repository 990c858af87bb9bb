"""Running a plan: stage by stage, until a verdict gates."""

from collections.abc import Awaitable
from inspect import isawaitable

from evaltui.core.check import Check, CheckContext, Plan, Stage
from evaltui.core.verdict import Verdict, VerdictStatus


async def run_plan(plan: Plan, context: CheckContext) -> tuple[Verdict, ...]:
    """Verdicts in the plan's order; a stage starts only while no verdict before it gates.

    A check that raises, or answers with something that is no verdict, becomes an ERROR verdict that
    names it. Being cancelled cancels the checks under way and propagates.
    """
    verdicts: list[Verdict] = []
    for stage in plan:
        if len(stage) == 1:
            # No task and no await for a check that answers at once: most plans are made of these.
            check = stage[0]
            try:
                answer = check.run(context)
            except Exception as error:
                answer = _raised(check, error)
            verdict = answer if type(answer) is Verdict else await _settle(check, answer)
            verdicts.append(verdict)
            if verdict.gates:
                break
        else:
            settled = await _run_together(stage, context)
            verdicts += settled
            if any(verdict.gates for verdict in settled):
                break
    return tuple(verdicts)


async def _run_together(stage: Stage, context: CheckContext) -> list[Verdict]:
    """All checks of a stage at once; all settle, whatever one of them answers."""
    answers: list[Verdict | Awaitable[Verdict]] = []
    for check in stage:
        try:
            answers.append(check.run(context))
        except Exception as error:
            answers.append(_raised(check, error))
    at_once = [answer for answer in answers if type(answer) is Verdict]
    if len(at_once) == len(answers):
        return at_once
    from asyncio import Task, TaskGroup

    settled: list[Verdict | Task[Verdict]] = []
    async with TaskGroup() as group:
        for check, answer in zip(stage, answers, strict=True):
            if type(answer) is Verdict:
                settled.append(answer)
            else:
                settled.append(group.create_task(_settle(check, answer)))
    return [each if isinstance(each, Verdict) else each.result() for each in settled]


async def _settle(check: Check, answered: Verdict | Awaitable[Verdict]) -> Verdict:
    try:
        answer: object = await answered if isawaitable(answered) else answered
    except Exception as error:
        return _raised(check, error)
    if isinstance(answer, Verdict):
        return answer
    return _error(check, f"answered with {type(answer).__name__} instead of a verdict")


def _raised(check: Check, error: Exception) -> Verdict:
    message = str(error)
    return _error(check, f"raised {type(error).__name__}{': ' if message else ''}{message}")


def _error(check: Check, what: str) -> Verdict:
    return Verdict(
        check.name,
        VerdictStatus.ERROR,
        f"{check.name} {what}",
        getattr(check, "label", ""),
        evidence={"expected": None, "actual": None},
        category="judge_error",
    )
