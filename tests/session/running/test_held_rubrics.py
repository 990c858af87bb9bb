"""What a rubric waits for: deterministic cases of its tool, and no rubric."""

from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.core.case import Case, CaseKey, RubricCase, ScenarioCase, Tier
from evaltui.core.persona import Persona
from evaltui.core.result import CaseStatus
from evaltui.core.suite import EvalMetadata, Suite
from evaltui.session.running.held_rubrics import HeldRubrics, split_rubrics
from tests.expectations.judging import make_case
from tests.scenarios.judges import BINARY

ABOUT = EvalMetadata("find_order")


def suite(tier: Tier, *cases: Case) -> Suite:
    return Suite(cases[0].key.suite, "find_order", tier, cases, "", ABOUT)


def rubric(number: int, invalid: str = "") -> Case:
    key = CaseKey("evals/a.rubric.json", f"rb-{number}")
    return Case(key, RubricCase("Is it?", dimensions=(BINARY,)), Tier.RUBRIC, invalid=invalid)


def held(case: Case, *others: Suite) -> object:
    """By a board on which every other case is in error."""
    project: Any = SimpleNamespace(suites=others)
    row: Any = SimpleNamespace(result=SimpleNamespace(status=CaseStatus.ERROR))
    rows = {one.key: row for other in others for one in other.cases}
    return HeldRubrics(project, rows, ())(case, suite(Tier.RUBRIC, case))


def test_rubrics_are_run_after_all_that_take_no_model_but_the_agent() -> None:
    good, usual = rubric(1), replace(make_case({}), key=CaseKey("evals/a.golden.json", "gs-1"))
    project: Any = SimpleNamespace(suites=(suite(Tier.RUBRIC, good), suite(Tier.GOLDEN, usual)))
    assert split_rubrics(project, (good.key, usual.key)) == ((usual.key,), (good.key,))
    assert split_rubrics(project, (usual.key,)) == ((usual.key,), ())


def test_a_rubric_that_cannot_be_judged_holds_no_other_one_back() -> None:
    good, broken = rubric(1), rubric(2, "it has no dimension")
    assert held(good, suite(Tier.RUBRIC, good, broken)) is None


def test_a_deterministic_case_of_its_tool_does() -> None:
    failing = replace(make_case({}), key=CaseKey("evals/a.golden.json", "gs-1"))
    assert held(rubric(1), suite(Tier.GOLDEN, failing)) is not None
    other = replace(suite(Tier.GOLDEN, failing), metadata=EvalMetadata("other"))
    assert held(rubric(1), other) is None


@pytest.mark.parametrize(
    ("persona", "criteria", "holds"),
    [
        (Persona("Ann"), "", False),
        (Persona(lines=("hello",)), "it helps", False),
        (Persona(lines=("hello",)), "", True),
    ],
    ids=["a model plays", "a model judges", "no model"],
)
def test_a_scenario_does_that_takes_no_model(persona: Persona, criteria: str, holds: bool) -> None:
    key = CaseKey("evals/a.scenario.json", "two orders")
    body = ScenarioCase("", persona=persona, success_criteria=criteria)
    scenario = Case(key, body, Tier.SCENARIO)
    assert (held(rubric(1), suite(Tier.SCENARIO, scenario)) is not None) is holds
