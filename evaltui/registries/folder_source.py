"""Tool definitions from a folder: of its scripts, and of its JSON lists."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from evaltui.core.errors import Problem, Severity
from evaltui.core.tool import ToolDefinition
from evaltui.registries.discovery import SCRIPTS, walk
from evaltui.registries.json_source import JsonReader, json_files, together
from evaltui.registries.source import SourceRead, SourceReader, SourceRequest, shown_path
from evaltui.registries.text_file import NOT_FOUND, PASSED_OVER


class FolderReader:
    """Reads the scripts first. What is left out is said, by a lint finding."""

    live = False
    can_be_down = False

    def __init__(self) -> None:
        self._scripts: SourceReader | None = None
        self._lists = JsonReader()

    def read(self, request: SourceRequest) -> SourceRead:
        files = json_files(request.root, request.location)
        has_scripts = any(
            file.name.endswith(SCRIPTS) for file in walk(request.root / request.location)
        )
        if not has_scripts and not files:
            return _nothing(request)
        lists = [self._lists.read_file(file, request) for file in files]
        if not has_scripts:
            return together(lists)
        is_said = request.found or any(read.tools for read in lists)
        scripts = self._read_scripts(replace(request, found=is_said))
        return together([scripts, *_beside(scripts.tools, lists)])

    def _read_scripts(self, request: SourceRequest) -> SourceRead:
        if self._scripts is None:
            # Its parser is not loaded for folders without a script.
            from evaltui.registries.typescript.reader import TypeScriptReader

            self._scripts = TypeScriptReader()
        read = self._scripts.read(request)
        assert isinstance(read, SourceRead)
        return read


def _beside(scripts: Iterable[ToolDefinition], lists: Iterable[SourceRead]) -> Iterator[SourceRead]:
    """Without lists that are made from the scripts, as one is that has a tool of theirs: a tool
    that is renamed in a script stands in its list by the old name. JSON files without tools are no
    mistake there."""
    known = {tool.name for tool in scripts}
    for read in lists:
        shared = next((tool.name for tool in read.tools if tool.name in known), None)
        if shared is not None:
            yield SourceRead((), read.files, (_left_out(read.files[0], shared),))
            continue
        lenient = (
            replace(problem, severity=Severity.LINT)
            if problem.code == "no-tools" and not read.tools
            else problem
            for problem in read.problems
        )
        yield replace(read, problems=tuple(lenient))


def _left_out(file: str, shared: str) -> Problem:
    return Problem(
        file,
        f"is left out: the scripts beside it define `{shared}` too",
        "Name the file in `registry` if it is not made from them.",
        severity=Severity.LINT,
        code=PASSED_OVER,
    )


def _nothing(request: SourceRequest) -> SourceRead:
    shown = shown_path(request.root / request.location, request.root)
    hint = "Point the registry at a file, or at a folder that has some."
    what = "no script and no JSON file in this folder"
    return SourceRead(problems=(Problem(shown, what, hint, code=NOT_FOUND),))
