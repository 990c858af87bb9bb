"""Money is reserved before a request and settled with what it cost."""

import asyncio
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evaltui.core.budget import Budget, BudgetSpentError
from evaltui.core.payer import MOST_LOST, Payer, Reservation
from evaltui.core.spent import Spent


def paying(limit_usd: float | None = 1.0) -> tuple[Budget, Payer]:
    budget = Budget(limit_usd)
    return budget, Payer("mini", budget)


async def waits(payer: Payer, worst_usd: float | None = None) -> asyncio.Task[Reservation]:
    task = asyncio.create_task(payer.reserve(worst_usd))
    for _ in range(3):
        await asyncio.sleep(0)
    return task


async def test_the_worst_case_is_reserved_and_what_it_cost_is_spent() -> None:
    budget, payer = paying()
    first, second = await payer.reserve(0.4), await payer.reserve(0.4)
    third = await waits(payer, 0.4)
    assert not third.done(), "0.8 are reserved of 1"
    first.settle(0.1)
    (await third).settle(0.1)
    second.settle(0.4)
    assert budget.spent_usd == pytest.approx(0.6)
    assert budget.left_usd == pytest.approx(0.4)


def test_free_is_what_is_neither_spent_nor_reserved() -> None:
    budget = Budget(1.0)
    assert (budget.free_usd, Budget().free_usd) == (1.0, None)
    budget.take_over(Spent(0.5))
    assert budget.free_usd == 0.5
    budget.take(0.25)
    assert budget.free_usd == 0.25
    budget.take_over(Spent(2.0))
    assert budget.free_usd == 0.0


async def test_what_can_not_fit_any_more_is_refused_with_a_way_out() -> None:
    _, payer = paying()
    (await payer.reserve(0.9)).settle(0.9)
    with pytest.raises(BudgetSpentError) as refused:
        await payer.reserve(0.2)
    assert refused.value.what == (
        "`max_cost_usd` of $1.00 has $0.10 left, and the next answer may cost $0.20"
    )
    assert "lower the agent's `max_tokens`" in refused.value.hint
    assert refused.value.code == "budget-spent"
    (await payer.reserve(0.1)).settle(0.1)
    with pytest.raises(BudgetSpentError, match=r"of \$1 is spent \(\$1\)") as refused:
        await payer.reserve(0.0)
    assert (refused.value.code, refused.value.category) == ("budget-spent", "budget")
    assert "or run fewer cases" in refused.value.hint


async def test_whoever_waits_is_refused_once_nothing_can_be_freed() -> None:
    _, payer = paying()
    first = await payer.reserve(0.9)
    waiting = await waits(payer, 0.5)
    first.settle(0.9)
    with pytest.raises(BudgetSpentError):
        await waiting


async def test_where_no_worst_case_is_known_the_first_goes_alone_then_the_dearest_is_reserved() -> (
    None
):
    budget, payer = paying()
    first = await payer.reserve()
    second = await waits(payer)
    assert not second.done(), "nobody knows what an answer costs"
    first.settle(0.3)
    (await second).settle(0.05)
    held = [await payer.reserve(), await payer.reserve()]
    third = await waits(payer)
    assert not third.done(), "0.35 are spent, twice 0.3 reserved"
    for one in held:
        one.settle(0.05)
    (await third).settle(0.05)
    assert budget.spent_usd == pytest.approx(0.5)


async def test_an_answer_dearer_than_its_worst_case_raises_those_after_it() -> None:
    _, payer = paying()
    (await payer.reserve(0.1)).settle(0.2)
    assert (await payer.reserve(0.2)).held_usd == pytest.approx(0.4)


async def test_what_was_sent_and_never_came_counts_with_what_was_reserved() -> None:
    budget, payer = paying()
    (await payer.reserve(0.4)).lose()
    assert budget.spent_usd == 0.4
    (await payer.reserve(0.4)).release()
    assert budget.spent_usd == 0.4, "nothing was sent"


async def test_answers_that_never_came_before_a_price_count_with_the_first_one() -> None:
    budget, payer = paying()
    (await payer.reserve()).lose()
    (await payer.reserve()).lose()
    (await payer.reserve()).settle(0.2)
    assert budget.spent_usd == pytest.approx(0.6)


