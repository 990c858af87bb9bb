"""Which baseline is in force when a project is opened."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.config import Config
from evaltui.core.errors import Problem
from evaltui.core.events import BaselinePinned
from evaltui.disk.baselines.baselines import Baselines as Pins
from evaltui.disk.baselines.pins import DEFAULT, PINS, Pin
from evaltui.disk.history.shared_inputs import SamePrints
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


async def test_what_is_compared_with_is_chosen_by_hand_and_every_pin_can_be_undone(
    tmp_path: Path,
) -> None:
    async with opened(make_project(tmp_path)) as (session, ear):
        keys, made = all_keys(session), session.baselines
        rows = session.store.board(AGENT).rows.values()

        def seen() -> tuple[str, list[bool]]:
            return made.in_force(AGENT), [row.baseline is not None for row in rows]

        await session.run(keys)
        await made.pin(keys[:1], AGENT, "before")
        await made.pin(keys[1:], AGENT)
        assert seen() == (DEFAULT, [False, True, True])
        assert {one.name for one in made.beside(AGENT)} == {"before"}
        assert made.pinned_agents(AGENT) == (AGENT,)
        await made.use("before", AGENT)
        assert seen() == ("before", [True, False, False])
        assert made.detail(keys[0], AGENT) is not None
        assert made.detail(keys[1], AGENT) is None
        assert set(made.demands(AGENT)) == {keys[0]}
        await made.unpin(keys[:1], AGENT)
        assert seen() == ("before", [False, False, False])
        session.undo.undo()
        assert seen() == ("before", [True, False, False])
        session.undo.redo()
        assert seen() == ("before", [False, False, False])
        await made.unpin(keys[1:2], AGENT, DEFAULT)
        await made.use(DEFAULT, AGENT)
        assert seen() == (DEFAULT, [False, False, True])
        told = [one.message for one in ear.heard if isinstance(one, BaselinePinned)]
        assert told[-1] == f"Comparing with baseline {DEFAULT}"


async def test_a_run_of_the_settings_stands_for_pins_until_a_name_is_chosen(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        keys = all_keys(session)
        (run,) = await session.run(keys)
        await session.baselines.pin(keys[:1], AGENT)
    async with opened(tmp_path, baseline_run_id=run.run_id) as (session, _):
        made = session.baselines
        assert (made.in_force(AGENT), made.pinned_agents(AGENT)) == (run.run_id, ())
        assert made.inputs(AGENT, SamePrints()) == {}
        assert set(made.demands(AGENT)) == set(keys)
        await made.use(DEFAULT, AGENT)
        assert (made.in_force(AGENT), made.pinned_agents(AGENT)) == (DEFAULT, (AGENT,))
        assert set(made.inputs(AGENT, SamePrints())) == {keys[0]}
        assert set(made.demands(AGENT)) == {keys[0]}


def test_a_name_chosen_by_hand_stays_until_the_settings_name_another(tmp_path: Path) -> None:
    state = ProjectState(Config(tmp_path), {}, (), EventBus(Store()))
    made, seen = module.Baselines(state, UndoStack()), []
    for wanted, is_run in (("", False), ("main", False), ("run-1", True), ("next", False)):
        made._follow_settings("mine", wanted, is_run=is_run)
        followed = made.in_force("mine")
        made._names["mine"] = "by hand"
        made._follow_settings("mine", wanted, is_run=is_run)
        seen.append((followed, made.in_force("mine")))
    assert seen[0] == (DEFAULT, "by hand")
    assert seen[1:] == [("main", "main"), ("run-1", "run-1"), ("next", "next")]


def test_whose_pins_are_not_compared_with_is_told_in_order() -> None:
    pins = [Pin(f"embedded/{n}", DEFAULT, f"{n}.json", "run-1", "a.json") for n in (3, 1, 2, 1)]
    told = module._not_compared("pins.json", AGENT, pins)
    names = "`embedded/1` and `embedded/2` and `embedded/3`"
    assert told.what.startswith(f"4 suites are pinned with results of {names}, which")
    assert module._not_compared("", AGENT, pins[:1]).what.startswith("1 suite is pinned")


def test_trials_that_were_made_to_be_pinned_are_no_demand_on_later_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = SimpleNamespace(
        config=Config(tmp_path, trials=3),
        events=EventBus(Store()),
        project=SimpleNamespace(suites=(), registry=None),
        record=SimpleNamespace(history=None),
    )
    made, demanded = module.Baselines(cast("ProjectState", state), UndoStack()), list[int]()
    monkeypatch.setattr(made, "_with_demands", lambda _, trials: demanded.append(trials))
    for is_fresh in (True, False):
        made._results(AGENT, frozenset(), is_fresh=is_fresh)
    assert demanded == [1, 3]


async def test_what_the_settings_name_anew_is_said_and_at_the_start_it_is_not(
    tmp_path: Path,
) -> None:
    async with opened(make_project(tmp_path)) as (session, ear):
        settings = session._project.settings
        (run,) = await session.run(all_keys(session))
        for named in (run.run_id, None):
            settings.config = replace(settings.config, baseline_run_id=named)
            await session.baselines.restore(AGENT)
        told = [one.message for one in ear.heard if isinstance(one, BaselinePinned)]
    assert told == ["", *(f"Comparing with baseline {one}" for one in (run.run_id, DEFAULT))]


def test_what_is_wrong_with_pinned_files_is_said_once(tmp_path: Path) -> None:
    bus = EventBus(Store())
    state = ProjectState(Config(tmp_path), {}, (), bus)
    made = module.Baselines(state, UndoStack())
    damaged, known = Problem("a.json", "it is damaged"), Problem("b.json", "it is damaged")
    bus.report(known)
    for _ in range(2):
        made._pins.problems.extend([damaged, known])
        made._report_problems()
        assert made._pins.problems == []
    assert bus.store.problems.others == [known, damaged]


async def test_a_point_in_time_is_pinned_under_the_name_it_is_given(tmp_path: Path) -> None:
    async with opened(make_project(tmp_path)) as (session, _):
        keys = all_keys(session)
        await session.run(keys)
        (then,) = session.history.timeline(AGENT, ())
        await session.baselines.pin_at(keys[:1], AGENT, then, "then")
        assert session.undo.can_undo == "Pinned 1 case as `then`"
        assert session.baselines.names(AGENT) == ("then",)
