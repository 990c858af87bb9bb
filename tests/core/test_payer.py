"""What one agent or judge owes: each request once, also when its answer does not come."""

import pytest

from tests.core.test_budget import paying


async def test_an_answer_that_does_not_come_before_a_price_is_counted_once() -> None:
    budget, payer = paying(None)
    came, lost = await payer.reserve(), await payer.reserve()
    came.settle(0.3)
    lost.lose()
    assert budget.spent_usd == pytest.approx(0.3), "it was sent before anybody knew a price"
    (await payer.reserve()).settle(0.2)
    assert budget.spent_usd == pytest.approx(0.7)


async def test_one_that_was_sent_with_a_price_known_counts_with_the_dearest_by_then() -> None:
    budget, payer = paying(None)
    (await payer.reserve()).settle(0.1)
    dear, lost = await payer.reserve(), await payer.reserve()
    dear.settle(0.4)
    lost.lose()
    lost.lose()
    assert budget.spent_usd == pytest.approx(0.9)


async def test_one_that_is_lost_twice_before_a_price_takes_one_place() -> None:
    budget, payer = paying(None)
    lost = await payer.reserve()
    lost.lose()
    lost.lose()
    assert budget.lost == 1
