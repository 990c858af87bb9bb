"""Rows of what a killed run had finished say what differs as those of any other run do."""

from pathlib import Path

import pytest

from evaltui.core.config import Config
from evaltui.disk.history.history import History
from evaltui.disk.history.history_file import HistoryError
from evaltui.session import Session
from tests.cli.test_resume import interrupt
from tests.projects import case, make_project, write_suite


async def run(root: Path) -> None:
    session = Session(Config(root))
    await session.open()
    await session.run([one.key for suite in session.project.suites for one in suite.cases])
    await session.close()


async def reasons(root: Path) -> dict[str, tuple[str, str]]:
    """Of each case with a result what the next process knows: what differs, and the raw reason."""
    session = Session(Config(root))
    await session.open()
    (agent,) = session.agents
    rows = session.store.board(agent).rows.values()
    known = {
        row.key.case: (row.result.in_short, row.result.error)
        for row in rows
        if row.result is not None
    }
    await session.close()
    return known


async def test_a_run_that_could_not_be_added_to_the_history_is_added_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_project(tmp_path)
    one = case("c-0", "Sing something nice", "find_order")
    del one["stubs"]
    write_suite(root, "find_order", [one])
    await run(root)
    write_suite(root, "find_order", [case("c-0", "Look up order SO-1", "find_order")])
    with monkeypatch.context() as full:

        def refuse(*_: object) -> None:
            raise HistoryError("database or disk is full")

        full.setattr(History, "record", refuse)
        await run(root)
    assert (await reasons(root))["c-0"] == ("", ""), "the last one passed"
    assert not [*root.glob(".evaltui/runs/*.open.jsonl")]


async def test_what_it_had_finished_is_told_as_if_it_had_ended(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    wrong = [case(f"c-{number}", "Sing something nice", "find_order") for number in range(2)]
    for one in wrong:
        del one["stubs"]
    write_suite(root, "find_order", [*wrong, case("c-2", "Look up order SO-1", "find_order")])
    await run(root)
    whole = await reasons(root)
    interrupt(root, lambda _, __: True)
    killed = await reasons(root)
    assert killed == whole
    said, raw = killed["c-0"]
    assert "find_order" in said and said != raw
    assert killed["c-2"] == ("", ""), "of a pass nothing differs"
