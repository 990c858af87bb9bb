"""How one argument of a call is compared: a value as it is, or a rule for it."""

import json
from collections.abc import Mapping
from typing import Any, Final

from evaltui.evaluators.built_in.response_regex import occurs
from evaltui.expectations.param_diff import same_json

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
"""Rules by the key that marks them; a value without one is compared as it is."""


def rule_mistake(rule: Any) -> str:
    """What is wrong with a rule that is marked as one; empty when nothing is."""
    if not isinstance(rule, Mapping) or not any(str(key).startswith("$") for key in rule):
        return ""
    from evaltui.evaluators.config_schema import ConfigSchema

    name = next((key for key in RULES if key in rule), None)
    if name is None:
        return f"there is no rule {min(rule)}; there are {', '.join(RULES)}"
    found = next(ConfigSchema(RULES[name]).mistakes(dict(rule)), None)
    return "" if found is None else f"{name}: {found.what}"


async def difference(rule: Any, value: Any) -> str:
    """Why a value does not keep to a rule, in words that follow its name; empty when it does."""
    if not isinstance(rule, Mapping) or not any(key in rule for key in RULES):
        return "" if same_json(rule, value) else f"is {_shown(value)}, expected {_shown(rule)}"
    if "$any" in rule:
        return ""
    fold = rule.get("ignoreCase", False)
    if "$equals" in rule or "$oneOf" in rule:
        wanted = rule["$oneOf"] if "$oneOf" in rule else [rule["$equals"]]
        if any(same_json(_folded(one, fold), _folded(value, fold)) for one in wanted):
            return ""
        return f"is {_shown(value)}, expected {' or '.join(map(_shown, wanted))}"
    if "$regex" in rule:
        if isinstance(value, str) and await occurs(rule["$regex"], value):
            return ""
        return f"is {_shown(value)}, which does not match /{rule['$regex']}/"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"is {_shown(value)}, expected a number"
    if "$range" in rule:
        low, high = rule["$range"]
        return "" if low <= value <= high else f"is {value:g}, expected {low:g} to {high:g}"
    near, tolerance = rule["$near"], rule.get("tolerance", 0)
    is_near = abs(value - near) <= tolerance
    return "" if is_near else f"is {value:g}, expected {near:g} ± {tolerance:g}"


def _folded(value: Any, is_folding: bool) -> Any:
    return value.casefold() if is_folding and isinstance(value, str) else value


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else f"{text[:80]}…"
