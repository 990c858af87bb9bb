"""The registry source `typescript`: barrels, folders of tool files, lists, servers."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.errors import Problem, Severity
from evaltui.core.tool import ToolDefinition
from evaltui.registries.discovery import SERVER_HINT, SERVES_TOOLS, mentions_tools
from evaltui.registries.source import SourceRead, SourceRequest, shown_path
from evaltui.registries.text_file import PASSED_OVER, TOO_LARGE, not_found
from evaltui.registries.typescript.candidate import Candidate, Opaque
from evaltui.registries.typescript.conditions import conditional
from evaltui.registries.typescript.definitions import define, unresolved_problems
from evaltui.registries.typescript.entries import entry_files, files_beside, lists_in, offered
from evaltui.registries.typescript.evaluation import Evaluator
from evaltui.registries.typescript.module import Module
from evaltui.registries.typescript.program import KEPT, MAX_MODULES, Program
from evaltui.registries.typescript.registrations import reachable, registrations
from evaltui.registries.typescript.values import Unknown


class TypeScriptReader:
    """Reads script files as syntax trees; keeps what did not change between readings."""

    live = False
    can_be_down = False

    def __init__(self) -> None:
        self._programs: dict[str, Program] = {}
        self._beside: dict[str, Program] = {}
        """Of scripts that are left out, by their folder."""

    def read(self, request: SourceRequest) -> SourceRead:
        program = self._programs.setdefault(request.location, Program())
        request = replace(request, root=request.root.absolute())
        program.begin(request.root, request.places)
        evaluator = Evaluator(program, request.is_ended)
        problems: list[Problem] = []
        modules: list[Module] = []
        for path in entry_files(request.root, request.location):
            if request.is_ended():
                return SourceRead()
            module = program.module(str(path))
            if program.is_full:
                break
            if module is None:
                problems.append(not_found(shown_path(path, request.root)))
            else:
                modules.append(module)
        found = _collect(modules, evaluator)
        tools, wrong = _define(found.candidates, request.location)
        problems += wrong
        problems += map(_opaque, found.unread)
        names = {tool.name for tool in tools}
        problems += conditional(found.modules, found.registered, names, evaluator)
        program.end()
        if program.is_full:
            problems.append(_too_many(request.location))
        broken = program.broken()
        tools, kept = _with_last_good(tools, request, broken)
        if not tools and not problems:
            sound = [module for module in modules if module.problem is None]
            problems += _no_tools(request, sound, is_said=bool(program.problems))
        seen = [
            replace(item, hint=f"{item.hint} {KEPT}") if kept and item.file in broken else item
            for item in program.problems
        ]
        files, left_out = self._left_out(request, tools)
        problems += left_out
        if tools:
            entry = shown_path(request.root / request.location, request.root)
            seen = [_beside_tools(item, entry) for item in seen]
        return SourceRead(tuple(tools), tuple(program.visited | files), tuple(seen + problems))

    def _left_out(
        self, request: SourceRequest, tools: Sequence[ToolDefinition]
    ) -> tuple[dict[str, None], list[Problem]]:
        """What is said of scripts beside `*.tool.ts`, and the files that were read for it."""
        paths = files_beside(request.root, request.location) if tools else []
        if not paths:
            return {}, []
        program = self._beside.setdefault(request.location, Program())
        program.begin(request.root, request.places)
        evaluator = Evaluator(program, request.is_ended)
        loaded = (program.module(str(path)) for path in paths)
        modules = [module for module in loaded if module is not None and not module.is_broken]
        found = _collect(modules, evaluator)
        others, _ = _define(found.candidates, request.location)
        program.end()
        names = {tool.name for tool in tools}
        problems = list(conditional(found.modules, found.registered, names, evaluator))
        shown = dict.fromkeys(module.shown for module in modules)
        for file in shown:
            more = [tool.name for tool in others if tool.file == file and tool.name not in names]
            if more:
                problems.append(_beside_tool_files(file, more))
        return program.visited, problems


class _Found(Struct, frozen=True):
    candidates: list[Candidate]
    """Every definition once, in source order."""
    unread: list[Unknown]
    """What hides a tool in a list of tools, or in what registers some, each once."""
    registered: list[Candidate]
    modules: list[Module]
    """All that were looked at."""


def _collect(modules: list[Module], evaluator: Evaluator) -> _Found:
    listed = [item for module in modules for item in offered(module, evaluator)]
    around = reachable(modules, evaluator)
    registered = [item for module in around for item in registrations(module, around, evaluator)]
    if not any(isinstance(item, Candidate) for item in listed + registered):
        # A server that registers its tools in a loop over a list it imports.
        listed += [item for module in around for item in lists_in(module, evaluator)]
    unread = (item.unknown for item in listed + registered if isinstance(item, Opaque))
    return _Found(
        _once(_unregistered(listed, registered) + _only_read(registered)),
        list(dict.fromkeys(unread)),
        _only_read(registered),
        around,
    )


def _only_read(found: list[Candidate | Opaque]) -> list[Candidate]:
    return [item for item in found if isinstance(item, Candidate)]


def _unregistered(
    listed: list[Candidate | Opaque], registered: list[Candidate | Opaque]
) -> list[Candidate]:
    """Without what stands in a map and is registered from there, under the name given then."""
    known = {_described(item) for item in _only_read(registered)} - {None}
    return [
        item
        for item in _only_read(listed)
        if "name" in item.config.entries or _described(item) not in known
    ]


def _described(candidate: Candidate) -> tuple[str, int] | None:
    """Where its description is written."""
    slot = candidate.config.entries.get("description")
    return None if slot is None else (slot.module.path, slot.node.start_byte)


def _once(found: list[Candidate]) -> list[Candidate]:
    """A definition reached by several ways counts once; a map's key names it before an export."""
    in_maps = {_place(candidate) for candidate in found if candidate.in_map}
    in_loops = {_place(candidate) for candidate in found if candidate.in_loop}
    best: dict[tuple[str, int, str], Candidate] = {}
    for candidate in found:
        if not candidate.in_loop and _place(candidate) in in_loops:
            continue
        written = candidate.config.entries.get("name")
        if written is not None:
            name = written.value if isinstance(written.value, str) else ""
        elif not candidate.in_map and _place(candidate) in in_maps:
            continue
        else:
            name = candidate.key
        key = (*_place(candidate), name)
        best.setdefault(key, candidate)
    return list(best.values())


