"""What a run gives to the runner: a job for each of its cases."""

from collections.abc import Container, Iterator

from evaltui.core.agent import Agent
from evaltui.core.case import CaseKey
from evaltui.core.config import Config
from evaltui.core.expected import NOTHING_EXPECTED
from evaltui.core.json_value import Json
from evaltui.expectations.contract_config import ContractConfig
from evaltui.expectations.mentions import expected_of
from evaltui.kinds import kind_of, settled
from evaltui.project import Project
from evaltui.runner.job import Job
from evaltui.session.affected import InputsOf
from evaltui.session.down_servers import DownServers


def jobs_of(
    project: Project,
    agent: Agent,
    config: Config,
    keys: Container[CaseKey],
    *,
    trials: int,
    snapshot: Json,
) -> Iterator[Job]:
    """In file order, made as they are asked for: plans of cases that wait would take memory."""
    rules = ContractConfig(multiset_tools=config.multiset_tools)
    inputs_of = InputsOf(project, agent, trials)
    is_told = agent.traits.is_told_expectations
    servers = DownServers(project, agent, config)
    for suite in project.suites:
        for case in suite.cases:
            if case.key in keys:
                kind = kind_of(case)
                yield Job(
                    case=case,
                    driver=kind.driver,
                    plan=kind.plan(case, config=rules),
                    settled=settled(case) or servers.outcome(case),
                    registry=project.registry,
                    inputs=inputs_of(case, suite),
                    seed=project.seed,
                    snapshot=snapshot,
                    trials=trials,
                    expected=expected_of(case) if is_told else NOTHING_EXPECTED,
                )
