"""Evaluators of traces that were kept by their types alone are the same evaluators as today."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.core.case import Case, ContractCase
from evaltui.core.case_body import EvaluatorUse
from evaltui.core.errors import UserError
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.verdict import Kind, Verdict, VerdictStatus
from evaltui.disk.codec import convert
from evaltui.evidence.asserted import asserted_of
from evaltui.evidence.case_row import CaseRow
from evaltui.evidence.compared.comparing import compare
from evaltui.evidence.compared.side import Side
from evaltui.evidence.packs.pack_shapes import AGENT_RUN
from evaltui.evidence.run_of_agent import judges_of, verdicts_of
from evaltui.traces.reading import read_suite
from evaltui.traces.trace_stage import measured_by_these_names
from tests.evidence.made_packs import says

PASSED = VerdictStatus.PASSED
USES = tuple(EvaluatorUse(type_, {}) for type_ in ("regex", "length", "regex"))
NOW = ("evaluator/regex", "evaluator/length", "evaluator/regex 2")


def kept(*of_evaluators: str) -> tuple[Case, CaseResult]:
    """A trace that a judge and three evaluators held to be good, the second of which measures."""
    (case,) = read_suite(
        json.dumps({"dataset_id": "d", "cases": [says("a", "yes")]}).encode()
    ).cases()
    case = replace(case, body=replace(case.body, evaluators=USES))
    kinds = (Kind.ASSERTION, Kind.METRIC, Kind.ASSERTION)
    judged = map(lambda name, kind: Verdict(name, PASSED, "", kind=kind), of_evaluators, kinds)
    verdicts = (Verdict("regex", PASSED, ""), *judged)
    return case, CaseResult(case.key, "r", "trace", CaseStatus.PASSED, verdicts=verdicts)


@pytest.mark.parametrize("of", [verdicts_of, judges_of, asserted_of])
def test_of_a_kept_result_the_same_is_told_as_of_one_of_now(of: Any) -> None:
    assert of(*kept(*(use.type for use in USES))) == of(*kept(*NOW))


def test_what_a_past_run_measured_stands_in_one_row_with_what_is_measured_now() -> None:
    case, _ = kept()
    assert measured_by_these_names(case, {"length": 4.0}) == {"evaluator/length": 4.0}
    assert measured_by_these_names(case, {"evaluator/length": 4.0}) == {"evaluator/length": 4.0}
    assert measured_by_these_names(case, None) is None
    asked = replace(case, body=ContractCase("hi", evaluators=USES))
    assert measured_by_these_names(asked, {"length": 4.0}) == {"length": 4.0}


def side(*judges: str) -> Side:
    """A pack of a run of eval files, of one trace that named the evaluator `length`."""
    rows = [{"judge_id": name, "passed": True} for name in ("regex", *judges)]
    asserted = {"regex": ("1",), "evaluator/length": ("2",)}
    row = {"case_id": "a", "passed": True, "judge_results": rows, "asserted": asserted}
    config = {"judges": ["regex", *judges], "execution_mode": AGENT_RUN}
    summary = {"judge_pass_rates": dict.fromkeys(("regex", *judges), 1.0), "pass_rate": 1.0}
    return Side(Path(), summary, config, {"a": convert(row, CaseRow)})


def test_a_pack_of_before_is_compared_by_the_names_of_now() -> None:
    found = compare(side("length"), side("evaluator/length"), reference={})
    assert found["judge_metrics"]["evaluator/length"]["delta"] == 0
    assert [*found["judge_metrics"]] == ["evaluator/length", "regex"]
    with pytest.raises(UserError, match="judges_match"):
        compare(side("length"), side(), reference={})