def _place(candidate: Candidate) -> tuple[str, int]:
    return candidate.module.path, candidate.node.start_byte


def _define(found: list[Candidate], source: str) -> tuple[list[ToolDefinition], list[Problem]]:
    tools: list[ToolDefinition] = []
    problems: list[Problem] = []
    for candidate in found:
        tool, wrong = define(candidate, source)
        problems += wrong
        if tool is not None:
            tools.append(tool)
    return tools, problems + unresolved_problems(tools)


def _with_last_good(
    tools: list[ToolDefinition], request: SourceRequest, broken: set[str]
) -> tuple[list[ToolDefinition], bool]:
    """Definitions in which a file that does not parse takes part, as they were before."""
    if not broken:
        return tools, False
    before = {
        tool.name: tool
        for tool in request.previous
        if tool.source == request.location and not broken.isdisjoint(tool.depends_on)
    }
    entry = shown_path(request.root / request.location, request.root)
    if entry in broken:
        before |= {tool.name: tool for tool in request.previous if tool.source == request.location}
    names = {tool.name for tool in tools}
    kept = [before.get(tool.name, tool) for tool in tools]
    return kept + [tool for name, tool in before.items() if name not in names], bool(before)


_MAY_DIFFER = (
    "Tools may be missing, others or changed when it runs: write the list out, or have the running "
    'server list its tools, as a source with `type = "mcp"`.'
)


def _opaque(unknown: Unknown) -> Problem:
    return Problem(
        unknown.file,
        f"part of the list of tools cannot be read without running `{unknown.expression}`",
        _MAY_DIFFER,
        unknown.line,
        severity=Severity.WARNING,
        code="unresolved",
    )


def _beside_tool_files(file: str, names: Sequence[str]) -> Problem:
    shown = ", ".join(f"`{name}`" for name in names)
    return Problem(
        file,
        f"defines {shown} and is left out: of a folder with `*.tool.ts` those alone are read",
        "Name it in `registry` too if the tools belong to the registry.",
        severity=Severity.LINT,
        code=PASSED_OVER,
    )


def _beside_tools(problem: Problem, entry: str) -> Problem:
    """A bundle that lies or is imported beside tools that can be read takes nothing from them."""
    is_bundle = problem.code == TOO_LARGE and problem.file != entry
    return replace(problem, severity=Severity.WARNING) if is_bundle else problem


def _too_many(location: str) -> Problem:
    return Problem(
        location,
        f"more than {MAX_MODULES:,} script files belong to this registry; the others are not read",
        "Point the registry at the folder or file that defines the tools.",
        severity=Severity.WARNING,
        code="too-many-files",
    )


def _no_tools(request: SourceRequest, modules: list[Module], *, is_said: bool) -> list[Problem]:
    """A server has tools all the same; what nobody configured and says of none may be anything.

    `is_said`: other problems may be the reason, unless it is a server.
    """
    for module in modules:
        if found := SERVES_TOOLS.search(module.data):
            line = module.data.count(b"\n", 0, found.start()) + 1
            what = "this server's tools are put together when it runs, and cannot be read from here"
            return [Problem(module.shown, what, SERVER_HINT, line, **_NOTHING_READ)]
    if is_said or (request.found and not any(mentions_tools(each.data) for each in modules)):
        return []
    hint = "Point the registry at the file that exports the tools, e.g. `tools/tools.exports.ts`."
    return [Problem(request.location, "no tool definition found", hint, **_NOTHING_READ)]


_NOTHING_READ: Mapping[str, Any] = {"severity": Severity.WARNING, "code": "no-tools"}
