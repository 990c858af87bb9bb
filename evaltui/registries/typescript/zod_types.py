"""What makes a zod schema: `z.string()`, `z.object({…})`, `z.enum([…])` and the others."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from evaltui.core.json_value import Json
from evaltui.registries.typescript.functions import returned
from evaltui.registries.typescript.plain import NotStatic, culprit, to_json
from evaltui.registries.typescript.values import Arr, External, Function, Schema, Unknown, Value
from evaltui.registries.typescript.zod_methods import FORMATS, bounded, intersection, nullable
from evaltui.registries.typescript.zod_objects import object_schema, shape_of

if TYPE_CHECKING:
    from evaltui.registries.typescript.evaluation import Evaluator

_PLAIN: dict[str, dict[str, Json]] = {
    "string": {"type": "string"},
    "number": {"type": "number"},
    "float32": {"type": "number"},
    "float64": {"type": "number"},
    "int": {"type": "integer"},
    "int32": {"type": "integer"},
    "uint32": {"type": "integer", "minimum": 0},
    "bigint": {"type": "integer"},
    "boolean": {"type": "boolean"},
    "stringbool": {"type": "string"},
    "null": {"type": "null"},
    "never": {"not": {}},
    "json": {},
    **{name: {"type": "string", "format": format_} for name, format_ in FORMATS.items()},
    "date": {"type": "string", "format": "date-time"},
}


def zod_type(callee: External, arguments: Arr, place: Unknown, evaluator: "Evaluator") -> Value:
    """The schema that `z.string(…)` and the like make, or what keeps it from being known."""
    name = callee.path.removeprefix("coerce.").removeprefix("iso.")
    if callee.path == "iso.date":
        return Schema({"type": "string", "format": "date"})
    if name in ("any", "unknown"):
        # To zod 3 a key whose value may be undefined is optional, as its JSON Schema says.
        return Schema({}, optional=callee.version == 3)
    if name in _PLAIN:
        return Schema(_PLAIN[name])
    if name in ("undefined", "void"):
        return Schema({"not": {}}, optional=True)
    rule = _RULES.get(name)
    if rule is None or not arguments.items:
        if name in ("object", "strictObject", "looseObject"):
            return object_schema({})
        return place
    if arguments.hole is not None:
        return arguments.hole
    values = [slot.value for slot in arguments.items]
    return rule(name, values, culprit(arguments, place), evaluator)


def _schema(value: Value, place: Unknown) -> Schema:
    """`value` as a schema; what is none becomes a schema with a hole."""
    if isinstance(value, Schema):
        return value
    return Schema({}, hole=value if isinstance(value, Unknown) else place)


def _object(name: str, values: list[Value], place: Unknown, _: "Evaluator") -> Value:
    shape = shape_of(values[0], place)
    if isinstance(shape, Unknown):
        return Schema({}, hole=shape)
    extra: dict[str, dict[str, Json]] = {
        "strictObject": {"additionalProperties": False},
        "looseObject": {"additionalProperties": True},
    }
    return object_schema(shape, extra.get(name))


def _enum(_: str, values: list[Value], place: Unknown, __: "Evaluator") -> Value:
    value = values[0]
    try:
        plain = to_json(value, place)
    except NotStatic as error:
        return Schema({}, hole=error.unknown)
    if isinstance(plain, dict):
        # A numeric TypeScript enum also maps back from number to name; as written it does not.
        plain = list(dict.fromkeys(plain.values()))
    return Schema(choices(plain)) if isinstance(plain, list) else place


def choices(values: list[Json]) -> dict[str, Json]:
    """JSON Schema of one out of `values`."""
    kinds = {_json_type(value) for value in values}
    return {"type": kinds.pop(), "enum": values} if len(kinds) == 1 else {"enum": values}


def _json_type(value: Json) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case _:
            return "object"


def _literal(_: str, values: list[Value], place: Unknown, __: "Evaluator") -> Value:
    try:
        plain = to_json(values[0], place)
    except NotStatic as error:
        return Schema({}, hole=error.unknown)
    if isinstance(plain, list):
        return Schema(choices(plain))
    return Schema({"type": _json_type(plain), "const": plain})


def _array(_: str, values: list[Value], place: Unknown, __: "Evaluator") -> Value:
    return array_of(_schema(values[0], place))


def array_of(inner: Schema) -> Schema:
    return Schema({"type": "array", "items": inner.json}, inner=inner, hole=inner.hole)


def _set(_: str, values: list[Value], place: Unknown, __: "Evaluator") -> Value:
    made = array_of(_schema(values[0], place))
    return replace(made, json={**made.json, "uniqueItems": True})


def _union(name: str, values: list[Value], place: Unknown, _: "Evaluator") -> Value:
    members = values[1] if name == "discriminatedUnion" and len(values) > 1 else values[0]
    if not isinstance(members, Arr) or members.hole is not None:
        return Schema({}, hole=members if isinstance(members, Unknown) else place)
    return union([_schema(slot.value, place) for slot in members.items])


def union(members: list[Schema]) -> Schema:
    """Either of the members; only literals make an enum."""
    hole = next((member.hole for member in members if member.hole is not None), None)
    optional = any(member.optional for member in members)
    constants = [member.json["const"] for member in members if set(member.json) == _LITERAL]
    json = choices(constants) if members and len(constants) == len(members) else None
    return Schema(json or {"anyOf": [member.json for member in members]}, optional, hole=hole)


_LITERAL = {"type", "const"}


def _intersection(_: str, values: list[Value], place: Unknown, __: "Evaluator") -> Value:
    if len(values) < 2:
        return place
    return intersection(_schema(values[0], place), _schema(values[1], place))


def _record(_: str, values: list[Value], place: Unknown, __: "Evaluator") -> Value:
    item = _schema(values[-1], place)
    json: dict[str, Json] = {"type": "object", "additionalProperties": item.json}
    hole = item.hole
    if len(values) > 1:
        key = _schema(values[0], place)
        hole = hole or key.hole
        if set(key.json) - {"type"}:
            json["propertyNames"] = key.json
    return Schema(json, hole=hole)


def _tuple(_: str, values: list[Value], place: Unknown, __: "Evaluator") -> Value:
    members = values[0]
    if not isinstance(members, Arr) or members.hole is not None:
        return Schema({}, hole=members if isinstance(members, Unknown) else place)
    items = [_schema(slot.value, place) for slot in members.items]
    count = len(items)
    json: dict[str, Json] = {"type": "array", "prefixItems": [item.json for item in items]}
    json |= {"minItems": count, "maxItems": count}
    return Schema(json, hole=next((item.hole for item in items if item.hole is not None), None))


def _wrapper(name: str, values: list[Value], place: Unknown, evaluator: "Evaluator") -> Value:
    value = values[-1] if name == "preprocess" else values[0]
    if name == "lazy":
        value = returned(value, evaluator, ()) if isinstance(value, Function) else place
    inner = _schema(value, place)
    match name:
        case "optional":
            return replace(inner, optional=True, inner=inner)
        case "nullable":
            return nullable(inner)
        case "nullish":
            return replace(nullable(inner), optional=True)
        case _:
            return inner


def _to_json_schema(_: str, values: list[Value], place: Unknown, __: "Evaluator") -> Value:
    return _schema(values[0], place)


def _check(name: str, values: list[Value], place: Unknown, _: "Evaluator") -> Value:
    return bounded(Schema({"type": "string"}), name, values, place) or place


_Rule = Callable[[str, list[Value], Unknown, "Evaluator"], Value]
_RULES: dict[str, _Rule] = {
    **dict.fromkeys(("object", "strictObject", "looseObject", "interface"), _object),
    **dict.fromkeys(("enum", "nativeEnum"), _enum),
    "literal": _literal,
    "array": _array,
    "set": _set,
    **dict.fromkeys(("union", "discriminatedUnion", "xor"), _union),
    "intersection": _intersection,
    **dict.fromkeys(("record", "partialRecord", "looseRecord"), _record),
    "tuple": _tuple,
    **dict.fromkeys(
        ("optional", "nullable", "nullish", "readonly", "lazy", "preprocess", "pipe"), _wrapper
    ),
    "toJSONSchema": _to_json_schema,
    "regex": _check,
}
