"""What a run gives to the runner: a job for each of its cases."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TypeAlias

from evaltui.core.agent import Agent
from evaltui.core.case import Case, CaseKey
from evaltui.core.config import Config
from evaltui.core.expected import NOTHING_EXPECTED
from evaltui.core.json_value import Json
from evaltui.core.judge import Panel
from evaltui.core.outcome import Outcome
from evaltui.core.result import CaseResult
from evaltui.core.suite import Suite
from evaltui.expectations.contract_config import ContractConfig
from evaltui.expectations.mentions import expected_of
from evaltui.kinds import driver_of, is_never_asked, plan_of, settled, settled_by_plan
from evaltui.project import Project
from evaltui.runner.job import Job
from evaltui.session.affected import due_case
from evaltui.session.down_servers import DownServers
from evaltui.session.inputs_of import InputsOf

Attempts: TypeAlias = Mapping[CaseKey, tuple[CaseResult, ...]]
"""Those that interrupted runs had made of cases that they did not finish."""
NO_ATTEMPTS: Attempts = MappingProxyType({})


Held: TypeAlias = "Callable[[Case, Suite], Outcome | None]"
"""Why a case is not run at the moment; `None` when it is."""


def not_held(case: Case, suite: Suite) -> Outcome | None:  # noqa: ARG001
    """Nothing holds a case back."""
    return None


def jobs_of(
    project: Project,
    agent: Agent,
    config: Config,
    keys: Iterable[CaseKey],
    *,
    trials: int,
    first_trial: int = 0,
    snapshot: Json,
    attempts: Attempts = NO_ATTEMPTS,
    panel: Panel | None = None,
    held: Held = not_held,
) -> Iterator[Job]:
    """In that order, made as they are asked for: plans of cases that wait would take memory.

    `attempts` are not made again. `held`: why a case is not run at the moment.
    """
    rules = ContractConfig(multiset_tools=config.multiset_tools)
    inputs_of = InputsOf(project, agent, trials)
    sees_expectations = agent.traits.sees_expectations
    servers = DownServers(project, agent, config)
    for case, suite in cases_of(project, keys):
        is_asked = case.asks_agent
        known = project.evaluators_for(case)
        plan = plan_of(case, config=rules, panel=panel, evaluators=known)
        yield Job(
            case=case,
            is_asked=is_asked,
            driver=driver_of(case, panel),
            plan=plan,
            settled=settled(case, has_judge=panel is not None)
            or settled_by_plan(case, plan)
            or held(case, suite)
            or (servers.outcome(case) if is_asked else None),
            registry=project.registry,
            inputs=inputs_of(case, suite),
            seed=project.seed,
            snapshot=snapshot,
            trials=trials if is_asked else 1,
            first_trial=first_trial,
            finished=attempts.get(case.key, ()),
            expected=expected_of(case) if sees_expectations else NOTHING_EXPECTED,
        )


def in_force(
    project: Project,
    agent: Agent,
    keys: Iterable[CaseKey],
    attempts: Attempts,
    *,
    trials: int,
) -> Attempts:
    """Those at these cases that were made with the inputs of now."""
    inputs_of = InputsOf(project, agent, trials)
    same = {
        case.key: tuple(
            one for one in attempts[case.key] if due_case(case, suite, one, inputs_of) is None
        )
        for case, suite in cases_of(project, (key for key in keys if key in attempts))
    }
    return {key: those for key, those in same.items() if those}


def chosen(
    project: Project,
    keys: Collection[CaseKey],
    can_run: Callable[[Case, Suite], bool] | None = None,
) -> dict[CaseKey, None]:
    """Those that the project has and that can be run, in the order of its files; an ordered set."""
    ids = {key.suite for key in keys}
    return {
        case.key: None
        for suite in project.suites
        if suite.id in ids
        for case in suite.cases
        if case.key in keys and (can_run is None or can_run(case, suite))
    }


def cases_of(project: Project, keys: Iterable[CaseKey]) -> Iterator[tuple[Case, Suite]]:
    """The cases in the order of their keys, without those that the project has not."""
    keys = tuple(keys)
    ids = {key.suite for key in keys}
    suites = (suite for suite in project.suites if suite.id in ids)
    cases = {case.key: (case, suite) for suite in suites for case in suite.cases}
    return (cases[key] for key in keys if key in cases)


def never_asked(
    project: Project, keys: Iterable[CaseKey], *, has_judge: bool
) -> tuple[CaseKey, ...]:
    """Those for which nobody is asked, whatever becomes of them."""
    cases = (case for case, _ in cases_of(project, keys))
    return tuple(case.key for case in cases if is_never_asked(case, has_judge=has_judge))
