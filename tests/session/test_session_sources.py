"""The line with agents made of files and registries that are servers."""

import asyncio
import json
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from evaltui.core.events import ProjectRead
from evaltui.core.response import Execution
from evaltui.core.result import CaseStatus
from evaltui.watch import Watcher
from tests.projects import ORDERS, make_project, write_suite
from tests.session.test_session import opened, watched

SERVER = Path(__file__).parents[1] / "registries" / "mcp" / "changing_server.py"
FUNCTION = """
from words import TOOL
def answer(message, stubs=None):
    call = {"name": TOOL, "params": {}, "success": True}
    return {"response": "done", "toolCalls": [call]}
"""


def python_project(root: Path) -> Path:
    make_project(root)
    (root / "mine.py").write_text(FUNCTION)
    (root / "words.py").write_text("TOOL = 'find_order'")
    (root / "evaltui.toml").write_text(
        'agent = "mine"\n[agents.mine]\ntype = "python"\nfunction = "mine.py:answer"\n'
        "is_free = true\n"
    )
    return root


async def test_saving_a_file_of_a_python_agent_reruns_its_cases(tmp_path: Path) -> None:
    async with watched(python_project(tmp_path)) as (session, ear):
        rows = session.store.board("mine").rows
        before = {key.case: row.result.status for key, row in rows.items() if row.result}
        assert before["gs-find-order-001"] is CaseStatus.PASSED
        assert before["gs-play-music-001"] is CaseStatus.FAILED
        (tmp_path / "words.py").write_text("TOOL = 'play_music'")
        await ear.until(lambda: bool(ear.runs()))
        rows = session.store.board("mine").rows
        after = {key.case: row.result.status for key, row in rows.items() if row.result}
    assert after["gs-find-order-001"] is CaseStatus.FAILED
    assert after["gs-play-music-001"] is CaseStatus.PASSED
    (started,) = ear.started()
    assert started.trigger == ("words.py",)
    assert started.reason.startswith("agent")


async def test_files_that_an_agent_loads_unseen_are_named(tmp_path: Path) -> None:
    root = python_project(tmp_path)
    (root / "plugins").mkdir()
    (root / "plugins" / "late.py").write_text("WORD = 'done'")
    (root / "mine.py").write_text(
        FUNCTION.replace("from words import TOOL", "import importlib\nTOOL = 'find_order'").replace(
            "    call =", "    importlib.import_module('plugins.' + 'late')\n    call ="
        )
    )
    toml = root / "evaltui.toml"
    for named in (False, True):
        if named:
            toml.write_text(toml.read_text() + 'files = ["plugins/*.py"]\n')
        async with opened(root) as (session, _):
            await session.run([case.key for suite in session.store.suites for case in suite.cases])
            found = [one for one in session.store.problems.reported if one.code == "agent-files"]
        if named:
            assert found == []
        else:
            (problem,) = found
            assert problem.file == "plugins/late.py"
            assert (
                "`mine` loads files that its imports do not show: plugins/late.py" in problem.what
            )
            assert 'files = ["plugins/late.py"]' in problem.hint


async def test_touching_a_file_of_a_python_agent_reruns_nothing(tmp_path: Path) -> None:
    async with watched(python_project(tmp_path)) as (_, ear):
        (tmp_path / "words.py").touch()
        write_suite(tmp_path, "find_order", ORDERS[:1])
        await ear.until(lambda: bool(ear.all(ProjectRead)))
        (read,) = ear.all(ProjectRead)
        assert isinstance(read, ProjectRead)
        assert "words.py" not in read.changed
        assert ear.runs() == []


def tools(description: str) -> str:
    names = {"find_order": description, "play_music": "Plays a song the user wants to hear."}
    schema = {"type": "object", "properties": {"order_id": {"type": "string"}}}
    listed = [{"name": n, "description": d, "inputSchema": schema} for n, d in names.items()]
    return json.dumps(listed)


async def test_a_change_on_a_live_server_flows_like_a_saved_file(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="needs evaltui[mcp]")
    make_project(tmp_path)
    (tmp_path / "tools.json").unlink()
    (tmp_path / "list").write_text(tools("Looks up an order by its number."))
    (tmp_path / "evaltui.toml").write_text(
        '[[registries]]\ntype = "mcp"\n'
        f"command = {json.dumps(sys.executable)}\n"
        f'args = [{json.dumps(str(SERVER))}, "list", "notify"]\nname = "shop"\n'
    )
    async with watched(tmp_path) as (session, ear):
        assert set(session.project.registry.tools) == {"find_order", "play_music"}
        new = tmp_path / "list.new"
        new.write_text(tools("Looks up an order and its parcel by the number."))
        new.replace(tmp_path / "list")
        await ear.until(lambda: bool(ear.runs()))
        (started,) = ear.started()
        assert started.trigger == ("mcp://shop",)
        assert started.reason.startswith("find_order.description changed")
        assert "gs-find-order-001" in [key.case for key in started.cases]


