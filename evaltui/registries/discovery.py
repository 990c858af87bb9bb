"""Finds registries in their usual places, and tells the type of a source by its name."""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from evaltui.core.errors import Problem, Severity
from evaltui.files import is_folder, open_file, outside
from evaltui.registries.source import FoundSource, SourceSettings, shown_path
from evaltui.registries.text_file import PASSED_OVER

MADE = frozenset({"dist", "build", "out", "coverage", "target"})
"""Folders with files that a program made of others."""
SKIPPED = MADE | {"node_modules", "venv", "env", "vendor", "__pycache__", "site-packages"}
"""Folders with other people's or made files; so is every folder whose name begins with a dot."""
FOLDER = "folder"
"""The type of a folder in which there may be tools of several kinds."""
MAX_DEPTH = 7
MAX_ENTRIES = 20_000
SCRIPTS = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
TOOL_FILE = re.compile(r".+\.tool\.[mc]?[jt]sx?$")
_BARREL = re.compile(r"tools?\.exports\.[mc]?[jt]s$")
_INDEX = re.compile(r"(?:index|tools|registry|all-tools)\.[mc]?[jt]s$")
_SERVER = re.compile(r"(?:index|server|main|mcp)\.[mc]?[jt]s$")
SERVES_TOOLS = re.compile(
    rb"McpServer|ListToolsRequestSchema|\.\s*(?:tool|registerTool|addTool)\s*\("
)
SERVER_HINT = (
    "Name the files that define its tools in `registry`, or have the running server list them: "
    '`[[registries]]` with `type = "mcp"` and its `command`.'
)
NONE_FOUND = "No tool definitions found"
HOW_TO_NAME = "Name them with --registry PATH, or `registry` in evaltui.toml."
_MCP_LIBRARY = re.compile(rb'"(?:@modelcontextprotocol/(?:sdk|server)|fastmcp)"\s*:')
_JSON = re.compile(r"(?:mcp[-_.])?tools?(?:[-_.](?:list|registry))?\.json$|.+[.-]tools\.json$")
MCP_FILES = ("mcp.json", ".mcp.json", "claude_desktop_config.json", "mcp_settings.json")
"""Files that name MCP servers."""
_API = re.compile(r"(?:.+[-_.])?(?:open[-_]?api|swagger)(?:[-_.].+)?\.json$")
_PYTHON = re.compile(r"\.py(?::[\w.]+)?$")
NOT_TOOLS = re.compile(r"package(-lock)?\.json$|tsconfig.*\.json$|.*\.schema\.json$")
_LOOKS_LIKE_TOOLS = re.compile(
    r'"name"\s*:.*"(?:description|parameters|input_?schema)"\s*:', re.DOTALL | re.IGNORECASE
)
_SCRIPT_OF_TOOLS = re.compile(
    rb"\bname['\"]?\s*[:=].*\bdescription['\"]?\s*[:=]|[Tt]ool\w*\.push\(", re.DOTALL
)


class Discovery(Struct, frozen=True):
    sources: tuple[FoundSource, ...] = ()
    problems: tuple[Problem, ...] = ()


def discover(root: Path) -> Discovery:
    """The registries below `root` that nobody configured.

    The first kind that exists counts: barrels (`tools.exports.ts`), folders of `*.tool.ts`,
    `tools/index.ts`, a server's main file, JSON lists, then other scripts in folders called
    `tools`. A JSON list beside scripts is often made from them, and scripts beside a JSON list may
    build something else: what comes second is only mentioned.
    """
    files = sorted(walk(root))
    barrels = _preferring_sources([file for file in files if _BARREL.match(file.name)])
    if barrels:
        scripts = barrels
    else:
        tool_files = [file for file in files if TOOL_FILE.match(file.name)]
        scripts = (
            _outermost({file.parent for file in tool_files})
            or _indexes(files)
            or _servers(files, root)
        )
    lists = [file for file in files if is_list(file)]
    if scripts:
        found = tuple(FoundSource("typescript", shown_path(path, root)) for path in scripts)
        return Discovery(found, tuple(_mention(path, root) for path in lists))
    folders = _folders_of_tools(files)
    if lists:
        found = tuple(FoundSource("json", shown_path(path, root)) for path in lists)
        return Discovery(found, tuple(_mention(path, root, of_scripts=True) for path in folders))
    if folders:
        return Discovery(tuple(FoundSource(FOLDER, shown_path(path, root)) for path in folders))
    return Discovery()


def settle(
    root: Path, sources: Sequence[SourceSettings]
) -> tuple[list[tuple[str, SourceSettings]], list[Problem]]:
    """Which sources are read, each with its type: those that somebody configured, else those of
    the usual places below `root`."""
    from evaltui.registries import SOURCES

    if not sources:
        found = discover(root)
        return [(source.type, source) for source in found.sources], list(found.problems)
    settled: list[tuple[str, SourceSettings]] = []
    problems: list[Problem] = []
    for source in sources:
        type_ = source_type(source, root)
        if type_ in SOURCES:
            settled.append((type_, source))
            continue
        known = ", ".join(f"`{name}`" for name in SOURCES)
        what = (
            f"cannot tell what kind of registry `{source.location}` is"
            if source.type == "auto"
            else f"unknown registry type `{source.type}`"
        )
        problems.append(Problem("", what, f"Set `type` to one of {known}.", code="registry-type"))
    return settled, problems


