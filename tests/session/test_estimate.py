"""What a run would take: costs add up, agents run side by side, the unknown stays unknown."""

from types import SimpleNamespace
from typing import cast

from evaltui.core.case import CaseKey
from evaltui.session.agent_queue import AgentQueue
from evaltui.session.estimate import Estimate, estimated
from evaltui.store.board import KnownCosts

KEYS = [CaseKey("a.json", str(number)) for number in range(4)]


def line(seconds: float | None, cost_usd: float | None) -> AgentQueue:
    known = KnownCosts(seconds=seconds, cost_usd=cost_usd)
    board = SimpleNamespace(known_costs=lambda _: known)
    return cast("AgentQueue", SimpleNamespace(board=board))


def test_costs_add_up_and_the_slowest_agent_tells_the_time() -> None:
    lines = [line(2.0, 0.25), line(1.0, 0.5)]
    assert estimated(lines, KEYS, trials=3, concurrency=4) == Estimate(24, 9.0, 6.0)


def test_what_is_not_known_of_one_agent_is_left_out() -> None:
    found = estimated([line(None, None), line(1.0, None)], KEYS, trials=1, concurrency=0)
    assert found == Estimate(8, None, 4.0)


def test_nothing_known_is_nothing_told() -> None:
    assert estimated([line(None, None)], KEYS, trials=1, concurrency=2) == Estimate(4, None, None)
