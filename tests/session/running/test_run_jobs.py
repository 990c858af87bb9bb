"""Jobs of a run go on from what an interrupted one made; those of further trials do not."""

from pathlib import Path

from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.config import Config
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.project import Project, read_project
from evaltui.session.inputs_of import InputsOf
from evaltui.session.running.run_jobs import RunJobs
from evaltui.session.running.run_request import RunRequest
from tests.projects import make_project
from tests.tui import scene

TRIALS = 3


class Usual(Agent):
    name, fingerprint = "usual", "f"


def project_of(root: Path) -> Project:
    make_project(root)
    return read_project(Config(root))


def attempts_at_first(project: Project) -> tuple[CaseResult, ...]:
    """Two, with the inputs of now."""
    suite = project.suites[0]
    case = suite.cases[0]
    inputs = InputsOf(project, Usual(), TRIALS)(case, suite)
    one = replace(scene.result(case, CaseStatus.PASSED, agent="usual"), inputs=inputs)
    return (one, one)


def jobs_with(project: Project, attempts: tuple[CaseResult, ...]) -> RunJobs:
    made = {attempts[0].key: attempts} if attempts else {}
    request = RunRequest({}, "resumed", trials=TRIALS, attempts=made)
    return RunJobs(request, Usual(), project, project.config, None)


def test_attempts_that_were_made_are_not_made_again(tmp_path: Path) -> None:
    project = project_of(tmp_path)
    attempts = attempts_at_first(project)
    jobs, key = jobs_with(project, attempts), attempts[0].key
    assert tuple(jobs.take_over([key])) == attempts
    (job,) = jobs.of([key])
    assert (job.trials, job.finished) == (TRIALS, attempts)


def test_a_further_trial_is_one_by_its_own_number(tmp_path: Path) -> None:
    project = project_of(tmp_path)
    attempts = attempts_at_first(project)
    jobs, key = jobs_with(project, attempts), attempts[0].key
    tuple(jobs.take_over([key]))
    (job,) = jobs.further({key: 7})
    assert (job.trials, job.first_trial, job.finished) == (1, 7, ())


def test_all_are_asked_with_the_snapshot(tmp_path: Path) -> None:
    project = project_of(tmp_path)
    jobs, key = jobs_with(project, ()), project.suites[0].cases[0].key
    jobs.snapshot = {"order": "found"}
    assert [job.snapshot for job in (*jobs.of([key]), *jobs.further({key: 1}))] == [
        {"order": "found"}
    ] * 2
