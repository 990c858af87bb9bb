"""Each form of export becomes the suite that is kept beside it.

Run with EVALTUI_UPDATE_GOLDEN=1 to write them anew, then read the difference.
"""

import json
import os
from pathlib import Path

import pytest

from evaltui.core.verdict import VerdictStatus
from evaltui.traces.importers import FRAMEWORKS, PROVIDERS
from evaltui.traces.importers.importing import Source
from evaltui.traces.judges.trajectory_step import TrajectoryStepJudge
from evaltui.traces.reading import read_suite, trace_body
from evaltui.traces.replay_contract import replay_issues
from evaltui.traces.validation import validate
from evaltui.traces.wire import pretty
from tests.traces.importers.fixtures import ALL, FOLDER, imported

GOLDEN = Path(__file__).parent / "golden"
UNFINISHED = {"anthropic_answer.json"}
"""The answer is a call, whose result the record cannot have."""


@pytest.mark.parametrize(("path", "source"), ALL)
def test_an_export_becomes_the_suite_beside_it(path: Path, source: Source) -> None:
    made = pretty(imported(path.read_bytes(), source, path.name).suite("d", source, path.name))
    kept = GOLDEN / path.name
    if os.environ.get("EVALTUI_UPDATE_GOLDEN"):
        kept.write_bytes(made)
    assert made.decode() == kept.read_text()


@pytest.mark.parametrize(("path", "source"), ALL)
def test_whose_it_is_shows_in_its_form(path: Path, source: Source) -> None:
    found = imported(path.read_bytes(), source)
    (name,) = found.counts
    assert path.name.startswith(f"{name}_")
    named = Source(source.importers, name, source.kind, source.label)
    assert imported(path.read_bytes(), named).cases == found.cases


@pytest.mark.parametrize(("path", "source"), ALL)
def test_what_comes_of_it_is_valid_and_can_be_replayed(path: Path, source: Source) -> None:
    found = imported(path.read_bytes(), source)
    assert found.diagnostics == []
    written = pretty(found.suite("d", source, path.name))
    report = validate(json.loads(written), strict=True, require_version="1.0.0")
    assert (report.errors, report.warnings) == ((), ())
    for case in read_suite(written).cases():
        trace = trace_body(case).trace
        assert replay_issues(trace) == ()
        assert trace_body(case).input is not None
        if path.name not in UNFINISHED:
            results = [one for one in trace if one.type == "tool_result"]
            calls = [one for one in trace if one.type == "tool_call"]
            assert sorted(one.tool or "" for one in calls) == sorted(
                one.tool or "" for one in results
            )


@pytest.mark.parametrize("folder", ["adapters", "frameworks"])
def test_there_are_two_for_each(folder: str) -> None:
    names = [path.name for path in (FOLDER / folder).glob("*.json")]
    for one in PROVIDERS if folder == "adapters" else FRAMEWORKS:
        assert sum(name.startswith(f"{one}_") for name in names) >= 2, one


def test_parallel_calls_of_every_provider_are_legal() -> None:
    for name in ("openai_chat.json", "anthropic_parallel.json", "vertex_conversation.json"):
        case = imported((FOLDER / "adapters" / name).read_bytes()).cases[0]
        verdict = TrajectoryStepJudge({"allow_tool_errors": True}).judge(trace_body(case))
        assert verdict.status is VerdictStatus.PASSED, verdict.reason