def test_a_live_source_tells_of_its_change_from_a_thread_even_after_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[Path, int]] = []

    def noted(_: Watcher, path: Path) -> None:
        told.append((path, threading.get_ident()))

    monkeypatch.setattr(Watcher, "report", noted)

    async def follow() -> Callable[[str], None]:
        async with watched(make_project(tmp_path)) as (session, ear):
            tell = session.project.reader.on_change
            await asyncio.to_thread(tell, "mcp://shop")
            write_suite(tmp_path, "find_order", ORDERS[:1])
            await ear.until(lambda: bool(ear.all(ProjectRead)))
            return tell

    tell = asyncio.run(follow())
    assert told == [(Path("mcp://shop"), threading.get_ident())], "on the thread of the line"
    tell("mcp://shop")
    assert len(told) == 1


async def test_editing_the_file_that_names_a_server_flows_like_a_saved_file(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="needs evaltui[mcp]")
    make_project(tmp_path)
    (tmp_path / "tools.json").unlink()
    (tmp_path / "old").write_text(tools("Looks up an order by its number."))
    (tmp_path / "new").write_text(tools("Looks up an order and its parcel by the number."))
    (tmp_path / "evaltui.toml").write_text('registries = [{path = ".mcp.json"}]')

    def name_server(listing: str) -> None:
        entry = {"command": sys.executable, "args": [str(SERVER), str(tmp_path / listing)]}
        (tmp_path / ".mcp.json").write_text(json.dumps({"mcpServers": {"shop": entry}}))

    name_server("old")
    async with watched(tmp_path) as (session, ear):
        assert set(session.project.registry.tools) == {"find_order", "play_music"}
        name_server("new")
        await ear.until(lambda: bool(ear.runs()))
        (started,) = ear.started()

        # The new server may tell of its tools before the reading of the file has ended.
        assert started.trigger and set(started.trigger) <= {".mcp.json", "mcp://shop"}
        assert started.reason.startswith("find_order.description changed")


async def test_a_model_can_execute_its_calls_on_the_server(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="needs evaltui[mcp]")
    make_project(tmp_path)
    case = {key: value for key, value in ORDERS[0].items() if key != "stubs"}
    write_suite(tmp_path, "find_order", [case, {**ORDERS[0], "id": "gs-find-order-002"}])
    (tmp_path / "list").write_text(tools("Looks up an order by its number."))
    (tmp_path / "tools.json").unlink()
    (tmp_path / "evaltui.toml").write_text(
        'agent = "real"\n[agents.real]\ntype = "embedded"\nexecute = "mcp"\n'
        f'[[registries]]\ntype = "mcp"\ncommand = {json.dumps(sys.executable)}\nname = "shop"\n'
        f'args = [{json.dumps(str(SERVER))}, "list"]\n'
    )
    async with opened(tmp_path) as (session, _):
        keys = [case.key for suite in session.store.suites for case in suite.cases]
        await session.run(keys)
        rows = session.store.board(session.agents[0]).rows
        results = {key.case: row.result for key, row in rows.items() if row.result}
    real, stubbed = results["gs-find-order-001"], results["gs-find-order-002"]
    assert real.response is not None and stubbed.response is not None
    assert real.response.execution is Execution.REAL
    (call,) = real.response.tool_calls
    assert (call.name, call.success) == ("find_order", True)
    assert call.result == {"name": "find_order", "got": call.params}
    assert stubbed.response.execution is Execution.STUBS
    assert stubbed.response.tool_calls[0].result == {"state": "found"}


async def test_closing_ends_the_servers(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="needs evaltui[mcp]")
    make_project(tmp_path)
    (tmp_path / "list").write_text(tools("Looks up."))
    (tmp_path / "mcp.json").write_text(
        json.dumps({"mcpServers": {"shop": {"command": sys.executable,
                                            "args": [str(SERVER), str(tmp_path / "list")]}}})
    )  # fmt: skip
    (tmp_path / "evaltui.toml").write_text('registries = [{path = "mcp.json"}]')
    async with opened(tmp_path) as (session, _):
        assert set(session.project.registry.tools) == {"find_order", "play_music"}
        assert await asyncio.to_thread(_running, tmp_path)
    assert not await asyncio.to_thread(_running, tmp_path)


def _running(root: Path) -> list[str]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if str(root) in (text := (entry / "cmdline").read_text()) and "changing" in text:
                found.append(text)
        except OSError:
            continue
    return found
