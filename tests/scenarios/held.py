"""A conversation held in a test: a scenario, an agent of words, checks of one's own."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.case import Case, CaseKey, ScenarioCase, Tier
from evaltui.core.check import Check, CheckContext, Plan
from evaltui.core.persona import Persona
from evaltui.core.response import AgentResponse, Message
from evaltui.core.verdict import Kind, Verdict, VerdictStatus
from evaltui.judging.judge_turn import turn_judge
from evaltui.scenarios.conversation import hold_conversation

KEY = CaseKey("evals/orders.scenario.json", "return an order")


def scenario(*lines: str, **more: Any) -> Case:
    body = ScenarioCase("", name=KEY.case, persona=Persona("Ann", lines=lines), **more)
    return Case(KEY, body, Tier.SCENARIO)


class Says(Struct):
    """A check that says of each turn what it is told to; keeps what it saw."""

    said: Callable[[CheckContext], Verdict]
    name: str = "says"
    seen: list[CheckContext] = []

    def run(self, context: CheckContext) -> Verdict:
        self.seen.append(context)
        return self.said(context)


def passes(_: CheckContext) -> Verdict:
    return Verdict("says", VerdictStatus.PASSED, "fine")


def fails_in_turn(number: int) -> Callable[[CheckContext], Verdict]:
    def said(context: CheckContext) -> Verdict:
        is_it = context.turn == number
        return Verdict("says", VerdictStatus.FAILED if is_it else VerdictStatus.PASSED, "said so")

    return said


def measures(context: CheckContext) -> Verdict:
    return Verdict(
        "calls", VerdictStatus.PASSED, "measured", kind=Kind.METRIC, value=float(context.turn)
    )


class Asked:
    """An agent that answers with its answers in turn, and keeps what it was asked."""

    def __init__(self, *answers: AgentResponse | str) -> None:
        self._answers = list(answers)
        self.asked: list[tuple[str, tuple[Message, ...]]] = []
        """Without ids."""
        self.messages: list[tuple[Message, ...]] = []
        """As they came, the last one is to be answered."""

    async def __call__(self, message: Message, history: tuple[Message, ...] = ()) -> AgentResponse:
        self.asked.append((message.content, plain(history)))
        self.messages.append((*history, message))
        answer = self._answers.pop(0) if self._answers else f"answer {len(self.asked)}"
        return AgentResponse(answer, duration_ms=10.0) if isinstance(answer, str) else answer


def plain(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Without what they have besides, their ids among it."""
    return tuple(replace(one, extra=None) for one in messages)


def plan_of(*checks: Check, criteria: Sequence[Check] = ()) -> Plan:
    return (checks, tuple(criteria))


async def held(case: Case, ask: Any, plan: Plan) -> AgentResponse:
    judge = turn_judge(plan, CheckContext(case, AgentResponse("")))
    return await hold_conversation(case, ask, judge)
