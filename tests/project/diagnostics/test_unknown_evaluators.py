"""Evaluators of trace cases: mistakes are told at their place, and they are inputs of a verdict."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.config import Config
from evaltui.project import project_problems, read_project
from evaltui.project.diagnostics.unknown_evaluators import (
    UNKNOWN,
    WRONG_CONFIG,
    unusable_evaluators,
)
from evaltui.settings.load import load_config
from tests.evaluators.seen import verdict_by
from tests.project.test_project import stale, write
from tests.workspaces import DATA, HELLO, REFUND, write_entities, write_workspace

EVENT = {"idx": 0, "actor": "agent", "type": "message", "output": "hello"}


def suite(*evaluators: Any) -> dict[str, Any]:
    case = {"case_id": "bern", "trace": [EVENT], "evaluators": evaluators}
    return {"dataset_id": "d", "cases": [case]}


def test_check_says_what_is_wrong_with_evaluators_of_traces(tmp_path: Path) -> None:
    bad = {"type": "response-length", "config": {"max": "x"}}
    write(tmp_path / "evals/a.trace.json", suite({"type": "nonsense"}, bad))
    found = {
        one.code: (one.key, one.line > 1, one.column > 1)
        for one in project_problems(read_project(Config(root=tmp_path)))
    }
    assert found[UNKNOWN] == ("cases[0].evaluators[0].type", True, True)
    assert found[WRONG_CONFIG] == ("cases[0].evaluators[1].config.max", True, True)


@pytest.mark.parametrize(
    ("type_", "config"),
    [("latency-budgt", {}), ("nonsense", {}), ("response-length", {"max": "x"})],
)
async def test_the_problem_and_the_verdict_say_the_same(
    tmp_path: Path, type_: str, config: dict[str, Any]
) -> None:
    write(tmp_path / "evals/a.trace.json", suite({"type": type_, "config": config}))
    problems = project_problems(read_project(Config(root=tmp_path)))
    (found,) = (one for one in problems if one.code in (UNKNOWN, WRONG_CONFIG))
    reason = (await verdict_by(type_, config)).reason
    if found.code == UNKNOWN:
        said = f"{found.what[:1].lower()}{found.what[1:]}. {found.hint}"
        assert reason == f"Evaluator error: {said}"
        assert found.hint
    else:
        assert reason.endswith(found.what.partition(": ")[2])
        assert "has the schema of" in found.hint


def test_an_edited_evaluator_of_a_trace_makes_its_verdict_stale(tmp_path: Path) -> None:
    path = tmp_path / "evals/a.trace.json"
    write(path, suite({"type": "response-length", "config": {"max": 5}}))
    before = read_project(Config(root=tmp_path))
    write(path, suite({"type": "response-length", "config": {"max": 9}}))
    assert [*stale(before, read_project(Config(root=tmp_path)))] == ["bern"]


@pytest.mark.parametrize("is_on_one_line", [False, True])
def test_a_mistake_in_a_scenario_of_several_personas_is_told_once_where_it_stands(
    tmp_path: Path, *, is_on_one_line: bool
) -> None:
    root = write_workspace(tmp_path)
    path = write_entities(root, "scenarios", HELLO, {**REFUND, "evaluators": [{"type": "regx"}]})
    if is_on_one_line:
        path.write_text(json.dumps(json.loads(path.read_text())))
    project = read_project(load_config(root).config)
    (found,) = (one for one in project_problems(project) if one.code == UNKNOWN)
    assert (found.key, found.case) == ("[1].evaluators[0].type", "Refund (Ann)")
    key = CaseKey(f"{DATA}/scenarios.json", "Refund (Bob)")
    (second,) = unusable_evaluators(project, [key])
    assert (second.key, second.case) == (found.key, "Refund (Bob)")
