"""Exports that are broken in any way give cases that hold, and diagnostics, and never an error."""

import json
from pathlib import Path
from random import Random

import pytest

from evaltui.core.errors import Problem
from evaltui.traces.importers.importing import Source, import_records
from evaltui.traces.importers.records import read_records
from evaltui.traces.reading import read_suite, trace_body
from evaltui.traces.replay_contract import replay_issues
from evaltui.traces.validation import validate
from evaltui.traces.wire import pretty
from tests.mutated.mutations import mistype, mutate
from tests.traces.importers.fixtures import ALL


def hold(content: bytes, source: Source, file: str) -> None:
    """What comes of the file is a valid suite whose traces can be replayed."""
    records = read_records(file, content)
    if isinstance(records, Problem):
        assert records.file == file
        return
    found = import_records(file, records, source, "d")
    for one in found.diagnostics:
        assert str(one.problem()).startswith(file), one
        assert one.detail
        json.dumps(one.document(), allow_nan=False)
    written = pretty(found.suite("d", source, file))
    assert validate(json.loads(written), strict=True).errors == ()
    for case in read_suite(written).cases():
        assert replay_issues(trace_body(case).trace) == ()


@pytest.mark.parametrize(("path", "source"), ALL)
def test_a_few_broken_exports(path: Path, source: Source) -> None:
    _hold_mutations(path, source, 10)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "source"), ALL)
def test_hundreds_of_broken_exports(path: Path, source: Source) -> None:
    _hold_mutations(path, source, 400)


def _hold_mutations(path: Path, source: Source, count: int) -> None:
    content = path.read_bytes()
    for seed in range(count):
        draw = Random(f"{path.name}{seed}")
        broken = (mistype if seed % 2 else mutate)(draw, content)
        name = draw.choice(["auto", "auto", *source.importers])
        named = Source(source.importers, name, source.kind, source.label)
        file = "a.jsonl" if seed % 5 == 0 else "a.json"
        try:
            hold(broken, named, file)
        except Exception as error:
            error.add_note(f"seed {seed}, as {name}: {broken[:5000]!r}")
            raise
