"""Whether the importers read a folder of exports whole, and so that the traces can be replayed."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from evaltui.core.errors import Problem
from evaltui.core.json_value import Json
from evaltui.files import RESULTS_LIMIT, read_file
from evaltui.traces.importers import PROVIDERS
from evaltui.traces.importers.importing import Imported, Source, import_records
from evaltui.traces.importers.records import read_records
from evaltui.traces.reading import trace_body
from evaltui.traces.replay_contract import replay_issues
from evaltui.traces.validation import validate
from evaltui.traces.wire import pretty

_TYPES = ("message", "tool_call", "tool_result")
_SUFFIXES = (".json", ".jsonl")


class FixtureReport(Struct, frozen=True):
    """One export: what came of it, and all that is wrong with that."""

    fixture: str
    provider: str
    passed: bool
    case_count: int
    diagnostics_count: int
    detected_as: tuple[str, ...] = ()
    """What `auto` takes its records for."""
    errors: tuple[str, ...] = ()
    event_types: Mapping[str, int] = field(default_factory=dict)

    def document(self) -> dict[str, Json]:
        return {
            "fixture": self.fixture,
            "provider": self.provider,
            "passed": self.passed,
            "case_count": self.case_count,
            "diagnostics_count": self.diagnostics_count,
            "detected_as": [*self.detected_as],
            "error": "; ".join(self.errors) or None,
        }


def check_folder(folder: Path, *, least: int, is_strict: bool) -> dict[str, Any]:
    """The report on all exports whose file names begin with the name of a provider.

    `least`: how many there must be of each. Raises OSError when the folder cannot be read.
    """
    names = sorted(one.name for one in folder.iterdir() if one.suffix in _SUFFIXES)
    owners = {name: owner for name in names if (owner := _provider(name)) is not None}
    reports = [check_fixture(folder / name, owners[name], is_strict) for name in owners]
    wanted = [name for name, one in PROVIDERS.items() if one.is_required or name in owners.values()]
    providers = {name: [one for one in reports if one.provider == name] for name in sorted(wanted)}
    failures = [one for name, own in providers.items() for one in _failures(name, own, least)]
    if not reports:
        failures.append({"provider": "", "type": "no_fixtures", "required": 1, "actual": 0})
    return {
        "passed": not failures,
        "fixtures_dir": str(folder),
        "providers": {name: _summary(name, own) for name, own in providers.items()},
        "fixture_reports": [one.document() for one in reports],
        "failures": failures,
    }


def check_fixture(path: Path, provider: str, is_strict: bool) -> FixtureReport:
    """Import one export as its provider's, then hold what came of it."""
    try:
        records = read_records(path.name, read_file(path, RESULTS_LIMIT))
    except OSError as error:
        return _failed(path, provider, f"{path.name}: {error.strerror or error}")
    if isinstance(records, Problem):
        return _failed(path, provider, str(records))
    source = Source(PROVIDERS, provider)
    found = import_records(path.name, records, source, "fixtures")
    errors = [f"{path.name}: {one}" for one in _errors(found, source, path.name)]
    if is_strict:
        errors += [str(one.problem()) for one in found.diagnostics if one.is_loss]
    events = [event for case in found.cases for event in trace_body(case).trace]
    return FixtureReport(
        fixture=path.name,
        provider=provider,
        passed=not errors,
        case_count=len(found.cases),
        diagnostics_count=len(found.diagnostics),
        detected_as=tuple(import_records(path.name, records, Source(PROVIDERS), "fixtures").counts),
        errors=tuple(errors),
        event_types=Counter(event.type for event in events),
    )


def _errors(found: Imported, source: Source, file: str) -> Iterable[str]:
    if not found.cases:
        yield "no case came of it"
    suite = json.loads(pretty(found.suite("fixtures", source, file)))
    yield from validate(suite, strict=True).errors
    for case in found.cases:
        yield from (f"{case.id}: {issue}" for issue in replay_issues(trace_body(case).trace))


def _provider(name: str) -> str | None:
    return next((one for one in PROVIDERS if name.startswith(one)), None)


def _failed(path: Path, provider: str, why: str) -> FixtureReport:
    return FixtureReport(path.name, provider, False, 0, 0, errors=(why,))


def _summary(name: str, reports: Sequence[FixtureReport]) -> dict[str, Json]:
    passed = sum(one.passed for one in reports)
    return {
        "provider": name,
        "fixtures_total": len(reports),
        "fixtures_passed": passed,
        "fixtures_failed": len(reports) - passed,
        "event_type_coverage": {
            type_: sum(one.event_types.get(type_, 0) for one in reports) for type_ in _TYPES
        },
        "diagnostics_total": sum(one.diagnostics_count for one in reports),
        "errors": _errors_of(reports),
    }


def _failures(name: str, reports: Sequence[FixtureReport], least: int) -> Iterable[dict[str, Json]]:
    if len(reports) < least:
        kind = "insufficient_fixtures"
        yield {"provider": name, "type": kind, "required": least, "actual": len(reports)}
    if errors := _errors_of(reports):
        count = sum(not one.passed for one in reports)
        yield {"provider": name, "type": "failing_fixtures", "count": count, "errors": errors}


def _errors_of(reports: Sequence[FixtureReport]) -> list[Json]:
    return [error for one in reports for error in one.errors]
