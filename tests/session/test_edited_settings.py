"""An edit of a setting is followed at once, as one of a case is."""

import json
from pathlib import Path
from typing import Any

from evaltui.core.case import CaseKey
from evaltui.core.tool import short_hash
from evaltui.session import Session
from evaltui.store.row import Row
from tests.projects import ORDERS, TOOLS, make_project, write_suite
from tests.session.test_session import AGENT, watched

FIND = "evals/find_order.golden.json"
FIRST = CaseKey(FIND, "gs-find-order-001")


def write_settings(root: Path, text: str) -> None:
    (root / "evaltui.toml").write_text(text)


def row(session: Session, key: CaseKey = FIRST) -> Row:
    return session.store.board(AGENT).rows[key]


def of_result(session: Session, name: str) -> Any:
    """A field of the first case's result."""
    return getattr(row(session).result, name)


async def test_a_mute_comes_and_goes_with_the_settings_and_runs_nothing(tmp_path: Path) -> None:
    write_settings(make_project(tmp_path), "")
    async with watched(tmp_path) as (session, ear):
        write_settings(tmp_path, f'[mute]\n"{FIRST}" = "known bug"\n')
        await ear.until(lambda: row(session).muted == "known bug")
        assert session.store.board(AGENT).counts.all.muted == 1
        write_settings(tmp_path, "")
        await ear.until(lambda: row(session).muted == "")
        assert session.store.board(AGENT).counts.all.muted == 0
        assert not ear.started()


async def test_a_description_hash_is_held_against_the_tool_at_once(tmp_path: Path) -> None:
    path = make_project(tmp_path) / FIND

    def write_hash(hash_: str) -> None:
        document = json.loads(path.read_text())
        document["metadata"]["descriptionHash"] = hash_
        path.write_text(json.dumps(document))

    async with watched(tmp_path) as (session, ear):
        write_hash("000000000000")
        await ear.until(lambda: session.store.outdated == {FIND})
        assert row(session).is_outdated
        write_hash(short_hash(str(TOOLS[0]["description"])))
        await ear.until(lambda: not session.store.outdated)
        assert not row(session).is_outdated
        assert not ear.started()


async def test_trials_are_those_of_the_settings_in_force(tmp_path: Path) -> None:
    write_settings(make_project(tmp_path), "trials = 1\n")
    async with watched(tmp_path) as (session, ear):
        write_settings(tmp_path, "trials = 3\n")
        await ear.until(lambda: of_result(session, "trials") == 3)
        assert (ear.started()[0].trigger, of_result(session, "passes")) == (("evaltui.toml",), 3)


SLOW = """
import time

def answer(message):
    time.sleep(0.2)
    return "done"
"""
MINE = """agent = "mine"
timeout_ms = {limit}
[agents.mine]
type = "python"
function = "mine.py:answer"
is_free = true
"""


async def test_a_time_limit_reaches_the_answers_that_it_cuts_off(tmp_path: Path) -> None:
    (make_project(tmp_path) / "mine.py").write_text(SLOW)
    write_settings(tmp_path, MINE.format(limit=30_000))

    async with watched(tmp_path) as (session, ear):

        def category() -> str:
            result = session.store.board("mine").rows[FIRST].result
            return result.category if result is not None else ""

        assert category() != "timeout"
        write_settings(tmp_path, MINE.format(limit=100))
        await ear.until(lambda: category() == "timeout")
        write_settings(tmp_path, MINE.format(limit=30_000))
        await ear.until(lambda: category() != "timeout")
        assert [run.trigger for run in ear.started()] == [("evaltui.toml",)] * 2


async def test_a_snapshot_is_asked_where_the_settings_say(tmp_path: Path) -> None:
    needs = {**ORDERS[0], "expect": {"responseContains": ["{{snapshot:order.state}}"]}}
    write_suite(make_project(tmp_path), "find_order", [needs, ORDERS[1]])
    (tmp_path / "live.json").write_text('{"order": {"state": "find_order"}}')
    write_settings(tmp_path, "")
    async with watched(tmp_path) as (session, ear):
        assert of_result(session, "assertions_skipped") == 1
        write_settings(tmp_path, 'snapshot = "live.json"\nsnapshot_enabled = true\n')
        await ear.until(lambda: of_result(session, "assertions_skipped") == 0)
        assert FIRST in ear.started()[0].cases
