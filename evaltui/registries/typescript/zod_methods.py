"""What a chain adds to a zod schema: limits, formats, optional, default, describe, extend."""

import re
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from evaltui.core.json_value import Json
from evaltui.registries.typescript.plain import NotStatic, culprit, to_json
from evaltui.registries.typescript.values import Arr, Obj, Pattern, Schema, Unknown, Value
from evaltui.registries.typescript.zod_objects import object_schema, reshaped, shape_of

FORMATS = {
    "email": "email", "url": "uri", "httpUrl": "uri", "uuid": "uuid", "uuidv4": "uuid",
    "uuidv6": "uuid", "uuidv7": "uuid", "guid": "uuid", "datetime": "date-time", "date": "date",
    "time": "time", "duration": "duration", "ip": "ip", "ipv4": "ipv4", "ipv6": "ipv6",
    "cidr": "cidr", "cidrv4": "cidrv4", "cidrv6": "cidrv6", "cuid": "cuid", "cuid2": "cuid2",
    "ulid": "ulid", "nanoid": "nanoid", "base64": "base64", "base64url": "base64url",
    "emoji": "emoji", "jwt": "jwt", "e164": "e164", "hostname": "hostname", "hex": "hex",
}  # fmt: skip
_UNCHANGED = frozenset((
    "trim", "toLowerCase", "toUpperCase", "normalize", "lowercase", "uppercase", "slugify",
    "refine", "superRefine", "transform", "brand", "readonly", "check", "overwrite", "pipe",
    "finite", "safe", "strip", "clone", "register", "catch", "exactOptional",
))  # fmt: skip
"""Checks and conversions at run time, which JSON Schema does not say."""
_NUMBERS: dict[str, tuple[str, Json]] = {
    "positive": ("exclusiveMinimum", 0),
    "negative": ("exclusiveMaximum", 0),
    "nonnegative": ("minimum", 0),
    "nonpositive": ("maximum", 0),
}


def zod_method(schema: Schema, name: str, arguments: Arr, place: Unknown) -> Value:
    """The schema after `.name(…)`; unknown for a method that is not among zod's."""
    if arguments.hole is not None:
        return Schema(schema.json, hole=schema.hole or arguments.hole)
    values = [slot.value for slot in arguments.items]
    if name in _UNCHANGED:
        return schema
    if name == "date" and schema.json.get("type") != "string":
        return place
    if name in FORMATS:
        return _with(schema, {"format": FORMATS[name]})
    if name in _NUMBERS:
        key, limit = _NUMBERS[name]
        return _with(schema, {key: limit})
    blamed = culprit(arguments, place)
    limited = bounded(schema, name, values, blamed)
    if limited is not None:
        return limited
    rule = _WRAPPING.get(name) or _OBJECTS.get(name)
    made = rule(schema, values, blamed) if rule is not None else None
    return place if made is None else made


def _with(schema: Schema, notes: Mapping[str, Json]) -> Schema:
    return replace(schema, json={**schema.json, **notes})


def bounded(schema: Schema, name: str, values: list[Value], place: Unknown) -> Schema | None:
    """Limits on length, size and value, and patterns; `None` for other methods."""
    if name == "int":
        return _with(schema, {"type": "integer"})
    if name == "nonempty":
        return _with(schema, {"minItems" if schema.json.get("type") == "array" else "minLength": 1})
    if name in ("regex", "startsWith", "endsWith", "includes"):
        pattern = _pattern(name, values)
        return _with(schema, {"pattern": pattern}) if pattern else _holed(schema, values, place)
    keys = {"array": ("minItems", "maxItems"), "string": ("minLength", "maxLength")}
    kind = schema.json.get("type")
    low, high = keys.get(kind if isinstance(kind, str) else "", ("minimum", "maximum"))
    limits = {
        "min": (low,), "max": (high,), "length": (low, high), "size": (low, high),
        "gte": ("minimum",), "lte": ("maximum",), "gt": ("exclusiveMinimum",),
        "lt": ("exclusiveMaximum",), "multipleOf": ("multipleOf",), "step": ("multipleOf",),
    }.get(name)  # fmt: skip
    if limits is None:
        return None
    if values and isinstance(values[0], int | float):
        return _with(schema, dict.fromkeys(limits, values[0]))
    if schema.json.get("format") == "date-time":
        return schema
    return _holed(schema, values, place)


def _holed(schema: Schema, values: list[Value], place: Unknown) -> Schema:
    first = values[0] if values else None
    return replace(schema, hole=schema.hole or (first if isinstance(first, Unknown) else place))


def _pattern(name: str, values: list[Value]) -> str:
    match name, values[:1]:
        case "regex", [Pattern(source=source)]:
            return source
        case "startsWith", [str(text)]:
            return f"^{re.escape(text)}"
        case "endsWith", [str(text)]:
            return f"{re.escape(text)}$"
        case "includes", [str(text)]:
            return re.escape(text)
        case _:
            return ""


def nullable(schema: Schema) -> Schema:
    """Null as well."""
    kind, allowed = schema.json.get("type"), schema.json.get("enum")
    json: dict[str, Json]
    if isinstance(kind, str) and "const" not in schema.json:
        json = {**schema.json, "type": [kind, "null"]}
        if isinstance(allowed, list):
            json["enum"] = [*allowed, None]
    else:
        outer = {key: schema.json[key] for key in ("description", "default") if key in schema.json}
        inner = {key: value for key, value in schema.json.items() if key not in outer}
        json = {"anyOf": [inner, {"type": "null"}], **outer}
    return Schema(json, schema.optional, inner=schema, hole=schema.hole)


