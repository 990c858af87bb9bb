"""What may be demanded of an argument: a value, or rules for it, at any depth."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from evaltui.core.key_path import KeyPath
from evaltui.evaluators.built_in.response_regex import invalid_pattern
from evaltui.evaluators.config_schema import ConfigSchema, SchemaMistake

_TEXT: Final[dict[str, Any]] = {"type": "string"}
_NUMBER: Final[dict[str, Any]] = {"type": "number"}


def _rule(name: str, schema: Any, **others: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: schema, **others},
        "required": [name],
        "additionalProperties": False,
    }


RULES: Final[dict[str, dict[str, Any]]] = {
    "$any": _rule("$any", {"const": True}),
    "$equals": _rule("$equals", True, ignoreCase={"type": "boolean"}),
    "$oneOf": _rule("$oneOf", {"type": "array", "minItems": 1}, ignoreCase={"type": "boolean"}),
    "$regex": _rule("$regex", _TEXT),
    "$range": _rule("$range", {"type": "array", "items": _NUMBER, "minItems": 2, "maxItems": 2}),
    "$near": _rule("$near", _NUMBER, tolerance={"type": "number", "minimum": 0}),
}
"""Rules by the key that marks them; an object without one is compared by its members."""


_SCHEMAS: Final = {name: ConfigSchema(schema) for name, schema in RULES.items()}
_LITERAL: Final = 'A value that looks like a rule is written `{"$equals": VALUE}`.'


def is_rule(wanted: Any) -> bool:
    """Whether it is marked as a rule; what stands in one is no rule again."""
    return isinstance(wanted, Mapping) and any(str(key).startswith("$") for key in wanted)


def rule_mistakes(path: KeyPath, wanted: Any) -> Iterator[SchemaMistake]:
    """What is wrong with all rules in what is wanted of an argument; `path` is its place."""
    if isinstance(wanted, list | tuple):
        for index, item in enumerate(wanted):
            yield from rule_mistakes((*path, index), item)
    elif is_rule(wanted):
        yield from _mistakes(path, wanted)
    elif isinstance(wanted, Mapping):
        for key, item in wanted.items():
            yield from rule_mistakes((*path, key), item)


def _mistakes(path: KeyPath, rule: Mapping[str, Any]) -> Iterator[SchemaMistake]:
    name = next((key for key in RULES if key in rule), None)
    if name is None:
        what = f"there is no rule `{min(rule)}`; there are {', '.join(RULES)}"
        yield SchemaMistake(path, what, _LITERAL)
        return
    broken = [*_SCHEMAS[name].mistakes(dict(rule))]
    for one in broken:
        yield SchemaMistake((*path, *one.path), f"{name}: {one.what}", "Correct the rule.")
    if broken:
        return
    if name == "$regex":
        yield from invalid_pattern((*path, name), rule[name])
    elif name == "$range" and rule[name][0] > rule[name][1]:
        low, high = rule[name]
        what = f"$range: no number is from {low} to {high}"
        yield SchemaMistake((*path, name), what, "Write the smaller one first.")
