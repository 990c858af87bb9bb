"""MCP servers that others wrote: listed and called."""

import asyncio
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.permit import EVERYTHING
from evaltui.core.response import ToolCall
from evaltui.core.tool import ToolRegistry
from evaltui.net.secret_mask import project_secrets
from evaltui.registries import RegistryReader
from evaltui.registries.source import FoundSource
from tests.registries.mcp.published import entry, until_open

pytest.importorskip("mcp", reason="needs evaltui[mcp]")
pytestmark = pytest.mark.slow


@pytest.fixture
def reader() -> Iterator[RegistryReader]:
    made = RegistryReader(
        lambda root: project_secrets(root, {"KEY": "a-key-of-the-web"}), permit=EVERYTHING
    )
    yield made
    made.close()


def listed(
    reader: RegistryReader, root: Path, location: str, *args: str, **options: Any
) -> ToolRegistry:
    source = FoundSource("mcp", location, {"args": [*args], **options} if args else options)
    result = reader.read(root, [source])
    assert [str(problem) for problem in result.problems] == []
    return result.registry


def test_time(reader: RegistryReader, tmp_path: Path) -> None:
    pytest.importorskip("mcp_server_time")
    registry = listed(reader, tmp_path, sys.executable, "-m", "mcp_server_time", name="time")
    assert set(registry.tools) == {"get_current_time", "convert_time"}
    assert registry.tools["convert_time"].description
    call = ToolCall("get_current_time", {"timezone": "UTC"})
    done = asyncio.run(reader.execute(call))
    assert done.success and "UTC" in json.dumps(done.result)
    wrong = asyncio.run(reader.execute(ToolCall("get_current_time", {"timezone": "Moon/Far"})))
    assert wrong.success is False and "Moon" in wrong.error


def test_git(reader: RegistryReader, tmp_path: Path) -> None:
    pytest.importorskip("mcp_server_git")
    subprocess.run(["git", "init", "-q", "."], cwd=tmp_path, check=True)
    (tmp_path / "new.txt").write_text("x")
    registry = listed(reader, tmp_path, f"'{sys.executable}' -m mcp_server_git", name="git")
    assert {"git_status", "git_log"} <= set(registry.tools)
    done = asyncio.run(reader.execute(ToolCall("git_status", {"repo_path": str(tmp_path)})))
    assert done.success and "new.txt" in json.dumps(done.result)


@pytest.mark.parametrize("transport", ["http", "sse"])
def test_servers_on_the_web(reader: RegistryReader, tmp_path: Path, transport: str) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    script = Path(__file__).with_name("web_server.py")
    url = f"http://127.0.0.1:{port}/{'sse' if transport == 'sse' else 'mcp'}"
    words = [sys.executable, str(script), transport, str(port), "a-key-of-the-web"]
    with subprocess.Popen(words) as process:
        try:
            wrong = FoundSource("mcp", url, {"headers": {"X-Key": "another"}, "timeout": 5})
            until_open(port, process)
            (problem,) = reader.read(tmp_path, [wrong]).problems
            assert "cannot be reached" in problem.what
            registry = listed(reader, tmp_path, url, headers={"X-Key": "${KEY}"}, name="web")
            assert registry.tools["add"].description == "Adds two numbers."
            done = asyncio.run(reader.execute(ToolCall("add", {"a": 2, "b": 3})))
            assert (done.success, done.result) == (True, {"result": 5})
        finally:
            reader.close()
            process.terminate()


@pytest.mark.external
@pytest.mark.parametrize(
    ("package", "args", "tool", "params"),
    [
        ("everything", [], "echo", {"message": "hello there"}),
        ("filesystem", ["."], "list_directory", {"path": "."}),
        ("memory", [], "search_nodes", {"query": "hello there"}),
    ],
)
def test_node_servers(
    reader: RegistryReader, tmp_path: Path, package: str, args: list[str], tool: str,
    params: dict[str, Any],
) -> None:  # fmt: skip
    made = entry(package, *args)
    (tmp_path / "hello there").touch()
    memory = {"MEMORY_FILE_PATH": str(tmp_path / "memory.jsonl")}
    words = made["args"]
    registry = listed(reader, tmp_path, made["command"], *words, name=package, env=memory)
    assert tool in registry.tools
    assert all(each.parameters and each.description for each in registry)
    done = asyncio.run(reader.execute(ToolCall(tool, params)))
    assert done.success, done.error
    if package != "memory":
        assert "hello there" in json.dumps(done.result)
