"""Several agents in one project: results, baselines and history of each are its own."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.events import DetailLoaded
from evaltui.core.result import CaseStatus
from evaltui.disk.history.first_results import read_first_results
from evaltui.expectations.call_diff import DiffTarget
from evaltui.session import Session
from evaltui.settings.load import load_config
from tests.projects import make_project
from tests.session.test_session import Ear

EMBEDDED, STRICT, DOWN = "embedded/2", "embedded/2:strict", "down"
SETTINGS = """agent = ["embedded", "strict", "down"]
[agents.strict]
type = "embedded"
call_at = 0.99
[agents.down]
type = "http"
url = "http://127.0.0.1:9/chat"
retries = 0
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (make_project(tmp_path) / "evaltui.toml").write_text(SETTINGS)
    return tmp_path


@asynccontextmanager
async def opened(root: Path) -> AsyncIterator[Session]:
    read = load_config(root, {})
    session = Session(read.config, problems=read.problems)
    await session.open()
    try:
        yield session
    finally:
        await session.close()


def keys_of(session: Session) -> tuple[CaseKey, ...]:
    return tuple(case.key for suite in session.store.suites for case in suite.cases)


def statuses(session: Session, agent: str) -> set[CaseStatus]:
    rows = session.store.board(agent).rows.values()
    return {row.result.status for row in rows if row.result is not None}


async def test_an_agent_that_is_down_disturbs_nobody(root: Path) -> None:
    async with opened(root) as session:
        assert session.agents == (EMBEDDED, STRICT, DOWN)
        await session.run(keys_of(session))
        assert statuses(session, EMBEDDED) == {CaseStatus.PASSED}
        assert statuses(session, STRICT) == {CaseStatus.FAILED}
        assert statuses(session, DOWN) == {CaseStatus.ERROR}
        assert not session.store.problems.reported


async def test_pinning_is_of_one_agent_and_so_is_taking_it_back(root: Path) -> None:
    async with opened(root) as session:
        keys = keys_of(session)
        await session.run(keys)
        await session.baselines.pin(keys, STRICT)
        boards = session.store.boards
        assert [len(boards[agent].standards.baselines) for agent in session.agents] == [0, 2, 0]
        assert {row.baseline.status for row in boards[STRICT].rows.values() if row.baseline} == {
            CaseStatus.FAILED
        }
        await session.baselines.pin(keys, EMBEDDED, "before")
        [named] = session.baselines.named(EMBEDDED)
        assert (named.name, named.cases) == ("before", len(keys))
        assert "before" not in session.baselines.names(STRICT)
        session.undo.undo()
        session.undo.undo()
        assert [len(boards[agent].standards.baselines) for agent in session.agents] == [0, 0, 0]


async def test_a_rerun_with_one_agent_leaves_the_others_alone(root: Path) -> None:
    async with opened(root) as session:
        keys = keys_of(session)
        await session.run(keys)
        before = {agent: session.store.board(agent).runs.number for agent in session.agents}
        await session.run(keys[:1], agents=[STRICT])
        after = {agent: session.store.board(agent).runs.number for agent in session.agents}
        assert after[STRICT] > before[STRICT]
        assert {agent: after[agent] for agent in (EMBEDDED, DOWN)} == {
            agent: before[agent] for agent in (EMBEDDED, DOWN)
        }
        assert len(session.past(keys[0], STRICT)) == 2
        assert len(session.past(keys[0], EMBEDDED)) == 1


async def test_the_next_process_finds_everyones_own_results(root: Path) -> None:
    async with opened(root) as session:
        keys = keys_of(session)
        await session.run(keys)
        await session.baselines.pin(keys, EMBEDDED)
    async with opened(root) as session:
        assert statuses(session, EMBEDDED) == {CaseStatus.PASSED}
        assert statuses(session, STRICT) == {CaseStatus.FAILED}
        assert statuses(session, DOWN) == {CaseStatus.ERROR}
        boards = session.store.boards
        assert [len(boards[agent].standards.baselines) for agent in session.agents] == [2, 0, 0]
        pinned = session.earlier(keys[0], EMBEDDED, DiffTarget.BASELINE)
        assert pinned is not None
        assert pinned.agent == EMBEDDED
        assert session.earlier(keys[0], STRICT, DiffTarget.BASELINE) is None
        assert session.earlier(keys[0], STRICT, DiffTarget.PREVIOUS) is None


async def test_the_last_results_are_found_by_the_name_in_the_settings(root: Path) -> None:
    async with opened(root) as session:
        await session.run(keys_of(session))
    folder = root / ".evaltui"
    found = {name: read_first_results(folder, name) for name in ("embedded", "strict", "down")}
    assert {name: last.agent for name, last in found.items() if last} == {
        "embedded": EMBEDDED,
        "strict": STRICT,
        "down": DOWN,
    }
    assert read_first_results(folder, "other") is None


async def test_the_calls_of_the_agent_that_is_shown_are_accepted(root: Path) -> None:
    (root / "evals" / "play_music.golden.json").unlink()
    async with opened(root) as session:
        key = next(iter(session.store.board("embedded/2").rows))
        await session.run([key])
        wrong = next(name for name in session.agents if "strict" in name)
        edit = session.edits.preview_accept(key, wrong, "calls")
        written = json.loads(edit.after)["cases"]
        assert (
            next(case for case in written if case["id"] == key.case)["expect"]["toolsCalled"] == []
        )


async def test_a_rerun_asks_only_the_agents_that_are_named(root: Path) -> None:
    async with opened(root) as session:
        ear = Ear()
        session.add_sink(ear)
        session.requests.rerun(keys_of(session), agents=(STRICT,))
        await ear.until(lambda: bool(ear.runs()))
        session.requests.rerun(keys_of(session)[:1], agents=(EMBEDDED,), reason="the last")
        await ear.until(lambda: len(ear.runs()) == 2)
        assert [run.agent for run in ear.started()] == [STRICT, EMBEDDED]


async def test_details_are_those_of_the_agent_that_they_were_asked_of(root: Path) -> None:
    async with opened(root) as session:
        await session.run(keys_of(session))
    async with opened(root) as session:
        ear = Ear()
        session.add_sink(ear)
        key = keys_of(session)[0]
        session.load_detail(key, STRICT)
        await ear.until(lambda: bool(ear.all(DetailLoaded)))
        row = session.store.board(EMBEDDED).rows[key].result
        assert row is not None and row.response is None
        row = session.store.board(STRICT).rows[key].result
        assert row is not None and row.response is not None and row.agent == STRICT


async def test_the_run_before_is_that_of_the_same_agent(root: Path) -> None:
    async with opened(root) as session:
        keys = keys_of(session)
        for _ in range(2):
            await session.run(keys)
        earlier = session.earlier(keys[0], STRICT, DiffTarget.PREVIOUS)
        assert earlier is not None and earlier.agent == STRICT
