"""Judges without a network, and what they judge."""

from collections.abc import Callable, Sequence

from evaltui.core.case import Case, CaseKey, RubricCase, RubricDimension, Tier
from evaltui.core.check import CheckContext
from evaltui.core.errors import AgentError
from evaltui.core.judge import JudgeReply, JudgeRequest, Panel
from evaltui.core.response import AgentResponse
from evaltui.core.verdict import Verdict
from evaltui.scenarios.rubric_check import RubricCheck

KEY = CaseKey("evals/a.rubric.json", "rb-a-001")
BINARY = RubricDimension("accuracy", 1, "1: right. 0: wrong.")
GRADED = RubricDimension("tone", 5, "5: kind. 0: rude.")


def says(score: object, rationale: object = "because") -> str:
    import json

    return json.dumps({"score": score, "rationale": rationale})


class SaidJudge:
    """Says these things, one for each vote; an error is raised."""

    name = "said"

    def __init__(self, *said: str | AgentError, cost_usd: float | None = None) -> None:
        self.said = said
        self.cost_usd = cost_usd
        self.asked: list[JudgeRequest] = []

    async def ask(self, request: JudgeRequest) -> JudgeReply:
        self.asked.append(request)
        answer = self.said[request.vote]
        if isinstance(answer, AgentError):
            raise answer
        return JudgeReply(answer, self.cost_usd)


class DecidingJudge:
    """Decides by the whole question."""

    name = "deciding"

    def __init__(
        self, decide: Callable[[JudgeRequest], str], cost_usd: float | None = None
    ) -> None:
        self.decide, self.cost_usd = decide, cost_usd

    async def ask(self, request: JudgeRequest) -> JudgeReply:
        return JudgeReply(self.decide(request), self.cost_usd)


async def verdict_of(
    *said: str | AgentError,
    dimension: RubricDimension = BINARY,
    threshold: float | None = None,
    answer: str = "It is.",
    cost_usd: float | None = None,
) -> Verdict:
    panel = Panel(SaidJudge(*said, cost_usd=cost_usd), len(said), threshold)
    return await judged(panel, dimension, answer)


async def judged(panel: Panel, dimension: RubricDimension, answer: str) -> Verdict:
    body = RubricCase("Is it?", dimensions=(dimension,))
    case = Case(KEY, body, Tier.RUBRIC)
    return await RubricCheck(body, dimension, panel).run(CheckContext(case, AgentResponse(answer)))


def scores(values: Sequence[object]) -> list[str]:
    return [says(value) for value in values]
