"""What one answer of a model may cost at most: by the bytes sent and the tokens allowed."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.budget import Budget
from evaltui.core.model import ModelRequest
from evaltui.core.payer import Payer
from evaltui.core.response import Message
from tests.agents.model_agents import TOOLS, model_agent, request

PRICE = {"input": 2.0, "output": 10.0}


async def worst(type_: str, message: str = "hello", **options: Any) -> float | None:
    agent = model_agent(type_, "http://localhost:1", **options)
    asked = ModelRequest(request().key, (Message("user", message),), TOOLS)
    return await agent.model.most_usd(asked)


@pytest.mark.parametrize("type_", ["openai", "anthropic"])
async def test_it_grows_with_what_is_sent_and_with_what_may_be_answered(type_: str) -> None:
    least = await worst(type_, price=PRICE, max_tokens=1)
    longer = await worst(type_, "hello" * 1000, price=PRICE, max_tokens=1)
    more = await worst(type_, price=PRICE, max_tokens=1001)
    assert least is not None and longer is not None and more is not None
    assert longer - least == pytest.approx(4995 * 2.0 / 1e6, rel=0.01)
    assert more - least == pytest.approx(1000 * 10.0 / 1e6, rel=0.01)


@given(piece=st.text(min_size=1, max_size=9))
async def test_a_tokenizer_that_makes_a_token_of_each_byte_is_no_surprise(piece: str) -> None:
    message = 5000 * piece
    most = await worst("openai", message, price={"input": 1e6, "output": 0}, max_tokens=1)
    size = len(message.encode("utf-8", "surrogatepass"))
    assert most is not None and most >= size


async def test_letters_of_several_bytes_count_as_they_are_read() -> None:
    price = {"input": 1e6, "output": 0}
    one, more = [await worst("openai", "猫" * n, price=price, max_tokens=1) for n in (1, 1001)]
    assert one is not None and more is not None
    assert more - one == 3000


async def test_digits_of_a_token_each_do_not_exceed_a_limit() -> None:
    digits, price = "7" * 20_000, {"input": 10.0, "output": 0.0}
    most = await worst("openai", digits, price=price, max_tokens=1)
    budget = Budget(1.0)
    payer = Payer("mini", budget)
    sent = [got for _ in range(20) if (got := payer.try_reserve(most)) is not None]
    for one in sent:
        one.settle(len(digits) * 10.0 / 1e6)
    assert len(sent) == 4, "0.2 each, and what is around it"
    assert budget.spent_usd == pytest.approx(0.8)


async def test_several_answers_cost_as_many_times_as_much() -> None:
    one = await worst("openai", price=PRICE, max_tokens=100_000)
    three = await worst("openai", price=PRICE, max_tokens=100_000, extra={"n": 3})
    assert one is not None and three == pytest.approx(3 * one, rel=0.01)


async def test_the_body_as_it_is_sent_counts() -> None:
    told = await worst("openai", price=PRICE, extra={"max_completion_tokens": 100_000})
    assert told is not None and told > 1.0


async def test_without_a_price_or_a_limit_of_the_answer_nobody_knows() -> None:
    assert await worst("openai", price=PRICE) is None
    assert await worst("openai", max_tokens=10) is None
    assert await worst("anthropic", price=PRICE) is not None, "4096 tokens unless told otherwise"
