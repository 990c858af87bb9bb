"""What a session asks git ends with it, and what others ask goes on."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from evaltui.disk import git_process
from tests.disk.test_git_process import running_in, until, with_a_pipe
from tests.projects import case, make_project
from tests.session.test_session import opened

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs pipes and /proc")


def waiting(root: Path) -> Path:
    """A project whose regression cases are held against a commit that git waits for."""
    root.mkdir()
    make_project(root)
    old = case("rg-find-order-001", "Where is SO-4?", "find_order")
    old |= {"createdAt": "2026-01-02T03:04:05Z"}
    (root / "evals/find_order.regression.json").write_text(json.dumps({"cases": [old]}))
    return with_a_pipe(root)


async def test_a_session_that_closes_ends_its_own_questions_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_process, "PATIENCE_S", 300.0)
    first, second = waiting(tmp_path / "first"), waiting(tmp_path / "second")
    async with opened(second) as (other, _):
        beside = asyncio.create_task(other.watch())
        async with opened(first) as (session, _):
            watching = asyncio.create_task(session.watch())
            await asyncio.to_thread(until, lambda: running_in(first) and running_in(second))
            await session.close()
            await watching
        await asyncio.to_thread(until, lambda: not running_in(first))
        assert running_in(second)
        await other.close()
        await beside
    await asyncio.to_thread(until, lambda: not running_in(second))
