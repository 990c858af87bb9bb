"""Which saves change the settings in force; when damaged files of ours are told of."""

import asyncio
import json
from pathlib import Path

import pytest

from evaltui.core.errors import Problem, Severity, UserError
from evaltui.core.events import ProjectChecked, RunStarted
from evaltui.disk.history.history import History
from evaltui.disk.history.history_file import HistoryError
from evaltui.disk.journal.journal import Journal
from evaltui.session import project_state as module
from evaltui.session.event_bus import EventBus
from evaltui.session.project_state import ProjectState
from evaltui.settings.load import load_config
from evaltui.store.store import Store
from tests.projects import ORDERS, make_project, with_description, write_suite, write_tools
from tests.session.test_session import Ear

FILE = "evaltui.toml"


def state_of(root: Path, **overrides: object) -> ProjectState:
    read = load_config(root, overrides)
    return ProjectState(read.config, overrides, read.problems, EventBus(Store()))


def write(root: Path, text: str, name: str = FILE) -> Path:
    path = root / name
    path.write_text(text)
    return path


async def test_only_the_settings_own_file_is_read_and_only_when_it_was_saved(
    tmp_path: Path,
) -> None:
    path = write(tmp_path, "trials = 2")
    state = state_of(tmp_path)
    write(tmp_path, "trials = 3")
    other = write(tmp_path, '{"trials": 9}', "evaltui.config.json")
    assert not await state.settings.reread([tmp_path / "tools.json", other])
    assert state.config.trials == 2
    assert await state.settings.reread([path])
    assert state.config.trials == 3
    assert not await state.settings.reread([path]), "it is as it was"


@pytest.mark.parametrize("name", [FILE, "evaltui.config.json"])
async def test_settings_that_come_are_read(tmp_path: Path, name: str) -> None:
    state = state_of(tmp_path)
    path = write(tmp_path, "trials = 3" if name == FILE else '{"trials": 3}', name)
    assert await state.settings.reread([path])
    assert (state.config.trials, state.config.file) == (3, name)


async def test_flags_stay_in_force(tmp_path: Path) -> None:
    path = write(tmp_path, "trials = 2")
    state = state_of(tmp_path, trials=5)
    write(tmp_path, "trials = 3\nconcurrency = 7")
    assert await state.settings.reread([path])
    assert (state.config.trials, state.config.concurrency) == (5, 7)


async def test_a_broken_file_is_news_and_changes_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, "trials = 2")
    state = state_of(tmp_path)
    write(tmp_path, "trials = [")
    assert await state.settings.reread([path])
    assert state.config.trials == 2
    assert not await state.settings.reread([path])
    write(tmp_path, "trials = 2")
    assert await state.settings.reread([path]), "what was wrong is mended"


async def test_before_it_is_opened_nothing_can_be_asked_of_it(tmp_path: Path) -> None:
    state = state_of(tmp_path)
    for part, name in ((state, "project"), (state.record, "history"), (state.record, "other_runs")):
        with pytest.raises(RuntimeError, match="not open"):
            getattr(part, name)


async def test_nothing_is_opened_that_would_write_outside_unless_somebody_agreed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EVALTUI_TRUST")
    root = tmp_path / "project"
    root.mkdir()
    write(make_project(root), 'output_dir = "../elsewhere"')
    with pytest.raises(UserError, match="nobody agreed"):
        await state_of(root).open()
    assert not (root / ".evaltui").exists()
    assert not (tmp_path / "elsewhere").exists()


async def test_what_is_damaged_is_told_once_opened_and_then_at_once_from_any_thread(
    tmp_path: Path,
) -> None:
    state = state_of(tmp_path)
    told = state.events.store
    early, late = Problem("a.json", "is damaged"), Problem("b.json", "is damaged")
    await asyncio.to_thread(state.damage.report, early)
    await asyncio.sleep(0)
    assert told.problems.others == []
    state.damage.begin()
    assert told.problems.others == [early]
    await asyncio.to_thread(state.damage.report, late)
    await asyncio.sleep(0)
    assert told.problems.others == [early, late]
    state.damage.begin()
    assert told.problems.others == [early, late], "each once"


async def test_what_was_found_in_a_file_is_said_until_the_next_look_or_it_cannot_be_read(
    tmp_path: Path,
) -> None:
    """Else the number of problems would fall and rise again with each save."""
    make_project(tmp_path)
    state = state_of(tmp_path)
    find, play = (f"evals/{name}.golden.json" for name in ("find_order", "play_music"))
    everywhere = ["", find, play, FILE]

    async def shown(*saved: str) -> list[str]:
        await state.reread_project([tmp_path / name for name in saved])
        state.emit_reading(saved)
        found = state.events.store.problems.of_project
        return sorted(one.file for one in found if one.code == "doubtful")

    await state.open()
    try:
        state.emit_checked(tuple(Problem(one, "?", code="doubtful") for one in everywhere))
        write_suite(tmp_path, "find_order", ORDERS[:1])
        assert await shown(find, FILE) == everywhere
        (tmp_path / play).unlink()
        assert await shown(play) == ["", find, FILE], "nothing is wrong with what is gone"
        (tmp_path / find).write_text("[")
        assert await shown(find) == ["", FILE], "that it is broken is what is wrong with it"
        write_suite(tmp_path, "find_order", ORDERS)
        assert await shown(find) == ["", FILE], "the next look says what holds of it now"
    finally:
        await state.close()


