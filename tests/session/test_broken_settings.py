"""Settings that cannot be read never mean another agent: nothing runs until they can be."""

from pathlib import Path

import pytest

from evaltui.core.errors import UserError
from evaltui.core.events import ProjectRead
from tests.projects import ORDERS, make_project, with_description, write_suite, write_tools
from tests.session.test_session import all_keys, asking, opened, watched

GOOD = "concurrency = 2\n"


async def test_a_save_after_the_settings_broke_runs_once_they_are_mended(tmp_path: Path) -> None:
    settings = make_project(tmp_path) / "evaltui.toml"
    settings.write_text(GOOD)
    async with watched(tmp_path) as (session, ear):
        settings.write_text("concurrency = = 2\n")
        await ear.until(lambda: bool(ear.all(ProjectRead)))
        write_tools(tmp_path, with_description("find_order", "Finds an order."))
        write_suite(tmp_path, "find_order", (asking("Show order SO-9"), ORDERS[1]))
        await ear.until(lambda: bool(session.requests.due_keys(session.agents[0])))
        session.watch_loop.pause()
        session.watch_loop.resume()  # queues at once what may run
        (queue,) = session._queues.by_name.values()
        assert queue.run is None and not queue._requests
        with pytest.raises(UserError, match=r"evaltui.toml:1:\d+\): correct them"):
            session.requests.rerun(all_keys(session))
        with pytest.raises(UserError, match="cannot be used"):
            await session.run(all_keys(session))
        assert ear.started() == []
        settings.write_text(GOOD)
        await ear.until(lambda: bool(ear.runs()))
        assert session.requests.due_keys(session.agents[0]) == ()


@pytest.mark.parametrize("half", ["tools.js", "tools.jso", "lost/tools.json"])
async def test_a_registry_whose_path_is_being_typed_runs_nothing(tmp_path: Path, half: str) -> None:
    settings = make_project(tmp_path) / "evaltui.toml"
    settings.write_text('registry = "tools.json"\n')
    async with watched(tmp_path) as (session, ear):
        tools = session.project.registry.tools
        for written in (half, "tools.json"):
            ear.heard.clear()
            settings.write_text(f'registry = "{written}"\n')
            await ear.until(lambda: bool(ear.all(ProjectRead)))
            assert session.project.registry.tools == tools
            assert not session.requests.due_keys(session.agents[0])
        assert not session.store.problems.mistakes
        assert not ear.started()


@pytest.mark.parametrize("written", ["agent = ", "agent = 5\n"])
async def test_opening_with_such_settings_runs_nothing(tmp_path: Path, written: str) -> None:
    settings = make_project(tmp_path) / "evaltui.toml"
    settings.write_text(written)
    async with opened(tmp_path) as (session, ear):
        assert session.why_not_run.startswith("the settings cannot be used (evaltui.toml")
        with pytest.raises(UserError, match="Nothing was run"):
            session.requests.rerun(all_keys(session))
        assert ear.started() == []


async def test_settings_with_another_mistake_run(tmp_path: Path) -> None:
    (make_project(tmp_path) / "evaltui.toml").write_text("concurrency = 'many'\n")
    async with opened(tmp_path) as (session, _):
        assert session.why_not_run == ""
        assert await session.run(all_keys(session))
