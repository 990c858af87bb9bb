"""Tool definitions from JSON files."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from evaltui.core.case import Tier
from evaltui.core.errors import Problem, Severity
from evaltui.core.finite_json import decode_json
from evaltui.core.json_value import Json
from evaltui.core.key_path import KeyPath, format_key
from evaltui.core.tool import ToolDefinition
from evaltui.files import is_file, is_folder
from evaltui.json_text.entries import entry_lines
from evaltui.json_text.tree import JsonTree
from evaltui.registries.discovery import (
    NOT_TOOLS,
    SERVER_HINT,
    is_glob,
    is_list,
    skipped_by,
    walk,
)
from evaltui.registries.json_shapes import (
    ToolList,
    find_tools,
    inner_tools,
    is_api,
    is_bundle,
    tool_from_json,
)
from evaltui.registries.source import SourceRead, SourceRequest, shown_path
from evaltui.registries.text_file import JSON_LIMIT, NOT_FOUND, TextFile, Unreadable, read_text_file

KEPT = "Its last good definitions stay in force."


class JsonReader:
    """Reads a JSON file, or those of a folder or a glob; unchanged files are not parsed again."""

    live = False
    can_be_down = False

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[str, SourceRead]] = {}

    def read(self, request: SourceRequest) -> SourceRead:
        path = request.root / request.location
        if is_file(path) or not (is_folder(path) or is_glob(request.location)):
            return self.read_file(path, request)
        files = json_files(request.root, request.location)
        return (
            together([self.read_file(file, request) for file in files]) if files else _none(request)
        )

    def read_file(self, path: Path, request: SourceRequest) -> SourceRead:
        shown = shown_path(path, request.root)
        memory = (str(path), request.location)
        kept = self._known.get(memory)
        try:
            file = read_text_file(path, shown, JSON_LIMIT, request.places)
        except Unreadable as error:
            if error.problem.code == NOT_FOUND:
                self._known.pop(memory, None)
                return SourceRead((), (shown,), (error.problem,))
            return _last_good(error.problem, kept, request, shown)
        if kept is not None and kept[0] == file.digest:
            return kept[1]
        read = parse_tools(file, request.location, found=request.found)
        if isinstance(read, Problem):
            return _last_good(read, kept, request, shown)
        self._known[memory] = (file.digest, read)
        return read


def json_files(root: Path, location: str) -> list[Path]:
    """The files that a source means which is a glob or a folder.

    Of a folder all that lie in it, and below it those that are found by themselves. Eval files,
    settings of other programs and schemas are none of them.
    """
    if is_folder(folder := root / location):
        files = (file for file in walk(folder) if file.parent == folder or is_list(file))
        return sorted(file for file in files if _may_list(file) and not _EVALS.match(file.name))
    skipped = skipped_by(location)
    return sorted(
        file
        for file in root.glob(location)
        if _may_list(file) and skipped.isdisjoint(file.relative_to(root).parts[:-1])
    )


_EVALS = re.compile(rf".+\.(?:{'|'.join(Tier)})\.json$")


def _may_list(file: Path) -> bool:
    return file.suffix == ".json" and not NOT_TOOLS.match(file.name)


def together(reads: Sequence[SourceRead]) -> SourceRead:
    """What several files hold, in their order."""
    return SourceRead(
        tuple(tool for read in reads for tool in read.tools),
        tuple(file for read in reads for file in read.files),
        tuple(problem for read in reads for problem in read.problems),
    )


def _none(request: SourceRequest) -> SourceRead:
    shown = shown_path(request.root / request.location, request.root)
    hint = "Point the registry at a file, or at a folder that has some."
    is_folder_of_none = is_folder(request.root / request.location)
    what = "no JSON file in this folder" if is_folder_of_none else "no JSON file is named like this"
    return SourceRead(problems=(Problem(shown, what, hint, code=NOT_FOUND),))


def parse_tools(file: TextFile, source: str, *, found: bool = False) -> SourceRead | Problem:
    """Every definition in a file's text; one problem alone when the text as a whole is no good."""
    if not file.text.strip():
        hint = "Write a list of tools, `[]` for none."
        return Problem(file.shown, "the file is empty", hint, 1, 1, code="empty")
    document = _document(file)
    if isinstance(document, Problem):
        return document
    listed = find_tools(document)
    if listed is None:
        if found:
            return SourceRead((), (file.shown,))
        what, hint = _instead(document)
        return Problem(file.shown, what, hint, 1, code="no-tools")
    tools: list[ToolDefinition] = []
    problems: list[Problem] = []
    for path, entry, line in _entries(listed, file.text):
        tool, wrong = tool_from_json(entry, file.shown, line, format_key(path), source)
        problems += wrong
        if tool is not None:
            tools.append(tool)
    return SourceRead(tuple(tools), (file.shown,), tuple(problems))


