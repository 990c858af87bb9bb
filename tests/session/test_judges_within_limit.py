"""What judges ask at once, all votes on all dimensions of all cases, keeps to the limit of cost.

Histories are made by chance, in virtual time; judges tell prices only with their answers.
"""

import asyncio
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from evaltui.core.agent import Agent
from evaltui.core.asked import AgentTraits
from evaltui.core.budget import BudgetSpentError
from evaltui.core.config import AgentProfile, Config, JudgeConfig
from evaltui.core.model import ModelReply
from evaltui.core.response import Usage
from evaltui.session.judge_in_force import JudgeInForce
from evaltui.session.money.spending import Spending
from evaltui.session.project_state import ProjectState
from tests.runner.virtual_time import in_virtual_time

LIMIT_USD = 2.0
JUDGE = cast("Agent", SimpleNamespace(name="judge", traits=AgentTraits()))


async def history(seed: int, *, is_own: bool) -> tuple[float, int, int]:
    """What was spent, the most requests under way at once, and how many were allowed.

    `is_own`: the limit is that of the judge's profile, not of the session.
    """
    chance = random.Random(seed)
    profile = AgentProfile("jj", max_cost_usd=LIMIT_USD if is_own else None)
    config = Config(
        Path(),
        concurrency=chance.choice((1, 2, 4, 8)),
        max_cost_usd=None if is_own else LIMIT_USD,
        judge=JudgeConfig(profile),
    )
    dearest = LIMIT_USD / config.concurrency
    state = cast("ProjectState", SimpleNamespace(config=config))
    spending = Spending(state, JudgeInForce(state))
    agents = [f"a{number}" for number in range(chance.randint(1, 3))]
    spending.budgets.follow_settings({name: AgentProfile() for name in agents})
    spent, asked, under_way, most = 0.0, 0, 0, 0

    async def answer() -> ModelReply:
        nonlocal spent, asked, under_way, most
        asked, under_way = asked + 1, under_way + 1
        most = max(most, under_way)
        cost = dearest / 25 if asked == 1 else dearest * chance.choice((1.0, chance.random()))
        await asyncio.sleep(chance.uniform(0.1, 3))
        spent, under_way = spent + cost, under_way - 1
        return ModelReply("1", (), Usage(1, 1, cost))

    questions = chance.randint(1, 5) * chance.randint(1, 4) * config.concurrency
    meters = [spending.budgets.judge_meter(JUDGE, name) for name in agents]
    asking = (meter.ask(answer, None, None) for meter in meters for _ in range(questions))
    ended: list[Any] = await asyncio.gather(*asking, return_exceptions=True)
    assert all(isinstance(one, ModelReply | BudgetSpentError) for one in ended), ended
    return spent, most, config.concurrency


@pytest.mark.parametrize("is_own", [False, True], ids=["of the session", "of [judge]"])
@pytest.mark.parametrize("count", [50, pytest.param(1000, marks=pytest.mark.slow)])
def test_judges_never_spend_twice_the_limit_however_much_they_ask_at_once(
    count: int, is_own: bool
) -> None:
    found = [in_virtual_time(history(seed, is_own=is_own)) for seed in range(count)]
    for spent, most, concurrency in found:
        assert spent <= 2 * LIMIT_USD + 1e-9, "no answer costs more than limit / concurrency"
        assert most <= concurrency
    assert max(spent for spent, _, _ in found) > LIMIT_USD, "the limit was reached"
    assert max(most for _, most, _ in found) > 1, "some were under way side by side"
