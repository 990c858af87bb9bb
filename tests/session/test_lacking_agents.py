"""What is known of an agent whose variable is not set here is shown; it is not asked."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from evaltui.core.errors import UserError
from evaltui.core.events import ProjectRead
from evaltui.core.result import CaseStatus
from evaltui.core.watch_state import WatchState
from evaltui.session import Session
from evaltui.store.row_status import RowMark
from tests.projects import ORDERS, write_suite
from tests.session.test_agent_variables import root as project_of_variables
from tests.session.test_session import Ear, all_keys, opened

AGENT = "mine"
root = project_of_variables


async def leave_behind(root: Path) -> None:
    """A pinned pass of each order, and their failure with another value of the variable."""
    async with opened(root) as (session, _):
        keys = [key for key in all_keys(session) if "order" in key.suite]
        await session.run(keys)
        await session.baselines.pin(keys, AGENT)
    (root / ".env").write_text("FINDS=no\nMY_KEY=abcdefgh\n")
    async with opened(root) as (session, _):
        await session.run(keys)
    (root / ".env").write_text("MY_KEY=abcdefgh\n")


@asynccontextmanager
async def watched(root: Path) -> AsyncIterator[tuple[Session, Ear]]:
    """With nothing to wait for: nothing runs at the opening."""
    async with opened(root) as (session, ear):
        watching = asyncio.create_task(session.watch())
        await ear.until(lambda: session.state is WatchState.WATCHING)
        try:
            yield session, ear
        finally:
            await session.close()
            await watching


async def test_its_board_is_shown_with_its_marks_and_keys_name_the_variable(root: Path) -> None:
    await leave_behind(root)
    async with watched(root) as (session, ear):
        board = session.store.board(AGENT)
        assert session.agents == (AGENT,) and not board.is_cached
        fell = [row for row in board.rows.values() if row.against is RowMark.MOVED]
        assert fell and all(row.result.status is CaseStatus.FAILED for row in fell if row.result)
        assert "`FINDS`" in session.why_not_ask(AGENT)
        assert any("`FINDS`" in one.what for one in session.store.problems.reported)
        with pytest.raises(UserError, match="`FINDS`"):
            session.requests.rerun(all_keys(session))
        with pytest.raises(UserError, match="`FINDS`"):
            await session.run(all_keys(session))
        assert "`FINDS`" in session.fresh_pins.why_not(AGENT)
        with pytest.raises(UserError, match="`FINDS`"):
            await session.ab.plan("HEAD", AGENT)
        assert not ear.started()


async def test_its_kept_answers_are_judged_again_for_who_asks(root: Path) -> None:
    await leave_behind(root)
    otherwise = {**ORDERS[0], "expect": {"toolsCalled": ["cancel_order"]}}
    write_suite(root, "find_order", (otherwise, *ORDERS[1:]))
    async with opened(root) as (session, ear):
        assert session.requests.has_to_judge(AGENT)
        session.requests.rejudge(session.requests.due_keys(AGENT), agents=(AGENT,))
        await ear.until(lambda: bool(ear.runs()))
        assert not session.requests.has_to_judge(AGENT)


async def test_it_is_not_asked_for_a_save_until_the_variable_is_written(root: Path) -> None:
    await leave_behind(root)
    async with watched(root) as (session, ear):
        asked = {**ORDERS[0], "input": {"message": "Look up SO-9"}}
        write_suite(root, "find_order", (asked, *ORDERS[1:]))
        await ear.until(lambda: len(ear.all(ProjectRead)) > 0)
        await ear.until(lambda: bool(session.requests.due_keys(AGENT, possibly=False)))
        assert not ear.started() and not session.is_running
        (root / ".env").write_text("FINDS=yes\nMY_KEY=abcdefgh\n")
        await ear.until(lambda: bool(ear.runs()))
        assert session.why_not_ask(AGENT) == ""
