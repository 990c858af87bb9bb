"""What an agent is told decides which inputs its answer depends on."""

from pathlib import Path

from evaltui.core.agent import Agent, AgentTraits
from evaltui.core.config import Config
from evaltui.core.inputs import Inputs
from evaltui.project import read_project
from evaltui.session.affected import InputsOf
from tests.projects import make_project


class Usual(Agent):
    name, fingerprint = "usual", "f"


class Told(Usual):
    traits = AgentTraits(is_told_expectations=True)


class Repairs(Usual):
    traits = AgentTraits(max_repairs=2)


def inputs(root: Path, agent: Agent, trials: int | None = None) -> Inputs:
    project = read_project(Config(root))
    suite = project.suites[0]
    return InputsOf(project, agent, trials)(suite.cases[0], suite)


def test_answers_depend_on_all_of_a_case_where_expectations_are_told(tmp_path: Path) -> None:
    make_project(tmp_path)
    usual, told = inputs(tmp_path, Usual()), inputs(tmp_path, Told())
    assert usual.answer not in ("", usual.case)
    assert told.answer == told.case
    assert inputs(tmp_path, Repairs()).answer == "", "verdicts are told: judging again is asking"


def test_the_trials_that_were_asked_for_count(tmp_path: Path) -> None:
    make_project(tmp_path)
    assert inputs(tmp_path, Usual()).settings["trials"] == 1
    assert inputs(tmp_path, Usual(), 5).settings["trials"] == 5