async def test_an_unknown_price_stops_and_says_how_to_state_one() -> None:
    for price in (None, float("nan"), -1.0):
        _, payer = paying()
        (await payer.reserve()).settle(price)
        with pytest.raises(BudgetSpentError) as refused:
            await payer.reserve()
        assert refused.value.what == "`max_cost_usd` is set, and what `mini` costs is not known"
        assert "`price`" in refused.value.hint
        assert refused.value.code == "price-unknown"
    _, payer = paying()
    for _ in range(3):
        (await payer.reserve()).lose()
    with pytest.raises(BudgetSpentError, match="not known"):
        await payer.reserve()


async def test_without_a_limit_nothing_waits_and_all_is_counted() -> None:
    budget, payer = paying(None)
    for one in [await payer.reserve() for _ in range(20)]:
        one.settle(0.5)
    (await payer.reserve()).settle(None)
    assert budget.spent_usd == pytest.approx(10.5)
    assert budget.left_usd is None


async def test_what_one_agent_spends_counts_for_all_and_its_own_limit_holds_too() -> None:
    session = Budget(1.0)
    dear, cheap = Payer("dear", Budget(0.5, session)), Payer("cheap", Budget(within=session))
    (await dear.reserve(0.4)).settle(0.4)
    with pytest.raises(BudgetSpentError, match=r"of \$0.50 has"):
        await dear.reserve(0.4)
    (await cheap.reserve(0.5)).settle(0.5)
    with pytest.raises(BudgetSpentError, match=r"of \$1.00 has"):
        await cheap.reserve(0.4)


async def test_one_agent_waits_for_what_another_may_free() -> None:
    session = Budget(1.0)
    one, other = Payer("one", Budget(within=session)), Payer("other", Budget(within=session))
    held = await one.reserve(0.9)
    waiting = await waits(other, 0.5)
    assert not waiting.done()
    held.settle(0.1)
    (await waiting).settle(0.1)


async def test_while_no_price_is_known_nobody_else_spends_what_the_answer_may_cost() -> None:
    session = Budget(1.0)
    one, other = Payer("one", Budget(within=session)), Payer("other", Budget(within=session))
    held = await one.reserve()
    waiting = await waits(other, 0.5)
    assert not waiting.done()
    held.settle(0.9)
    with pytest.raises(BudgetSpentError):
        await waiting


async def test_a_raised_limit_lets_those_go_on_that_wait() -> None:
    budget, payer = paying()
    held = await payer.reserve(0.9)
    waiting = await waits(payer, 0.5)
    budget.follow_limit(2.0)
    (await waiting).release()
    held.release()


async def test_who_is_cancelled_while_waiting_holds_nothing() -> None:
    budget, payer = paying()
    held = await payer.reserve(0.9)
    waiting = await waits(payer, 0.5)
    held.release()
    waiting.cancel()  # it was let through in this very turn
    await asyncio.gather(waiting, return_exceptions=True)
    (await payer.reserve(1.0)).release()
    assert budget.spent_usd == 0.0


@given(
    seed=st.integers(0, 2**32),
    limit=st.floats(0.01, 2.0),
    workers=st.integers(1, 12),
    knows_worst=st.booleans(),
)
async def test_what_is_spent_exceeds_the_limit_by_no_more_than_answers_exceed_their_reservations(
    seed: int, limit: float, workers: int, knows_worst: bool
) -> None:
    chance = random.Random(seed)
    budget, payer = paying(limit)
    spent = excess = 0.0

    async def work() -> None:
        nonlocal spent, excess
        for _ in range(20):
            worst = chance.uniform(0.01, 0.2) if knows_worst else None
            try:
                one = await payer.reserve(worst)
            except BudgetSpentError:
                return
            for _ in range(chance.randrange(4)):
                await asyncio.sleep(0)
            reserved = one.held_usd
            cost = chance.choice((1, 1, 1, 20)) * chance.uniform(0, 0.02)
            match chance.randrange(6):
                case 0:
                    one.release()
                case 1 if knows_worst:
                    one.lose()
                    spent += reserved
                case _:
                    one.settle(cost)
                    spent += cost
                    excess += max(0.0, cost - reserved)

    await asyncio.gather(*(work() for _ in range(workers)))
    assert spent <= limit + excess + 1e-6
    assert budget.spent_usd == pytest.approx(spent)


