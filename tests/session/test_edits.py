"""Muting: a case that the settings mute is muted, and cannot be unmuted by a key."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.core.case import CaseKey, ScenarioCase
from evaltui.core.errors import UserError
from evaltui.core.events import CaseMuted
from evaltui.core.persona import Persona
from tests.projects import make_project
from tests.session.test_session import AGENT, all_keys, opened

CASE = "evals/find_order.golden.json::gs-find-order-001"


async def test_the_settings_and_the_keys_both_mute(tmp_path: Path) -> None:
    (make_project(tmp_path) / "evaltui.toml").write_text(f'[mute]\n"{CASE}" = "known"\n')
    async with opened(tmp_path) as (session, _):
        muted, other, _ = all_keys(session)
        session.edits.mute("flaky", other)
        await session.run(all_keys(session))
        rows = session.store.board(AGENT).rows
        assert [row.muted for row in rows.values()] == ["known", "flaky", ""]
        with pytest.raises(UserError, match=r"is muted in `evaltui\.toml`"):
            session.edits.unmute(muted)
        session.edits.unmute(other)
        assert rows[other].muted == ""
        session.undo.undo()
        assert rows[other].muted == "flaky"


async def test_two_mutes_are_undone_one_by_one(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        case, *_ = all_keys(session)
        await session.run(all_keys(session))
        rows = session.store.board(AGENT).rows
        session.edits.mute("flaky", case)
        session.edits.mute("known bug", case)
        seen = [rows[case].muted]
        for step in (session.undo.undo, session.undo.undo, session.undo.redo, session.undo.redo):
            step()
            seen.append(rows[case].muted)
        assert seen == ["known bug", "flaky", "", "flaky", "known bug"]
        with pytest.raises(UserError):
            session.undo.redo()


async def test_several_are_muted_and_undone_in_one_step(tmp_path: Path) -> None:
    (make_project(tmp_path) / "evaltui.toml").write_text(f'[mute]\n"{CASE}" = "known"\n')
    async with opened(tmp_path) as (session, _):
        of_settings, one, two = all_keys(session)
        await session.run(all_keys(session))
        rows = session.store.board(AGENT).rows
        session.edits.mute("slow", one)
        session.edits.mute("flaky", one, two)
        assert [row.muted for row in rows.values()] == ["known", "flaky", "flaky"]
        assert session.undo.can_undo == "Mute 2 cases"
        session.undo.undo()
        assert [row.muted for row in rows.values()] == ["known", "slow", ""]
        session.undo.redo()
        session.edits.unmute(of_settings, one, two)
        assert [row.muted for row in rows.values()] == ["known", "", ""]
        session.undo.undo()
        assert [row.muted for row in rows.values()] == ["known", "flaky", "flaky"]


async def test_what_another_process_muted_since_is_not_undone(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        case, *_ = all_keys(session)
        path = tmp_path / ".evaltui" / "mutes.json"
        session.edits.mute("mine", case)
        path.write_text(f'{{"{case}": "theirs"}}')
        with pytest.raises(UserError, match=r"Not undone: .* is muted by now: theirs"):
            session.undo.undo()
        assert "theirs" in path.read_text()
        session.edits.mute("mine again", case)
        path.unlink()
        with pytest.raises(UserError, match=r"Not undone: .* is no longer muted"):
            session.undo.undo()


async def test_an_undone_mute_stays_away(tmp_path: Path) -> None:
    """After a rerun and a restart too: a result says nothing of mutes."""
    async with opened(make_project(tmp_path)) as (session, _):
        case, *_ = all_keys(session)
        session.edits.mute("flaky", case)
        await session.run(all_keys(session))
        session.undo.undo()
        assert session.store.board(AGENT).rows[case].muted == ""
    async with opened(tmp_path) as (session, _):
        assert session.store.board(AGENT).rows[case].muted == ""
        session.edits.mute("flaky", case)
    async with opened(tmp_path) as (session, _):
        assert session.store.board(AGENT).rows[case].muted == "flaky"


async def test_what_a_key_muted_beside_the_settings_falls_back_to_them(tmp_path: Path) -> None:
    (make_project(tmp_path) / "evaltui.toml").write_text(f'[mute]\n"{CASE}" = "known"\n')
    async with opened(tmp_path) as (session, ear):
        case, *_ = all_keys(session)
        rows = session.store.board(AGENT).rows
        session.edits.mute("flaky", case)
        assert rows[case].muted == "flaky"
        session.undo.undo()
        assert rows[case].muted == "known"
        assert [event for event in ear.heard if isinstance(event, CaseMuted)] == [
            CaseMuted(case, "flaky"),
            CaseMuted(case, "known"),
        ]


async def test_where_no_mute_can_be_written_it_is_said(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        case, *_ = all_keys(session)
        (tmp_path / ".evaltui").write_text("no folder")
        with pytest.raises(UserError, match=r"mutes\.json` cannot be written"):
            session.edits.mute("flaky", case)
        assert session.store.board(AGENT).rows[case].muted == ""


async def test_without_an_answer_there_is_nothing_to_accept(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        key, other, _ = all_keys(session)
        with pytest.raises(UserError, match="has no calls to accept"):
            session.edits.preview_accept(key, AGENT, "calls")
        await session.run([other])
        board = session.store.board(AGENT)
        result = board.rows[other].result
        assert result is not None
        board.rows[other].result = replace(result, response=None)
        with pytest.raises(UserError, match="has no calls to accept"):
            session.edits.preview_accept(other, AGENT, "calls")


async def test_an_event_becomes_a_case_only_in_a_file_of_the_project(tmp_path: Path) -> None:
    root, outside = tmp_path / "project", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    make_project(root)
    (root / "linked").symlink_to(outside)
    trace = {"dataset_id": "d", "cases": [{"case_id": "t", "input": "hi", "trace": [
        {"idx": 0, "actor": "user", "type": "message", "input": "find order 7"},
        {"idx": 1, "actor": "assistant", "type": "tool_call", "tool": "find_order",
         "input": {"order": "7"}},
    ]}]}  # fmt: skip
    (root / "evals" / "found.trace.json").write_text(json.dumps(trace))
    async with opened(root) as (session, _):
        key = CaseKey("evals/found.trace.json", "t")
        edit = session.edits.preview_promote(key, AGENT, event=None, file="evals/new.golden.json")
        assert "find order 7" in edit.after.decode()
        for file in ("linked/new.golden.json", "../outside/new.golden.json"):
            with pytest.raises(UserError, match="is not in this project"):
                session.edits.preview_promote(key, AGENT, event=None, file=file)
    assert [*outside.iterdir()] == []


async def test_an_edit_that_is_applied_can_be_undone_and_redone(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        key = all_keys(session)[0]
        edit = session.edits.preview_accept(key, AGENT, "description_hash")
        assert edit.text is not None
        tool = session.project.registry.find("find_order")
        assert tool is not None and edit.text.after == tool.description
        path = tmp_path / key.suite
        before = path.read_bytes()
        session.edits.apply(edit)
        assert path.read_bytes() == edit.after != before
        assert session.undo.undo() == edit.title
        assert path.read_bytes() == before
        session.undo.redo()
        assert path.read_bytes() == edit.after


async def test_a_case_is_promoted_to_what_its_file_has_already(tmp_path: Path) -> None:
    trace = {"dataset_id": "d", "cases": [{"case_id": "t", "input": "hi", "trace": [
        {"idx": 0, "actor": "user", "type": "message", "input": "find order 7"},
    ]}]}  # fmt: skip
    file = "evals/find_order.golden.json"
    (make_project(tmp_path) / "evals" / "found.trace.json").write_text(json.dumps(trace))
    async with opened(tmp_path) as (session, _):
        key = CaseKey("evals/found.trace.json", "t")
        edit = session.edits.preview_promote(key, AGENT, event=None, file=file)
        assert b"gs-find-order-001" in edit.after and b"find order 7" in edit.after
        with pytest.raises(UserError, match="is a trace"):
            session.edits.preview_accept(key, AGENT, "calls")
        with pytest.raises(UserError, match="is a trace"):
            session.edits.preview_capture(key, AGENT, bug_ref="")


async def test_a_scenario_has_no_calls_of_its_own_to_accept(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        key = all_keys(session)[0]
        await session.run([key])
        row = session.store.board(AGENT).rows[key]
        row.case = replace(row.case, body=ScenarioCase("hello", persona=Persona("ann")))
        with pytest.raises(UserError, match="is a scenario"):
            session.edits.preview_accept(key, AGENT, "calls")
