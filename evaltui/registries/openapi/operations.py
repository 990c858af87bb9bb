"""One operation of an API as one tool: its name, its words and one schema for all it takes."""

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from evaltui.core.errors import Problem, Severity
from evaltui.core.json_value import Json
from evaltui.core.tool import ToolDefinition, ToolStatus
from evaltui.registries.openapi.document import Document
from evaltui.registries.openapi.references import References

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_OWN_HEADERS = frozenset({"accept", "content-type", "authorization"})
"""OpenAPI says that parameters of these names are ignored."""


class Operation(Struct, frozen=True):
    path: str
    method: str
    value: Mapping[str, Json]
    home: Document
    """The file it stands in: not the API's own when it or its path is a `$ref`."""
    shared: Json
    """Parameters of the whole path."""
    shared_home: Document
    """The file that those stand in."""


def operations(api: Document, refs: References) -> Iterator[Operation]:
    """In the order of the file."""
    paths = api.value.get("paths") if isinstance(api.value, Mapping) else None
    for path, written in paths.items() if isinstance(paths, Mapping) else ():
        item, home, _ = refs.follow(written, api)
        if not isinstance(item, Mapping):
            continue
        for method in item:
            if method.lower() not in METHODS:
                continue
            operation, own, _ = refs.follow(item[method], home)
            if isinstance(operation, Mapping):
                yield Operation(path, method.lower(), operation, own, item.get("parameters"), home)


def tool_of(
    operation: Operation, api: Document, refs: References, source: str
) -> tuple[ToolDefinition, list[Problem]]:
    """The operation's tool, and what could not be taken over."""
    before = set(refs.problems)
    value, home = operation.value, operation.home
    line = home.lines.get((operation.path, operation.method), 0)
    info = api.value.get("info") if isinstance(api.value, Mapping) else None
    version = info.get("version") if isinstance(info, Mapping) else None
    tags = value.get("tags")
    problems: list[Problem] = []
    schema, lost = _parameters(operation, refs)
    name = _name(operation)
    problems += [
        Problem(
            home.shown,
            f"{what} of `{name}` cannot be used",
            "Correct it; the tool goes on without it.",
            line,
            key=f"paths.{operation.path}.{operation.method}",
            severity=Severity.WARNING,
            code="openapi-parameter",
        )
        for what in lost
    ]
    tool = ToolDefinition(
        name=name,
        description=_words(value),
        version=str(version) if version is not None else None,
        category=str(tags[0]) if isinstance(tags, list) and tags else None,
        parameters=schema,
        status=ToolStatus.DEPRECATED if value.get("deprecated") is True else ToolStatus.ACTIVE,
        file=home.shown,
        line=line,
        depends_on=tuple(dict.fromkeys((home.shown, *refs.files))),
        source=source,
    )
    return tool, problems + [problem for problem in refs.problems if problem not in before]


def _name(operation: Operation) -> str:
    given = operation.value.get("operationId")
    if isinstance(given, str) and given.strip():
        return given.strip()
    words = re.findall(r"[A-Za-z0-9]+", operation.path)
    return "_".join([operation.method, *words])


def _words(value: Mapping[str, Json]) -> str | None:
    texts = [
        text.strip()
        for key in ("summary", "description")
        if isinstance(text := value.get(key), str) and text.strip()
    ]
    if len(texts) == 2 and texts[1].startswith(texts[0]):
        texts = texts[1:]
    return "\n\n".join(texts) or None


def _parameters(operation: Operation, refs: References) -> tuple[dict[str, Json], list[str]]:
    properties: dict[str, Json] = {}
    required: list[str] = []
    definitions: dict[str, Json] = {}
    lost: list[str] = []
    found: dict[tuple[str, str], tuple[Mapping[str, Json], Document]] = {}
    shared = operation.shared, operation.shared_home
    for listed, file in (shared, (operation.value.get("parameters"), operation.home)):
        for at, written in enumerate(listed if isinstance(listed, list) else ()):
            value, home, _ = refs.follow(written, file)
            name = value.get("name") if isinstance(value, Mapping) else None
            if isinstance(value, Mapping) and isinstance(name, str):
                found[name, str(value.get("in"))] = value, home
            else:
                lost.append(f"parameter {at + 1}")
    for (name, place), (value, home) in found.items():
        if place == "cookie" or (place == "header" and name.lower() in _OWN_HEADERS):
            continue
        key = name if name not in properties else f"{place}_{name}"
        properties[key] = _parameter(value, home, refs, definitions)
        if value.get("required") is True or place == "path":
            required.append(key)
    _add_body(operation, refs, properties, required, definitions)
    schema: dict[str, Json] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    if definitions:
        schema["$defs"] = definitions
    return schema, lost


def _parameter(
    value: Mapping[str, Json], home: Document, refs: References, definitions: dict[str, Json]
) -> Json:
    written = value.get("schema")
    if written is None:
        written = _media(value.get("content"))[1].get("schema")
    schema = _lifted(refs.schema(written, home), definitions)
    description = value.get("description")
    if isinstance(description, str):
        schema["description"] = description
    return schema


def _add_body(
    operation: Operation,
    refs: References,
    properties: dict[str, Json],
    required: list[str],
    definitions: dict[str, Json],
) -> None:
    body, home, _ = refs.follow(operation.value.get("requestBody"), operation.home)
    if not isinstance(body, Mapping):
        return
    kind, media = _media(body.get("content"))
    schema = _lifted(refs.schema(media.get("schema"), home), definitions)
    is_required = body.get("required") is True
    inner = schema.get("properties")
    is_object = "json" in kind or "form" in kind
    if (
        is_object
        and isinstance(inner, Mapping)
        and inner
        and not inner.keys() & properties.keys()
        and not {"oneOf", "anyOf", "allOf", "$ref"} & schema.keys()
    ):
        properties.update(inner)
        wanted = schema.get("required")
        if is_required and isinstance(wanted, list):
            required.extend(str(name) for name in wanted if name in inner)
        return
    key = "body" if "body" not in properties else "request_body"
    if isinstance(description := body.get("description"), str):
        schema.setdefault("description", description)
    properties[key] = schema or {"type": "string"} if not is_object else schema
    if is_required:
        required.append(key)


def _media(content: Json) -> tuple[str, Mapping[str, Json]]:
    """The media type to use, JSON before all others."""
    if not isinstance(content, Mapping):
        return "", {}
    rows = [(kind, item) for kind, item in content.items() if isinstance(item, Mapping)]
    rows.sort(key=lambda row: (not row[0].startswith("application/json"), "json" not in row[0]))
    return rows[0] if rows else ("", {})


def _lifted(schema: dict[str, Json], definitions: dict[str, Json]) -> dict[str, Json]:
    """The schema without its `$defs`, which are collected at the top, where `#/` leads."""
    own = schema.pop("$defs", None)
    if isinstance(own, Mapping):
        definitions.update(own)
    return schema
