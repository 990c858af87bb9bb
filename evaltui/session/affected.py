"""Which results can't be trusted: the inputs they had, compared with those of now."""

from collections.abc import Container, Mapping

from evaltui.core.agent import Agent
from evaltui.core.case import Case, CaseKey
from evaltui.core.inputs import Inputs
from evaltui.core.staleness import Degree, StaleCase, stale_reasons
from evaltui.core.suite import Suite
from evaltui.project import Project
from evaltui.store.row import Row

NEVER_RUN = "never run"


class InputsOf:
    """The Inputs that cases of a project have for one agent now."""

    def __init__(self, project: Project, agent: Agent) -> None:
        self._project = project
        self._agent = agent

    def __call__(self, case: Case, suite: Suite) -> Inputs:
        project, agent = self._project, self._agent
        return project.inputs(
            case,
            suite,
            agent_fingerprint=agent.fingerprint,
            reads_registry=agent.traits.reads_registry,
            reach=agent.reach(case.message, project.registry),
        )


def stale_cases(
    project: Project,
    rows: Mapping[CaseKey, Row],
    agent: Agent,
    only: Container[CaseKey] | None = None,
) -> tuple[StaleCase, ...]:
    """Every case (of `only`) whose result is missing or had other inputs, in file order.

    Reads `rows` only; safe on a worker thread while results come in.
    """
    inputs_of = InputsOf(project, agent)
    stale: list[StaleCase] = []
    for suite in project.suites:
        for case in suite.cases:
            if only is not None and case.key not in only:
                continue
            row = rows.get(case.key)
            result = row.result if row else None
            if result is None:
                stale.append(StaleCase(case.key, Degree.AFFECTED, (NEVER_RUN,)))
                continue
            changed = stale_reasons(result.inputs, inputs_of(case, suite))
            if changed:
                stale.append(StaleCase(case.key, *changed))
    return tuple(stale)
