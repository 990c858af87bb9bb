"""The shapes of tool lists in JSON: the contract's, OpenAI's, Anthropic's and MCP's."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from evaltui.core.errors import Problem, Severity
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.key_path import KeyPath
from evaltui.core.tool import ToolDefinition, ToolStatus
from evaltui.registries.parameter_schema import NotASchema, parameters_schema

PARAMETER_KEYS = ("parameters", "inputSchema", "input_schema", "params", "schema")

_BUNDLE = frozenset(("manifest_version", "dxt_version"))
_API = frozenset(("openapi", "swagger"))


class ToolList(Struct, frozen=True):
    """The entries of a registry file and the object keys that lead to them."""

    entries: tuple[tuple[KeyPath, Json], ...]
    """Key path from the top, e.g. `("tools", 3)`, and the entry."""
    path: tuple[str, ...]


def find_tools(document: Json) -> ToolList | None:
    """The list of tools in a document, or `None` when it has none.

    An array; `tools` or `functions` (list or map by name) in an object; the same in `result`, as
    an MCP server answers; or one tool alone.
    """
    if isinstance(document, Sequence) and not isinstance(document, str):
        return _listed(document, ())
    if not isinstance(document, Mapping):
        return None
    for path in (("tools",), ("functions",), ("result", "tools")):
        inner: Json = document
        for key in path:
            inner = inner.get(key) if isinstance(inner, Mapping) else None
        if isinstance(inner, Mapping):
            entries = tuple(((*path, key), _named(key, item)) for key, item in inner.items())
            return ToolList(entries, path)
        if isinstance(inner, Sequence) and not isinstance(inner, str):
            return _listed(inner, path)
    is_named = isinstance(document.get("name"), str) and not is_bundle(document)
    if is_named or document.get("type") == "function":
        return ToolList((((), document),), ())
    return None


def is_bundle(document: Json) -> bool:
    """Whether it is the manifest of an MCP bundle (MCPB, before that DXT)."""
    return isinstance(document, Mapping) and not _BUNDLE.isdisjoint(document)


def is_api(document: Json) -> bool:
    """Whether it describes an API as OpenAPI or Swagger do."""
    return isinstance(document, Mapping) and not _API.isdisjoint(document)


def _listed(items: Sequence[Json], path: tuple[str, ...]) -> ToolList:
    return ToolList(tuple(((*path, i), item) for i, item in enumerate(items)), path)


def inner_tools(entry: Json) -> list[tuple[str | int, Json]] | None:
    """The tools of a group by key or index: of an entry with `tools` and no parameters; else None.

    Texts are left out: they name tools that are defined elsewhere.
    """
    others = (*PARAMETER_KEYS, "function")
    if not isinstance(entry, Mapping) or any(entry.get(key) is not None for key in others):
        return None
    match entry.get("tools"):
        case Mapping() as tools:
            return [(key, _named(key, item)) for key, item in tools.items()]
        case [*tools]:
            return [(at, item) for at, item in enumerate(tools) if not isinstance(item, str)]
    return None


def _named(key: str, item: Json) -> Json:
    return {"name": key, **item} if isinstance(item, Mapping) else item


def tool_from_json(
    entry: Json, file: str, line: int, key: str, source: str
) -> tuple[ToolDefinition | None, list[Problem]]:
    """One definition, `None` when it has no usable name, and everything wrong with it."""
    problems: list[Problem] = []

    def complain(
        what: str, hint: str, field: str = "", severity: Severity = Severity.ERROR
    ) -> None:
        place = f"{key}.{field}".strip(".") if field else key
        code = "tool-field" if field else "tool-shape"
        problems.append(Problem(file, what, hint, line, 0, place, severity, code))

    if not isinstance(entry, Mapping):
        complain("a tool must be an object", 'Write `{"name": …, "description": …}`.')
        return None, problems
    inner = entry.get("function")
    if isinstance(inner, Mapping):
        entry, key = {**entry, **inner}, f"{key}.function".strip(".")
    name = entry.get("name")
    if not isinstance(name, str) or not name.strip():
        what = "tool without a name" if name is None else "a tool's name must be a text"
        complain(what, "Give it the name that the agent reports when it calls the tool.", "name")
        return None, problems

    def text(field: str) -> str | None:
        value = entry.get(field)
        if field == "version" and isinstance(value, int | float) and not isinstance(value, bool):
            value = str(value)
        if value is None or isinstance(value, str):
            return value
        complain(
            f"`{field}` of tool `{name}` must be a text",
            "Put it in double quotes; until then it counts as missing.",
            field,
        )
        return None

    description, version, category = text("description"), text("version"), text("category")
    status, wrong = tool_status(entry.get("status"), entry.get("deprecated"))
    if wrong:
        complain(wrong, STATUS_HINT, "status", Severity.WARNING)
    parameters: JsonObject | None = None
    field = next((known for known in PARAMETER_KEYS if entry.get(known) is not None), None)
    if field is not None:
        try:
            parameters = parameters_schema(entry[field])
        except NotASchema as error:
            complain(
                f"the parameters of tool `{name}` cannot be used: {error}",
                'Write JSON Schema, or `{city: {type: "string"}}`.',
                field,
            )
    return ToolDefinition(
        name, description, version, category, parameters, status, file, line, (file,), (), source
    ), problems


STATUS_HINT = "Write `active`, `deprecated` or `removed`; until then it counts as active."


def tool_status(status: object, deprecated: object = None) -> tuple[ToolStatus, str]:
    """The status, and what is wrong with it (empty when nothing is)."""
    if status is None:
        return (ToolStatus.DEPRECATED if deprecated is True else ToolStatus.ACTIVE), ""
    try:
        return ToolStatus(str(status).lower()), ""
    except ValueError:
        return ToolStatus.ACTIVE, f"unknown tool status `{str(status)[:40]}`"
