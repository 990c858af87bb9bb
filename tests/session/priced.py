"""Agents, boards and settings of which the costs are known."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

from evaltui.core.agent import Agent
from evaltui.core.asked import AgentTraits
from evaltui.core.case import Case, CaseKey, ContractCase, Tier
from evaltui.core.config import Config
from evaltui.core.response import AgentResponse, Usage
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.suite import Suite
from evaltui.session.judge_in_force import JudgeInForce
from evaltui.session.money.spending import Spending
from evaltui.session.project_state import ProjectState
from evaltui.store.board import Board
from evaltui.store.row import Row

KEYS = [CaseKey("a.json", str(number)) for number in range(4)]
OTHER = CaseKey("a.json", "another")


def named(name: str, *, is_free: bool = False) -> Agent:
    return cast("Agent", SimpleNamespace(name=name, traits=AgentTraits(is_free=is_free)))


FREE = named("free", is_free=True)
PAID = named("paid")
UNKNOWN = named("unknown")


def spending(
    *,
    concurrency: int = 1,
    trials: int = 1,
    confirm_above: float = 1.0,
    max_cost_usd: float | None = None,
    max_requests_per_minute: float | None = None,
    judge: Agent | None = None,
) -> Spending:
    config = Config(
        Path(),
        concurrency=concurrency,
        trials=trials,
        confirm_above=confirm_above,
        max_cost_usd=max_cost_usd,
        max_requests_per_minute=max_requests_per_minute,
    )
    state = cast("ProjectState", SimpleNamespace(config=config))
    judges = JudgeInForce(state)
    judges.agent = judge
    return Spending(state, judges)


def board(seconds: float | None, cost_usd: float | None, never_run: int = 0) -> Board:
    """One whose cases took so much each, last time."""
    made = Board("any")
    others = [OTHER] * (never_run == len(KEYS))
    for number, key in enumerate(KEYS[:never_run] if seconds is None else (*KEYS, *others)):
        case = Case(key, ContractCase(""))
        row = made.rows[key] = Row(key, case, Suite(key.suite, "", Tier.GOLDEN, (case,), ""))
        if seconds is not None and number >= never_run:
            row.result = CaseResult(
                key,
                "run-1",
                "any",
                CaseStatus.PASSED,
                duration_ms=1000 * seconds,
                response=AgentResponse("", usage=Usage(cost_usd=cost_usd)),
            )
    return made
