"""A case becomes a regression case of its tool: what is written where, and how it is taken back."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.errors import UserError
from evaltui.session import Session
from tests.projects import ORDERS, make_project, write_suite
from tests.session.test_session import AGENT, opened

KEY = CaseKey("evals/find_order.golden.json", ORDERS[0]["id"])
FILE = "find_order.regression.json"


def captured(session: Session, **more: str) -> dict[str, Any]:
    """What would be in the file."""
    edit = session.edits.preview_capture(KEY, AGENT, bug_ref="#12", **more)
    assert edit.file == session.config.root / "evals" / FILE
    document: dict[str, Any] = json.loads(edit.after)
    return document


async def test_it_stands_beside_its_suite_with_its_bug_and_its_tool_as_it_is_now(
    tmp_path: Path,
) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    async with opened(make_project(tmp_path)) as (session, _):
        document = captured(session)
        tool = session.store.registry.tools["find_order"]
    assert document["metadata"] == {
        "toolName": "find_order",
        "tier": "regression",
        "toolVersion": "1.0.0",
        "descriptionHash": tool.description_hash,
        "registrySize": 2,
    }
    (case,) = document["cases"]
    assert case["bugRef"] == "#12"
    assert case["createdAt"].endswith("Z") and "." not in case["createdAt"]
    assert before <= datetime.fromisoformat(case["createdAt"]) <= datetime.now(UTC)
    for name in ("input", "stubs", "expect"):
        assert case[name] == ORDERS[0][name]


async def test_a_second_one_joins_the_first_under_an_id_of_its_own(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        edit = session.edits.preview_capture(KEY, AGENT, bug_ref="#12", case_id="rg-mine")
        assert not edit.file.exists(), "it is only shown"
        session.edits.apply(edit)
        first, second = captured(session)["cases"]
        assert first["id"] == "rg-mine" != second["id"]
        with pytest.raises(UserError, match="`rg-mine` is in"):
            captured(session, case_id="rg-mine")
        assert session.undo.can_undo == edit.title
        session.undo.undo()
        assert not edit.file.exists()
        assert (session.undo.can_undo, session.undo.can_redo) == ("", edit.title)
        assert session.undo.redo() == edit.title
        assert json.loads(edit.file.read_text())["cases"] == [first]


@pytest.mark.parametrize("what", ["calls", "description_hash", "capture"])
async def test_of_what_is_gone_nothing_is_written(tmp_path: Path, what: str) -> None:
    none = [{**ORDERS[0], "expect": {"toolsCalled": []}}]
    write_suite(make_project(tmp_path), "find_order", none)
    async with opened(tmp_path) as (session, _):
        await session.run([KEY])

        def asked(key: CaseKey) -> None:
            if what == "capture":
                session.edits.preview_capture(key, AGENT, bug_ref="#12")
            else:
                session.edits.preview_accept(key, AGENT, what)

        asked(KEY)
        with pytest.raises(UserError, match="`gone` is no longer there"):
            asked(CaseKey(KEY.suite, "gone"))
        (tmp_path / KEY.suite).unlink()
        with pytest.raises(UserError) as told:
            asked(KEY)
        assert told.value.what.startswith(f"`{KEY.suite}` cannot be read: No such file")
        assert told.value.hint == "Restore the file first."


async def test_an_unreadable_description_cannot_be_accepted(tmp_path: Path) -> None:
    (make_project(tmp_path) / "tools.json").write_text('{"tools": []}')
    async with opened(tmp_path) as (session, _):
        with pytest.raises(UserError, match="description of `find_order` cannot be read") as told:
            session.edits.preview_accept(KEY, AGENT, "description_hash")
        assert "evaltui tools" in told.value.hint


async def test_what_was_saved_since_the_preview_is_not_overwritten(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        await session.run([KEY])
        edit = session.edits.preview_accept(KEY, AGENT, "description_hash")
        path = tmp_path / KEY.suite
        path.write_text(path.read_text() + "\n")
        saved = path.read_bytes()
        with pytest.raises(UserError):
            session.edits.apply(edit)
        assert path.read_bytes() == saved
        assert session.undo.can_undo == ""


@pytest.mark.parametrize(
    ("expect", "tool"),
    [
        ({"toolsCalled": ["play_music"]}, "play_music"),
        ({"toolsAcceptable": [["play_music"], ["find_order"]]}, "find_order"),
        ({"toolsCalled": ["play_music"], "toolsNotCalled": ["find_order"]}, "play_music"),
        ({"toolsNotCalled": ["play_music"]}, "find_order"),
        ({"toolsCalled": ["play-music"], "responseContains": ["x"]}, "play-music"),
        ({"toolsAcceptable": [["__none__"]]}, "find_order"),
    ],
)
async def test_a_case_of_a_labeled_suite_joins_those_of_the_tool_that_it_is_about(
    tmp_path: Path, expect: dict[str, Any], tool: str
) -> None:
    root = make_project(tmp_path)
    asked: dict[str, Any] = {
        "id": "ls-find-order-001",
        "input": {"message": "Play it"},
        "expect": expect,
    }
    document = {"metadata": {"toolName": "find_order"}, "cases": [asked]}
    (root / "evals" / "desk.labeled.json").write_text(json.dumps(document))
    async with opened(root) as (session, _):
        key = CaseKey("evals/desk.labeled.json", asked["id"])
        edit = session.edits.preview_capture(key, AGENT, bug_ref="#12")
        definition = session.store.registry.find(tool)
    assert edit.file == root / "evals" / f"{tool}.regression.json"
    written = json.loads(edit.after)
    assert definition is not None
    assert written["metadata"]["toolName"] == tool
    assert written["metadata"]["descriptionHash"] == definition.description_hash
    assert written["cases"][0]["id"] == f"rg-{tool.replace('_', '-')}-001"


async def test_a_case_of_a_golden_suite_stays_with_its_tool_whatever_it_expects(
    tmp_path: Path,
) -> None:
    root = make_project(tmp_path)
    path = root / KEY.suite
    document = json.loads(path.read_text())
    document["cases"][0]["expect"] = {"toolsCalled": ["play_music"]}
    path.write_text(json.dumps(document))
    async with opened(root) as (session, _):
        edit = session.edits.preview_capture(KEY, AGENT, bug_ref="#12")
    assert json.loads(edit.after)["metadata"]["toolName"] == "find_order"
