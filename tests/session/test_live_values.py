"""A result belongs to the live values that it was judged with, where a file tells of them."""

import json
import os
from pathlib import Path

import pytest

from evaltui.core.staleness import Degree
from evaltui.session import Session
from tests.projects import ORDERS, make_project, write_suite
from tests.session.test_session import all_keys, opened, watched

NEEDS = {**ORDERS[0], "expect": {"responseContains": ["{{snapshot:order.state}}"]}}
LIVE = "gs-find-order-001"


def write_live(root: Path, state: str) -> Path:
    path = root / "live.json"
    path.write_text(json.dumps({"order": {"state": state}}))
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    make_project(tmp_path)
    write_suite(tmp_path, "find_order", (NEEDS, ORDERS[1]))
    write_live(tmp_path, "found")
    (tmp_path / "evaltui.toml").write_text('snapshot = "live.json"\nsnapshot_enabled = true\n')
    return tmp_path


def due(session: Session) -> dict[str, tuple[Degree, tuple[str, ...]]]:
    cases = session._queues.by_name[session.agents[0]].due.cases
    return {case.key.case: (case.degree, case.reasons) for case in cases}


async def test_other_values_make_the_results_due_that_needed_them(root: Path) -> None:
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
        assert due(session) == {}
    (root / "live.json").write_text('{ "order":\n{"state": "found"}}')
    async with opened(root) as (session, _):
        assert due(session) == {}, "the same values, laid out otherwise"
    write_live(root, "lost")
    async with opened(root) as (session, _):
        assert due(session) == {LIVE: (Degree.AFFECTED, ("live values changed",))}
    (root / "live.json").unlink()
    async with opened(root) as (session, _):
        assert list(due(session)) == [LIVE]


async def test_saving_the_file_runs_what_needs_it(root: Path) -> None:
    async with watched(root) as (session, ear):
        write_live(root, "lost")
        await ear.until(lambda: bool(ear.runs()))
        (started,) = ear.started()
        assert [key.case for key in started.cases] == [LIVE]
        assert started.trigger == ("live.json",)
        row = session.store.board(session.agents[0]).rows[started.cases[0]]
        assert row.result is not None
        assert row.result.status == "failed"


async def test_a_file_outside_that_was_agreed_to_is_followed_too(root: Path) -> None:
    outside = root.parent / "outside"
    outside.mkdir()
    write_live(outside, "found")
    (root / "evaltui.toml").write_text(SETTINGS.format("../outside/live.json"))
    async with watched(root) as (session, ear):
        assert outside / "live.json" in session.project.files_watched
        write_live(outside, "lost")
        await ear.until(lambda: bool(ear.runs()))
        (started,) = ear.started()
        assert [key.case for key in started.cases] == [LIVE]


SETTINGS = 'snapshot = "{}"\nsnapshot_enabled = true\n'


@pytest.fixture
def script(root: Path) -> Path:
    (root / "evaltui.toml").write_text(SETTINGS.format("sh .ops/live.sh http://a.example"))
    path = root / ".ops" / "live.sh"
    path.parent.mkdir()
    path.write_text("cat live.json")
    return path


async def test_another_program_that_tells_them_makes_those_results_due(script: Path) -> None:
    root = script.parent.parent
    async with opened(root) as (session, _):
        await session.run(all_keys(session))
        assert due(session) == {}
    async with opened(root) as (session, _):
        assert due(session) == {}
    (root / ".ops" / "live.sh").write_text("echo '{}'")
    async with opened(root) as (session, _):
        assert due(session) == {LIVE: (Degree.AFFECTED, ("live values changed",))}


async def test_a_result_of_before_programs_were_looked_at_is_not_asked_again(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr("evaltui.project.reading.live_values", lambda _: "")
        async with opened(script.parent.parent) as (session, _):
            await session.run(all_keys(session))
    async with opened(script.parent.parent) as (session, _):
        assert session.project.live
        assert due(session) == {}


async def test_saving_the_program_runs_what_needs_its_values(script: Path) -> None:
    root = script.parent.parent
    os.utime(root / "live.json", (1, 1))  # which the program names, and nobody saved just now
    async with watched(root) as (_, ear):
        (root / ".ops" / "live.sh").write_text('echo \'{"order": {"state": "lost"}}\'')
        await ear.until(lambda: bool(ear.runs()))
        (started,) = ear.started()
        assert [key.case for key in started.cases] == [LIVE]
        assert started.trigger == (".ops/live.sh",)


@pytest.mark.parametrize("settings", ["  ", "sh 'never", "https://a.example/live.sh", "env"])
async def test_of_other_sources_no_file_tells(script: Path, settings: str) -> None:
    (script.parent.parent / "evaltui.toml").write_text(SETTINGS.format(settings))
    async with opened(script.parent.parent) as (session, _):
        assert (session.project.live, session.project.live_files) == ("", frozenset())
