"""What the arguments of `tool("name", "description", schema, handler)` mean."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from evaltui.registries.typescript.values import (
    UNDEFINED,
    Arr,
    Call,
    Function,
    Obj,
    Schema,
    Slot,
    Value,
    is_primitive,
)

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.module import Module

PARAMETERS = (
    "parameters", "inputSchema", "input_schema", "parametersSchema", "paramsSchema", "zodSchema",
    "argsSchema", "params", "schema", "input", "args",
)  # fmt: skip
_SHAPE = frozenset(("params", "input", "args"))
"""Of these, those that alone with a zod schema are more likely a parameter's name."""
RUNS = frozenset(("execute", "handler", "func", "invoke", "call", "callback", "_call"))
"""What a tool's code is called."""
RESULT = re.compile(r"output|result|response|return", re.IGNORECASE)
"""What a schema of a tool's answer is called."""
_TEXTS = ("description", "name", "id", "title")
_REQUIRED = frozenset(("description", "name"))
_ANNOTATIONS = "annotations"
_TYPES = frozenset(("string", "number", "integer", "boolean", "object", "array", "null"))


def is_config(value: Obj, given: Collection[str] = ()) -> bool:
    """Whether an object holds fields of a tool rather than its parameters.

    A parameter may be called like any of them. `given` are fields that stand before the object.
    """
    entries = {key: slot.value for key, slot in value.entries.items()}
    written = [key for key in PARAMETERS if key in entries]
    if written and entries.keys() <= _SHAPE and isinstance(next(iter(entries.values())), Schema):
        return False
    # No schema is a text, a flag or code.
    says_more = any(is_primitive(item) or isinstance(item, Function) for item in entries.values())
    may_be_config = says_more or not _has_many_schemas(entries)
    if may_be_config and any(_may_be_all(entries[key]) for key in written):
        return True
    if isinstance(entries.get(_ANNOTATIONS, UNDEFINED), Obj):
        return True
    fields = {key for key in (*_TEXTS, _ANNOTATIONS) if key in entries}
    fields -= {key for key in fields if isinstance(entries[key], Schema | Obj)}
    if any(isinstance(entries[key], str) for key in fields) or fields & _REQUIRED - set(given):
        return True
    # What cannot be read may as well be a parameter's schema.
    return bool(fields) and says_more


def _may_be_all(value: Value) -> bool:
    """Whether a value may be a tool's parameters, which are an object that is always there."""
    if not isinstance(value, Schema):
        return True
    return not value.optional and value.json.get("type", "object") == "object"


def _has_many_schemas(entries: Mapping[str, Value]) -> bool:
    """Whether there are more schemas than that of a tool's parameters and that of its answer."""
    if any(not _is_schema(entries[key]) for key in RUNS & entries.keys()):
        return False
    return sum(_is_schema(item) and not RESULT.search(key) for key, item in entries.items()) > 1


def _is_schema(value: Value) -> bool:
    if isinstance(value, Obj):
        kind = value.get("type")
        return isinstance(kind, str) and kind in _TYPES
    return isinstance(value, Schema)


def positional(arguments: Sequence[Slot], module: "Module", node: "Node") -> Obj:
    """Fields by name, for the overloads of `McpServer.tool` and `registerTool`.

    Name first; then a description, parameters (an object or zod schema), options; a handler last.
    """
    if not arguments:
        return Obj({}, module, node)
    fields: dict[str, Slot] = {"name": arguments[0]}
    rest = list(arguments[1:])
    if rest and not isinstance(rest[-1].value, str | Obj | Schema):
        rest.pop()
    config: Obj | None = None
    for position, slot in enumerate(rest):
        match slot.value:
            case Obj() if config is not None:  # handlers, or options of them
                pass
            case str() if "description" not in fields:
                fields["description"] = slot
            case Obj() if is_config(slot.value, fields):
                config = slot.value
                fields |= {key: item for key, item in config.entries.items() if key != "name"}
            case Obj() | Schema() | Arr() if "parameters" not in fields:
                fields["parameters"] = slot
            case Function():
                pass
            case _ if position == 0:
                fields["description"] = slot
                if len(rest) == 1 and not isinstance(slot.value, Call):
                    fields["parameters"] = slot
            case _:
                fields.setdefault("parameters", slot)
    hole, shadowed = (None, frozenset[str]()) if config is None else (config.hole, config.shadowed)
    return Obj(fields, module, node, hole, shadowed - {"name"})
