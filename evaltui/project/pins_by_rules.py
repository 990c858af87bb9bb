"""What is pinned, judged by the rules of judging of now: nothing falls because those changed."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

from msgspec.structs import replace

from evaltui.core.baseline import Baseline, BaselineCase
from evaltui.core.case import Case
from evaltui.core.check import CheckContext
from evaltui.core.errors import Problem, Severity
from evaltui.core.fingerprint import is_print_of
from evaltui.core.inputs import Inputs
from evaltui.core.response import AgentResponse
from evaltui.core.result import CaseResult
from evaltui.core.suite import Suite
from evaltui.core.suite_result import SuiteResult
from evaltui.disk.baselines.pinned import Pinned
from evaltui.expectations.contract_config import ContractConfig
from evaltui.judging.rejudge import rejudge
from evaltui.kinds import is_one_answer, plan_of
from evaltui.project.project import Project


def pinned_by_rules_of_now(
    pins: Pinned, agent: str, name: str, project: Project, *, endpoint: str = ""
) -> tuple[Baseline, ...]:
    """What is pinned of an agent under a name; see `Pinned.in_force` and `by_rules_of_now`."""
    found = pins.in_force(agent, name, endpoint=endpoint)
    return by_rules_of_now(found, lambda suite: pins.whole(suite, agent, name), project)


def by_rules_of_now(
    baselines: Iterable[Baseline], read: Callable[[str], SuiteResult | None], project: Project
) -> tuple[Baseline, ...]:
    """With what other rules judged judged again from the answers that are kept; what cannot be is
    left as it is, and nothing is held against it. `read`: the pinned results of a suite."""
    return tuple(_judged_again(one, read, project) for one in baselines)


def not_judged_again(baselines: Iterable[Baseline], agent: str, shown: str) -> Iterator[Problem]:
    """What there is to say of those against which nothing falls. `shown`: where the copies are."""
    if count := len([case for one in baselines for case in _others(one)]):
        cases = "1 pinned case" if count == 1 else f"{count:,} pinned cases"
        yield Problem(
            shown,
            f"{cases} of `{agent}`, judged by the rules of another version of evaltui, cannot be"
            " judged again from what is kept: nothing regresses against that",
            "Look through the results of now and pin them: `evaltui baseline pin`, or press b.",
            severity=Severity.WARNING,
            code="baseline-other-rules",
        )


def _others(baseline: Baseline) -> set[str]:
    return {case for case, one in baseline.cases.items() if one.by_other_rules}


def _judged_again(
    baseline: Baseline, read: Callable[[str], SuiteResult | None], project: Project
) -> Baseline:
    others, suite = _others(baseline), project.suite(baseline.suite)
    pinned = read(baseline.suite) if others and suite is not None else None
    if suite is None or pinned is None:
        return baseline
    chosen = [one for one in pinned.cases if one.key.case in others]
    # In a thread of its own, since some of those who ask have a loop that runs in theirs.
    with ThreadPoolExecutor(1) as own:
        judged = own.submit(asyncio.run, _judge(chosen, suite, project)).result()
    return replace(baseline, cases={**baseline.cases, **judged})


async def _judge(
    results: Iterable[CaseResult], suite: Suite, project: Project
) -> dict[str, BaselineCase]:
    cases = {case.id: case for case in suite.cases}
    rules = ContractConfig(multiset_tools=project.config.multiset_tools)
    found: dict[str, BaselineCase] = {}
    for result in results:
        case, response = cases.get(result.key.case), result.response
        if case is None or response is None or not _is_whole(response):
            continue
        now = project.inputs(case, suite, agent_fingerprint=result.inputs.agent)
        if is_one_answer(case) and _differ_in_rules_alone(result, case, now):
            context = CheckContext(case, response, seed=project.seed)
            judged = await rejudge(result, context, plan_of(case, config=rules), now)
            found[case.id] = BaselineCase.of(judged.shown_status, judged.passes, judged.trials)
    return found


def _is_whole(response: AgentResponse) -> bool:
    """Copies of older versions do not say how calls were executed, nor how long it took."""
    return response.duration_ms > 0


def _differ_in_rules_alone(result: CaseResult, case: Case, now: Inputs) -> bool:
    """Whether its answer is judged as it was but for the rules: what it was held against is kept
    nowhere. Of several trials only one answer is kept."""
    before = result.inputs
    are_same = is_print_of(before.case, case) and before.seed == now.seed
    return (
        are_same
        and before.checks == now.checks
        and bool(before.answer)
        and result.trials == 1
        and not result.erred
    )
