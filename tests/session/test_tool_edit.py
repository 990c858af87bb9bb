"""After an edit of tools only what has to do with them is compared, and nothing due is missed."""

import json
from collections.abc import AsyncIterator, Collection, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.staleness import DueCase
from evaltui.project import Project, read_project
from evaltui.session import Session
from evaltui.session.affected import compare
from evaltui.session.tool_edit import ToolEdit
from tests.projects import write_tools
from tests.session.test_session import all_keys, opened

if TYPE_CHECKING:
    from evaltui.core.agent import Agent

MESSAGES = {"parcel": "my parcels", "bread": "my bread", "boat": "my boats"}
SUITE = "evals/all.golden.json"


def write(root: Path, messages: Mapping[str, str] = MESSAGES, **descriptions: str) -> None:
    said = {"alpha": "Handles parcels.", "beta": "Bakes bread.", **descriptions}
    write_tools(root, [{"name": name, "description": text} for name, text in said.items()])
    cases = [
        {"id": id_, "input": {"message": text}, "expect": {"toolsNotCalled": ["alpha", "zzz"]}}
        for id_, text in messages.items()
    ]
    (root / "evals").mkdir(exist_ok=True)
    text = json.dumps({"metadata": {"toolName": "beta"}, "cases": cases})
    (root / SUITE).write_text(text, encoding="utf-8")


@pytest.fixture
async def session(tmp_path: Path) -> AsyncIterator[Session]:
    write(tmp_path)
    async with opened(tmp_path) as (session, _):
        await session.run(all_keys(session))
        yield session


def read_again(before: Project) -> Project:
    return read_project(before.config, before)


def compared(
    session: Session,
    now: Project,
    stale: Collection[CaseKey] = (),
    before: Project | None = None,
) -> dict[str, DueCase | None]:
    """Those that were looked at, after it was made sure that no other is due."""
    (queue,) = session._queues.by_name.values()
    before, rows = before or queue._state.project, queue.board.rows
    found = compare(now, before, rows, queue.agent, due=stale)
    full = compare(now, None, rows, queue.agent)
    assert {key: one.due for key, one in full.items() if one.due} == {
        key: one.due for key, one in found.items() if one.due
    }
    return {key.case: one.due for key, one in found.items()}


async def test_what_was_weighed_and_what_is_now_is_compared(
    session: Session, tmp_path: Path
) -> None:
    write(tmp_path, alpha="Handles boats.")
    found = compared(session, read_again(session.project))
    assert set(found) == {"parcel", "boat"}
    assert all(found.values())


async def test_a_new_tool_is_compared_where_it_has_to_do_with_the_message(
    session: Session, tmp_path: Path
) -> None:
    write(tmp_path, gamma="Bakes bread in boats.")
    assert set(compared(session, read_again(session.project))) == {"bread", "boat"}


async def test_words_that_no_message_says_touch_nothing(session: Session, tmp_path: Path) -> None:
    write(tmp_path, alpha="It handles: PARCELS!", beta="And bakes the bread.")
    assert compared(session, read_again(session.project)) == {}


async def test_one_that_is_read_alike_counts_by_what_the_next_save_makes_of_it(
    session: Session, tmp_path: Path
) -> None:
    write(tmp_path, alpha="It handles: PARCELS!")
    alike = read_again(session.project)
    write(tmp_path, alpha="Handles letters.")
    found = compared(session, read_again(alike), before=alike)
    assert {key for key, stale in found.items() if stale} == {"parcel"}


async def test_a_tool_that_enters_beside_one_that_is_read_alike_is_compared(
    session: Session, tmp_path: Path
) -> None:
    write(tmp_path, alpha="It handles: PARCELS!")
    alike = read_again(session.project)
    write(tmp_path, alpha="It handles: PARCELS!", beta="Bakes bread and parcels.")
    found = compared(session, read_again(alike), before=alike)
    assert {key for key, stale in found.items() if stale} == {"parcel", "bread"}


async def test_what_was_due_before_is_compared_again(session: Session, tmp_path: Path) -> None:
    write(tmp_path, alpha="Handles boats.")
    found = compared(session, read_again(session.project), {CaseKey(SUITE, "bread")})
    assert found["bread"] is None


async def test_a_case_that_was_saved_along_is_compared(session: Session, tmp_path: Path) -> None:
    write(tmp_path, {**MESSAGES, "bread": "your cake"}, alpha="Handles boats.")
    assert compared(session, read_again(session.project))["bread"] is not None


async def test_answers_that_do_not_tell_what_was_weighed_are_all_compared(
    session: Session, tmp_path: Path
) -> None:
    (queue,) = session._queues.by_name.values()
    for row in queue.board.rows.values():
        assert row.result is not None
        row.result = replace(row.result, inputs=replace(row.result.inputs, shown=None))
    write(tmp_path, alpha="Handles boats.")
    assert set(compared(session, read_again(session.project))) == set(MESSAGES)


@pytest.mark.parametrize(("read", "is_alike"), [({"alpha": "x"}, True), ({}, False)])
def test_a_tool_of_which_the_agent_says_nothing_is_not_read_alike(
    read: dict[str, str], is_alike: bool
) -> None:
    prints = SimpleNamespace(differing=lambda _: frozenset({"alpha"}), shown=lambda _: "alpha x")
    project = cast("Project", SimpleNamespace(tool_prints=prints, registry=None))
    agent = cast("Agent", SimpleNamespace(read_prints=lambda *_: read))
    assert ToolEdit(project, project, agent)._is_read_alike("my parcels") is is_alike
