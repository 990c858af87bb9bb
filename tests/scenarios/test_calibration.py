"""How a judge agrees with people: counted rightly, and reported with an interval that holds."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from math import comb
from random import Random

import pytest

from evaltui.core.case import Case, CaseKey, KnownAnswer, RubricCase, RubricDimension, Tier
from evaltui.core.errors import AgentError
from evaltui.core.judge import JudgeReply, JudgeRequest, Panel
from evaltui.scenarios.calibration import (
    Calibration,
    KnownScore,
    calibrate,
    has_known_answers,
    table_lines,
)
from tests.scenarios.judges import BINARY, GRADED, DecidingJudge, says

TRUTH = 0.8
KEY = CaseKey("evals/a.rubric.json", "rb-a-001")


def rubric(*known: KnownAnswer, dimensions: Sequence[RubricDimension] = (BINARY,)) -> Case:
    body = RubricCase("Is it?", dimensions=tuple(dimensions), calibration=known)
    return Case(KEY, body, Tier.RUBRIC)


def answers(scores: Sequence[int]) -> list[KnownAnswer]:
    """With the known score in the text, so that a judge can say it, or another."""
    return [
        KnownAnswer(f"answer {index} is worth {score}", {"accuracy": score})
        for index, score in enumerate(scores)
    ]


class OftenRight:
    """A judge of which it is known how often it agrees with people."""

    name = "often right"

    def __init__(self, share: float, random: Random) -> None:
        self._share, self._random = share, random

    async def ask(self, request: JudgeRequest) -> JudgeReply:
        known = int("is worth 1" in request.prompt)
        return JudgeReply(says(known if self._random.random() < self._share else 1 - known))


@pytest.mark.parametrize("truth", [0.6, 0.8, 0.95])
@pytest.mark.parametrize("number", [2, 5, 10, 20, 30, 50, 100])
def test_the_interval_holds_the_truth_as_often_as_it_says(number: int, truth: float) -> None:
    """By the probability of each number of agreements, not by trying: also with few answers."""
    held = 0.0
    for agreed in range(number + 1):
        scores = [KnownScore(KEY, at, "a", 1, int(at < agreed), "") for at in range(number)]
        rate = Calibration(tuple(scores)).agreement
        assert (rate.passes, rate.trials) == (agreed, number)
        if rate.low <= truth <= rate.high:
            held += comb(number, agreed) * truth**agreed * (1 - truth) ** (number - agreed)
    assert held >= 0.95


@pytest.mark.slow
async def test_the_interval_holds_the_truth_in_95_of_100_runs() -> None:
    held, widths, shares = 0, [], []
    for seed in range(100):
        random = Random(seed)
        case = rubric(*answers([random.randint(0, 1) for _ in range(60)]))
        rate = (await calibrate([case], Panel(OftenRight(TRUTH, random)))).agreement
        assert rate.trials == 60
        held += rate.low <= TRUTH <= rate.high
        widths.append(rate.high - rate.low)
        shares.append(rate.rate)
    assert held >= 95
    assert max(widths) < 0.26, "an interval that holds everything says nothing"
    assert abs(sum(shares) / 100 - TRUTH) < 0.02


async def test_what_agrees_and_what_does_not_is_counted_by_dimension_and_in_a_table() -> None:
    known = [
        KnownAnswer("good", {"accuracy": 1, "tone": 5}),
        KnownAnswer("bad", {"accuracy": 0, "tone": 1}),
        KnownAnswer("odd", {"accuracy": 1}),
    ]

    def decide(request: JudgeRequest) -> str:
        if '"odd"' in request.prompt:
            return "I cannot say."
        return says(1 if '"accuracy"' in request.prompt else 5)

    case = rubric(*known, dimensions=(BINARY, GRADED))
    found = await calibrate([case], Panel(DecidingJudge(decide)), concurrency=2)
    assert [(one.dimension, one.known, one.judged) for one in found.scores] == [
        ("accuracy", 1, 1),
        ("tone", 5, 5),
        ("accuracy", 0, 1),
        ("tone", 1, 5),
        ("accuracy", 1, None),
    ]
    assert (found.agreement.passes, found.agreement.trials) == (2, 5)
    accuracy = found.dimensions["accuracy"]
    assert (accuracy.agreement.passes, accuracy.agreement.trials) == (1, 3)
    assert accuracy.table == {(1, 1): 1, (0, 1): 1, (1, None): 1}
    assert table_lines(accuracy.table) == [
        "known \\ judged     0     1     ?",
        "             0     0     1     0",
        "             1     0     1     1",
    ]


async def test_no_more_are_asked_at_once_than_the_settings_say() -> None:
    at_once = most = 0

    class Slow:
        name = "slow"

        async def ask(self, request: JudgeRequest) -> JudgeReply:  # noqa: ARG002
            nonlocal at_once, most
            at_once += 1
            most = max(most, at_once)
            await asyncio.sleep(0)
            at_once -= 1
            raise AgentError("down")

    found = await calibrate([rubric(*answers([1] * 9))], Panel(Slow()), concurrency=3)
    assert most == 3
    assert found.agreement.passes == 0, "what is inconclusive does not agree"


def test_a_case_without_known_scores_of_its_dimensions_says_nothing() -> None:
    assert has_known_answers(rubric(*answers([1])))
    assert not has_known_answers(rubric())
    assert not has_known_answers(rubric(KnownAnswer("x", {"other": 1})))


def test_the_table_has_a_column_for_what_was_inconclusive_only_where_something_was() -> None:
    assert table_lines(Counter({(0.0, 0.0): 2, (1.0, 0.0): 1})) == [
        "known \\ judged     0     1",
        "             0     2     0",
        "             1     1     0",
    ]
    assert table_lines(Counter({(1.0, None): 1})) == [
        "known \\ judged     1     ?",
        "             1     0     1",
    ]
