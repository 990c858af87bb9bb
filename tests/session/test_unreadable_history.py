"""Earlier results that cannot be read are said, tried again, and never the end of watching."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from evaltui.disk.history.history import History, LastResults
from evaltui.disk.history.history_file import HistoryError
from evaltui.disk.history.history_writer import HistoryWriter
from evaltui.session import Session
from evaltui.session.running.earlier_results import EarlierResults
from tests.projects import with_description, write_tools
from tests.session.test_paid_agents import PAID, project, watching
from tests.session.test_session import Ear, all_keys


def locked(session: Session) -> list[str]:
    return [one.what for one in session.store.problems.of_project if one.code == "history"]


class Lock:
    """Keeps the last results of every agent from being read while it is held."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_held, self.asked = False, 0
        read = History.last_results

        def last_results(history: History, *of: Any) -> LastResults:
            self.asked += self.is_held
            if self.is_held:
                raise HistoryError("database is locked")
            return read(history, *of)

        monkeypatch.setattr(History, "last_results", last_results)


@pytest.fixture
def lock(monkeypatch: pytest.MonkeyPatch) -> Lock:
    return Lock(monkeypatch)


def change_agent(root: Path, before: str, now: str) -> None:
    mine = root / "mine.py"
    mine.write_text(mine.read_text().replace(before, now))


async def after_a_save(ear: Ear, root: Path, description: str) -> None:
    ear.heard.clear()
    write_tools(root, with_description("find_order", description))
    await ear.until(lambda: bool(ear.runs()))


async def test_a_history_that_is_locked_for_a_moment_is_read_with_the_next_save(
    tmp_path: Path, lock: Lock, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, recorded = project(tmp_path, is_free=True), list[bool]()
    begin = HistoryWriter.begin

    def begin_writing(writer: HistoryWriter) -> None:
        recorded.append(lock.is_held)
        begin(writer)

    monkeypatch.setattr(HistoryWriter, "begin", begin_writing)
    async with watching(root) as (session, ear):
        assert recorded == [False]
        lock.is_held = True
        change_agent(root, "done", "finished")
        await ear.until(lambda: bool(ear.runs()))
        assert locked(session) == [
            f"the last results of `{PAID}` cannot be read: database is locked"
        ]
        await after_a_save(ear, root, "Bakes bread.")
        assert len(locked(session)) == 1, "said once"
        asked, lock.is_held = lock.asked, False
        assert asked > 1
        assert recorded == [False], "new results would hide those that are not known yet"
        await after_a_save(ear, root, "Bakes cake.")
        assert locked(session) == []
        assert lock.asked == asked
        assert session.requests.due_keys(PAID) == ()


async def test_a_baseline_that_was_wrong_for_a_moment_leaves_nothing_behind(tmp_path: Path) -> None:
    root = project(tmp_path, is_free=True)
    settings = root / "evaltui.toml"
    good = settings.read_text()
    async with watching(root) as (session, ear):
        settings.write_text(f'baseline_run_id = "nope"\n{good}')
        await ear.until(
            lambda: any("nope" in one.what for one in session.store.problems.of_project)
        )
        change_agent(root, "done", "finished")
        await ear.until(lambda: bool(ear.runs()))
        assert session.requests.due_keys(PAID) == (), "cases run whatever they are compared with"
        settings.write_text(good)
        await ear.until(
            lambda: not any("nope" in one.what for one in session.store.problems.of_project)
        )
        await after_a_save(ear, root, "Bakes cake.")
        assert session.requests.due_keys(PAID) == ()


async def test_what_is_closed_while_they_are_read_ends_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project(tmp_path, is_free=True)
    async with watching(root) as (session, _):
        begun = asyncio.Event()

        async def never(*_: object) -> None:
            begun.set()
            await asyncio.Event().wait()

        monkeypatch.setattr(EarlierResults, "_load", never)
        change_agent(root, "done", "finished")
        await begun.wait()
        assert len(all_keys(session)) == 3
