"""Keys outside the schema of a suite of traces: what should be judged may be under them."""

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.key_path import KeyPath
from evaltui.core.trace import ToolContract, ToolPolicy
from evaltui.traces.aliases import CASE_ALIASES, CONTRACT_ALIASES
from evaltui.traces.reading import CASE_KEYS, EVENT_KEYS, SUITE_KEYS

METADATA_KEYS = ("lean_payload", "tool_responses", "tool_response_cassette", "token_usage")
"""Those of a case's metadata that mean something; any other may stand there."""


class UnknownKey(Struct, frozen=True):
    """One key, as its object has it."""

    path: KeyPath
    noun: str
    """What it is no field of."""
    known: tuple[str, ...]
    near: str
    """`Did you mean …?`; empty where no field that is missing is called much like it."""

    @property
    def hint(self) -> str:
        return self.near or f"Known are {', '.join(self.known)}."


def misspelt_in_suite(keys: Collection[str]) -> Iterator[UnknownKey]:
    """Its own keys that are much like one that is missing."""
    yield from (one for one in of_suite(keys) if one.near)


def misspelt_in_case(raw: Any, path: KeyPath) -> Iterator[UnknownKey]:
    """Of a case the keys that are much like one that is missing; of its rules, where nothing else
    may stand, all."""
    yield from (one for one in of_case(raw, path) if one.near)
    yield from of_rules(raw, path)


def of_suite(keys: Collection[str]) -> Iterator[UnknownKey]:
    """Its own keys; those of its cases are not looked at."""
    yield from _unknown(keys, (), "a suite", SUITE_KEYS)


def of_case(raw: Any, path: KeyPath) -> Iterator[UnknownKey]:
    """Of the case, its metadata and its events."""
    if not isinstance(raw, Mapping):
        return
    yield from _unknown(raw, path, "a case", CASE_KEYS, CASE_ALIASES)
    if isinstance(metadata := raw.get("metadata"), Mapping):
        place = (*path, "metadata")
        found = _unknown(metadata, place, "a case's metadata", METADATA_KEYS)
        yield from (one for one in found if one.near)
    events = raw.get("trace")
    for number, event in enumerate(events if isinstance(events, list) else ()):
        if isinstance(event, Mapping):
            yield from _unknown(event, (*path, "trace", number), "an event", EVENT_KEYS)


def of_rules(raw: Any, path: KeyPath) -> Iterator[UnknownKey]:
    """Of a case's policy and contracts: whatever else stands there holds nothing."""
    policy = raw.get("policy") if isinstance(raw, Mapping) else None
    if isinstance(policy, Mapping):
        yield from _unknown(policy, (*path, "policy"), "a policy", ToolPolicy.__struct_fields__)
    contracts = raw.get("tool_contracts") if isinstance(raw, Mapping) else None
    for tool, one in contracts.items() if isinstance(contracts, Mapping) else ():
        if isinstance(one, Mapping):
            place = (*path, "tool_contracts", tool)
            known = ToolContract.__struct_fields__
            yield from _unknown(one, place, "a contract", known, CONTRACT_ALIASES)


@lru_cache(1024)
def _near(key: str, absent: tuple[str, ...]) -> str:
    """Thousands of events may have the same key of their own."""
    return did_you_mean(key, absent)


def _unknown(
    found: Collection[str],
    path: KeyPath,
    noun: str,
    known: tuple[str, ...],
    older: Mapping[str, str] | None = None,
) -> Iterator[UnknownKey]:
    """`older`: what the fields were called before."""
    names = older or {}
    strange = [key for key in found if key not in known and key not in names]
    if not strange:
        return
    given = {names.get(key, key) for key in found}
    absent = tuple(name for name in known if name not in given)
    for key in strange:
        yield UnknownKey((*path, key), noun, known, _near(key, absent))
