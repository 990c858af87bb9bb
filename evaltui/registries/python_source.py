"""Tool definitions from Python code, which is run in a child process with a time limit."""

import asyncio
import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from evaltui.child.interpreter import project_python
from evaltui.child.lines import Ended, LineChild, LineTooLong
from evaltui.child.python_files import module_file, tree_of_target
from evaltui.child.scripts import READ_TOOLS
from evaltui.core.errors import Problem, Severity
from evaltui.core.tool import ToolDefinition
from evaltui.disk.codec import parse
from evaltui.files import is_file, read_file
from evaltui.registries.json_shapes import tool_from_json
from evaltui.registries.last_good import kept_words
from evaltui.registries.source import SourceRead, SourceRequest, shown_path
from evaltui.registries.text_file import not_found

TIMEOUT_S = 20.0


class PythonReader:
    """`tools.py`, `package.module`, or either with `:name` for one list, server or function."""

    live = False
    can_be_down = True

    def __init__(self) -> None:
        self._known: dict[tuple[Path, str], tuple[str, SourceRead]] = {}

    async def read(self, request: SourceRequest) -> SourceRead:
        """Runs the module again only when it, or a file of the project it imports, changed."""
        memory = (request.root, request.location)
        target = _target(request)
        tree = tree_of_target(target, request.root, _python(request))
        files = set() if tree is None else set(tree.files)
        kept = self._known.get(memory)
        if kept is not None:
            files |= {request.root / name for name in kept[1].files}
        digest = _digest(files, request)
        if kept is not None and kept[0] == digest:
            return kept[1]
        said = await _run(request)
        loaded = {Path(file) for file in said.get("files") or ()}
        start = module_file(target, request.root)  # first: where tools are that tell no place
        ordered = (*filter(None, [start]), *sorted(files), *sorted(loaded))
        shown = tuple(dict.fromkeys(shown_path(path, request.root) for path in ordered))
        if "error" in said:
            return _last_good(said, request, shown, kept)
        read = _read(said, request, shown)
        self._known[memory] = _digest(files | loaded, request), read
        return read


def _target(request: SourceRequest) -> str:
    """The module or file of the location."""
    head, _, name = request.location.rpartition(":")
    is_named = head and all(part.isidentifier() for part in name.split("."))
    return head if is_named else request.location


def _digest(files: set[Path], request: SourceRequest) -> str:
    digest = sha256(json.dumps(dict(request.options), sort_keys=True, default=str).encode())
    for path in sorted(files):
        try:
            content = read_file(path)
        except OSError:
            content = b"missing"
        digest.update(b"%b\0%d\0%b" % (str(path).encode(), len(content), content))
    return digest.hexdigest()


def _python(request: SourceRequest) -> str:
    chosen = request.options.get("python")
    return project_python(request.root, chosen if isinstance(chosen, str) else "")


async def _run(request: SourceRequest) -> Mapping[str, Any]:
    """What the child said; `error` in it when it could not."""
    python, limit = _python(request), request.options.get("timeout")
    is_number = isinstance(limit, int | float) and not isinstance(limit, bool)
    seconds = float(limit) if is_number and limit > 0 else TIMEOUT_S  # type: ignore[arg-type,operator]
    argv = (python, "-X", "utf8", str(READ_TOOLS), request.location, str(request.root))
    try:
        child = await LineChild.start(argv, cwd=request.root)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or type(error).__name__
        return {"error": f"`{python}` cannot be started ({why})"}
    try:
        async with asyncio.timeout(seconds):
            value = parse(await child.line())
    except TimeoutError:
        return {"error": f"the module was not loaded within {seconds:g} s"}
    except Ended:
        ending, said = await child.ending()
        return {"error": f"the process {ending}", "printed": said}
    except (LineTooLong, ValueError):
        return {"error": "the module made more definitions than can be read"}
    finally:
        await child.end()
    return value if isinstance(value, Mapping) else {"error": "the module said nothing usable"}


def _read(said: Mapping[str, Any], request: SourceRequest, files: tuple[str, ...]) -> SourceRead:
    tools: list[ToolDefinition] = []
    problems: list[Problem] = []
    for at, entry in enumerate(said.get("tools") or ()):
        place, line = entry.pop("file", None), entry.pop("line", 0)
        file = _shown(place, request) or (files[0] if files else request.location)
        line = line if _shown(place, request) else 0
        if unknown := entry.pop("parameters_unknown", ""):
            what = f"the parameters of tool `{entry['name']}` are not known ({unknown})"
            hint = "Annotate them, or give the tool a schema; until then they are not checked."
            problems.append(
                Problem(file, what, hint, line, severity=Severity.WARNING, code="unresolved")
            )
        tool, wrong = tool_from_json(entry, file, line, f"tools[{at}]", request.location)
        problems += wrong
        if tool is not None:
            tools.append(replace(tool, depends_on=tuple(dict.fromkeys((file, *files)))))
    first = files[0] if files else request.location
    if not tools:
        hint = "List them as `TOOLS = [...]`, or name them: `tools.py:NAME`."
        problems.append(Problem(first, "no tools in this module", hint, code="no-tools"))
    if unread := dict.fromkeys(said.get("unread") or ()):
        names = ", ".join(f"`{name}`" for name in unread)
        what = f"the list of tools has entries that are not known as tools: {names}"
        hint = "List the tools that it holds; until then they are left out."
        problems.append(Problem(first, what, hint, severity=Severity.WARNING, code="unresolved"))
    if said.get("printed"):
        what = f"the module prints while it is loaded: {str(said['printed'])[-200:]}"
        hint = "Prints are kept off the screen; move them below `if __name__ == ...`."
        problems.append(Problem(first, what, hint, severity=Severity.LINT, code="registry-prints"))
    return SourceRead(tuple(tools), files, tuple(problems))


def _shown(place: object, request: SourceRequest) -> str:
    """The file of a definition when it is one of the project's own."""
    if not isinstance(place, str):
        return ""
    path = Path(place)
    is_own = request.root.resolve() in path.resolve().parents and "site-packages" not in place
    return shown_path(path.resolve(), request.root.resolve()) if is_own else ""


def _last_good(
    said: Mapping[str, Any],
    request: SourceRequest,
    files: tuple[str, ...],
    kept: tuple[str, SourceRead] | None,
) -> SourceRead:
    file = files[0] if files else request.location
    own = tuple(tool for tool in request.previous if tool.source == request.location)
    tools = own if kept is None else kept[1].tools
    printed = f"; it printed: {str(said['printed'])[-300:]}" if said.get("printed") else ""
    what = f"the tools cannot be read: {said['error']}{printed}"
    at = max((request.listed.get(tool.file, 0.0) for tool in tools), default=0.0)
    said_kept = f" {kept_words(len(tools), at)}" if tools else ""
    hint = f"Correct the module.{said_kept}"
    place, line = said.get("place") or (file, 0)
    problem = Problem(place, what, hint, line, code="registry-python")
    if files and not is_file(request.root / file):
        missing = not_found(file)
        problem = replace(missing, hint=f"{missing.hint}{said_kept}")
    watched = (*files, *(kept[1].files if kept is not None else ()))
    down = frozenset(tool.file for tool in tools)
    return SourceRead(tools, tuple(dict.fromkeys(watched)), (problem,), down)
