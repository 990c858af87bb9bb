"""Every kind of case has its line: how it is asked, how it is judged."""

import re
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import replace

from evaltui import runner
from evaltui.core.case import (
    Case,
    CaseBody,
    CaseKey,
    ContractCase,
    RubricCase,
    RubricDimension,
    ScenarioCase,
)
from evaltui.core.case_body import EvaluatorUse
from evaltui.core.json_value import JsonObject
from evaltui.core.judge import Panel
from evaltui.core.persona import Persona
from evaltui.core.response import AgentResponse, Message
from evaltui.core.result import CaseStatus
from evaltui.core.verdict import Verdict
from evaltui.evaluators.kit.evaltui import EvaluatorDefinition
from evaltui.evaluators.registry import EvaluatorRegistry
from evaltui.expectations.contract_config import ContractConfig
from evaltui.kinds import (
    KINDS,
    asks_judge,
    asks_persona,
    evaluator_uses,
    kind_of,
    plan_of,
    settled,
)
from evaltui.scenarios.conversation import CRITERIA, EVALUATORS
from tests.scenarios.judges import SaidJudge

KEY = CaseKey("evals/a.golden.json", "gs-1")
EXPECT: JsonObject = {"responseNonEmpty": True, "responseContains": ["a", "b"]}


def test_no_kind_of_body_is_forgotten() -> None:
    assert set(KINDS) == set(get_args(CaseBody))


async def judge_no_turn(*_: object, **__: object) -> tuple[Verdict, ...]:
    raise AssertionError("a single answer is judged afterwards")


async def test_a_contract_case_asks_once_and_has_a_stage_for_each_assertion() -> None:
    asked: list[tuple[Message, tuple[Message, ...]]] = []

    async def ask(message: Message, history: tuple[Message, ...] = ()) -> AgentResponse:
        asked.append((message, history))
        return AgentResponse("ab")

    case = Case(KEY, ContractCase("hello", expect=EXPECT))
    kind = kind_of(case)
    assert (await kind.driver(case, ask, judge_no_turn)).text == "ab"
    assert asked == [(Message("user", "hello"), ())]
    assert [len(stage) for stage in kind.plan(case, config=ContractConfig())] == [1, 1, 1]
    assert settled(case) is None


def test_a_rubric_case_is_skipped_and_a_case_that_cannot_be_judged_fails() -> None:
    rubric = settled(Case(KEY, RubricCase("hello")))
    assert rubric is not None
    assert rubric.status is CaseStatus.SKIPPED
    assert rubric.reason == "not run: a rubric needs a judge (`[judge]` in the settings)"
    assert settled(Case(KEY, RubricCase("hello")), has_judge=True) is None
    invalid = settled(Case(KEY, ContractCase("hello"), invalid="`expect` is missing"))
    assert invalid is not None
    assert (invalid.status, invalid.reason) == (CaseStatus.FAILED, "`expect` is missing")


def test_a_rubric_is_judged_after_the_deterministic_stages_in_one_stage() -> None:
    dimensions = (RubricDimension("a", 1, ""), RubricDimension("b", 5, ""))
    case = Case(KEY, RubricCase("hello", expect=EXPECT, dimensions=dimensions))
    panel = Panel(SaidJudge())
    plan = plan_of(case, config=ContractConfig(), panel=panel)
    assert [[check.name for check in stage] for stage in plan] == [
        ["responseNonEmpty"],
        ["responseContains"],
        ["responseContains"],
        ["rubric/a", "rubric/b"],
    ]
    assert plan_of(case, config=ContractConfig()) == plan[:-1]


def test_a_judge_has_no_say_in_other_cases_and_in_those_that_cannot_be_judged() -> None:
    contract = Case(KEY, ContractCase("hello", expect=EXPECT))
    assert plan_of(contract, config=ContractConfig(), panel=Panel(SaidJudge())) == plan_of(
        contract, config=ContractConfig()
    )
    rubric = Case(KEY, RubricCase("hello"))
    assert asks_judge(rubric)
    assert not asks_judge(contract)
    assert not asks_judge(replace(rubric, invalid="wrong"))


