"""The evaluators that a module exports. Loaded by its path with any Python from 3.9 on."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import ModuleType
from typing import Any

KINDS = ("assertion", "metric")
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
_IN_JSON = {"config_schema": "configSchema"}


class InvalidExport(Exception):
    """What is exported is no evaluator; says why."""


def exported(found: Any, kit: ModuleType) -> list[Any]:
    """Definitions of a module, of a list, of `{"evaluators": […]}`, or one by itself.

    A module exports its `evaluators`, else all that are defined in it, in their order.
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
    if not found:
        raise InvalidExport("`evaluators` is empty")
    return [_definition(each, number, kit) for number, each in enumerate(found, 1)]


def _definition(each: Any, number: int, kit: ModuleType) -> Any:
    if isinstance(each, Mapping):
        values = {
            name: each[key]
            for name in FIELDS
            for key in (name, _IN_JSON.get(name, name))
            if key in each
        }
        missing = [name for name in ("type", "label", "kind", "evaluate") if name not in values]
        if missing:
            raise InvalidExport(f"evaluator {number} has no `{missing[0]}`")
        each = kit.EvaluatorDefinition(**values)
    if not isinstance(each, kit.EvaluatorDefinition):
        raise InvalidExport(f"evaluator {number} is {type(each).__name__}, no evaluator")
    for name in ("type", "label"):
        text = getattr(each, name)
        if not isinstance(text, str) or not text.strip():
            raise InvalidExport(f"`{name}` of evaluator {number} is no text")
    if each.kind not in KINDS:
        raise InvalidExport(f'`kind` of "{each.type}" is {each.kind!r}, not {" or ".join(KINDS)}')
    if not callable(each.evaluate):
        raise InvalidExport(f'`evaluate` of "{each.type}" is no function')
    if each.config_schema is not None and not isinstance(each.config_schema, Mapping):
        raise InvalidExport(f'`config_schema` of "{each.type}" is no object')
    if isinstance(each.timeout, bool) or not isinstance(each.timeout, (int, float)):
        raise InvalidExport(f'`timeout` of "{each.type}" is no number of seconds')
    if not each.timeout > 0:
        raise InvalidExport(f'`timeout` of "{each.type}" is not above 0')
    return each


def described(each: Any) -> dict[str, Any]:
    """A definition without its function, with the keys of the evaluators' contract."""
    said = {"type": each.type, "label": each.label, "kind": each.kind}
    if each.description:
        said["description"] = str(each.description)
    if each.config_schema is not None:
        said["configSchema"] = each.config_schema
    return {
        **said,
        "timeoutSeconds": each.timeout,
        "hard": bool(each.hard),
        "auto": each.auto is True,
        "isAwaited": inspect.iscoroutinefunction(each.evaluate),
    }