def intersection(left: Schema, right: Schema) -> Schema:
    if left.shape is not None and right.shape is not None:
        return object_schema({**left.shape, **right.shape}, left.json)
    return Schema({"allOf": [left.json, right.json]}, hole=left.hole or right.hole)


def _noted(key: str) -> "_Rule":
    def rule(schema: Schema, values: list[Value], place: Unknown) -> Schema | None:
        if not values:
            return None
        try:
            note = to_json(values[0], place)
        except NotStatic as error:
            return replace(schema, hole=schema.hole or error.unknown)
        if key == "meta":
            return _with(schema, note) if isinstance(note, Mapping) else None
        made = _with(schema, {key: note})
        return replace(made, optional=True) if key == "default" else made

    return rule


def _or(schema: Schema, values: list[Value], _: Unknown) -> Schema | None:
    from evaltui.registries.typescript.zod_types import union

    return union([schema, values[0]]) if values and isinstance(values[0], Schema) else None


def _and(schema: Schema, values: list[Value], _: Unknown) -> Schema | None:
    other = values[0] if values else None
    return intersection(schema, other) if isinstance(other, Schema) else None


def _array(schema: Schema, _: list[Value], __: Unknown) -> Schema | None:
    from evaltui.registries.typescript.zod_types import array_of

    return array_of(schema)


def _extend(schema: Schema, values: list[Value], place: Unknown) -> Schema | None:
    other = values[0] if values else None
    if isinstance(other, Schema) and other.hole is not None:
        return replace(schema, hole=schema.hole or other.hole)
    added = other.shape if isinstance(other, Schema) else shape_of(other, place)
    if isinstance(added, Unknown):
        return replace(schema, hole=schema.hole or added)
    if schema.shape is None or added is None:
        return replace(schema, hole=schema.hole or place)
    return reshaped(schema, {**schema.shape, **added})


def _picked(keeps: bool) -> "_Rule":
    def rule(schema: Schema, values: list[Value], place: Unknown) -> Schema | None:
        mask = values[0] if values else None
        if schema.shape is None or not isinstance(mask, Obj) or mask.hole is not None:
            return _holed(schema, values, place)
        shape = {
            name: field for name, field in schema.shape.items() if (name in mask.entries) is keeps
        }
        return reshaped(schema, shape)

    return rule


def _partial(optional: bool) -> "_Rule":
    def rule(schema: Schema, values: list[Value], place: Unknown) -> Schema | None:
        mask = values[0] if values else None
        if schema.shape is None or (values and not isinstance(mask, Obj)):
            return _holed(schema, values, place)
        names = mask.entries if isinstance(mask, Obj) else schema.shape
        shape = {
            name: replace(field, optional=optional) if name in names else field
            for name, field in schema.shape.items()
        }
        return reshaped(schema, shape)

    return rule


def _keyof(schema: Schema, _: list[Value], __: Unknown) -> Schema | None:
    return Schema({"type": "string", "enum": list(schema.shape)}) if schema.shape else None


def _chosen(keeps: bool) -> "_Rule":
    def rule(schema: Schema, values: list[Value], place: Unknown) -> Schema | None:
        allowed = schema.json.get("enum")
        try:
            mask = to_json(values[0], place) if values else None
        except NotStatic as error:
            return replace(schema, hole=schema.hole or error.unknown)
        if not isinstance(allowed, list) or not isinstance(mask, list):
            return None
        return _with(schema, {"enum": [item for item in allowed if (item in mask) is keeps]})

    return rule


def _catchall(schema: Schema, values: list[Value], place: Unknown) -> Schema | None:
    rest = values[0] if values else None
    if not isinstance(rest, Schema):
        return _holed(schema, values, place)
    return replace(
        _with(schema, {"additionalProperties": rest.json}), hole=schema.hole or rest.hole
    )


_Rule = Callable[[Schema, list[Value], Unknown], Schema | None]
_WRAPPING: dict[str, _Rule] = {
    "optional": lambda schema, *_: replace(schema, optional=True, inner=schema),
    "nonoptional": lambda schema, *_: replace(schema, optional=False),
    "nullable": lambda schema, *_: nullable(schema),
    "nullish": lambda schema, *_: replace(nullable(schema), optional=True),
    "unwrap": lambda schema, *_: schema.inner,
    "describe": _noted("description"),
    "default": _noted("default"),
    "prefault": _noted("default"),
    "meta": _noted("meta"),
    "openapi": _noted("meta"),
    "or": _or,
    "and": _and,
    "array": _array,
    "extract": _chosen(True),
    "exclude": _chosen(False),
}
_OBJECTS: dict[str, _Rule] = {
    **dict.fromkeys(("extend", "safeExtend", "augment", "merge"), _extend),
    "pick": _picked(True),
    "omit": _picked(False),
    "partial": _partial(True),
    "deepPartial": _partial(True),
    "required": _partial(False),
    "keyof": _keyof,
    "strict": lambda schema, *_: _with(schema, {"additionalProperties": False}),
    **dict.fromkeys(
        ("passthrough", "loose", "nonstrict"),
        lambda schema, *_: _with(schema, {"additionalProperties": True}),
    ),
    "catchall": _catchall,
}
