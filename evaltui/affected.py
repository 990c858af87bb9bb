"""Which results can't be trusted: the inputs they had, compared with those of now."""

from collections.abc import Mapping

from evaltui.core.agent import Agent
from evaltui.core.case import CaseKey
from evaltui.core.staleness import Degree, StaleCase, stale_reasons
from evaltui.project import Project
from evaltui.store.row import Row

NEVER_RUN = "never run"


def stale_cases(
    project: Project, rows: Mapping[CaseKey, Row], agent: Agent
) -> tuple[StaleCase, ...]:
    """Every case whose result is missing or had other inputs, in file order.

    Reads `rows` only; safe on a worker thread while results come in.
    """
    stale: list[StaleCase] = []
    for suite in project.suites:
        for case in suite.cases:
            row = rows.get(case.key)
            result = row.result if row else None
            if result is None:
                stale.append(StaleCase(case.key, Degree.AFFECTED, (NEVER_RUN,)))
                continue
            now = project.inputs(
                case,
                suite,
                agent_fingerprint=agent.fingerprint,
                reads_registry=agent.reads_registry,
            )
            changed = stale_reasons(result.inputs, now)
            if changed:
                stale.append(StaleCase(case.key, *changed))
    return tuple(stale)
