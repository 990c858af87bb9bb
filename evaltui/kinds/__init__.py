"""For each kind of case, how its answer is obtained and judged: KINDS, one line each."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from evaltui.core.case import Case, CaseBody, ContractCase, RubricCase, ScenarioCase, TraceCase
from evaltui.core.case_body import EvaluatorUse
from evaltui.core.check import Plan, Stage
from evaltui.core.config import JudgeConfig
from evaltui.core.driver import Ask, Driver, JudgeTurn
from evaltui.core.json_value import Json
from evaltui.core.judge import Panel
from evaltui.core.outcome import Outcome
from evaltui.core.response import AgentResponse, Message
from evaltui.core.result import CaseStatus
from evaltui.expectations.contract import contract_plan
from evaltui.expectations.contract_config import ContractConfig
from evaltui.judging.judge import not_judgeable, not_run
from evaltui.scenarios import criteria_check, rubric_prompt
from evaltui.scenarios.certain import certain, why_no_model
from evaltui.scenarios.conversation import hold_conversation, played_conversation
from evaltui.scenarios.criteria_check import criteria_stage
from evaltui.scenarios.rubric_check import rubric_stage

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
    judged: Callable[[Case, Panel], Stage] | None = None
    """What a model judges, as the last stage of the plan; `None`: nothing."""
    judged_by: Callable[[JudgeConfig], list[Json]] = lambda _: []
    """What its verdicts depend on besides which model that is: the version of what it is asked, and
    what is made of its judgements."""
    certain: Callable[[Case], Outcome | None] = lambda _: None
    """Of a good case, whoever can be asked."""
    played: Callable[[Panel], Driver] | None = None
    """The driver with a model that talks to the agent, where nobody wrote down what to say."""
    no_model: Callable[[Case], str] = lambda _: ""
    """Why one that takes a model is not run where there is none."""
    rules: Callable[[], Mapping[str, str]] = dict
    """What verdicts depend on besides the case and what is common to all kinds, by its name."""
    has_auto: bool = False
    """Whether evaluators that are `auto` judge it without being named."""
    called: str = "a case"
    instead_of_calls: str = ""
    """What to do where it expects no calls, so that none can be accepted."""


def ask_once(
    case: Case,
    ask: Ask,
    judge_turn: JudgeTurn,  # noqa: ARG001
) -> Awaitable[AgentResponse]:
    """The message of the case, without a conversation before it."""
    return ask(Message("user", case.message))


def evaluator_uses(
    case: Case, registry: "Callable[[], EvaluatorRegistry]"
) -> tuple[EvaluatorUse, ...]:
    """What judges the case: evaluators that do so without being named, then those it names.

    `registry` is called only for a kind of case that some judge without being named.
    """
    own = case.body.evaluators
    if not kind_of(case).has_auto:
        return own
    named = {use.type for use in own}
    return (*(EvaluatorUse(type_, {}) for type_ in registry().auto if type_ not in named), *own)


def assertions_then_evaluators(
    case: Case, *, config: ContractConfig, evaluators: "EvaluatorRegistry | None" = None
) -> Plan:
    """The assertions of `expect` one after the other, then all evaluators of the case at once.

    `evaluators`: all there are; without it those that come along.
    """
    plan = contract_plan(case, config=config)
    if case.invalid or not case.body.evaluators:
        return plan
    return (*plan, _evaluators_of(case, evaluators))


def evaluators_each_turn(
    case: Case,
    *,
    config: ContractConfig,  # noqa: ARG001
    evaluators: "EvaluatorRegistry | None" = None,
) -> Plan:
    """The first of the stages that judge each turn of a conversation; criteria are the second."""
    return (_evaluators_of(case, evaluators),)


async def read_trace(
    case: Case,
    ask: Ask,  # noqa: ARG001
    judge_turn: JudgeTurn,  # noqa: ARG001
) -> AgentResponse:
    """What happened already; nobody is asked."""
    from evaltui.traces.recorded_response import recorded_response

    return recorded_response(case)


def judges_of_traces(
    case: Case,
    *,
    config: ContractConfig,  # noqa: ARG001
    evaluators: "EvaluatorRegistry | None" = None,
) -> Plan:
    """One stage: every judge, and every evaluator that the case names, is heard."""
    from evaltui.traces.in_words import InWords
    from evaltui.traces.judges import default_judges, stage_of
    from evaltui.traces.reading import trace_body
    from evaltui.traces.trace_stage import trace_stage

    judges = tuple(map(InWords, stage_of(default_judges(trace_body(case)))))
    return (trace_stage(case, judges, evaluators),)


def _rules_of_traces() -> Mapping[str, str]:
    from evaltui.traces.judges import RULES

    return {"judges of traces": RULES}


def _evaluators_of(case: Case, evaluators: "EvaluatorRegistry | None") -> Stage:
    from evaltui.evaluators.evaluator_check import evaluator_stage
    from evaltui.evaluators.registry import create_registry

    known = create_registry() if evaluators is None else evaluators
    return evaluator_stage(evaluator_uses(case, lambda: known), known)


NO_JUDGE = "not run: a rubric needs a judge (`[judge]` in the settings)"

KINDS: Mapping[type[CaseBody], KindOfCase] = {
    ContractCase: KindOfCase(ask_once, assertions_then_evaluators),
    RubricCase: KindOfCase(
        ask_once,
        assertions_then_evaluators,
        rubric_stage,
        judged_by=lambda judge: [rubric_prompt.VERSION, judge.votes, judge.threshold],
        no_model=lambda _: NO_JUDGE,
    ),
    ScenarioCase: KindOfCase(
        hold_conversation,
        evaluators_each_turn,
        criteria_stage,
        judged_by=lambda _: [criteria_check.VERSION],
        certain=certain,
        played=played_conversation,
        no_model=why_no_model,
        has_auto=True,
        called="a scenario",
        instead_of_calls="Correct its evaluators with V, its criteria in its file with o.",
    ),
    TraceCase: KindOfCase(
        read_trace,
        judges_of_traces,
        rules=_rules_of_traces,
        called="a trace",
        instead_of_calls="Make a case of one of its messages with P.",
    ),
}


def kind_of(case: Case) -> KindOfCase:
    return KINDS[type(case.body)]


def asks_judge(case: Case) -> bool:
    """Whether a model has a say in the verdict, besides the agent under test."""
    return not case.invalid and case.body.asks_judge


def is_one_answer(case: Case) -> bool:
    """Whether assertions alone judge one answer to one question, so that its text and its calls are
    all that a verdict takes."""
    return kind_of(case).driver is ask_once and not (case.body.evaluators or asks_judge(case))


def asks_persona(case: Case) -> bool:
    """Whether a model says what the agent is asked; its verdict may do without one."""
    return not case.invalid and case.body.asks_persona


def driver_of(case: Case, panel: Panel | None = None) -> Driver:
    """How an answer to the case comes about."""
    kind = kind_of(case)
    return kind.driver if panel is None or kind.played is None else kind.played(panel)


def plan_of(
    case: Case,
    *,
    config: ContractConfig,
    evaluators: "EvaluatorRegistry | None" = None,
    panel: Panel | None = None,
) -> Plan:
    """How an answer to the case is judged; without a panel nobody asks a judge."""
    kind = kind_of(case)
    plan = kind.plan(case, config=config, evaluators=evaluators)
    judged = kind.judged(case, panel) if kind.judged is not None and panel is not None else ()
    return (*plan, judged) if judged else plan


def settled(case: Case, *, has_judge: bool = False) -> Outcome | None:
    """What is certain of a case without asking anyone; `None` when it is to be asked."""
    if case.invalid:
        return not_judgeable(case.invalid)
    kind = kind_of(case)
    found = kind.certain(case)
    if found is None and case.takes_model and not has_judge:
        return not_run(kind.no_model(case))
    return found


def settled_by_plan(case: Case, plan: Plan) -> Outcome | None:
    """What is certain of a case whatever the answer to it says, as where it names an evaluator that
    cannot judge; `None` when the answer counts."""
    if not case.asks_agent or not case.body.evaluators:
        return None
    from evaltui.evaluators.evaluator_check import unusable  # and with it what evaluators see

    return unusable(plan)


def is_never_asked(case: Case, *, has_judge: bool) -> bool:
    """Whether a run of it asks nobody and judges nothing, as of a rubric without a judge."""
    outcome = settled(case, has_judge=has_judge)
    return outcome is not None and outcome.status is CaseStatus.SKIPPED
