"""Live MCP servers: listed, changed, lost and found again, called, and ended."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from typing import Any

import pytest

from evaltui.core.errors import Severity
from evaltui.core.permit import EVERYTHING
from evaltui.core.response import ToolCall
from evaltui.net.secret_mask import project_secrets
from evaltui.registries import ReadRegistry, RegistryReader
from evaltui.registries.mcp import connection, listing
from evaltui.registries.source import FoundSource

pytest.importorskip("mcp", reason="needs evaltui[mcp]")
SCRIPT = str(Path(__file__).with_name("changing_server.py"))


def tool(name: str, description: str = "Does it.") -> dict[str, Any]:
    schema = {"type": "object", "properties": {"q": {"type": "string"}}}
    return {"name": name, "description": description, "inputSchema": schema}


class Live:
    """A project with one changing server, and what was told of it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.changed: list[str] = []
        self._news = Event()
        self.reader = RegistryReader(
            lambda path: project_secrets(path, {"TOKEN": "s3cr3t-token-1"}),
            permit=EVERYTHING,
        )
        self.reader.on_change = self._hear
        self.options: dict[str, Any] = {}

    def _hear(self, place: str) -> None:
        self.changed.append(place)
        self._news.set()

    def write(self, *tools: dict[str, Any]) -> None:
        path = self.root / "list"
        path.with_suffix(".new").write_text(json.dumps(tools))
        path.with_suffix(".new").replace(path)

    def read(self, *extra: str, **options: Any) -> ReadRegistry:
        self.options = self.options or {"args": [SCRIPT, "list", *extra], "name": "mine", **options}
        source = FoundSource("mcp", sys.executable, self.options)
        return self.reader.read(self.root, [source])

    def wait(self, limit_s: float = 15.0) -> None:
        assert self._news.wait(limit_s), "nothing was told"
        self._news.clear()


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    made = Live(tmp_path)
    yield made
    made.reader.close()