async def test_answers_that_never_came_are_not_forgotten_with_the_payer_who_asked() -> None:
    budget = Budget(1.0)
    for _ in range(MOST_LOST):  # an agent that is edited and saved is made anew
        (await Payer("mini", budget).reserve()).lose()
    again = Payer("mini", budget)
    with pytest.raises(BudgetSpentError) as refused:
        await again.reserve()
    assert refused.value.code == "price-unknown"
    (await again.reserve(0.1)).settle(0.1)
    assert budget.spent_usd == pytest.approx(0.1 * (1 + MOST_LOST)), "now their price is known"
    assert budget.lost == 0


async def test_answers_that_never_came_count_over_all_who_share_a_limit() -> None:
    session = Budget(2.4)
    agents = [Payer(name, Budget(within=session)) for name in ("one", "two", "three")]
    for agent in agents:
        (await agent.reserve()).lose()
    for agent in agents:
        with pytest.raises(BudgetSpentError) as refused:
            await agent.reserve()
        assert refused.value.code == "price-unknown"
    (await agents[0].reserve(0.3)).settle(0.3)
    assert session.spent_usd == pytest.approx(0.6), "the lost one of this agent is paid"
    assert session.lost == 2
    (await agents[1].reserve()).settle(0.3)
    (await agents[2].reserve()).settle(0.1)
    assert session.spent_usd == pytest.approx(0.6 + 0.6 + 0.2)
    assert session.lost == 0


async def test_who_has_a_limit_of_its_own_bears_only_its_own_lost_answers() -> None:
    session = Budget()
    one, other = Payer("one", Budget(1.0, session)), Payer("other", Budget(1.0, session))
    for _ in range(MOST_LOST):
        (await one.reserve()).lose()
    (await other.reserve()).settle(0.1)
    with pytest.raises(BudgetSpentError):
        await one.reserve()


@given(seed=st.integers(0, 2**32), agents=st.integers(1, 6), workers=st.integers(1, 4))
async def test_what_is_not_counted_yet_is_at_most_so_many_answers_over_all_agents(
    seed: int, agents: int, workers: int
) -> None:
    chance = random.Random(seed)
    session, price = Budget(2.4), 0.3
    billed = 0.0

    async def work(name: str) -> None:
        nonlocal billed
        own = own_budgets[name]
        for _ in range(10):
            payer = Payer(name, own)  # the agent was edited
            try:
                one = await payer.reserve()
            except BudgetSpentError:
                return
            await asyncio.sleep(0)
            billed += price
            one.lose() if chance.random() < 0.7 else one.settle(price)

    own_budgets = {str(n): Budget(within=session) for n in range(agents)}
    await asyncio.gather(*(work(name) for name in own_budgets for _ in range(workers)))
    assert billed <= session.spent_usd + MOST_LOST * price + 1e-6
    assert billed <= 2.4 + MOST_LOST * price + 1e-6


async def test_an_answer_without_a_price_ends_the_asking_of_all_who_share_the_limit() -> None:
    session = Budget(1.0)
    payers = [Payer(f"a{number}", Budget(within=session)) for number in range(10)]
    first = await payers[0].reserve()
    others = [await waits(payer) for payer in payers[1:]]
    assert not any(other.done() for other in others), "nobody knows what an answer costs"
    first.settle(None)
    for refused in await asyncio.gather(*others, return_exceptions=True):
        assert isinstance(refused, BudgetSpentError)
        assert refused.code == "price-unknown"
        assert "what `a0` costs is not known" in refused.what
    with pytest.raises(BudgetSpentError):
        await Payer("a0", payers[0].budget).reserve()
    (await payers[1].reserve(0.1)).settle(0.1)
    assert session.spent_usd == pytest.approx(0.1), "who states a price goes on"


async def test_an_answer_without_a_price_ends_nothing_of_who_has_a_limit_of_its_own() -> None:
    session = Budget()
    one, other = Payer("one", Budget(1.0, session)), Payer("other", Budget(1.0, session))
    (await one.reserve()).settle(None)
    (await other.reserve()).settle(0.1)
    with pytest.raises(BudgetSpentError):
        await one.reserve()


async def test_only_so_many_requests_without_a_worst_case_are_under_way_at_once() -> None:
    session = Budget(1.0, at_once=2)
    one, other = Payer("one", Budget(within=session)), Payer("other", Budget(within=session))
    (await one.reserve()).settle(0.01)
    (await other.reserve()).settle(0.01)
    held = [await one.reserve(), await other.reserve()]
    waiting = await waits(one)
    assert not waiting.done()
    (await one.reserve(0.1)).release()
    held[0].settle(0.01)
    (await waiting).release()
    held[1].lose()
    assert session.has_room


