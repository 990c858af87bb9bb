"""Which baseline is in force when a project is opened."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.config import Config
from evaltui.core.events import BaselinePinned
from evaltui.disk.baselines.baselines import Baselines as Pins
from evaltui.disk.baselines.pins import DEFAULT, PINS
from evaltui.project.left_behind import LeftBehind
from evaltui.session import baselines as module
from evaltui.session.event_bus import EventBus
from evaltui.session.project_state import ProjectState
from evaltui.session.undo import UndoStack
from evaltui.store.store import Store
from tests.projects import make_project
from tests.session.test_session import AGENT, all_keys, opened

if TYPE_CHECKING:
    from evaltui.project import Project


async def test_a_name_in_the_settings_is_a_pinned_baseline_or_a_run(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        (run,) = await session.run(all_keys(session))
        await session.baselines.pin(all_keys(session)[:1], AGENT, "before")
    async with opened(tmp_path) as (session, ear):
        assert not session.store.board(AGENT).standards.baselines
    async with opened(tmp_path, baseline_run_id="before") as (session, ear):
        (told,) = [event for event in ear.heard if isinstance(event, BaselinePinned)]
        assert told.name == "before"
        rows = session.store.board(AGENT).rows.values()
        assert [row.baseline is not None for row in rows] == [True, False, False]
    async with opened(tmp_path, baseline_run_id=run.run_id) as (session, ear):
        rows = session.store.board(AGENT).rows.values()
        assert [row.baseline is not None for row in rows] == [True, True, True]


def test_cases_move_in_the_baseline_in_force_of_their_own_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, here, elsewhere = (CaseKey("evals/a.golden.json", name) for name in ("old", "b", "c"))
    left = (
        LeftBehind("another", DEFAULT, {old: elsewhere}),
        LeftBehind(AGENT, "another", {old: elsewhere}),
        LeftBehind(AGENT, DEFAULT, {old: here}),
    )
    monkeypatch.setattr(module, "left_behind", lambda *_: left)
    state = ProjectState(Config(tmp_path), {}, (), EventBus(Store()))
    baselines = module.Baselines(state, UndoStack())
    baselines.find_left_behind(cast("Project", None))
    assert baselines.moved_cases(AGENT) == {old: here}
    assert baselines.moved_cases("third") == {}


async def test_a_list_of_pins_is_read_once_nobody_writes_on(tmp_path: Path) -> None:
    """Version control brings the list and its copies one after the other."""
    async with opened(make_project(tmp_path)) as (session, ear):
        await session.run(all_keys(session))
        await session.baselines.pin(all_keys(session), AGENT)
        folder = tmp_path / "evals" / "baselines"
        pinned = {path: path.read_bytes() for path in folder.rglob("*.json")}
        session.undo.undo()
        for _ in range(3):
            await session.baselines.follow((AGENT,))
        ear.heard.clear()
        (folder / PINS).write_bytes(pinned.pop(folder / PINS))
        await session.baselines.follow((AGENT,))
        for path, content in pinned.items():
            path.write_bytes(content)
        for _ in range(4):
            await session.baselines.follow((AGENT,))
        assert [type(event) for event in ear.heard] == [BaselinePinned], "no copy is missed"
        rows = session.store.board(AGENT).rows.values()
        assert all(row.baseline for row in rows)


async def test_what_is_pinned_while_the_project_is_opened_is_read_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        await session.run(all_keys(session))
        await session.baselines.pin(all_keys(session), AGENT)
    pins, aside = tmp_path / "evals" / "baselines", tmp_path / "aside"
    pins.rename(aside)
    load = Pins.load

    def overtaken(folder: Path) -> Pins:
        read = load(folder)
        aside.rename(pins)
        return read

    monkeypatch.setattr(Pins, "load", overtaken)
    async with opened(tmp_path) as (session, _):
        board = session.store.board(AGENT)
        assert not board.standards.baselines
        for _ in range(2):
            await session.baselines.follow((AGENT,))
        assert board.standards.baselines


async def test_what_is_pinned_here_is_not_said_twice(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, ear):
        await session.run(all_keys(session))
        ear.heard.clear()
        await session.baselines.pin(all_keys(session), AGENT)
        for _ in range(4):
            await session.baselines.follow((AGENT,))
        assert [type(event) for event in ear.heard] == [BaselinePinned]


async def test_what_another_kind_of_agent_answered_is_not_compared_with(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        await session.run(all_keys(session))
        await session.baselines.pin(all_keys(session), AGENT)
        assert session.store.board(AGENT).standards.baselines
    pins = tmp_path / "evals" / "baselines" / PINS
    listed = json.loads(pins.read_text())
    for one in listed["pins"]:
        assert one["agentEndpoint"] == AGENT
        one["agentEndpoint"] = "https://api.example.com"
    pins.write_text(json.dumps(listed))
    async with opened(tmp_path) as (session, _):
        assert not session.store.board(AGENT).standards.baselines
