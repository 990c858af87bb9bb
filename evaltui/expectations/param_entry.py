"""One entry of `toolParams`, read from the file."""

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from evaltui.core.json_value import Json, JsonObject
from evaltui.expectations.read_value import kind_of, scalar_text
from evaltui.expectations.verdicts import Invalid, as_json

KEY = "toolParams"
PRESENCE = ("exists", "notExists")
"""Kinds that look at no value."""
KINDS = ("equals", "contains", "oneOf", *PRESENCE, "matches")

_TEXT: JsonObject = {"type": ["string", "number", "boolean"]}
ENTRY_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "tool": {"type": "string"},
        "paramName": {"type": "string"},
        "assertion": {"enum": [*KINDS]},
    },
    "required": ["tool", "paramName", "assertion"],
    "anyOf": [
        {"properties": {"assertion": {"enum": [*PRESENCE]}}},
        {"properties": {"value": _TEXT}, "required": ["value"]},
        {
            "properties": {
                "assertion": {"const": "oneOf"},
                "value": {"type": "array", "items": _TEXT, "minItems": 1},
            },
            "required": ["value"],
        },
    ],
}
"""JSON Schema of an entry."""


class Entry(Struct, frozen=True):
    tool: str
    param: str
    kind: str
    """One of KINDS."""
    texts: tuple[str, ...]
    """As written: one text, for `oneOf` any number, none for `exists` and `notExists`."""
    is_list: bool
    """Whether `oneOf` was given a list; a single token may stand for one (contract A15)."""
    label: str

    @property
    def written(self) -> Json:
        return self.texts[0] if len(self.texts) == 1 and not self.is_list else list(self.texts)

    @property
    def subject(self) -> str:
        return f"{self.tool}.{self.param}"


def objects_in(value: Json) -> Iterator[tuple[int, JsonObject]]:
    """The entries that are objects, with their places in the list."""
    for index, entry in enumerate(value if isinstance(value, list | tuple) else ()):
        if isinstance(entry, Mapping):
            yield index, entry


def named_entries(value: Json) -> Iterator[tuple[int, str, str, JsonObject]]:
    """Those that name a tool and a parameter: place, tool, parameter, entry."""
    for index, entry in objects_in(value):
        tool, param = entry.get("tool"), entry.get("paramName")
        if isinstance(tool, str) and isinstance(param, str):
            yield index, tool, param, entry


def read_entry(entry: Json, path: str) -> Entry | Invalid:
    """`path` is its key path below `expect`: `toolParams[0]`."""

    def invalid(field: str, what: str, hint: str, code: str = "invalid-expectation") -> Invalid:
        key = f"{path}.{field}" if field else path
        return Invalid(KEY, path, what, hint, key, entry, code)

    if not isinstance(entry, Mapping):
        what = f"expected an object but `{path}` is {kind_of(entry)}"
        return invalid("", what, "Write {tool, paramName, assertion, value}.")
    for field in ("tool", "paramName"):
        if not isinstance(entry.get(field), str):
            what = f"`{path}.{field}` is {kind_of(entry[field]) if field in entry else 'missing'}"
            return invalid(field, what, "Write its name as a text.")
    tool, param, kind = str(entry["tool"]), str(entry["paramName"]), entry.get("assertion")
    if not isinstance(kind, str) or kind not in KINDS:
        what = f"unknown assertion {as_json(kind)} in `{path}`"
        return invalid("assertion", what, f"Use one of {', '.join(KINDS)}.", "unknown-assertion")
    label = f"{path} {tool}.{param} {kind}"
    if kind in PRESENCE:
        return Entry(tool, param, kind, (), False, label)
    value = entry.get("value")
    texts = _texts(value, kind, path, invalid)
    if isinstance(texts, Invalid):
        return texts
    return Entry(tool, param, kind, texts, isinstance(value, list | tuple), label)


def _texts(
    value: Json, kind: str, path: str, invalid: Callable[..., Invalid]
) -> tuple[str, ...] | Invalid:
    if value is None:
        what = f"`{kind}` needs a value but `{path}.value` is missing"
        return invalid("value", what, "Write what the parameter is compared with.", "missing-value")
    if kind == "oneOf" and isinstance(value, list | tuple):
        if not value:
            what = f"`{path}.value` is an empty list, so nothing could be one of it"
            return invalid("value", what, "Name at least one value.")
        texts = [scalar_text(member) for member in value]
    else:
        texts = [scalar_text(value)]
    if any(text is None for text in texts):
        what = f"`{path}.value` of `{kind}` is {kind_of(value)} that cannot be compared"
        hint = "Write texts, numbers or booleans; only `oneOf` takes a list."
        return invalid("value", what, hint)
    return tuple(text for text in texts if text is not None)