def free(session: Budget) -> tuple[Payer, Payer]:
    one, other = (Payer(name, Budget(within=session), is_free=True) for name in "ab")
    return one, other


async def test_who_was_free_so_far_counts_only_its_own_requests() -> None:
    session = Budget(1.0, at_once=1)
    one, other = free(session)
    (await one.reserve()).settle(0.0)
    (await other.reserve()).settle(None)
    held = [await one.reserve(), await other.reserve()]
    waiting = await waits(one)
    assert not waiting.done()
    held[0].settle(0.0)
    (await waiting).settle(0.0)


async def test_who_is_said_to_be_free_shares_the_places_until_an_answer_did_cost_nothing() -> None:
    one, other = free(Budget(1.0, at_once=1))
    held = await one.reserve()
    waiting = await waits(other)
    assert not waiting.done()
    held.settle(0.2)
    (await waiting).settle(0.2)


async def test_where_something_free_did_cost_money_all_of_it_share_the_places() -> None:
    session = Budget(1.0, at_once=1)
    one, other = free(session)
    for payer in (one, other):
        (await payer.reserve()).settle(0.0)
    (await one.reserve()).settle(0.2)
    held = await one.reserve()
    waiting = await waits(other)
    assert not waiting.done()
    held.settle(0.2)
    (await waiting).settle(0.2)


@pytest.mark.parametrize(("at_once", "sent"), [(1, 1), (2, 3), (8, 3)])
async def test_so_many_answers_may_fail_to_come_before_a_price_is_known(
    at_once: int, sent: int
) -> None:
    payer = Payer("mini", Budget(1.0, at_once=at_once))
    for _ in range(sent):
        (await payer.reserve()).lose()
    with pytest.raises(BudgetSpentError) as refused:
        await payer.reserve()
    assert refused.value.code == "price-unknown"


async def test_an_answer_that_did_not_come_takes_a_place_until_its_price_is_known() -> None:
    session = Budget(10.0, at_once=2)
    one, other = (Payer(name, Budget(within=session)) for name in "ab")
    for _ in range(2):
        (await one.reserve()).lose()
    (await other.reserve()).settle(0.1)
    held = await other.reserve()
    waiting = await waits(other)
    assert not waiting.done()
    (await one.reserve(0.1)).settle(0.1)
    (await waiting).release()
    held.release()


async def test_what_did_not_come_counts_with_a_dearer_one_that_comes_later() -> None:
    payer = Payer("mini", Budget(1.0))
    (await payer.reserve()).lose()
    (await payer.reserve()).settle(0.1)
    (await payer.reserve()).lose()
    assert payer.budget.spent_usd == pytest.approx(0.3)
    (await payer.reserve()).settle(0.2)
    assert payer.budget.spent_usd == pytest.approx(0.2 * 4 - 0.1), "two of them with 0.2 each"


@example(seed=27834318, agents=3, at_once=3)
@given(seed=st.integers(0, 2**32), agents=st.integers(1, 5), at_once=st.integers(1, 4))
async def test_the_limit_is_never_doubled_whoever_counts_as_free_and_whatever_fails_to_come(
    seed: int, agents: int, at_once: int
) -> None:
    """No answer costs more than the limit divided by how many run at once, of several agents by one
    more; one that did not come while prices were known, no more than the dearest until then."""
    chance = random.Random(seed)
    session = Budget(1.0, at_once=at_once)
    most, billed = 1.0 / (at_once + (agents > 1)), 0.0
    shares = chance.choice(((1.0,), (0.02, 0.1, 1.0)))
    free_share = chance.choice((0.0, 0.5, 1.0))

    async def work(payer: Payer, dearest: list[float], *, is_free: bool) -> None:
        nonlocal billed
        for _ in range(20):
            try:
                one = await payer.reserve()
            except BudgetSpentError:
                return
            await asyncio.sleep(0)
            cost = most * chance.choice(shares)
            if chance.random() < 0.2:
                is_known = dearest or is_free
                billed += min(cost, max(dearest, default=0.0)) if is_known else cost
                one.lose()
            else:
                billed += cost
                one.settle(cost)
                dearest.append(cost)

    tasks = []
    for number in range(agents):
        is_free = chance.random() < free_share
        payer = Payer(str(number), Budget(within=session), is_free=is_free)
        seen: list[float] = []
        tasks += [work(payer, seen, is_free=is_free) for _ in range(at_once)]
    await asyncio.gather(*tasks)
    assert billed <= 2.0 + 1e-6


