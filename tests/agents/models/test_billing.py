"""What the bill of an answer is, told by whichever API, and what nobody can tell of it."""

import json
from typing import Any

import pytest

from evaltui.agents.models.api_model import COST_UNKNOWN
from evaltui.agents.models.billing import bills_beside, charged_usd
from evaltui.core.model import ModelRequest
from evaltui.core.response import AgentResponse, Message
from tests.agents.model_agents import TOOLS, ask, model_agent, request
from tests.agents.servers import always, answer, serving
from tests.agents.wire_texts import chunk, sse, stream

PRICE = {"input": 1.0, "output": 10.0}
"""US dollars for a million tokens."""
TOLD = {"prompt_tokens": 1_000, "completion_tokens": 2_000, "total_tokens": 3_000}
SAID = {"role": "assistant", "content": "Sunny."}


@pytest.mark.parametrize(
    ("usage", "charged"),
    [
        ({"cost": 0.5}, 0.5),
        ({"cost": {"total_cost": 0.5, "request_cost": 0.4}}, 0.5),
        ({"estimated_cost": 0.5}, 0.5),
        ({"cost": 0.1, "is_byok": False, "cost_details": {"upstream_inference_cost": 2}}, 0.1),
        ({"cost": 0.1, "is_byok": True, "cost_details": {"upstream_inference_cost": 2}}, 2.1),
        ({"cost": 0.1, "is_byok": True}, None),
        ({"cost": True}, None),
        ({"cost": "nan"}, None),
        ({"cost": None}, None),
        ({}, None),
    ],
)
def test_what_a_gateway_charged(usage: Any, charged: float | None) -> None:
    assert charged_usd(usage) == charged


