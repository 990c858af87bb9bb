"""Reads OpenAPI files again and again, and keeps the last good tools of a broken one."""

from collections.abc import Mapping

from msgspec.structs import replace

from evaltui.core.errors import Problem
from evaltui.core.tool import ToolDefinition
from evaltui.registries.openapi.document import Document, read_document
from evaltui.registries.openapi.operations import operations, tool_of
from evaltui.registries.openapi.references import References
from evaltui.registries.source import SourceRead, SourceRequest, shown_path
from evaltui.registries.text_file import NOT_FOUND, Unreadable

KEPT = "Its last good tools stay in force."


class OpenApiReader:
    """Unchanged files, referenced ones included, are not taken apart again."""

    live = False
    can_be_down = False

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[dict[str, str], SourceRead]] = {}

    def read(self, request: SourceRequest) -> SourceRead:
        path = request.root / request.location
        shown = shown_path(path, request.root)
        memory = (str(path), request.location)
        kept = self._known.get(memory)
        try:
            api = read_document(path, shown, request.places)
        except Unreadable as error:
            return _last_good(error.problem, kept, request, shown)
        wrong = _what_is_wrong(api)
        if wrong is not None:
            return _last_good(wrong, kept, request, shown)
        if kept is not None and _is_same(kept[0], api, request):
            return kept[1]
        refs = References(api, request.root, request.places)
        tools: list[ToolDefinition] = []
        problems: list[Problem] = []
        for operation in operations(api, refs):
            try:
                tool, found = tool_of(operation, api, refs, request.location)
            except RecursionError:
                what = f"`{operation.method} {operation.path}` is nested too deeply"
                problems.append(Problem(shown, what, "Flatten its schema.", code="too-deep"))
                continue
            tools.append(tool)
            problems += found
        problems += [problem for problem in refs.problems if problem not in problems]
        files = tuple(dict.fromkeys((*refs.files, *refs.missing)))
        read = SourceRead(tuple(tools), files, tuple(dict.fromkeys(problems)))
        if not refs.missing:
            digests = {name: document.digest for name, document in refs.files.items()}
            self._known[memory] = (digests, read)
        return read


def _what_is_wrong(api: Document) -> Problem | None:
    value = api.value
    version = value.get("openapi") if isinstance(value, Mapping) else None
    if isinstance(version, str | float) and str(version).startswith("3."):
        if isinstance(value, Mapping) and "paths" not in value and "webhooks" not in value:
            return Problem(api.shown, "the API has no `paths`", "Write them.", 1, code="no-tools")
        return None
    if isinstance(value, Mapping) and "swagger" in value:
        what, hint = "Swagger 2.0 is not read", "Convert it to OpenAPI 3."
    elif version is not None:
        what, hint = f"OpenAPI {version} is not known", "Versions 3.0 and 3.1 are read."
    else:
        what, hint = "not an OpenAPI file", 'It begins with `openapi: "3.1.0"`.'
    return Problem(api.shown, what, hint, 1, code="openapi-version")


def _is_same(digests: Mapping[str, str], api: Document, request: SourceRequest) -> bool:
    for name, digest in digests.items():
        if name == api.shown:
            if api.digest != digest:
                return False
            continue
        try:
            if read_document(request.root / name, name, request.places).digest != digest:
                return False
        except Unreadable:
            return False
    return True


def _last_good(
    problem: Problem,
    kept: tuple[dict[str, str], SourceRead] | None,
    request: SourceRequest,
    shown: str,
) -> SourceRead:
    if problem.code == NOT_FOUND:
        return SourceRead((), (shown,), (problem,))
    if kept is not None:
        tools, files = kept[1].tools, kept[1].files
    else:
        tools = tuple(tool for tool in request.previous if tool.source == request.location)
        files = ()
    if tools:
        problem = replace(problem, hint=f"{problem.hint} {KEPT}".strip())
    return SourceRead(tools, tuple(dict.fromkeys((shown, *files))), (problem,))
