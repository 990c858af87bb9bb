"""Object schemas: their fields, their JSON Schema, and a schema's properties."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from evaltui.core.json_value import Json, JsonObject
from evaltui.registries.typescript.values import Arr, Obj, Schema, Slot, Unknown, Value

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.scope import Scope

_DERIVED = ("type", "properties", "required")


def object_schema(shape: Mapping[str, Schema], notes: JsonObject | None = None) -> Schema:
    """The schema of an object with these fields; `notes` are description and the like."""
    json: dict[str, Json] = {
        "type": "object",
        "properties": {name: field.json for name, field in shape.items()},
    }
    required = [name for name, field in shape.items() if not field.optional]
    if required:
        json["required"] = required
    json |= {key: value for key, value in (notes or {}).items() if key not in _DERIVED}
    hole = next((field.hole for field in shape.values() if field.hole is not None), None)
    return Schema(json, shape=shape, hole=hole)


def reshaped(schema: Schema, shape: Mapping[str, Schema]) -> Schema:
    """The same object schema with other fields."""
    made = object_schema(shape, schema.json)
    from_fields = any(field.hole is not None for field in (schema.shape or {}).values())
    hole = made.hole or (None if from_fields else schema.hole)
    return replace(made, optional=schema.optional, hole=hole)


def shape_of(value: Value, place: Unknown) -> Mapping[str, Schema] | Unknown:
    """Fields from `{name: z.string(), …}`; unknown when a field or a spread is."""
    if not isinstance(value, Obj):
        return value if isinstance(value, Unknown) else place
    if value.hole is not None:
        return value.hole
    shape: dict[str, Schema] = {}
    for name, slot in value.entries.items():
        if isinstance(slot.value, Schema):
            shape[name] = slot.value
        else:
            text = " ".join(slot.module.text(slot.node)[:80].split())
            unknown = Unknown(text, slot.module.shown, slot.line)
            hole = slot.value if isinstance(slot.value, Unknown) else unknown
            shape[name] = Schema({}, hole=hole)
    return shape


def schema_member(schema: Schema, key: str, node: "Node", scope: "Scope") -> Value:
    """`schema.shape`, `.element`, `.options`, `.enum`; `None` for others."""
    module = scope.module
    choices = schema.json.get("enum")
    if key == "shape" and schema.shape is not None:
        fields: dict[str, Slot] = {
            name: Slot(field, module, node) for name, field in schema.shape.items()
        }
        return Obj(fields, module, node, deps=(module.shown,))
    if key == "element" and schema.inner is not None:
        return schema.inner
    if isinstance(choices, list) and all(isinstance(choice, str) for choice in choices):
        slots = tuple(Slot(choice, module, node) for choice in choices)
        if key == "options":
            return Arr(slots)
        if key in ("enum", "Enum", "Values"):
            named = dict(zip(choices, slots, strict=True))
            return Obj(named, module, node, deps=(module.shown,))
    return None
