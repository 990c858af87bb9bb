"""Checks whether what a child reports are evaluator definitions: children pass on whatever was
written, and only this module says what is wrong with it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from evaltui.core.verdict import Kind
from evaltui.evaluators.child_lines import json_bytes
from evaltui.evaluators.kit.evaltui import EvaluatorDefinition
from evaltui.evaluators.plugin_entry import PluginEntry

_IN_PYTHON = {"configSchema": "config_schema", "timeoutSeconds": "timeout"}
_MOST = 60
_KINDS = [kind.value for kind in Kind]


class WrongDefinitions(Struct, frozen=True):
    """What a child has are no evaluators."""

    why: str
    """All that is wrong with them, in words."""
    place: object = None
    """File and line of the first that is wrong, where the child tells it."""


def reported_definitions(
    listed: Sequence[object], entry: PluginEntry
) -> tuple[EvaluatorDefinition, ...] | WrongDefinitions:
    """Their function judges nothing here."""
    if not listed:
        return WrongDefinitions("`evaluators` is empty")
    named = _IN_PYTHON if entry.is_served_by_us else {}
    wrong = {
        at: found for at, one in enumerate(listed, 1) if (found := [*_mistakes(one, at, named)])
    }
    if not wrong:
        return tuple(_definition(one, entry) for one in listed if isinstance(one, Mapping))
    first = listed[min(wrong) - 1]
    place = first.get("place") if isinstance(first, Mapping) else None
    every = (mistake for found in wrong.values() for mistake in found)
    return WrongDefinitions("; ".join(dict.fromkeys(every)), place)


def _definition(said: Mapping[str, Any], entry: PluginEntry) -> EvaluatorDefinition:
    timeout = said.get("timeoutSeconds")
    return EvaluatorDefinition(
        said["type"],
        said["label"],
        said["kind"],
        _not_here,
        said.get("description") or None,
        said.get("configSchema"),
        entry.source.timeout_s if timeout is None else float(timeout),
        said.get("hard") is not False,
        said.get("auto") is True,
    )


def _mistakes(said: object, number: int, named: Mapping[str, str]) -> Iterator[str]:
    """`named`: what keys of the contract are called where it was written."""
    if not isinstance(said, Mapping):
        what = said if isinstance(said, str) else _shown(said)
        yield f"evaluator {number} is {what}, no evaluator"
        return
    type_ = said.get("type")
    whose = f'"{type_}"' if _is_name(type_) else f"evaluator {number}"

    def wrong(key: str, what: str) -> str:
        given = f"is {_shown(said[key])}, " if said.get(key) is not None else "is missing: "
        return f"`{named.get(key, key)}` of {whose} {given}{what}"

    for key in ("type", "label"):
        if not _is_name(said.get(key)):
            yield wrong(key, "no text")
    if said.get("kind") not in _KINDS:
        yield wrong("kind", f"not {' or '.join(_KINDS)}")
    if said.get("evaluates") is False:
        yield f"`evaluate` of {whose} is not a function"
    if not isinstance(said.get("description"), str | None):
        yield wrong("description", "no text")
    if not isinstance(said.get("configSchema"), Mapping | None):
        yield wrong("configSchema", "no object")
    if (timeout := said.get("timeoutSeconds")) is not None and not _is_limit(timeout):
        yield wrong("timeoutSeconds", "no number of seconds above 0")
    for key in ("hard", "auto"):
        if not isinstance(said.get(key), bool | None):
            yield wrong(key, "neither true nor false")


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_limit(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return float(value) > 0
    except OverflowError:
        return False


def _shown(value: object) -> str:
    """At most so much of it as a sentence can hold."""
    text = json_bytes(value).decode("utf-8", "replace")
    return text if len(text) <= _MOST else f"{text[:_MOST]}…"


def _not_here(_: object) -> None:
    raise AssertionError("evaluators of a project run in their own process")
