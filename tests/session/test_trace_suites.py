"""Suites of traces on the board: no agent is asked, and only what they say makes them due."""

import json
from pathlib import Path
from typing import Any

from evaltui.core.events import CaseFinished, CasesStale
from evaltui.core.result import CaseStatus
from evaltui.core.staleness import Degree
from evaltui.session import Session
from tests.projects import with_description, write_tools
from tests.session.test_paid_agents import PAID, finished, project, watching
from tests.session.test_session import all_keys

NAME = "evals/found.trace.json"
EVENTS: list[dict[str, Any]] = [
    {"idx": 0, "actor": "user", "type": "message", "input": "Where is SO-1?"},
    {"idx": 1, "actor": "agent", "type": "tool_call", "tool": "find_order", "input": {"id": 1}},
    {"idx": 2, "actor": "tool", "type": "tool_result", "tool": "find_order", "output": {}},
    {"idx": 3, "actor": "assistant", "type": "message", "output": "On its way"},
]


def write(root: Path, *, forbidden: str = "delete", said: str = "On its way") -> None:
    case = {
        "case_id": "so-1",
        "input": "Where is SO-1?",
        "policy": {"forbidden_tools": [forbidden]},
        "trace": [*EVENTS[:-1], {**EVENTS[-1], "output": said}],
    }
    document = {"dataset_id": "found", "cases": [case]}
    (root / NAME).write_text(json.dumps(document))


def only_traces(root: Path) -> Path:
    """A project of one trace and an agent that costs money."""
    project(root)
    for path in (root / "evals").glob("*.golden.json"):
        path.unlink()
    write(root)
    return root


def degrees(session: Session) -> dict[str, Degree]:
    rows = session.store.board(PAID).rows
    return {key.case: row.due.degree for key, row in rows.items() if row.due is not None}


def status(session: Session) -> CaseStatus | None:
    (row,) = (row for key, row in session.store.board(PAID).rows.items() if key.suite == NAME)
    return row.result.status if row.result is not None else None


async def test_opening_judges_them_though_the_agent_costs_money(tmp_path: Path) -> None:
    project(tmp_path)
    write(tmp_path)
    async with watching(tmp_path, has_run=False) as (session, ear):
        await ear.until(lambda: bool(ear.runs()))
        assert finished(ear) == ["so-1"]
        assert status(session) is CaseStatus.PASSED
        traces = [key for key in all_keys(session) if key.suite == NAME]
        assert not session.requests.estimate(traces).asks_first
        assert session.requests.estimate(all_keys(session)).asks_first


async def test_a_changed_tool_matters_to_none(tmp_path: Path) -> None:
    async with watching(only_traces(tmp_path)) as (session, ear):
        write_tools(tmp_path, with_description("find_order", "Something else entirely."))
        await ear.until(lambda: bool(ear.all(CasesStale)))
        assert degrees(session) == {}


async def test_a_changed_policy_judges_the_kept_trace_again(tmp_path: Path) -> None:
    async with watching(only_traces(tmp_path)) as (session, ear):
        assert status(session) is CaseStatus.PASSED
        write(tmp_path, forbidden="find_order")
        await ear.until(lambda: bool(ear.runs()))
        assert status(session) is CaseStatus.FAILED
        (run,) = ear.started()
        assert run.is_rejudging


async def test_a_changed_event_is_read_again(tmp_path: Path) -> None:
    async with watching(only_traces(tmp_path)) as (session, ear):
        write(tmp_path, said="Lost")
        await ear.until(lambda: bool(ear.runs()))
        (run,) = ear.started()
        assert not run.is_rejudging
        (done,) = (event.result for event in ear.heard if isinstance(event, CaseFinished))
        assert done.response is not None
        assert done.response.text == "Lost"
        assert status(session) is CaseStatus.PASSED