def pids_of(path: Path) -> list[int]:
    """Processes that were started for this test."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if SCRIPT in (entry / "cmdline").read_text() and path.samefile(entry / "cwd"):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def test_tools_of_all_pages_are_listed(live: Live) -> None:
    live.write(*(tool(f"t{n}") for n in range(5)))
    result = live.read()
    assert result.problems == ()
    assert list(result.registry.tools) == ["t0", "t1", "t2", "t3", "t4"]
    first = result.registry.tools["t0"]
    assert (first.description, first.file, first.source) == (
        "Does it.",
        "mcp://mine",
        sys.executable,
    )
    assert first.parameters == tool("")["inputSchema"]
    assert live.changed == []


def test_pages_that_are_left_out_and_tools_of_one_name_are_said(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "MAX_PAGES", 2)
    live.write(tool("a"), tool("a", "Another."), *(tool(f"t{n}") for n in range(5)))
    result = live.read()
    assert list(result.registry.tools) == ["a", "t0", "t1"]
    assert [one.code for one in result.problems] == ["too-many-pages", "duplicate-tool"]
    assert "only 4 tools are read" in result.problems[0].what


@pytest.mark.parametrize("how", ["notify", "poll"])
def test_a_change_is_told_and_only_what_changed_is_new(live: Live, how: str) -> None:
    live.write(tool("a"), tool("b"))
    first = live.read(*(["notify"] if how == "notify" else []), poll=30 if how == "notify" else 0.1)
    live.write(tool("a"), tool("b", "Does more."))
    live.wait()
    assert live.changed == ["mcp://mine"]
    second = live.read()
    assert second.registry.tools["b"].description == "Does more."
    assert second.registry.tools["a"] is first.registry.tools["a"]


def test_a_server_that_tells_all_the_time_is_listed_now_and_then_and_said(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "SHORTEST_REST_S", 0.02)
    monkeypatch.setattr(connection, "LONGEST_REST_S", 0.32)
    live.write(tool("a"))
    began = monotonic()
    live.read("storm", poll=0.1)
    live.wait()
    lists = len((live.root / "lists").read_text().splitlines())
    assert lists <= 8 + (monotonic() - began) / 0.32
    (problem,) = live.read().problems
    assert (problem.code, problem.severity) == ("restless-server", Severity.WARNING)
    assert "`mine` reports changes of its tools all the time" in problem.what
    assert list(live.read().registry.tools) == ["a"]
    (live.root / "calm").touch()
    live.wait()
    assert live.read().problems == ()


def test_a_server_that_is_lost_keeps_its_tools_and_comes_back(live: Live) -> None:
    live.write(tool("a"))
    first = live.read(poll=0.1)
    (pid,) = pids_of(live.root)
    (live.root / "list").rename(live.root / "away")
    os.kill(pid, signal.SIGKILL)
    live.wait()
    lost = live.read()
    assert lost.registry.tools["a"] is first.registry.tools["a"]
    (problem,) = lost.problems
    assert problem.severity is Severity.WARNING and problem.code == "mcp-down"
    assert "`mine` cannot be reached" in problem.what
    assert "Its last good tool stays in force, listed 20" in problem.hint
    live.write(tool("a"), tool("b"))
    while live.read().problems:
        live.wait()
    assert list(live.read().registry.tools) == ["a", "b"]


def test_a_server_that_never_was_there_is_an_error(live: Live) -> None:
    source = FoundSource("mcp", "no-such-program-here --stdio", {"name": "gone"})
    result = live.reader.read(live.root, [source])
    (problem,) = result.problems
    assert problem.severity is Severity.ERROR
    assert "`no-such-program-here` was not found" in problem.what


def test_what_a_dying_server_wrote_is_shown_without_secrets(live: Live) -> None:
    body = "import os, sys; sys.exit('bad key ' + os.environ['API_KEY'])"
    options: dict[str, Any] = {"args": ["-c", body], "name": "x", "env": {"API_KEY": "${TOKEN}"}}
    result = live.reader.read(live.root, [FoundSource("mcp", sys.executable, options)])
    (problem,) = result.problems
    assert "bad key ***" in problem.what
    assert "s3cr3t" not in str(problem)


def test_an_unset_variable_is_named(live: Live) -> None:
    options: dict[str, Any] = {
        "args": [SCRIPT, "list"],
        "name": "x",
        "env": {"K": "${NOT_SET_ANYWHERE}"},
    }
    (problem,) = live.reader.read(live.root, [FoundSource("mcp", sys.executable, options)]).problems
    assert "NOT_SET_ANYWHERE" in problem.what


async def test_no_result_of_a_call_tells_what_came_in_through_a_variable(live: Live) -> None:
    live.write(tool("look"))
    await asyncio.to_thread(live.read, env={"QUIET": "${TOKEN}"})
    done = await live.reader.execute(ToolCall("look", {"q": "s3cr3t-token-1"}))
    assert done.result == {"name": "look", "got": {"q": "***"}}


async def test_no_half_of_one_stands_where_an_error_is_cut(live: Live) -> None:
    live.write(tool("fail"))
    await asyncio.to_thread(live.read, env={"QUIET": "${TOKEN}"})
    failed = await live.reader.execute(
        ToolCall("fail", {"why": f"{'x' * 1_990}s3cr3t-token-1 and {'more ' * 500}"})
    )
    assert failed.error.startswith("xxx")
    assert len(failed.error) == 2_000
    assert "s3cr" not in failed.error


def test_no_half_of_one_stands_where_the_end_of_a_server_is_cut(live: Live) -> None:
    for behind in ("'y' * 590", "' ' * 2_385 + 'yyy'"):
        body = f"import os, sys; sys.exit(os.environ['API_KEY'] + {behind})"
        options: dict[str, Any] = {
            "args": ["-c", body],
            "name": "x",
            "env": {"API_KEY": "${TOKEN}"},
        }
        source = FoundSource("mcp", sys.executable, options)
        (problem,) = live.reader.read(live.root, [source]).problems
        assert "yyy" in problem.what
        assert not any(piece in problem.what for piece in ("s3cr", "token", "en-1"))


async def test_calls_are_executed(live: Live) -> None:
    live.write(tool("look"), tool("fail"))
    await asyncio.to_thread(live.read, prefix=True)
    execute = live.reader.execute
    done = await execute(ToolCall("mine__look", {"q": "é"}, id="1"))
    assert done.result == {"name": "look", "got": {"q": "é"}}
    assert (done.success, done.id, done.error) == (True, "1", "")
    assert done.duration_ms is not None and done.duration_ms > 0
    failed = await execute(ToolCall("mine__fail", {}))
    assert (failed.success, failed.error) == (False, "no luck")
    gone = await execute(ToolCall("nothing", {}))
    assert (gone.success, gone.error) == (False, "there is no tool `nothing`")
    many = await asyncio.gather(
        *(execute(ToolCall("mine__look", {"q": str(n)})) for n in range(30))
    )
    assert [call.result["got"]["q"] for call in many] == [str(n) for n in range(30)]  # type: ignore[index,call-overload]


async def test_a_call_that_kills_the_server_is_an_error_and_the_next_one_works(live: Live) -> None:
    live.write(tool("look"), tool("die"))
    await asyncio.to_thread(live.read, timeout=5)
    died = await live.reader.execute(ToolCall("die", {}))
    assert died.success is False and died.error
    again = await live.reader.execute(ToolCall("look", {}))
    assert again.success is True, again.error


def test_servers_end_with_their_reader_and_their_settings(live: Live) -> None:
    live.write(tool("a"))
    live.read()
    assert len(pids_of(live.root)) == 1
    live.reader.read(live.root, [FoundSource("json", "none.json")])
    _until(lambda: not pids_of(live.root))
    live.read()
    live.reader.close()
    assert pids_of(live.root) == []


def test_servers_go_on_while_the_file_that_names_them_cannot_be_read(live: Live) -> None:
    live.write(tool("a"))
    file, source = live.root / "mcp.json", FoundSource("mcp", "mcp.json")
    server = {"command": sys.executable, "args": [SCRIPT, "list"]}
    file.write_text(json.dumps({"mcpServers": {"mine": server}}))
    assert list(live.reader.read(live.root, [source]).registry.tools) == ["a"]
    for broken in ('{"mcpServers": {', "[" * 100_000):
        file.write_text(broken)
        found = live.reader.read(live.root, [source])
        assert [one.file for one in found.problems] == ["mcp.json"]
        assert list(found.registry.tools) == ["a"]
        assert len(pids_of(live.root)) == 1
    file.unlink()
    found = live.reader.read(live.root, [source])
    assert [one.code for one in found.problems] == ["not-found"]
    assert list(found.registry.tools) == ["a"], "as they were, until the setting is corrected"
    _until(lambda: not pids_of(live.root))


def _until(condition: Any, limit_s: float = 10.0) -> None:
    end = monotonic() + limit_s
    while not condition():
        assert monotonic() < end
        sleep(0.02)
