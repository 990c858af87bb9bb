"""Exports of our own making, in the forms that providers and frameworks write."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from evaltui.core.errors import Problem
from evaltui.traces.importers import FRAMEWORKS, PROVIDERS
from evaltui.traces.importers.importing import Imported, Source, import_records
from evaltui.traces.importers.records import read_records
from evaltui.traces.reading import trace_body

FOLDER = Path(__file__).parent.parent.parent / "fixtures"
BY_PROVIDER = Source(PROVIDERS)
BY_FRAMEWORK = Source(FRAMEWORKS, "auto", "framework", "gen_ai.framework")
ALL = [
    pytest.param(path, source, id=path.name)
    for folder, source in (("adapters", BY_PROVIDER), ("frameworks", BY_FRAMEWORK))
    for path in sorted((FOLDER / folder).glob("*.json"))
]


def imported(content: bytes, source: Source = BY_PROVIDER, file: str = "a.json") -> Imported:
    """What comes of a file. Fails when nothing of it is JSON."""
    records = read_records(file, content)
    assert not isinstance(records, Problem), records
    return import_records(file, records, source, "d")


def events_of(record: Any, source: Source = BY_PROVIDER) -> list[dict[str, Any]]:
    """The events of the only case of one record, in which nothing was amiss."""
    found = imported(json.dumps(record).encode(), source)
    assert found.diagnostics == []
    (case,) = found.cases
    events: list[dict[str, Any]] = msgspec.to_builtins(trace_body(case).trace)
    return events
