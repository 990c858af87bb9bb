"""For each kind of case how its answer comes about and how it is judged: KINDS, a line each."""

from collections.abc import Awaitable, Mapping
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from evaltui.core.case import Case, CaseBody, ContractCase, RubricCase
from evaltui.core.check import Plan
from evaltui.core.driver import Ask, Driver
from evaltui.core.response import AgentResponse
from evaltui.core.result import Outcome
from evaltui.expectations.contract import contract_plan
from evaltui.expectations.contract_config import ContractConfig
from evaltui.judging.judge import not_judgeable, not_run

if TYPE_CHECKING:
    from evaltui.evaluators.registry import EvaluatorRegistry


class PlanMaker(Protocol):
    def __call__(
        self, case: Case, *, config: ContractConfig, evaluators: "EvaluatorRegistry | None" = None
    ) -> Plan: ...


class KindOfCase(Struct, frozen=True):
    """What the type of a case's body decides."""

    driver: Driver
    plan: PlanMaker
    reserved: str = ""
    """Why cases of this kind are read but not run; empty when they are."""


def ask_once(case: Case, ask: Ask) -> Awaitable[AgentResponse]:
    """The message of the case, without a conversation before it."""
    return ask(case.message)


def assertions_then_evaluators(
    case: Case, *, config: ContractConfig, evaluators: "EvaluatorRegistry | None" = None
) -> Plan:
    """The assertions of `expect` one after the other, then all evaluators of the case at once.

    `evaluators`: all there are; without it those that come along.
    """
    plan = contract_plan(case, config=config)
    if case.invalid or not case.body.evaluators:
        return plan
    from evaltui.evaluators.evaluator_check import evaluator_stage
    from evaltui.evaluators.registry import create_registry

    known = create_registry() if evaluators is None else evaluators
    return (*plan, evaluator_stage(case.body.evaluators, known))


_NO_JUDGE = "rubric cases are reserved: not run, not counted as passed"

KINDS: Mapping[type[CaseBody], KindOfCase] = {
    ContractCase: KindOfCase(ask_once, assertions_then_evaluators),
    RubricCase: KindOfCase(ask_once, assertions_then_evaluators, reserved=_NO_JUDGE),
}


def kind_of(case: Case) -> KindOfCase:
    return KINDS[type(case.body)]


def settled(case: Case) -> Outcome | None:
    """What is certain of a case without asking anyone; `None` when it is to be asked."""
    if case.invalid:
        return not_judgeable(case.invalid)
    reserved = kind_of(case).reserved
    return not_run(reserved) if reserved else None
