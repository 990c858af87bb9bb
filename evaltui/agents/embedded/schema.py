"""Parameters as the router sees them, read from a JSON Schema; odd schemas give fewer of them."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from evaltui.agents.embedded.cues import Want, wanted
from evaltui.agents.embedded.text import stems, words
from evaltui.core.json_value import Json, JsonObject

MAX_DEPTH = 6
MAX_PARAMETERS = 200
_TYPES = frozenset({"string", "number", "integer", "boolean", "array", "object"})
_ALIASES = {"float": "number", "double": "number", "int": "integer", "bool": "boolean",
            "str": "string", "list": "array", "tuple": "array", "dict": "object"}  # fmt: skip
_WEAK_NAMES = frozenset(stems("is has value param number name type includes required num"))


class Choice(Struct, frozen=True):
    """One enum member in the two forms it is looked for in a message."""

    value: Json
    phrase: str
    """Lower-case words between single spaces, with a space at both ends."""
    stems: frozenset[str]


class Parameter(Struct, frozen=True):
    """One leaf parameter; `path` has more than one part when it is nested."""

    path: tuple[str, ...]
    name: str
    """The path joined by dots."""
    type: str
    """`string`, `number`, `integer`, `boolean`, `array` or `object`."""
    item_type: str
    required: bool
    """Every level above it is required too."""
    is_fillable: bool
    """False for what text cannot give: free objects and lists of objects."""
    label: str
    """Its own name as it may stand before a value: `x` in "x = 5"."""
    order: int
    name_stems: frozenset[str]
    name_starts: frozenset[str]
    """First three letters of the name's stems, to see quickly that a word is no variant of one."""
    telling_stems: frozenset[str]
    """The name's stems without those that every schema uses (`is`, `value`, `name`)."""
    description: str
    description_stems: frozenset[str]
    want: Want
    choices: tuple[Choice, ...]
    default: Json
    has_default: bool


def read_parameters(schema: JsonObject | None) -> tuple[Parameter, ...]:
    """All leaf parameters of `schema`, in schema order; `None` and wrong shapes give none."""
    found: list[Parameter] = []
    if isinstance(schema, Mapping):
        for path, node, required in _walk(schema, (), True, 0):
            found.append(_parameter(path, node, required, len(found)))
            if len(found) >= MAX_PARAMETERS:
                break
    return tuple(found)


def _walk(
    schema: JsonObject, above: tuple[str, ...], required: bool, depth: int
) -> Iterator[tuple[tuple[str, ...], JsonObject, bool]]:
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return
    names = schema.get("required")
    demanded = set(_texts(names)) if isinstance(names, Sequence) else set()
    for name, node in properties.items():
        if not isinstance(node, Mapping):
            continue
        path = (*above, str(name))
        needed = required and name in demanded
        if isinstance(node.get("properties"), Mapping) and depth < MAX_DEPTH:
            yield from _walk(node, path, needed, depth + 1)
        else:
            yield path, node, needed


def _parameter(path: tuple[str, ...], node: JsonObject, required: bool, order: int) -> Parameter:
    type_ = _type(node)
    items = node.get("items")
    item = items if isinstance(items, Mapping) else {}
    text = node.get("description")
    description = text if isinstance(text, str) else ""
    name = tuple(stems(path[-1]))
    described = frozenset(stems(description))
    item_type = _type(item) if type_ == "array" else ""
    members = node.get("enum")
    if not isinstance(members, Sequence) or isinstance(members, str):
        members = item.get("enum")
    format_ = node.get("format")
    return Parameter(
        path=path,
        name=".".join(path),
        type=type_,
        item_type=item_type,
        required=required,
        is_fillable=type_ != "object" and (type_, item_type) != ("array", "object"),
        label=path[-1].lower().strip("_"),
        order=order,
        name_stems=frozenset(name),
        name_starts=frozenset(stem[:3] for stem in name),
        telling_stems=frozenset(name) - _WEAK_NAMES,
        description=description,
        description_stems=described,
        want=wanted(
            item_type or type_, format_ if isinstance(format_, str) else "", name, described
        ),
        choices=_choices(members),
        default=node.get("default"),
        has_default=node.get("default") is not None,
    )


def _type(node: JsonObject) -> str:
    """The JSON type, the first real one of several; text when nothing says."""
    raw = node.get("type")
    options = [raw] if isinstance(raw, str) else _texts(raw)
    for key in ("anyOf", "oneOf"):
        branches = node.get(key)
        if raw is None and isinstance(branches, Sequence) and not isinstance(branches, str):
            options += _texts([b.get("type") for b in branches if isinstance(b, Mapping)])
    for option in options:
        name = _ALIASES.get(option, option)
        if name in _TYPES:
            return name
    if isinstance(node.get("items"), Mapping):
        return "array"
    return "object" if isinstance(node.get("properties"), Mapping) else "string"


def _choices(members: Json) -> tuple[Choice, ...]:
    if not isinstance(members, Sequence) or isinstance(members, str):
        return ()
    return tuple(
        Choice(member, f" {' '.join(words(str(member)))} ", frozenset(stems(str(member))))
        for member in members
        if isinstance(member, str | int | float)
    )


def _texts(value: Json) -> list[str]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return []
    return [item for item in value if isinstance(item, str)]
