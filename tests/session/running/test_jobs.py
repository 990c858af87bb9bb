"""What the runner is given of a case: everything that its result will depend on."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.asked import AgentTraits
from evaltui.core.case import Case, CaseKey, RubricCase, RubricDimension
from evaltui.core.config import Config
from evaltui.core.expected import NOTHING_EXPECTED
from evaltui.expectations.contract_config import ContractConfig
from evaltui.project import Project, read_project
from evaltui.runner.job import Job
from evaltui.session.inputs_of import InputsOf
from evaltui.session.running.jobs import cases_of, chosen, jobs_of, never_asked
from tests.projects import ORDERS, make_project, write_suite

SNAPSHOT = {"order": {"state": "found"}}


class Usual(Agent):
    name, fingerprint = "usual", "f"


class SeesExpectations(Usual):
    traits = AgentTraits(sees_expectations=True)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    make_project(tmp_path)
    (tmp_path / "evals" / "seed-manifest.json").write_text('{"where": "here"}')
    return read_project(Config(tmp_path))


def made(project: Project, agent: Agent, *keys: CaseKey) -> list[Job]:
    return [*jobs_of(project, agent, project.config, keys, trials=3, snapshot=SNAPSHOT)]


def test_only_what_was_asked_for_in_that_order(project: Project) -> None:
    first, second, third = (case.key for suite in project.suites for case in suite.cases)
    jobs = made(project, Usual(), third, first)
    assert [job.case.key for job in jobs] == [third, first]
    assert second not in {job.case.key for job in jobs}


def test_a_job_has_all_that_its_result_depends_on(project: Project) -> None:
    suite = project.suites[0]
    case = suite.cases[0]
    (job,) = made(project, Usual(), case.key)
    assert (job.case, job.registry, job.seed) == (case, project.registry, {"where": "here"})
    assert (job.trials, job.snapshot, job.settled) == (3, SNAPSHOT, None)
    assert job.inputs == InputsOf(project, Usual(), 3)(case, suite)
    assert job.inputs.settings["trials"] == 3


def test_only_who_is_told_hears_what_is_expected(project: Project) -> None:
    case = project.suites[0].cases[0]
    (usual,), (told,) = (
        made(project, Usual(), case.key),
        made(project, SeesExpectations(), case.key),
    )
    assert usual.expected == NOTHING_EXPECTED
    assert told.expected != NOTHING_EXPECTED


@pytest.mark.parametrize("is_multiset", [True, False])
def test_a_plan_follows_the_settings(
    project: Project, monkeypatch: pytest.MonkeyPatch, is_multiset: bool
) -> None:
    case = project.suites[0].cases[0]
    plans: list[bool] = []

    def plan_of(_: Case, config: ContractConfig, **others: object) -> None:  # noqa: ARG001
        plans.append(config.multiset_tools)

    monkeypatch.setattr("evaltui.session.running.jobs.plan_of", plan_of)
    config = replace(project.config, multiset_tools=is_multiset)
    (_,) = jobs_of(project, Usual(), config, [case.key], trials=1, snapshot=None)
    assert plans == [is_multiset]


def test_a_case_that_cannot_be_judged_is_settled_before_anybody_is_asked(tmp_path: Path) -> None:
    write_suite(tmp_path, "find_order", [{**ORDERS[0], "expect": "nothing"}])
    project = read_project(Config(tmp_path))
    (job,) = made(project, Usual(), project.suites[0].cases[0].key)
    assert job.settled is not None


def test_cases_are_those_of_the_project_in_the_order_that_is_asked_for(project: Project) -> None:
    first, second, third = (case.key for suite in project.suites for case in suite.cases)
    gone = CaseKey(first.suite, "gone"), CaseKey("gone.json", "gone")
    asked = (third, *gone, first)
    assert [case.key for case, _ in cases_of(project, asked)] == [third, first]
    assert [*chosen(project, {*asked})] == [first, third], "in file order"
    assert [*chosen(project, {first, second}, lambda case, _: case.key == second)] == [second]


def test_nobody_is_asked_for_a_rubric_that_cannot_be_judged(project: Project) -> None:
    suite = project.suites[0]
    rubric = RubricCase("How is it?", dimensions=(RubricDimension("tone", 1.0, "Friendly?"),))
    cases = (replace(suite.cases[0], body=rubric), *suite.cases[1:])
    mine = replace(project, suites=(replace(suite, cases=cases),))
    keys = [case.key for case in cases]
    assert never_asked(mine, keys, has_judge=False) == (keys[0],)
    assert never_asked(mine, keys, has_judge=True) == ()
