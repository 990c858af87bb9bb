"""Who judges a trace on the board: those that a pack of it tells of."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.core.case import EvaluatorUse
from evaltui.evaluators.registry import create_registry
from evaltui.expectations.contract_config import ContractConfig
from evaltui.kinds import judges_of_traces
from evaltui.traces.reading import read_suite
from tests.evidence.made_packs import made_pack, read, says, suite_of


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
    assert names == [*(one.name for one in judges), *(use.type for use in named)]
