"""Why an argument of a call is not what is wanted of it."""

import json
from collections.abc import Mapping
from typing import Any

from evaltui.core.key_path import KeyPath, format_key
from evaltui.core.near_numbers import is_near
from evaltui.evaluators.built_in.argument_grammar import is_rule
from evaltui.evaluators.built_in.response_regex import occurs
from evaltui.expectations.param_diff import same_json


async def difference(path: KeyPath, wanted: Any, value: Any) -> str:
    """The first in words that begin with its place, `path`; empty when there is none.

    `wanted` has no mistakes.
    """
    if is_rule(wanted):
        said = await _broken(wanted, value)
        return said and f"`{format_key(path)}` {said}"
    if isinstance(wanted, Mapping) and isinstance(value, Mapping) and wanted.keys() == value.keys():
        members = [(key, wanted[key], value[key]) for key in wanted]
    elif _is_list(wanted) and _is_list(value) and len(wanted) == len(value):
        members = [(index, *pair) for index, pair in enumerate(zip(wanted, value, strict=True))]
    elif same_json(wanted, value):
        return ""
    else:
        return f"`{format_key(path)}` is {_shown(value)}, expected {_shown(wanted)}"
    for key, one, item in members:
        if said := await difference((*path, key), one, item):
            return said
    return ""


async def _broken(rule: Mapping[str, Any], value: Any) -> str:
    """How a value breaks a rule; empty when it does not."""
    if "$any" in rule:
        return ""
    if "$equals" in rule or "$oneOf" in rule:
        listed = rule["$oneOf"] if "$oneOf" in rule else [rule["$equals"]]
        fold = _folded if rule.get("ignoreCase", False) else _as_it_is
        if any(same_json(fold(one), fold(value)) for one in listed):
            return ""
        return f"is {_shown(value)}, expected {' or '.join(map(_shown, listed))}"
    if "$regex" in rule:
        if isinstance(value, str) and await occurs(rule["$regex"], value):
            return ""
        return f"is {_shown(value)}, which does not match /{rule['$regex']}/"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"is {_shown(value)}, expected a number"
    if "$range" in rule:
        low, high = rule["$range"]
        is_kept = low <= value <= high
        return "" if is_kept else f"is {_shown(value)}, expected {_shown(low)} to {_shown(high)}"
    near, tolerance = rule["$near"], rule.get("tolerance", 0)
    if is_near(value, near, tolerance):
        return ""
    return f"is {_shown(value)}, expected {_shown(near)} ± {_shown(tolerance)}"


def _folded(value: Any) -> Any:
    """Texts at any depth, names of members aside."""
    if isinstance(value, Mapping):
        return {key: _folded(item) for key, item in value.items()}
    if _is_list(value):
        return [_folded(item) for item in value]
    return value.casefold() if isinstance(value, str) else value


def _as_it_is(value: Any) -> Any:
    return value


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else f"{text[:80]}…"