@pytest.mark.parametrize(
    ("usage", "does"),
    [
        ({"server_tool_use": {"web_search_requests": 2}}, True),
        ({"server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 3}}, False),
        ({"server_tool_use": None, "num_sources_used": 0}, False),
        ({"num_sources_used": 4}, True),
        ({}, False),
    ],
)
def test_what_is_billed_beside_the_tokens(usage: Any, does: bool) -> None:
    assert bills_beside(usage) is does


def of_chat(usage: Any, *, is_stream: bool, **more: Any) -> bytes:
    if is_stream:
        return stream(sse(chunk(content="Sunny."), chunk("stop"), {"choices": [], "usage": usage}))
    choice = {"message": SAID | more, "finish_reason": "stop"}
    return answer({"choices": [choice], "usage": usage})


def of_messages(usage: dict[str, Any], *, is_stream: bool) -> bytes:
    block = {"type": "text", "text": "Sunny."}
    if not is_stream:
        return answer({"content": [block], "stop_reason": "end_turn", "usage": usage})
    told = {"output_tokens": usage["output_tokens"]} if "output_tokens" in usage else {}
    started = {"model": "m", "usage": usage | {"output_tokens": 1}}
    events = (
        {"type": "message_start", "message": started},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": told},
        {"type": "message_stop"},
    )
    return stream(sse(*events, names=True))


async def answered(type_: str, body: bytes, **options: Any) -> AgentResponse:
    async with serving(always(body)) as server:
        return await ask(model_agent(type_, server.url, price=PRICE, **options))


def cost_of(response: AgentResponse) -> float | None:
    return None if response.usage is None else response.usage.cost_usd


EACH = pytest.mark.parametrize("is_stream", [True, False], ids=["stream", "whole"])


@EACH
@pytest.mark.parametrize(
    ("usage", "usd"),
    [
        (TOLD, 0.021),
        (TOLD | {"cost": 0.5}, 0.5),
        (TOLD | {"cost": 0.001}, 0.021),
        (TOLD | {"cost": {"total_cost": 0.5}}, 0.5),
        ({"cost": 0.5}, 0.5),
        ({"cost": 0}, None),
        (TOLD | {"cost": 0}, 0.021),
        (TOLD | {"server_tool_use": {"web_search_requests": 1}, "cost": 0.5}, 0.5),
        (TOLD | {"server_tool_use": {"web_search_requests": 1}}, None),
        (TOLD | {"completion_tokens": -5_000}, None),
        ({"prompt_tokens": 1_000}, None),
        ({"prompt_tokens": 1_000, "completion_tokens": 0}, None),
        ({"promptTokens": 1_000, "completionTokens": 2_000}, None),
        ({}, None),
        (None, None),
    ],
)
async def test_the_dearer_of_price_and_charge_counts_and_no_part_of_a_bill_alone(
    usage: Any, usd: float | None, is_stream: bool
) -> None:
    response = await answered("openai", of_chat(usage, is_stream=is_stream))
    assert cost_of(response) == (None if usd is None else pytest.approx(usd))
    assert (COST_UNKNOWN in response.notes) is (usd is None)


@EACH
@pytest.mark.parametrize(
    ("usage", "usd"),
    [
        ({"input_tokens": 1_000, "output_tokens": 2_000}, 0.021),
        ({"input_tokens": 0, "cache_creation_input_tokens": 1_000, "output_tokens": 1}, 0.00126),
        ({"cache_creation": {"ephemeral_5m_input_tokens": 1_000}, "output_tokens": 1}, 0.00126),
        ({"cache_creation": {"ephemeral_1h_input_tokens": 1_000}, "output_tokens": 1}, 0.00201),
        ({"cache_read_input_tokens": 1_000, "output_tokens": 1}, 0.00101),
        ({"input_tokens": 1_000}, None),
        ({"input_tokens": 1_000, "output_tokens": 0}, None),
        ({"input_tokens": -1, "output_tokens": 5}, None),
        ({"input_tokens": 9, "cache_read_input_tokens": -1, "output_tokens": 5}, None),
        ({"input_tokens": 9, "output_tokens": 5, "cost": 0.5}, 0.5),
        ({"output_tokens": 5}, None),
        (
            {
                "input_tokens": 9,
                "output_tokens": 5,
                "server_tool_use": {"web_search_requests": 10},
            },
            None,
        ),
    ],
)
async def test_what_is_written_to_a_cache_costs_more_and_what_is_not_told_is_unknown(
    usage: dict[str, Any], usd: float | None, is_stream: bool
) -> None:
    response = await answered("anthropic", of_messages(usage, is_stream=is_stream))
    assert cost_of(response) == (None if usd is None else pytest.approx(usd))


async def test_an_item_of_a_tool_that_openai_runs_is_billed_beside() -> None:
    said = {"type": "message", "content": [{"type": "output_text", "text": "Sunny."}]}
    usage = {"input_tokens": 1_000, "output_tokens": 2_000}
    searched = {"server_tool_use": {"web_search_requests": 1}}
    for more, told, usd in (
        ((), usage, 0.021),
        (({"type": "web_search_call"},), usage, None),
        ((), usage | searched, None),
    ):
        body = answer({"status": "completed", "output": [*more, said], "usage": told})
        response = await answered("openai", body, api="responses", stream=False)
        assert cost_of(response) == usd


async def test_after_a_bill_for_more_than_tokens_nobody_knows_what_an_answer_costs_at_most() -> (
    None
):
    usage = TOLD | {"server_tool_use": {"web_search_requests": 1}}
    async with serving(always(of_chat(usage, is_stream=False))) as server:
        agent = model_agent("openai", server.url, price=PRICE, max_tokens=10)
        asked = ModelRequest(request().key, (Message("user", "hi"),), TOOLS)
        assert await agent.model.most_usd(asked) is not None
        await ask(agent)
        assert await agent.model.most_usd(asked) is None


async def test_nor_with_tools_of_the_api_in_extra() -> None:
    searching = {"tools": [{"type": "web_search_20250305", "name": "web_search"}]}
    asked = ModelRequest(request().key, (Message("user", "hi"),), TOOLS)
    agent = model_agent("anthropic", "http://localhost:1", price=PRICE, extra=searching)
    assert await agent.model.most_usd(asked) is None


@pytest.mark.parametrize("type_", ["openai", "anthropic"])
def test_a_gateway_on_this_machine_is_counted_for_it_may_say_what_it_charged(type_: str) -> None:
    traits = model_agent(type_, "http://localhost:1").traits
    assert traits.is_free and traits.may_tell_costs


async def test_writing_to_a_cache_is_reserved() -> None:
    asked = ModelRequest(request().key, (Message("user", "hi"),), TOOLS)
    most = []
    for extra in ({"cache_controls": {"type": "x"}}, {"cache_control": {"type": "xx"}}):
        agent = model_agent(
            "anthropic", "http://localhost:1", price={"input": 1, "output": 0}, extra=extra
        )
        assert len(json.dumps(extra)) == 33
        most.append(await agent.model.most_usd(asked))
    assert most[0] and most[1] == pytest.approx(2 * most[0])