@pytest.mark.parametrize(
    ("lines", "criteria", "judges", "plays"),
    [(("hello",), "", False, False), (("hello",), "it helps", True, False), ((), "", False, True)],
)
def test_a_model_that_plays_the_user_has_no_say_in_the_verdict(
    lines: tuple[str, ...], criteria: str, judges: bool, plays: bool
) -> None:
    body = ScenarioCase("", persona=Persona("Ann", lines=lines), success_criteria=criteria)
    case = Case(KEY, body)
    assert (asks_judge(case), asks_persona(case)) == (judges, plays)
    assert case.takes_model is (judges or plays)
    assert (settled(case) is None) is not case.takes_model, "neither is run without a model"
    assert not replace(case, invalid="wrong").takes_model


@pytest.mark.parametrize(
    ("seeds", "criteria", "said"),
    [
        (
            (Message("user", "hello"),),
            "",
            "nobody can write the user's next line: give its persona `lines`, "
            "lower `maxMessages` to 3, or write `[judge]` into the settings",
        ),
        (
            (),
            "",
            "nobody can write the user's next line: give its persona `lines`, "
            "or write `[judge]` into the settings",
        ),
        (
            (),
            "it helps",
            "criteria, and a persona without `lines`, need a model (`[judge]` in the settings)",
        ),
    ],
)
def test_a_scenario_that_takes_a_model_says_what_for(
    seeds: tuple[Message, ...], criteria: str, said: str
) -> None:
    body = ScenarioCase("", seed_messages=seeds, success_criteria=criteria)
    outcome = settled(Case(KEY, body))
    assert outcome is not None
    assert outcome.reason == f"not run: {said}"
    spoken = replace(body, persona=Persona("Ann", lines=("hello",)))
    held = settled(Case(KEY, spoken))
    why = "not run: criteria need a model (`[judge]` in the settings)" if criteria else None
    assert (held and held.reason) == why
    never = settled(Case(KEY, replace(body, max_messages=1)))
    assert never is not None
    assert never.reason.startswith("no agent turn was possible"), "no model would change that"


def _registry(**auto: bool) -> EvaluatorRegistry:
    registry = EvaluatorRegistry()
    for type_, is_auto in auto.items():
        registry.register(
            EvaluatorDefinition(type_, type_, "metric", lambda _: None, auto=is_auto), origin="mine"
        )
    return registry


def test_evaluators_that_are_auto_judge_scenarios_first_and_once_and_nothing_else() -> None:
    registry = _registry(named=True, other=False, unnamed=True)
    own = (EvaluatorUse("other", {}), EvaluatorUse("named", {"max": 1}))
    scenario = Case(KEY, ScenarioCase("", evaluators=own))
    assert evaluator_uses(scenario, lambda: registry) == (EvaluatorUse("unnamed", {}), *own)
    assert evaluator_uses(Case(KEY, ContractCase("hello", evaluators=own)), lambda: registry) == own
    assert evaluator_uses(Case(KEY, RubricCase("hello")), lambda: registry) == ()


def test_the_stages_of_a_conversation_stand_where_it_asks_for_them() -> None:
    own = (EvaluatorUse("latency-budget", {"maxMs": 5}),)
    body = ScenarioCase("", success_criteria="it helps", evaluators=own)
    plan = plan_of(Case(KEY, body), config=ContractConfig(), panel=Panel(SaidJudge()))
    assert [check.name for check in plan[EVALUATORS]] == ["latency-budget"]
    assert [check.name for check in plan[CRITERIA]] == ["criteria"]
    assert len(plan) == 2


def test_no_module_of_the_runner_knows_a_kind_of_case() -> None:
    kinds = {one.__name__ for one in get_args(CaseBody)}
    for path in Path(runner.__file__).parent.glob("*.py"):
        assert not kinds & {*re.findall(r"\w+", path.read_text())}, path.name
