"""A run that a change sets going begins with the cases that most probably tell something."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.agents.embedded.likelihood import Likelihood
from evaltui.core.agent import Agent
from evaltui.core.asked import AgentTraits
from evaltui.core.case import CaseKey
from evaltui.core.config import Config
from evaltui.core.inputs import Inputs
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.project import Project, read_project
from evaltui.session.inputs_of import InputsOf
from evaltui.session.running.run_order import in_order
from evaltui.store.row import Row
from tests.projects import TOOLS, case, write_suite, write_tools
from tests.session.test_paid_agents import project as paid_project
from tests.session.test_paid_agents import watching
from tests.session.test_session import all_keys

FAR, NEAR, CALLS, NAMES, FAILS = (
    case("gs-play-music-001", "Play the song Yesterday", "play_music"),
    case("gs-play-music-002", "Play a parcel song", "play_music"),
    case("gs-play-music-003", "Play it again", "play_music"),
    case("gs-play-music-004", "Play on", "play_music", toolsNotCalled=["find_order"]),
    case("gs-play-music-005", "Play nothing", "play_music"),
)
ALL = (FAR, NEAR, CALLS, NAMES, FAILS)
EDIT = {"name": "find_order", "description": "Looks up a parcel by its number."}


class Other(Agent):
    name, fingerprint = "other", "f"


class Certain(Other):
    traits = AgentTraits(is_deterministic=True)


def ids(keys: list[CaseKey]) -> list[str]:
    return [key.case[-3:] for key in keys]


@pytest.fixture
def projects(tmp_path: Path) -> tuple[Project, Project]:
    """Before and after an edit of `find_order`."""
    write_tools(tmp_path)
    write_suite(tmp_path, "play_music", ALL)
    before = read_project(Config(tmp_path))
    write_tools(tmp_path, [{**TOOLS[0], **EDIT}, TOOLS[1]])
    return before, read_project(Config(tmp_path), before)


def rows(project: Project, agent: Agent) -> dict[CaseKey, Row]:
    inputs_of, found = InputsOf(project, agent), dict[CaseKey, Row]()
    (suite,) = project.suites
    for each in suite.cases:
        inputs: Inputs = inputs_of(each, suite)
        if each.id == CALLS["id"]:
            inputs = replace(inputs, called={"find_order": "0"})
        status = CaseStatus.FAILED if each.id == FAILS["id"] else CaseStatus.PASSED
        result = CaseResult(each.key, "run-1", agent.name, status, inputs=inputs)
        found[each.key] = Row(each.key, each, suite, result)
    return found


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        (Other(), ["005", "004", "003", "002", "001"]),
        (Certain(), ["005", "004", "003", "001", "002"]),
    ],
)  # fmt: skip
def test_failing_then_naming_then_called_then_likely(
    projects: tuple[Project, Project], agent: Agent, expected: list[str]
) -> None:
    before, now = projects
    known = rows(before, agent)
    assert ids(in_order(known, now, known, agent)) == expected


def test_without_a_change_only_failing_ones_come_first(projects: tuple[Project, Project]) -> None:
    before, _ = projects
    known = rows(before, Other())
    assert ids(in_order(known, before, known, Other())) == ["005", "001", "002", "003", "004"]


def test_what_never_ran_stays_in_its_order(projects: tuple[Project, Project]) -> None:
    _, now = projects
    keys = [each.key for suite in now.suites for each in suite.cases]
    assert in_order(keys[::-1], now, {}, Other()) == keys[::-1]


def test_a_tool_that_a_message_asks_for_is_more_likely() -> None:
    from tests.agents.embedded.tools import CREATE_INVOICE, MESSAGES

    found = Likelihood([CREATE_INVOICE])
    said: list[Any] = [found.of(message) for message in MESSAGES[:4]]
    assert said[0] == max(said) > 0.5
    assert said[3] == 0.0


async def test_what_a_person_runs_is_run_in_that_order(tmp_path: Path) -> None:
    root = paid_project(tmp_path)
    (root / "mine.py").write_text(
        "def answer(message, tools=()):\n"
        "    calls = [] if 'SO-2' in message else [{'name': 'find_order', 'success': True}]\n"
        "    return {'response': 'done', 'toolCalls': calls, 'usage': {'cost_usd': 0.01}}\n"
    )
    async with watching(root) as (session, ear):
        keys = all_keys(session)
        board = session.store.board(session.agents[0])
        statuses = [row.result.status for row in board.rows.values() if row.result]
        assert statuses == [CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.FAILED]
        session.requests.rerun(keys)
        await ear.until(lambda: bool(ear.runs()))
        (started,) = ear.started()
        assert list(started.cases) == [keys[1], keys[2], keys[0]]