async def test_without_a_limit_any_number_is_under_way() -> None:
    payer = Payer("mini", Budget(at_once=1))
    assert len([await payer.reserve() for _ in range(5)]) == 5


async def test_who_knows_no_price_asks_only_while_the_dearest_answer_of_all_is_left() -> None:
    session = Budget(0.815, at_once=2)
    known, new = (Payer(name, Budget(within=session)) for name in ("known", "new"))
    (await known.reserve()).settle(0.373)
    under_way = await known.reserve()
    waiting = await waits(new)
    assert not waiting.done(), "the rest is less than an answer did cost"
    under_way.settle(0.373)
    with pytest.raises(BudgetSpentError, match=r"\$0\.069 left, and the next answer may cost"):
        await waiting
    assert session.spent_usd == pytest.approx(0.746)


async def test_who_has_a_limit_of_its_own_takes_it_that_an_answer_costs_what_its_own_did() -> None:
    session = Budget()
    Payer("dear", Budget(within=session)).learn(5.0, None)
    held = await Payer("cheap", Budget(1.0, session)).reserve()
    assert held.held_usd == 1.0


async def test_prices_from_before_this_session_count_for_all() -> None:
    session = Budget(1.0)
    old, new = Budget(within=session), Payer("new", Budget(within=session))
    old.take_over(Spent(0.8, {"old": 0.3}))
    with pytest.raises(BudgetSpentError):
        await new.reserve()


async def test_what_is_under_way_is_told_before_it_is_sent_and_counts_as_if_it_never_came() -> None:
    session = Budget(10.0, at_once=2)
    own = Budget(within=session)
    payer, told = Payer("mine", own), list[Spent]()
    own.on_change = lambda: told.append(own.if_lost(0.0))
    first = await payer.reserve()
    assert told == [Spent(0.0, {}, 1, "mine")], "nobody knows what it costs"
    first.settle(0.5)
    second, third = await payer.reserve(), await payer.reserve(2.0)
    second.settle(0.25)
    third.lose()
    usd = [one.usd for one in told[1:]]
    assert usd == pytest.approx([0.5, 1.0, 3.0, 2.75, 2.75])
    assert told[-1] == own.spent_since(0.0)


async def test_of_what_is_free_nobody_hears_until_an_answer_has_a_price() -> None:
    own = Budget(within=Budget())
    payer, told = Payer("mine", own, is_free=True), list[Spent]()
    own.on_change = lambda: told.append(own.if_lost(0.0))
    for _ in range(3):
        (await payer.reserve()).settle(None)
    assert told == []
    (await payer.reserve()).settle(0.5)
    assert told == [Spent(0.5, {"mine": 0.5})]
    await payer.reserve()
    assert told[-1].usd == 1.0


async def test_a_limit_of_its_own_does_not_hide_that_the_one_around_lacks_a_price() -> None:
    session = Budget(1.0)
    one, other = Payer("one", Budget(1.0, session)), Payer("other", Budget(1.0, session))
    (await one.reserve()).settle(None)
    with pytest.raises(BudgetSpentError, match="what `one` costs is not known"):
        await other.reserve()


async def test_answers_that_were_lost_before_take_the_places_of_those_to_come() -> None:
    budget = Budget(1.0, at_once=2)
    Budget(within=budget).take_over(Spent(lost=2, loser="mini", unpriced="maxi"))
    assert (budget.lost, budget.loser, budget.places) == (2, "mini", 1)
    assert budget.worst_unpriced == ("maxi", False)


@pytest.mark.parametrize("limit", [0.0555, 0.3456, 1.0])
async def test_of_a_limit_of_which_nothing_was_spent_all_is_left(limit: float) -> None:
    with pytest.raises(BudgetSpentError) as refused:
        await Payer("mine", Budget(limit)).reserve(2.0)
    whole, left = refused.value.what.split(" of ")[1].split(" left")[0].split(" has ")
    assert whole == left
