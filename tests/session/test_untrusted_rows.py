"""Rows of an agent that nobody agreed to say what is due, as those of any other do."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.staleness import Degree
from evaltui.session import Session
from evaltui.settings.load import load_config
from tests.projects import ORDERS, make_project, write_suite
from tests.session.test_session import Ear

SUITE = "evals/find_order.golden.json"
FIRST, SECOND = (CaseKey(SUITE, case["id"]) for case in ORDERS)
NEVER = CaseKey("evals/play_music.golden.json", "gs-play-music-001")
ANSWER = """def answer(message):
    return {"response": "x", "toolCalls": [{"name": "find_order", "success": True}]}
"""
SETTINGS = """agent = "mine"
[agents.mine]
type = "python"
function = "mine.py:answer"
is_free = true
"""


async def test_what_changed_is_due_and_what_did_not_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EVALTUI_TRUST", raising=False)
    root = make_project(tmp_path)
    (root / "mine.py").write_text(ANSWER)
    (root / "evaltui.toml").write_text(SETTINGS)
    trusted = Session(replace(load_config(root).config, is_trusted=True))
    await trusted.open()
    await trusted.run([FIRST, SECOND])
    await trusted.close()
    asked = {**ORDERS[0], "input": {"message": "Look up SO-9"}}
    write_suite(root, "find_order", (asked, ORDERS[1]))

    session, ear = Session(load_config(root).config), Ear()
    session.add_sink(ear)
    await session.open()
    watching = asyncio.create_task(session.watch())
    try:
        rows = session.store.board("mine").rows
        await ear.until(lambda: rows[FIRST].due is not None and rows[NEVER].due is not None)
        assert not session.is_trusted
        first, never = rows[FIRST].due, rows[NEVER].due
        assert first is not None and never is not None
        assert (first.degree, first.reasons) == (Degree.AFFECTED, ("case changed",))
        assert never.degree is Degree.NEVER_RUN
        assert rows[SECOND].due is None, "nobody knows that the agent changed"
        assert any("ctrl+t" in problem.hint for problem in session.store.problems.reported)
    finally:
        watching.cancel()
        await session.close()
