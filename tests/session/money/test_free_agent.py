"""A price that was told goes before what an agent was taken for."""

from types import SimpleNamespace
from typing import cast

import pytest
from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.asked import AgentTraits
from evaltui.core.case import RubricCase
from evaltui.session.money.free_agent import is_free
from tests.session.priced import FREE, PAID, board

TAKEN = cast(
    "Agent", SimpleNamespace(name="local", traits=AgentTraits(is_free=True, is_taken_free=True))
)


@pytest.mark.parametrize(
    ("agent", "told_usd", "free"),
    [
        (TAKEN, None, True),
        (TAKEN, 0.0, True),
        (TAKEN, 0.05, False),
        (FREE, 0.05, True),
        (PAID, None, False),
    ],
    ids=["it told nothing", "it told 0", "it told a price", "somebody said so", "it is not"],
)
def test_only_an_agent_that_was_taken_to_be_free_is_not_once_it_told_a_price(
    agent: Agent, told_usd: float | None, free: bool
) -> None:
    assert is_free(agent, board(1.0, told_usd, 3)) is free


@pytest.mark.parametrize("is_judged", [False, True])
def test_of_results_of_the_history_only_what_no_model_was_paid_for_is_its_price(
    is_judged: bool,
) -> None:
    known = board(1.0, None)
    for row in known.rows.values():
        assert row.result is not None
        row.result = replace(row.result, response=None, known_cost_usd=0.05)
        if is_judged:
            row.case = replace(row.case, body=RubricCase(""))
    assert is_free(TAKEN, known) is is_judged