async def test_why_something_kept_is_not_known_is_told_when_it_is_another_and_when_it_is_over(
    tmp_path: Path,
) -> None:
    """It is looked for again and again."""
    state, ear = state_of(make_project(tmp_path)), Ear()
    state.events.add_sink(ear)
    await state.open()
    try:
        mutes, pins = (Problem(name, "cannot be read") for name in ("mutes.json", "pins.json"))
        told = []
        for what, found in (
            *(("mutes", ()), ("mutes", (mutes,)), ("mutes", (mutes,))),
            *(("pins", (pins,)), ("pins", (pins,)), ("mutes", ()), ("mutes", ())),
        ):
            state.emit_unloaded(what, found)
            told.append(len(ear.all(ProjectChecked)))
        assert told == [0, 1, 1, 2, 2, 3, 3]
        files = {one.file for one in state.events.store.problems.of_project}
        assert files & {"mutes.json", "pins.json"} == {"pins.json"}
    finally:
        await state.close()


async def test_every_description_that_was_read_is_known_by_its_hash(tmp_path: Path) -> None:
    make_project(tmp_path)
    state = state_of(tmp_path)
    await state.open()
    try:
        said = {tool.description_hash: tool.description for tool in state.project.registry}
        path = write_tools(tmp_path, with_description("find_order", "Finds orders."))
        project = await state.reread_project([path])
        said |= {tool.description_hash: tool.description for tool in project.registry}
        assert len(said) == 3
        assert {hash_: state.description_of(hash_) for hash_ in said if hash_} == said
        assert state.description_of("0" * 12) is None
    finally:
        await state.close()


async def test_for_what_suites_were_written_is_known_in_the_next_session(tmp_path: Path) -> None:
    """Also where the description was edited while nobody watched."""
    make_project(tmp_path)
    state = state_of(tmp_path)
    await state.open()
    (find,) = (tool for tool in state.project.registry if tool.name == "find_order")
    suite = tmp_path / "evals/find_order.golden.json"
    evals = json.loads(suite.read_text())
    evals["metadata"] = {**evals.get("metadata", {}), "descriptionHash": find.description_hash}
    suite.write_text(json.dumps(evals))
    await state.reread_project([suite])
    await state.close()
    write_tools(tmp_path, with_description("find_order", "Finds orders."))
    later = state_of(tmp_path)
    await later.open()
    try:
        assert find.description_hash is not None
        assert later.description_of(find.description_hash) == find.description
    finally:
        await later.close()


async def test_a_killed_run_that_cannot_be_recovered_is_said_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ".evaltui" / "runs"
    killed = Journal(folder)
    killed.handle(RunStarted("killed", "mine", 1, (), "asked for"))
    killed.close()
    monkeypatch.setattr(History, "record", _locked)
    state = state_of(make_project(tmp_path))
    await state.open()
    try:
        state.damage.begin()
        (problem,) = state.events.store.problems.others
        assert "a run that was killed cannot be recovered now: it is locked" in problem.what
        assert "next start" in problem.hint
        assert Path(problem.file).parent == folder
        monkeypatch.undo()
        state.record.recover_lost()
        state.record.recover_lost()
        await asyncio.sleep(0)
        assert [path.name for path in folder.iterdir()] == ["killed.jsonl"]
        assert len(state.events.store.problems.others) == 1
    finally:
        await state.close()


async def test_without_a_history_the_cases_of_a_broken_file_are_missed_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_project(tmp_path)
    (tmp_path / "evals" / "find_order.golden.json").write_text("{")
    monkeypatch.setattr("evaltui.session.unread_suites.unread_suites", _locked)
    state = state_of(tmp_path)
    await state.open(keeps_unread=True)
    try:
        state.emit_reading()
        state.damage.begin()
        (problem,) = state.events.store.problems.others
        assert "are not shown: it is locked" in problem.what
        assert (problem.severity, problem.code) == (Severity.WARNING, "history")
        assert [suite.id for suite in state.events.store.suites] == ["evals/play_music.golden.json"]
    finally:
        await state.close()


def _locked(*_: object, **__: object) -> None:
    raise HistoryError("it is locked")


async def test_whoever_reads_definitions_has_the_permit_of_now_before_each_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = state_of(make_project(tmp_path))
    permitted: list[object] = []
    monkeypatch.setattr(module, "permit_reader", lambda *about: permitted.append(about))
    await state.open()
    await state.reread_project([])
    assert permitted == [(state.project.reader, state.config)] * 2
    await state.close()
