"""The evaluators that a module exports, as they are; the parent process says what is wrong.

Loaded by its path with any Python from 3.9 on.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping
from types import ModuleType
from typing import Any

FIELDS = (
    "type",
    "label",
    "kind",
    "evaluate",
    "description",
    "config_schema",
    "timeout",
    "hard",
    "auto",
)
_IN_JSON = {"config_schema": "configSchema", "timeout": "timeoutSeconds"}


class InvalidExport(Exception):
    """What is exported is no list of evaluators; says why."""


def exported(found: Any, kit: ModuleType) -> list[Any]:
    """What stands in a module, in a list, in `{"evaluators": […]}`, or one by itself.

    A module exports its `evaluators`, else all that are defined in it, in their order. What is
    written as an object becomes a definition, whatever it says.
    """
    if isinstance(found, ModuleType):
        listed = getattr(found, "evaluators", None)
        if listed is None or isinstance(listed, ModuleType):
            listed = [
                value for value in list(vars(found).values())
                if isinstance(value, kit.EvaluatorDefinition)
                and getattr(value.evaluate, "__module__", found.__name__) == found.__name__
            ]  # fmt: skip
            if not listed:
                raise InvalidExport("it defines no evaluator")
        found = listed
    if isinstance(found, Mapping) and "evaluators" in found:
        found = found["evaluators"]
    if isinstance(found, (kit.EvaluatorDefinition, Mapping)):
        found = [found]
    if not isinstance(found, (list, tuple)):
        raise InvalidExport(f"`evaluators` is {type(found).__name__}, not a list")
    return [_definition(each, kit) for each in found]


def _definition(each: Any, kit: ModuleType) -> Any:
    if not isinstance(each, Mapping):
        return each
    values = dict.fromkeys(("type", "label", "kind", "evaluate"))
    for name in FIELDS:
        for key in (name, _IN_JSON.get(name, name)):
            if key in each:
                values[name] = each[key]
    return kit.EvaluatorDefinition(**values)


def described(each: Any, kit: ModuleType) -> Any:
    """A definition with the keys of the evaluators' contract, and of its function the place, below
    the folder that this runs in; of anything else what it is."""
    if not isinstance(each, kit.EvaluatorDefinition):
        return type(each).__name__
    said = {
        "type": each.type,
        "label": each.label,
        "kind": each.kind,
        "description": each.description,
        "configSchema": each.config_schema,
        "timeoutSeconds": each.timeout,
        "hard": each.hard,
        "auto": each.auto,
    }
    fields = {key: _jsonable(value) for key, value in said.items() if value is not None}
    if (code := getattr(each.evaluate, "__code__", None)) is not None:
        fields["place"] = [os.path.relpath(code.co_filename), code.co_firstlineno]
    return {
        **fields,
        "evaluates": callable(each.evaluate),
        "isAwaited": inspect.iscoroutinefunction(each.evaluate),
    }


def _jsonable(value: Any) -> Any:
    """What JSON does not know is told as a list: nothing of an evaluator is one."""
    if isinstance(value, Mapping):
        return dict(value)
    return value if isinstance(value, (str, int, float, list)) else [str(value)]
