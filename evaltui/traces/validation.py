"""`schema validate`: all that is wrong with a suite of traces."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from evaltui.core.did_you_mean import did_you_mean
from evaltui.traces.aliases import CASE_ALIASES
from evaltui.traces.mistakes import SuiteMistake
from evaltui.traces.patterns import pattern_mistake
from evaltui.traces.reading import (
    CASE_KEYS,
    EVENT_KEYS,
    SUITE_KEYS,
    VERSIONS,
    read_case,
    trace_body,
)

NEEDED = ("idx", "actor", "type")
"""What every event says."""


class Validation(Struct, frozen=True):
    """`errors` and `warnings` name the key that they are about."""

    passed: bool
    errors: tuple[str, ...]
    warnings: tuple[str, ...]
    schema_version: str | None


def validate(suite: Any, *, strict: bool = False, require_version: str = "") -> Validation:
    """Hold a decoded file against the schema; `strict` refuses unknown keys too."""
    if not isinstance(suite, dict):
        return Validation(False, ("the suite is no object: write `{…}`",), (), None)
    metadata = suite.get("metadata", {})
    version = metadata.get("schema_version") if isinstance(metadata, dict) else None
    errors = list(_envelope(suite, metadata))
    warnings: list[str] = []
    if version is None:
        warnings.append("`metadata.schema_version` is missing: `schema migrate` writes it")
        if require_version:
            errors.append(f"`metadata.schema_version` is missing, not `{require_version}`")
    elif version not in VERSIONS:
        errors.append(f"`metadata.schema_version` is `{version}`; known are {', '.join(VERSIONS)}")
    elif require_version and version != require_version:
        errors.append(f"`metadata.schema_version` is `{version}`, not `{require_version}`")
    if strict:
        errors += _unknown(suite, SUITE_KEYS, "")
    cases = suite.get("cases")
    if isinstance(cases, list):
        errors += _cases(cases, strict=strict)
    known = version if isinstance(version, str) else None
    return Validation(not errors, tuple(errors), tuple(warnings), known)


def _envelope(suite: Mapping[str, Any], metadata: Any) -> Iterator[str]:
    dataset = suite.get("dataset_id")
    if not isinstance(dataset, str) or not dataset:
        yield "`dataset_id` is missing: write the name of the data set"
    if not isinstance(metadata, dict):
        yield "`metadata` is no object: write `{…}`"
    if not isinstance(suite.get("cases"), list):
        yield "`cases` is no list: write `[…]`"


def _cases(cases: Iterable[Any], *, strict: bool) -> Iterator[str]:
    seen: dict[str, int] = {}
    for index, raw in enumerate(cases):
        place = f"cases[{index}]"
        try:
            case = read_case("", raw, index)
        except SuiteMistake as mistake:
            yield f"`{mistake.key}`: {mistake.said}"
        else:
            if (before := seen.setdefault(case.id, index)) != index:
                yield f"`{place}.case_id`: `{case.id}` is that of `cases[{before}]` already"
            for number, pattern in enumerate(trace_body(case).regex_patterns):
                if wrong := pattern_mistake(pattern):
                    yield f"`{place}.regex_patterns[{number}]`: no pattern: {wrong}"
        if not isinstance(raw, dict):
            continue
        if strict:
            yield from _unknown(raw, CASE_KEYS, place)
        events = raw.get("trace")
        for number, event in enumerate(events if isinstance(events, list) else ()):
            if isinstance(event, dict):
                yield from _event(event, f"{place}.trace[{number}]", strict=strict)


def _event(event: Mapping[str, Any], place: str, *, strict: bool) -> Iterator[str]:
    for key in NEEDED:
        if event.get(key) is None:
            yield f"`{place}.{key}` is missing"
    if strict:
        yield from _unknown(event, EVENT_KEYS, place)


def _unknown(found: Mapping[str, Any], known: Iterable[str], place: str) -> Iterator[str]:
    for key in found:
        if key not in known and key not in CASE_ALIASES:
            named = f"{place}.{key}" if place else key
            hint = did_you_mean(key, known) or f"Known are {', '.join(known)}."
            yield f"`{named}` is unknown. {hint}"
