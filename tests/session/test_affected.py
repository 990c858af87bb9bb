"""What an agent is told decides which inputs its answer depends on."""

from collections.abc import Callable
from pathlib import Path

import pytest

from evaltui.core.agent import Agent, AgentTraits
from evaltui.core.case import CaseKey
from evaltui.core.config import Config
from evaltui.core.inputs import Inputs
from evaltui.project import Project, read_project
from evaltui.session.affected import InputsOf, is_touched
from tests.projects import ORDERS, make_project, with_description, write_suite, write_tools


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


class Reads(Usual):
    traits = AgentTraits(reads_registry=True)


EXPECTS_SEED = {**ORDERS[0]["expect"], "responseContains": ["{{seed:where}}"]}
WAITING = CaseKey("evals/find_order.golden.json", "gs-find-order-001")


@pytest.fixture
def seeded(tmp_path: Path) -> Project:
    """With a case whose verdict depends on a seed value."""
    make_project(tmp_path)
    write_suite(tmp_path, "find_order", ({**ORDERS[0], "expect": EXPECTS_SEED}, ORDERS[1]))
    (tmp_path / "evals" / "seed-manifest.json").write_text('{"where": "here"}')
    return read_project(Config(tmp_path))


def read_again(before: Project) -> Project:
    root = before.config.root
    paths = [*(root / "evals").iterdir(), root / "tools.json"]
    return read_project(Config(root), before, paths)


def change_seed(root: Path) -> None:
    (root / "evals" / "seed-manifest.json").write_text('{"where": "there"}')


def change_check(root: Path) -> None:
    write_suite(root, "find_order", ORDERS)


def change_message(root: Path) -> None:
    asked = {**ORDERS[0], "expect": EXPECTS_SEED, "input": {"message": "Show order SO-9"}}
    write_suite(root, "find_order", (asked, ORDERS[1]))


def change_the_other(root: Path) -> None:
    other = {**ORDERS[1], "input": {"message": "Show order SO-9"}}
    write_suite(root, "find_order", ({**ORDERS[0], "expect": EXPECTS_SEED}, other))


def take_away(root: Path) -> None:
    write_suite(root, "find_order", ORDERS[1:])


def change_tool(root: Path) -> None:
    write_tools(root, with_description("find_order", "Finds an order."))


@pytest.mark.parametrize(
    ("change", "agent", "is_asked_otherwise"),
    [
        (change_seed, Usual(), False),
        (change_check, Usual(), False),
        (change_check, Told(), True),
        (change_check, Repairs(), True),
        (change_message, Usual(), True),
        (change_the_other, Usual(), False),
        (take_away, Usual(), True),
        (change_tool, Reads(), True),
        (change_tool, Usual(), True),
    ],
    ids=lambda one: getattr(one, "__name__", None) or type(one).__name__,
)
def test_a_waiting_case_is_touched_by_what_changes_its_answer_and_not_its_verdict(
    seeded: Project, change: Callable[[Path], None], agent: Agent, is_asked_otherwise: bool
) -> None:
    change(seeded.config.root)
    now = read_again(seeded)
    assert is_touched({WAITING}, seeded, now, agent) is is_asked_otherwise


def test_nothing_that_changed_touches_nothing(seeded: Project) -> None:
    assert not is_touched({WAITING}, seeded, read_again(seeded), Repairs())