def _entries(listed: ToolList, text: str) -> Iterator[tuple[KeyPath, Json, int]]:
    """Key path, value and line of each tool, those of a group in the place of the group."""
    is_alone = listed.entries[:1] and not listed.entries[0][0]
    lines = [1] if is_alone else entry_lines(text, listed.path)
    tree: JsonTree | None = None
    for index, (path, entry) in enumerate(listed.entries):
        pending = [(path, entry, lines[index] if index < len(lines) else 0)]
        while pending:
            here, value, line = pending.pop()
            inner = inner_tools(value)
            if inner is None:
                yield here, value, line
                continue
            # Made for a group only: its library is not loaded for other lists.
            tree = tree or JsonTree(text.encode("utf-8", "replace"))
            here = (*here, "tools")
            known = _lines_in(tree, here)
            found = [((*here, part), item, known.get(part, line)) for part, item in inner]
            pending += reversed(found)


def _lines_in(tree: JsonTree, path: KeyPath) -> dict[str | int, int]:
    """The line of every part of a list or object."""
    node = tree.root
    for part in path:
        step = None if node is None else tree.step(node, part)
        node = None if step is None else step[1]
    if node is None:
        return {}
    if node.type == "array":
        return {at: tree.place(item)[0] for at, item in enumerate(tree.items(node))}
    return {member.key: tree.place(member.key_node)[0] for member in tree.members(node)}


def _instead(document: Json) -> tuple[str, str]:
    """What a document without tools is, and what to do."""
    if is_api(document):
        what = "describes an API, and is not a list of tools"
        return what, 'Give its source `type = "openapi"` in `[[registries]]`.'
    if is_bundle(document):
        return "the manifest of an MCP bundle, which lists no `tools`", SERVER_HINT
    hint = 'Write an array of tools, or an object with `"tools": […]`.'
    return "no list of tools in this file", hint


def _document(file: TextFile) -> "Json | Problem":
    try:
        document: Json = decode_json(file.text)
    except json.JSONDecodeError as error:
        hint = "Correct the JSON." if error.pos < len(file.text) else "The file ends too early."
        what = f"not valid JSON ({error.msg[0].lower()}{error.msg[1:]})"
        return Problem(file.shown, what, hint, error.lineno, error.colno, code="json-syntax")
    except RecursionError:
        return Problem(
            file.shown, "nested too deeply", "Flatten it to a list of tools.", code="json-depth"
        )
    except ValueError as error:  # numbers of thousands of digits
        return Problem(
            file.shown, f"not valid JSON ({error})", "Correct the number.", code="json-syntax"
        )
    return document


def _last_good(
    problem: Problem, kept: tuple[str, SourceRead] | None, request: SourceRequest, shown: str
) -> SourceRead:
    if kept is not None:
        tools = kept[1].tools
    else:
        tools = tuple(
            tool
            for tool in request.previous
            if tool.file == shown and tool.source == request.location
        )
    if tools:
        problem = replace(problem, hint=f"{problem.hint} {KEPT}", severity=Severity.ERROR)
    return SourceRead(tools, (shown,), (problem,))
