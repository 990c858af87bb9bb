"""The configured MCP servers: from the settings, or from other programs' files."""

import json
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct, field

from evaltui.core.errors import Problem
from evaltui.core.finite_json import decode_json
from evaltui.core.json_value import Json
from evaltui.core.permit import Grant, grant
from evaltui.core.shown_secret import shown_command, shown_environment
from evaltui.files import is_file
from evaltui.json_text.entries import entry_lines
from evaltui.net.secret_sources import sent_by_project, started_by_project
from evaltui.registries.source import SourceRequest, shown_path
from evaltui.registries.text_file import JSON_LIMIT, NOT_FOUND, Unreadable, read_text_file, unusable

TRANSPORTS = ("stdio", "http", "sse")
_KEYS = (("mcpServers",), ("servers",), ("mcp", "servers"))
_INPUT = "${input:"
OPTIONS = (
    "args", "env", "cwd", "headers", "transport", "name", "servers", "prefix", "timeout", "poll",
)  # fmt: skip


class McpServer(Struct, frozen=True):
    """One server as written: `${NAME}` is filled in when it is connected to, and never kept."""

    name: str
    transport: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str = ""
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    prefix: str = ""
    """Stands before the names of its tools."""
    timeout_s: float = 20.0
    """For connecting, listing, and one call."""
    poll_s: float = 0.0
    """Seconds between two looks; 0: 5 for a program, 30 over the network."""
    file: str = ""
    """The file that names it, as problems show it; empty for the settings."""
    line: int = 0

    def __repr__(self) -> str:
        return f"McpServer({self.name})"

    @property
    def place(self) -> str:
        """How its tools name where they come from; no file of the disk is called so."""
        return f"mcp://{self.name}"

    def grant(self, root: Path) -> Grant:
        """What connecting to it does, in the project at `root`."""
        by = f"MCP server {self.name}"
        if self.transport != "stdio":
            return sent_by_project(self.url, root, by=by, filled=self.headers.values())
        words = (self.command, *self.args)
        own = shown_environment(self.env)
        where = f" in `{self.cwd}`" if self.cwd else ""
        shown = f"`{shown_command(shlex.join(words))}`{where}" + (f", where{own}" if own else "")
        exact: list[Json] = [list(words), self.cwd, dict(self.env)]
        if filled := started_by_project((*words, self.cwd), self.env, root):
            exact.append(filled)
        return grant("run", exact, shown, by=by, filled=(*words, self.cwd, *self.env.values()))


class NamedServers(Struct, frozen=True):
    servers: tuple[McpServer, ...] = ()
    files: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    is_readable: bool = True
    """False when a file is broken, and the servers known before go on."""


def servers_of(request: SourceRequest) -> NamedServers:
    """The servers of a configured source: a file, a URL or a command."""
    location, options = request.location, request.options
    problems = [
        Problem("", f"MCP registries have no option `{key}`", _known(), code="registry-option")
        for key in options
        if key not in OPTIONS
    ]
    path = request.root / location
    if location.endswith(".json") and ("args" not in options or is_file(path)):
        named = _from_file(path, request)
        return NamedServers(
            named.servers, named.files, (*problems, *named.problems), named.is_readable
        )
    is_url = location.startswith(("http://", "https://"))
    table = {**options, ("url" if is_url else "command"): location}
    name = options.get("name")
    if not isinstance(name, str) or not name:
        name = _name_of(location)
    made = _server(name, table, options, "", 0)
    if isinstance(made, Problem):
        return NamedServers((), (), (*problems, made))
    return NamedServers((made,), (), tuple(problems))


def _from_file(path: Path, request: SourceRequest) -> NamedServers:
    shown = shown_path(path, request.root)
    try:
        file = read_text_file(path, shown, JSON_LIMIT, request.places)
        document = decode_json(_without_comments(file.text))
    except Unreadable as error:
        return NamedServers((), (shown,), (error.problem,), error.problem.code == NOT_FOUND)
    except json.JSONDecodeError as error:
        what = f"not valid JSON ({error.msg[0].lower()}{error.msg[1:]})"
        problem = Problem(
            shown,
            what,
            "Correct the JSON; the servers known before go on.",
            error.lineno,
            error.colno,
            code="json-syntax",
        )
        return NamedServers((), (shown,), (problem,), is_readable=False)
    except (RecursionError, ValueError) as error:
        return NamedServers((), (shown,), (unusable(shown, "JSON", error),), is_readable=False)
    keys, table = _table(document)
    if table is None:
        hint = 'Write `{"mcpServers": {"NAME": {"command": …}}}`.'
        problem = Problem(shown, "no MCP servers in this file", hint, 1, code="no-servers")
        return NamedServers((), (shown,), (problem,))
    lines = entry_lines(file.text, keys)
    wanted = request.options.get("servers")
    chosen = [wanted] if isinstance(wanted, str) else wanted
    servers: list[McpServer] = []
    problems: list[Problem] = []
    for at, (name, value) in enumerate(table.items()):
        if isinstance(chosen, list | tuple) and name not in chosen:
            continue
        if isinstance(value, Mapping) and value.get("disabled") is True:
            continue
        line = lines[at] if at < len(lines) else 0
        made = _server(name, value, request.options, shown, line)
        if isinstance(made, Problem):
            problems.append(made)
        else:
            servers.append(made)
    if isinstance(chosen, list | tuple):
        for name in chosen:
            if name not in table:
                known = ", ".join(f"`{key}`" for key in table)
                what = f"there is no server `{name}` in this file"
                problems.append(Problem(shown, what, f"It has {known}.", code="no-servers"))
    return NamedServers(tuple(servers), (shown,), tuple(problems))


