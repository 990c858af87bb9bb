"""Whether a suite was written for another description is asked of files as they are now."""

import json
from pathlib import Path

from evaltui.core.case import CaseKey
from tests.projects import ORDERS, make_project, with_description, write_tools
from tests.session.test_session import AGENT, all_keys, opened, watched, written_by

KEY = CaseKey("evals/find_order.golden.json", ORDERS[0]["id"])


def written_for(root: Path, description_hash: str) -> None:
    document = {
        "metadata": {"toolName": "find_order", "descriptionHash": description_hash},
        "cases": list(ORDERS),
    }
    (root / KEY.suite).write_text(json.dumps(document))


async def test_accepting_the_description_shows_at_once_and_asks_nobody(tmp_path: Path) -> None:
    written_for(make_project(tmp_path), "0" * 12)
    async with watched(tmp_path) as (session, ear):
        board = session.store.board(AGENT)
        row, before = board.rows[KEY], board.counts.all.outdated
        assert (row.is_outdated, row.is_due, row.due) == (True, False, None)
        runs = len(ear.started())
        session.edits.apply(session.edits.preview_accept(KEY, AGENT, "description_hash"))
        await ear.until(lambda: not row.is_outdated)
        assert board.counts.all.outdated == before - len(ORDERS)
        assert len(ear.started()) == runs
        session.undo.undo()
        await ear.until(lambda: row.is_outdated)


async def test_a_result_file_says_it_and_is_not_believed(tmp_path: Path) -> None:
    written_for(make_project(tmp_path), "0" * 12)
    async with opened(tmp_path) as (session, _):
        (finished,) = await session.run([KEY])
    (case,) = written_by(finished)["cases"]
    assert case["stale"] is case["details"]["stale"] is True
    tool = session.store.registry.tools["find_order"]
    assert tool.description_hash is not None
    written_for(tmp_path, tool.description_hash)
    async with opened(tmp_path) as (session, _):
        assert KEY in all_keys(session)
        row = session.store.board(AGENT).rows[KEY]
        assert row.result is not None
        assert not row.is_outdated


async def test_the_description_that_is_accepted_is_shown_before_and_after(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    async with watched(root) as (session, ear):
        tool = session.store.registry.tools["find_order"]
        assert tool.description_hash is not None
        written_for(root, tool.description_hash)
        write_tools(root, with_description("find_order", "Finds orders, and nothing else."))
        row = session.store.board(AGENT).rows[KEY]
        await ear.until(lambda: row.is_outdated and row.suite.metadata is not None)
        text = session.edits.preview_accept(KEY, AGENT, "description_hash").text
        assert text is not None
        assert (text.before, text.after) == (tool.description, "Finds orders, and nothing else.")


async def test_a_description_that_was_never_read_is_not_made_up(tmp_path: Path) -> None:
    written_for(make_project(tmp_path), "0" * 12)
    async with opened(tmp_path) as (session, _):
        text = session.edits.preview_accept(KEY, AGENT, "description_hash").text
        tool = session.store.registry.tools["find_order"]
        assert text is not None
        assert (text.before, text.after) == (None, tool.description)