def source_type(source: SourceSettings, root: Path) -> str:
    """The type a source has, `auto` resolved by its name; `auto` when nothing fits."""
    if source.type != "auto":
        return source.type
    location = source.location
    if "://" in location:
        return "auto"
    name = location.rpartition("/")[2].lower()
    if name in MCP_FILES:
        return "mcp"
    if location.endswith((".yaml", ".yml")) or _API.match(name):
        return "openapi"
    if _PYTHON.search(location):
        return "python"
    if location.endswith(SCRIPTS):
        return "typescript"
    if location.endswith(".json"):
        return "json"
    if is_glob(location):
        return "json" if location.endswith("json") else "typescript"
    return FOLDER if is_folder(root / location) else "auto"


def is_glob(location: str) -> bool:
    return any(mark in location for mark in "*?[")


def skipped_by(glob: str) -> frozenset[str]:
    """Folders that a glob does not mean: none that it names, nor made ones below a made one."""
    named = set(glob.split("/"))
    return SKIPPED - named if MADE.isdisjoint(named) else SKIPPED - MADE - named


def walk(root: Path) -> Iterator[Path]:
    """Scripts and JSON files below `root`, other people's left out; bounded in depth and number."""
    left = MAX_ENTRIES
    for folder, folders, names in os.walk(root):
        here = Path(folder)
        deep = len(here.relative_to(root).parts) >= MAX_DEPTH
        folders[:] = (
            []
            if deep
            else sorted(
                name for name in folders if name not in SKIPPED and not name.startswith(".")
            )
        )
        left -= len(names)
        if left < 0:
            return
        for name in names:
            path = here / name
            if name.endswith((".json", *SCRIPTS)) and not _leads_out(path, root):
                yield path


def _leads_out(path: Path, root: Path) -> bool:
    return path.is_symlink() and bool(outside(root, path))


def _preferring_sources(files: list[Path]) -> list[Path]:
    """A compiled `.js` beside its `.ts` is the same registry twice."""
    stems = {file.with_suffix("") for file in files if "ts" in file.suffix}
    return [file for file in files if "ts" in file.suffix or file.with_suffix("") not in stems]


def _outermost(folders: set[Path]) -> list[Path]:
    return sorted(folder for folder in folders if not folders & set(folder.parents))


def _indexes(files: list[Path]) -> list[Path]:
    found = [
        file
        for file in files
        if file.parent.name in ("tools", "tool")
        and _INDEX.match(file.name)
        and not file.name.endswith(".d.ts")
    ]
    return _preferring_sources(found)[:1]


def _folders_of_tools(files: list[Path]) -> list[Path]:
    """Folders called `tools` with scripts that seem to define some."""
    return _outermost(
        {
            file.parent
            for file in files
            if file.parent.name in ("tools", "tool")
            and file.name.endswith(SCRIPTS)
            and speaks_of_tools(file)
        }
    )


def _servers(files: list[Path], root: Path) -> list[Path]:
    places = (root, root / "src")
    return [
        file
        for file in files
        if file.parent in places
        and _SERVER.match(file.name)
        and SERVES_TOOLS.search(_beginning(file))
    ][:1]


def speaks_of_tools(file: Path) -> bool:
    """Whether a script seems to define some, or to put some into a list."""
    return mentions_tools(_beginning(file))


def mentions_tools(script: bytes) -> bool:
    """Whether the text of a script seems to define some, or to put some into a list."""
    return _SCRIPT_OF_TOOLS.search(script) is not None


def _beginning(file: Path) -> bytes:
    try:
        with open_file(file) as opened:
            return opened.read(200_000)
    except OSError:
        return b""


def unread_server(root: Path) -> tuple[Problem, ...]:
    """What is said where no tool was found: a project that is an MCP server has some."""
    package = _beginning(root / "package.json")
    found = _MCP_LIBRARY.search(package)
    if found is None:
        return ()
    line = package.count(b"\n", 0, found.start()) + 1
    what = "this is an MCP server, but no tool definition was found in the usual places"
    severity = Severity.WARNING
    return (Problem("package.json", what, SERVER_HINT, line, severity=severity, code="no-tools"),)


def is_list(file: Path) -> bool:
    """Whether a JSON file is one that is found by itself."""
    if file.suffix != ".json" or NOT_TOOLS.match(file.name):
        return False
    if _JSON.match(file.name):
        return True
    if file.parent.name != "tools":
        return False
    return _LOOKS_LIKE_TOOLS.search(_beginning(file).decode("utf-8", "replace")) is not None


def _mention(path: Path, root: Path, *, of_scripts: bool = False) -> Problem:
    return Problem(
        shown_path(path, root),
        "has scripts that look like tools, but the tools are read from JSON"
        if of_scripts
        else "looks like a list of tools, but the tools are read from scripts",
        "Name it under `registry` if it belongs to the registry.",
        severity=Severity.LINT,
        code=PASSED_OVER,
    )