def _server(
    name: str, value: Json, options: Mapping[str, Json], file: str, line: int
) -> McpServer | Problem:
    def wrong(what: str, hint: str) -> Problem:
        return Problem(file, f"the MCP server `{name}` {what}", hint, line, code="mcp-server")

    if not isinstance(value, Mapping):
        return wrong("is not an object", 'Write `{"command": …}` or `{"url": …}`.')
    kind = str(value.get("type") or value.get("transport") or "").lower()
    url, command = value.get("url", value.get("serverUrl")), value.get("command")
    if not isinstance(url, str) and not isinstance(command, str):
        return wrong("has neither `command` nor `url`", "Write one of them.")
    transport = {"streamable-http": "http", "streamablehttp": "http", "local": "stdio"}.get(
        kind, kind
    )
    if not transport:
        is_sse = isinstance(url, str) and url.rstrip("/").endswith("/sse")
        transport = "sse" if is_sse else "http" if isinstance(url, str) else "stdio"
    if transport not in TRANSPORTS:
        return wrong(f"has the transport `{kind}`", "Use stdio, http or sse.")
    if (transport == "stdio") != isinstance(command, str) and not isinstance(url, str):
        return wrong(f"has no `url` for `{transport}`", "Write it.")
    words = _words(command, value.get("args"))
    env, headers = _texts(value.get("env")), _texts(value.get("headers"))
    if words is None or env is None or headers is None:
        return wrong("has `args`, `env` or `headers` that are not texts", "Write texts.")
    if any(_INPUT in text for text in (*words, *env.values(), *headers.values(), str(url))):
        return wrong("asks for an `${input:…}`", "Put it into the environment as `${NAME}`.")
    if transport == "stdio" and not words:
        return wrong("has an empty `command`", "Write the program.")
    return McpServer(
        name=name,
        transport=transport,
        command=words[0] if transport == "stdio" else "",
        args=tuple(words[1:]) if transport == "stdio" else (),
        env=env,
        cwd=str(value.get("cwd") or ""),
        url=url if isinstance(url, str) else "",
        headers=headers,
        prefix=_prefix(options.get("prefix"), name),
        timeout_s=_seconds(options.get("timeout"), 20.0),
        poll_s=_seconds(options.get("poll"), 0.0),
        file=file,
        line=line,
    )


def _words(command: Json, args: Json) -> list[str] | None:
    if args is None:
        args = []
    if not isinstance(args, list | tuple) or not all(isinstance(word, str) for word in args):
        return None
    if not isinstance(command, str):
        return []
    try:
        first = [command] if args else shlex.split(command)
    except ValueError:
        return None
    return [*first, *(str(word) for word in args)]


def _texts(value: Json) -> dict[str, str] | None:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        return None
    texts: dict[str, str] = {}
    for name, item in value.items():
        if isinstance(item, bool) or not isinstance(item, str | int | float):
            return None
        texts[name] = str(item)
    return texts


def _table(document: Json) -> tuple[tuple[str, ...], Mapping[str, Json] | None]:
    for keys in _KEYS:
        found: Json = document
        for key in keys:
            found = found.get(key) if isinstance(found, Mapping) else None
        if isinstance(found, Mapping):
            return keys, found
    return (), None


def _name_of(location: str) -> str:
    """A short name for a server that was given none: the host, or the program."""
    if "://" in location:
        return location.partition("://")[2].partition("/")[0].rpartition("@")[2]
    words = location.split()
    runners = ("uvx", "npx", "python", "python3", "node", "uv", "run", "docker")
    rest = [word for word in words if word not in runners and not word.startswith("-")]
    return Path(rest[0] if rest else words[0] if words else "server").name


def _prefix(value: Json, name: str) -> str:
    return f"{name}__" if value is True else value if isinstance(value, str) else ""


def _seconds(value: Json, default: float) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and value > 0 else default  # type: ignore[arg-type,operator]


def _known() -> str:
    return f"Known are {', '.join(f'`{name}`' for name in OPTIONS)}."


def _without_comments(text: str) -> str:
    """VS Code's files may hold `//` lines; they are blanked, so that places stay right."""
    return "\n".join(_blanked(text.split("\n")))


def _blanked(lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield "" if line.lstrip().startswith("//") else line
