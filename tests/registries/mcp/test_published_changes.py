"""Published MCP servers whose tools change: listed, changed, called."""

import asyncio
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from evaltui.core.permit import EVERYTHING
from evaltui.core.response import ToolCall
from evaltui.registries import ReadRegistry, RegistryReader
from evaltui.registries.mcp.connection import Connection
from evaltui.registries.source import FoundSource
from tests.registries.mcp.published import entry, hub

pytest.importorskip("mcp", reason="needs evaltui[mcp]")
LIMIT_S = 30.0


class Live:
    """A project whose servers stand in `.mcp.json`, and what was told of them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.reader = RegistryReader(permit=EVERYTHING)
        self.reader.on_change = lambda _: self._news.set()
        self._news = Event()

    def write(self, name: str = ".mcp.json", **servers: dict[str, Any]) -> None:
        new = self.root / f"{name}.new"
        new.write_text(json.dumps({"mcpServers": servers}))
        new.replace(self.root / name)

    def read(self, location: str = ".mcp.json", **options: Any) -> ReadRegistry:
        return self.reader.read(self.root, [FoundSource("mcp", location, options)])

    def tools(self) -> set[str]:
        result = self.read()
        assert [str(problem) for problem in result.problems] == []
        return set(result.registry.tools)

    def call(self, tool: str, **params: Any) -> str:
        done = asyncio.run(self.reader.execute(ToolCall(tool, params)))
        assert done.success, done.error
        return json.dumps(done.result)

    def wait(self) -> None:
        assert self._news.wait(LIMIT_S), "nothing was told"
        self._news.clear()


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    made = Live(tmp_path)
    yield made
    made.reader.close()


@pytest.mark.external
def test_a_list_that_changes_on_the_server_is_told(live: Live) -> None:
    """The hub gets another server while it runs, and sends `list_changed`."""
    memory = entry("memory", MEMORY_FILE_PATH=str(live.root / "memory.jsonl"))
    live.write("hub.json", memory=memory)
    with hub(live.root / "hub.json") as url:
        options = {"transport": "sse", "name": "hub", "poll": 600}
        first = live.read(url, **options)
        while "memory__read_graph" not in first.registry.tools:  # the hub opens before it is ready
            live.wait()
            first = live.read(url, **options)
        assert "every__echo" not in first.registry.tools
        live.write("hub.json", memory=memory, every=entry("everything"))
        while "every__echo" not in (second := live.read(url, **options)).registry.tools:
            live.wait()
        assert second.problems == ()
        kept = second.registry.tools["memory__read_graph"]
        assert kept is first.registry.tools["memory__read_graph"]
        assert "hello there" in live.call("every__echo", message="hello there")
        live.write("hub.json", every=entry("everything"))
        while "memory__read_graph" in live.read(url, **options).registry.tools:
            live.wait()
        assert "hello again" in live.call("every__echo", message="hello again")
        live.reader.close()


@pytest.mark.external
def test_what_is_registered_after_the_handshake_is_listed(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    """server-everything adds a tool once it knows the client, and says that its list changed."""
    listings: list[set[str]] = []
    twice = Event()
    original = Connection._list

    async def listed(self: Connection, client: Any) -> None:
        await original(self, client)
        listings.append({tool.name for tool in self.listing.tools})
        if len(listings) == 2:
            twice.set()

    monkeypatch.setattr(Connection, "_list", listed)
    live.write(everything=entry("everything"))
    live.read(poll=600)
    assert twice.wait(LIMIT_S), "the server's notification led to no second look"
    assert "simulate-research-query" in listings[-1]
    assert "simulate-research-query" in live.tools()


@pytest.mark.slow
def test_other_arguments_of_a_server_are_noticed(live: Live) -> None:
    live.write(time=entry("time", "--local-timezone", "Europe/Paris"))
    first = live.read()
    live.write(time=entry("time", "--local-timezone", "Asia/Tokyo"))
    second = live.read()
    assert first.problems == second.problems == ()
    name = "get_current_time"
    assert "Europe/Paris" in json.dumps(first.registry.tools[name].parameters)
    assert "Asia/Tokyo" in json.dumps(second.registry.tools[name].parameters)
    assert "Asia/Tokyo" in live.call(name, timezone="Asia/Tokyo")


@pytest.mark.slow
def test_a_server_more_and_one_less(live: Live) -> None:
    live.write(time=entry("time"))
    assert live.tools() == {"get_current_time", "convert_time"}
    live.write(time=entry("time"), git=entry("git"))
    assert {"get_current_time", "git_status"} <= live.tools()
    live.write(git=entry("git"))
    assert "get_current_time" not in live.tools()


@pytest.mark.external
def test_a_restart_with_other_settings_changes_what_is_called(live: Live) -> None:
    for word in ("one", "two"):
        (live.root / word).mkdir()
        (live.root / word / f"file {word}").touch()
        fact: dict[str, Any] = {
            "type": "entity",
            "name": word,
            "entityType": "thing",
            "observations": [],
        }
        (live.root / f"{word}.jsonl").write_text(json.dumps(fact))

    def write(word: str) -> None:
        memory = entry("memory", MEMORY_FILE_PATH=str(live.root / f"{word}.jsonl"))
        live.write(files=entry("filesystem", str(live.root / word)), memory=memory)

    for word, other in (("one", "two"), ("two", "one")):
        write(word)
        assert {"list_directory", "read_graph"} <= live.tools()
        assert f"file {word}" in live.call("list_directory", path=str(live.root / word))
        graph = live.call("read_graph")
        assert word in graph and other not in graph


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after", "tool", "params"),
    [
        pytest.param("time", "git", "git_status", {"repo_path": "."}, id="time to git"),
        pytest.param(
            "filesystem", "everything", "echo", {"message": "hi"}, id="filesystem to everything",
            marks=pytest.mark.external,
        ),
        pytest.param(
            "everything", "memory", "read_graph", {}, id="everything to memory",
            marks=pytest.mark.external,
        ),
    ],
)  # fmt: skip
def test_a_server_replaced_behind_its_command_is_found_by_looking(
    live: Live, before: str, after: str, tool: str, params: dict[str, Any]
) -> None:
    """Nothing tells that another version was installed: only the next look does."""
    script = live.root / "serve.py"

    def install(server: str) -> None:
        made = entry(server, *(["."] if server == "filesystem" else []))
        words = [made["command"], *made["args"]]
        note_pid = "import os\nopen('pid', 'w').write(str(os.getpid()))\n"
        script.write_text(f"{note_pid}os.execvp({words[0]!r}, {words!r})")

    if after == "git":
        subprocess.run(["git", "init", "-q", "."], cwd=live.root, check=True)
    install(before)
    command = {"command": entry("time")["command"], "args": [str(script)], "cwd": str(live.root)}
    live.write(mine=command)
    first = live.read(poll=0.2)
    assert first.problems == () and tool not in first.registry.tools
    install(after)
    os.kill(int((live.root / "pid").read_text()), signal.SIGKILL)
    while tool not in (second := live.read(poll=0.2)).registry.tools or second.problems:
        live.wait()
    assert not set(first.registry.tools) & set(second.registry.tools)
    live.call(tool, **params)
