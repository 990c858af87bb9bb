"""`schema validate`: all that is wrong with a suite of traces."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from evaltui.core.key_path import format_key
from evaltui.traces import unknown_keys
from evaltui.traces.aliases import KINDS, event_type
from evaltui.traces.mistakes import SuiteMistake
from evaltui.traces.patterns import pattern_mistake
from evaltui.traces.reading import VERSIONS, case_mistakes, read_case, trace_body
from evaltui.traces.unknown_keys import UnknownKey

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
        return Validation(False, ("the suite is not an object: write `{…}`",), (), None)
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
        errors += _refused(unknown_keys.of_suite(suite))
    cases = suite.get("cases")
    if isinstance(cases, list):
        errors += _cases(cases, strict=strict)
        warnings += _doubts(cases, strict=strict)
    known = version if isinstance(version, str) else None
    return Validation(not errors, tuple(errors), tuple(warnings), known)


def _envelope(suite: Mapping[str, Any], metadata: Any) -> Iterator[str]:
    dataset = suite.get("dataset_id")
    if not isinstance(dataset, str) or not dataset:
        yield "`dataset_id` is missing: write the name of the data set"
    if not isinstance(metadata, dict):
        yield "`metadata` is not an object: write `{…}`"
    if not isinstance(suite.get("cases"), list):
        yield "`cases` is not a list: write `[…]`"


def _cases(cases: Iterable[Any], *, strict: bool) -> Iterator[str]:
    seen: dict[str, int] = {}
    for index, raw in enumerate(cases):
        place = f"cases[{index}]"
        try:
            case = read_case("", raw, index)
        except SuiteMistake:
            yield from (f"`{one.key}`: {one.said}" for one in case_mistakes(raw, index))
        else:
            if (before := seen.setdefault(case.id, index)) != index:
                yield f"`{place}.case_id`: `{case.id}` is that of `cases[{before}]` already"
            for number, pattern in enumerate(trace_body(case).regex_patterns):
                if wrong := pattern_mistake(pattern):
                    yield f"`{place}.regex_patterns[{number}]`: no pattern: {wrong}"
        if not isinstance(raw, dict):
            continue
        if strict:
            found = unknown_keys.of_case(raw, ("cases", index))
            yield from _refused(one for one in found if not _is_metadata(one))
            yield from _refused(unknown_keys.of_rules(raw, ("cases", index)))
        events = raw.get("trace")
        for number, event in enumerate(events if isinstance(events, list) else ()):
            if isinstance(event, dict):
                for key in NEEDED:
                    if event.get(key) is None:
                        yield f"`{place}.trace[{number}].{key}` is missing"


def _doubts(cases: Iterable[Any], *, strict: bool) -> Iterator[str]:
    """Keys and types that are allowed, though they may be meant for something else."""
    for index, raw in enumerate(cases):
        if not strict:
            yield from _refused(unknown_keys.of_rules(raw, ("cases", index)))
        found = unknown_keys.of_case(raw, ("cases", index))
        yield from _refused(one for one in found if one.near and (_is_metadata(one) or not strict))
        events = raw.get("trace") if isinstance(raw, dict) else None
        for number, event in enumerate(events if isinstance(events, list) else ()):
            kind = event.get("type") if isinstance(event, dict) and event.get("tool") else None
            if isinstance(kind, str) and event_type(kind) not in KINDS:
                place = f"cases[{index}].trace[{number}].type"
                yield f"`{place}`: no judge knows `{kind}`; known are {', '.join(sorted(KINDS))}"


def _is_metadata(key: UnknownKey) -> bool:
    """Any key may stand there."""
    return key.known == unknown_keys.METADATA_KEYS


def _refused(found: Iterable[UnknownKey]) -> Iterator[str]:
    return (f"`{format_key(one.path)}` is unknown. {one.hint}" for one in found)
