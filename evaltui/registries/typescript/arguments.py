"""What the arguments of `tool("name", "description", schema, handler)` mean."""

from collections.abc import Mapping, Sequence

from evaltui.registries.typescript.values import Arr, Call, Function, Obj, Schema, Slot

PARAMETERS = (
    "parameters", "inputSchema", "input_schema", "parametersSchema", "paramsSchema", "params",
    "schema", "input", "args",
)  # fmt: skip
_SHAPE = frozenset(("params", "input", "args"))
"""Of these, those that alone with a zod schema are more likely a parameter's name."""
_CONFIG = frozenset(("description", "name", "id", "title", "annotations", *PARAMETERS))


def is_config(value: Obj) -> bool:
    """Whether an object holds fields of a tool rather than its parameters."""
    found = _CONFIG & set(value.entries)
    if not found:
        return False
    if set(value.entries) <= _SHAPE and isinstance(
        next(iter(value.entries.values())).value, Schema
    ):
        return False
    # A parameter may be called `name` too: then its value is a schema.
    plain = found - set(PARAMETERS)
    schemas = [name for name in plain if isinstance(value.entries[name].value, Schema | Obj)]
    return len(schemas) < len(found) or "annotations" in schemas or not plain


def positional(arguments: Sequence[Slot]) -> Mapping[str, Slot]:
    """Fields by name, for the overloads of `McpServer.tool` and `registerTool`.

    Name first; then a description, parameters (an object or zod schema), options; a handler last.
    """
    if not arguments:
        return {}
    fields: dict[str, Slot] = {"name": arguments[0]}
    rest = list(arguments[1:])
    if rest and not isinstance(rest[-1].value, str | Obj | Schema):
        rest.pop()
    has_config = False
    for position, slot in enumerate(rest):
        match slot.value:
            case Obj() if has_config:  # handlers, or options of them
                pass
            case str() if "description" not in fields:
                fields["description"] = slot
            case Obj() if is_config(slot.value):
                fields |= {key: item for key, item in slot.value.entries.items() if key != "name"}
                has_config = True
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
    return fields
