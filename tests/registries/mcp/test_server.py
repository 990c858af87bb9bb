"""The files in which programs keep their MCP servers."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.registries.mcp.server import NamedServers, servers_of
from evaltui.registries.source import SourceRequest


def named(root: Path, text: str, location: str = "mcp.json", **options: Any) -> NamedServers:
    (root / location).write_text(text)
    return servers_of(SourceRequest(root, location, options))


@pytest.mark.parametrize(
    ("location", "document"),
    [
        ("claude_desktop_config.json", {"mcpServers": {"x": {"command": "go", "args": ["-v"]}}}),
        (".mcp.json", {"mcpServers": {"x": {"type": "stdio", "command": "go -v"}}}),
        ("mcp.json", {"servers": {"x": {"type": "stdio", "command": "go", "args": ["-v"]}}}),
        ("mcp.json", {"mcp": {"servers": {"x": {"command": "go", "args": ["-v"]}}}}),
    ],
)
def test_every_form_names_the_same_server(tmp_path: Path, location: str, document: Any) -> None:
    found = named(tmp_path, json.dumps(document, indent=1), location)
    (server,) = found.servers
    assert (server.name, server.command, server.args) == ("x", "go", ("-v",))
    assert (server.transport, server.place) == ("stdio", "mcp://x")
    assert (server.file, found.files, found.problems) == (location, (location,), ())
    assert server.line > 1


@pytest.mark.parametrize(
    ("entry", "transport"),
    [
        ({"url": "https://x.org/mcp"}, "http"),
        ({"url": "https://x.org/sse"}, "sse"),
        ({"type": "streamable-http", "url": "https://x.org/sse"}, "http"),
        ({"type": "sse", "serverUrl": "https://x.org/"}, "sse"),
    ],
)
def test_transports(tmp_path: Path, entry: Any, transport: str) -> None:
    (server,) = named(tmp_path, json.dumps({"mcpServers": {"x": entry}})).servers
    assert server.transport == transport


def test_servers_are_chosen_disabled_and_commented(tmp_path: Path) -> None:
    text = """{
  // mine
  "servers": {
    "a": {"command": "a"},
    "b": {"command": "b", "disabled": true},
    "c": {"command": "c"}
  }
}"""
    assert [each.name for each in named(tmp_path, text).servers] == ["a", "c"]
    found = named(tmp_path, text, servers=["c", "d"], prefix=True)
    assert [(each.name, each.prefix, each.line) for each in found.servers] == [("c", "c__", 6)]
    assert "no server `d`" in found.problems[0].what


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"mcpServers": {', "not valid JSON"),
        ("[]", "no MCP servers"),
        ('{"mcpServers": {"x": 3}}', "is not an object"),
        ('{"mcpServers": {"x": {}}}', "neither `command` nor `url`"),
        ('{"mcpServers": {"x": {"command": "a", "args": [1]}}}', "are not texts"),
        ('{"mcpServers": {"x": {"command": "a", "type": "pigeon"}}}', "transport `pigeon`"),
        ('{"mcpServers": {"x": {"command": "a", "args": ["${input:key}"]}}}', "asks for an"),
        ('{"mcpServers": {"x": {"command": "\'a"}}}', "are not texts"),
    ],
)
def test_mistakes_are_problems(tmp_path: Path, text: str, words: str) -> None:
    found = named(tmp_path, text)
    assert found.servers == ()
    assert words in found.problems[0].what and found.problems[0].file == "mcp.json"


def test_a_secret_is_not_in_the_repr(tmp_path: Path) -> None:
    entry = {"command": "a", "env": {"KEY": "literal-secret"}}
    (server,) = named(tmp_path, json.dumps({"mcpServers": {"x": entry}})).servers
    assert "literal" not in repr(server)
