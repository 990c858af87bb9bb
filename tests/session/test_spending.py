"""The guard of money: what may run without asking."""

import pytest

from evaltui.core.agent import Agent
from evaltui.session.spending import Cause
from tests.session.money import FREE, KEYS, PAID, UNKNOWN, board, spending


@pytest.mark.parametrize(
    ("cause", "agent", "each_usd", "may_run"),
    [
        (Cause.OPENED, FREE, None, True),
        (Cause.OPENED, PAID, None, False),
        (Cause.OPENED, UNKNOWN, None, False),
        (Cause.SAVED, FREE, None, True),
        (Cause.SAVED, PAID, None, False),
        (Cause.SAVED, PAID, 0.25, True),
        (Cause.SAVED, PAID, 0.26, False),
        (Cause.SAVED, UNKNOWN, 0.26, False),
    ],
)
def test_what_may_run_without_asking_when_more_than_a_dollar_asks_first(
    cause: Cause, agent: Agent, each_usd: float | None, may_run: bool
) -> None:
    assert spending().may_run(cause, agent, board(1.0, each_usd), KEYS) is may_run
