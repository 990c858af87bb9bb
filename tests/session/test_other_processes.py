"""What other processes do: what is shown of it here, and what goes wrong with looking for it."""

from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from msgspec.structs import replace

from evaltui.core.errors import Problem
from evaltui.core.events import (
    CaseFinished,
    CasesStale,
    DetailLoaded,
    Event,
    ProblemFound,
    ProjectRead,
    ResultsLoaded,
    RunEnd,
    RunFinished,
    RunStarted,
)
from evaltui.core.result import CaseStatus
from evaltui.core.tool import ToolRegistry
from evaltui.disk.journal.other_runs import OtherRuns
from evaltui.session import other_processes
from evaltui.session.who_runs import WhoRuns
from evaltui.store.store import Store
from tests.projects import make_project
from tests.session.test_session import AGENT, all_keys, opened
from tests.session.test_two_dashboards import until
from tests.session.turns import Ticking, turns_during
from tests.tui import scene

if TYPE_CHECKING:
    from evaltui.session.agent_queues import AgentQueues
    from evaltui.session.project_state import ProjectState


async def test_what_goes_wrong_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[str] = []

    def fail(_: WhoRuns) -> bool:
        looks.append("looked")
        raise OSError("the folder cannot be read")

    monkeypatch.setattr(other_processes, "LOOK_S", 0.0)
    monkeypatch.setattr(WhoRuns, "claim", fail)
    async with opened(make_project(tmp_path)) as (session, ear):
        session._others.begin()
        await until(lambda: len(looks) > 3)
        (told,) = ear.all(ProblemFound)
        assert isinstance(told, ProblemFound)
        assert told.problem.what == "the folder cannot be read"
        assert told.problem.code == "other-processes"


async def test_a_problem_beside_is_shown_unless_it_is_known_here(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, ear):
        known, news = Problem("", "the disk is full"), Problem("", "the agent is down")
        session.emit(ProblemFound(known))
        for one in (known, news, news):
            session._others._relay(ProblemFound(one))
        assert ear.all(ProblemFound) == [ProblemFound(known), ProblemFound(news)]


async def test_the_run_of_an_agent_that_nobody_shows_here_is_not_shown(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, ear):
        await session.run(all_keys(session))
        result = next(iter(session.store.board(AGENT).rows.values())).result
        assert result is not None
        ear.heard.clear()
        relay = session._others._relay
        for agent in ("other", AGENT):
            relay(RunStarted("run-x", agent, 7, (result.key,), "asked for", reading=9))
            relay(CaseFinished("run-x", replace(result, agent=agent, run_id="run-x")))
            relay(RunFinished("run-x", agent, RunEnd.COMPLETED, 1.0))
        (started,) = ear.started()
        assert (started.agent, started.reading) == (AGENT, 0), "its readings are its own"
        (finished,) = ear.all(CaseFinished)
        assert isinstance(finished, CaseFinished) and finished.result.agent == AGENT
        assert [run.agent for run in ear.runs()] == [AGENT]


async def test_what_a_run_beside_brings_stale_is_marked_when_it_ends(tmp_path: Path) -> None:
    """Its answers were given under settings or tools that are others here now."""
    async with opened(make_project(tmp_path)) as (session, _):
        await session.run(all_keys(session))
        row = next(iter(session.store.board(AGENT).rows.values()))
        assert row.result is not None
        inputs = replace(row.result.inputs, case="0" * 12)
        late = replace(row.result, run_id="run-x", inputs=inputs)
        relay = session._others._relay
        relay(RunStarted("run-x", AGENT, 7, (row.key,), "asked for", reading=1))
        relay(CaseFinished("run-x", late))
        marked = [row.is_due]
        relay(RunFinished("run-x", AGENT, RunEnd.COMPLETED, 1.0))
        assert [*marked, row.is_due] == [False, True]
        assert session.requests.due_keys(AGENT) == (row.key,)


async def test_much_news_leaves_everybody_else_a_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        news = [ProblemFound(Problem("", str(number))) for number in range(6)]
        monkeypatch.setattr(OtherRuns, "news", lambda _: iter(news))
        monkeypatch.setattr(other_processes, "time", Ticking())
        assert await turns_during(session._others._hear_runs()) >= len(news)


async def test_of_the_run_of_a_save_the_results_before_are_shown_with_their_calls() -> None:
    (suite,) = suites = scene.suites(1, 1)
    whole = replace(scene.result(suite.cases[0], CaseStatus.FAILED), run_id="run-0")
    passed = replace(scene.result(suite.cases[0], CaseStatus.PASSED), run_id="run-2")
    store, told = Store(), list[Event]()
    for event in (
        ProjectRead(suites, ToolRegistry(configured=False), ()),
        ResultsLoaded(scene.AGENT, (replace(whole, response=None, verdicts=()),)),
        CasesStale(scene.AGENT, (), 1, ("a.ts",)),
        RunStarted("run-2", scene.AGENT, 1, (whole.key,), "why", ("a.ts",)),
        CaseFinished("run-2", passed),
    ):
        store.handle(event)
    history = SimpleNamespace(whole=lambda _key, _run: whole)
    state = SimpleNamespace(
        record=SimpleNamespace(history=history), events=SimpleNamespace(relay=told.append)
    )
    queues = SimpleNamespace(by_name={scene.AGENT: SimpleNamespace(board=store.board(scene.AGENT))})
    others = other_processes.OtherProcesses(
        cast("ProjectState", state),
        cast("AgentQueues", queues),
        *[None] * 3,  # type: ignore[arg-type]
    )
    for run_id, agent in (("run-1", scene.AGENT), ("run-2", "another"), ("run-2", scene.AGENT)):
        assert told == []
        await others._read_before(RunFinished(run_id, agent, RunEnd.COMPLETED, 1.0))
    assert told == [DetailLoaded(scene.AGENT, whole)]


@pytest.mark.parametrize("end", [RunEnd.LOST, RunEnd.COMPLETED])
async def test_what_is_told_beside_is_shown_and_a_run_that_was_killed_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: RunEnd
) -> None:
    news = [ProblemFound(Problem("", "the disk is full")), RunFinished("run-x", AGENT, end, 1.0)]
    monkeypatch.setattr(OtherRuns, "news", lambda _: iter(news))
    async with opened(make_project(tmp_path)) as (session, ear):
        assert await session._others._hear_runs() is (end is RunEnd.LOST)
        assert ear.heard[-2:] == news
