"""A value and what a JSON Schema wants instead, in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaltui.core.key_path import KeyPath
from evaltui.json_text.kind import kind_of

_WORDS = {"string": "text", "boolean": "true or false", "array": "a list", "null": "null"}
_TYPES: Mapping[type, tuple[str, ...]] = {
    bool: ("boolean",),
    int: ("integer", "number"),
    float: ("number",),
    str: ("string",),
    list: ("array",),
    dict: ("object",),
}
_LIMITS = {
    "minimum": "of at least",
    "exclusiveMinimum": "above",
    "maximum": "of at most",
    "exclusiveMaximum": "below",
}
_MOST_SIGNS = 60
_MOST_SHOWN = 1e21
EMPTY, TOO_LARGE = "empty", "beyond the range of numbers"
SAYS_ALL = (EMPTY, TOO_LARGE)
"""What is shown of values whose kind is right; what is wrong with them is said by that."""


def schema_at(schema: Mapping[str, Any], path: KeyPath) -> Mapping[str, Any]:
    """The part of a schema that speaks of the value at `path`; unknown steps lead nowhere.

    Such steps are the names that pydantic gives to the members of a union.
    """
    node = schema
    for part in path:
        inner = _step(schema, node, part)
        node = node if inner is None else inner
    return _resolved(schema, node)


def properties_of(top: Mapping[str, Any], node: Mapping[str, Any]) -> list[str]:
    """Keys that the schema knows, in its order."""
    node = _resolved(top, node)
    found = list(node.get("properties", ()))
    for branch in _branches(node):
        found += properties_of(top, branch)
    return found


def describe(top: Mapping[str, Any], node: Mapping[str, Any], table: str = "an object") -> str:
    """What a value must be: `a whole number from 1 to 10`, `text or a list`, "one of `a`, `b`"."""
    node = _resolved(top, node)
    branches = _branches(node)
    if branches:
        return " or ".join(dict.fromkeys(describe(top, branch, table) for branch in branches))
    choices = choices_of(top, node)
    if choices:
        shown = ", ".join(f"`{choice}`" for choice in choices)
        return f"one of {shown}" if len(choices) > 1 else shown
    kind = node.get("type")
    if kind in ("integer", "number"):
        return _number("a whole number" if kind == "integer" else "a number", node)
    if kind == "object":
        return table
    return _WORDS.get(str(kind), "something else")


def choices_of(top: Mapping[str, Any], node: Mapping[str, Any]) -> list[str]:
    """The texts among which there is to choose; none where any value will do."""
    node = _resolved(top, node)
    named = [node["const"]] if "const" in node else node.get("enum", ())
    found = [str(choice) for choice in named]
    for branch in _branches(node):
        found += choices_of(top, branch)
    return found


def shown(value: object, top: Mapping[str, Any], node: Mapping[str, Any]) -> str:
    """The value where it is of the right kind, else only its kind: it may hold a secret."""
    node = _resolved(top, node)
    if not fits(value, top, node):
        return kind_of(value)
    if isinstance(value, str):
        if not value.strip():
            return EMPTY
        text = value if len(value) <= _MOST_SIGNS else value[: _MOST_SIGNS - 1] + "…"
        printable = "".join(sign if sign.isprintable() else "·" for sign in text)
        return "text" if node.get("writeOnly") else f"`{printable}`"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float) and not abs(value) >= _MOST_SHOWN:
        return f"{value:,}"
    return TOO_LARGE if isinstance(value, int | float) else kind_of(value)


def fits(value: object, top: Mapping[str, Any], node: Mapping[str, Any]) -> bool:
    """Whether the value is of a kind that the schema allows, whatever its limits."""
    node = _resolved(top, node)
    kind = node.get("type", "string" if "enum" in node else "")
    inner = (fits(value, top, branch) for branch in _branches(node))
    return kind in _TYPES.get(type(value), ()) or any(inner)


def _number(noun: str, node: Mapping[str, Any]) -> str:
    if "minimum" in node and "maximum" in node:
        return f"{noun} from {node['minimum']:,} to {node['maximum']:,}"
    limits = [f"{words} {node[key]:,}" for key, words in _LIMITS.items() if key in node]
    return f"{noun} {' and '.join(limits)}".rstrip()


def _branches(node: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    found: Sequence[Mapping[str, Any]] = node.get("anyOf") or node.get("oneOf") or ()
    return found


def _resolved(top: Mapping[str, Any], node: Mapping[str, Any]) -> Mapping[str, Any]:
    """Without references, and without `null`, which is as good as absent."""
    while True:
        branches = [one for one in node.get("anyOf", ()) if one.get("type") != "null"]
        if "$ref" in node:
            inner = top["$defs"][node["$ref"].rpartition("/")[2]]
        elif len(branches) == 1:
            inner = branches[0]
        else:
            return node
        node = {**inner, **{key: node[key] for key in node if key not in ("$ref", "anyOf")}}


def _step(
    top: Mapping[str, Any], node: Mapping[str, Any], part: str | int
) -> Mapping[str, Any] | None:
    node = _resolved(top, node)
    if isinstance(part, int):
        found = node.get("items")
    else:
        known = node.get("properties", {})
        name = (
            part if part in known else next((k for k in known if _folded(k) == _folded(part)), "")
        )
        found = known[name] if name else node.get("additionalProperties")
    if isinstance(found, Mapping):
        return found
    inner = (_step(top, branch, part) for branch in _branches(node))
    return next((one for one in inner if one is not None), None)


def _folded(name: str) -> str:
    return name.replace("_", "").lower()
