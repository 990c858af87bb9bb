"""What is paid under two limits at once is reserved on both sides or on neither."""

import asyncio

import pytest

from evaltui.core.budget import Budget, BudgetSpentError
from evaltui.core.joint_payer import JointPayer
from evaltui.core.payer import Payer


def joint(own: Budget, paying: Budget) -> JointPayer:
    return JointPayer(Payer("judge", own), Payer("judge", paying))


def test_what_is_settled_counts_on_both_sides() -> None:
    own, paying = Budget(1.0), Budget(2.0)
    reserved = joint(own, paying).try_reserve(0.5)
    assert reserved is not None
    assert (own.free_usd, paying.free_usd) == (0.5, 1.5)
    reserved.settle(0.25)
    assert (own.free_usd, paying.free_usd) == (0.75, 1.75)
    assert own.is_idle
    assert paying.is_idle


def test_what_is_released_or_lost_is_so_on_both_sides() -> None:
    own, paying = Budget(1.0, at_once=1), Budget(2.0, at_once=1)
    payer = joint(own, paying)
    for _ in range(2):
        reserved = payer.try_reserve(0.5)
        assert reserved is not None
        reserved.release()
    assert (own.free_usd, paying.free_usd) == (1.0, 2.0)
    reserved = payer.try_reserve(0.5)
    assert reserved is not None
    reserved.lose()
    assert (own.spent_usd, paying.spent_usd) == (0.5, 0.5), "it may have to be paid"


@pytest.mark.parametrize("spent", ["own", "paying"])
async def test_where_one_limit_is_spent_nothing_stays_reserved_under_the_other(spent: str) -> None:
    own, paying = (Budget(0.25 if spent == name else 1.0) for name in ("own", "paying"))
    payer = joint(own, paying)
    with pytest.raises(BudgetSpentError):
        payer.try_reserve(0.5)
    with pytest.raises(BudgetSpentError):
        await payer.reserve(0.5)
    assert own.is_idle
    assert paying.is_idle
    assert own.free_usd == own.limit_usd


async def test_who_waits_for_the_second_side_waits_with_the_first_and_lets_go_of_it() -> None:
    own, paying = Budget(1.0), Budget(0.75)
    payer, other = joint(own, paying), Payer("mini", paying)
    under_way = other.try_reserve(0.5)
    assert under_way is not None
    assert payer.try_reserve(0.5) is None
    assert own.is_idle, "not now: nothing is held meanwhile"
    waiting = asyncio.create_task(payer.reserve(0.5))
    await asyncio.sleep(0)
    assert own.free_usd == 0.5
    waiting.cancel()
    await asyncio.wait([waiting])
    assert own.is_idle
    waiting = asyncio.create_task(payer.reserve(0.5))
    await asyncio.sleep(0)
    under_way.settle(0.0)
    (await waiting).settle(0.5)
    assert (own.spent_usd, paying.spent_usd) == (0.5, 0.5)


@pytest.mark.parametrize(
    ("own", "paying", "is_limited"),
    [(None, None, False), (1.0, None, True), (None, 1.0, True)],
)
def test_one_limit_is_enough(own: float | None, paying: float | None, is_limited: bool) -> None:
    assert joint(Budget(own), Budget(paying)).is_limited is is_limited
