"""Who judges a trace on the board: those that a pack of it tells of."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.cli.main import run_command
from evaltui.core.case_body import EvaluatorUse
from evaltui.evaluators.registry import create_registry
from evaltui.expectations.contract_config import ContractConfig
from evaltui.kinds import judges_of_traces
from evaltui.traces.reading import read_suite
from tests.evidence.made_packs import made_pack, read, says, suite_of

MEASURES = """from evaltui import EvaluatorDefinition, measured

evaluators = [EvaluatorDefinition("policy", "Policy", "metric", lambda ctx: measured(-7, "low"))]
"""


@pytest.mark.parametrize(
    "more", [{}, {"expected_output": "x"}, {"regex_patterns": [], "expected_output": "x"}]
)
def test_the_board_counts_as_many_verdicts_as_the_pack(more: Any, tmp_path: Path) -> None:
    one = says("a", "yes", **more)
    (case,) = read_suite(json.dumps({"dataset_id": "d", "cases": [one]}).encode()).cases()
    (stage,) = judges_of_traces(case, config=ContractConfig())
    pack = made_pack(tmp_path / "p", suite_of(tmp_path / "s.json", one))
    told = read(pack / "cases" / "a" / "verdicts.json")["judge_results"]
    assert [check.name for check in stage] == [row["judge_id"] for row in told]


def test_evaluators_that_a_trace_case_names_are_heard_after_its_judges() -> None:
    document = json.dumps({"dataset_id": "d", "cases": [says("a", "yes")]}).encode()
    (case,) = read_suite(document).cases()
    named = (EvaluatorUse("tool-call-count", {}), EvaluatorUse("latency-budget", {"maxMs": 5}))
    with_them = replace(case, body=replace(case.body, evaluators=named))
    rules, known = ContractConfig(), create_registry()
    (judges,) = judges_of_traces(case, config=rules, evaluators=known)
    (stage,) = judges_of_traces(with_them, config=rules, evaluators=known)
    names = [check.name for check in stage]
    evaluators = [f"evaluator/{use.type}" for use in named]
    assert names == [*(one.name for one in judges), *evaluators]


def test_a_pack_of_the_board_holds_what_a_pack_of_the_suite_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where an evaluator is called as a judge is, whatever it only measures."""
    monkeypatch.chdir(tmp_path)
    named = [{"type": "regex", "config": {"pattern": "zzz"}}, {"type": "policy"}]
    (tmp_path / "evals").mkdir()
    one = says("a", "hello", regex_patterns=["hello"], evaluators=named)
    suite = suite_of(tmp_path / "evals/a.trace.json", one)
    (tmp_path / "mine.py").write_text(MEASURES)
    (tmp_path / "evaltui.toml").write_text('evaluators = ["./mine.py"]\n')
    assert run_command(["run", "--trust", "--reporter", "evidence=board"]) == 1
    made_pack(tmp_path / "suite", suite, "--trust")
    board, pack = (told(tmp_path / one) for one in ("board", "suite"))
    assert board.pop("agent") == ("assertion", True)
    assert board == pack
    assert (pack["regex"][1], pack["evaluator/regex"][1]) == (True, False)
    assert pack["evaluator/policy"] == ("metric", True)


def told(pack: Path) -> dict[str, tuple[str, bool]]:
    """By judge, whether it only measures, and whether it holds."""
    (row,) = read(pack / "report.json")["cases"]
    rows = row["judge_results"]
    return {one["judge_id"]: (one.get("kind", "assertion"), one["passed"]) for one in rows}
