"""The text of an answer stands at the first of several paths; `$messages` is the conversation."""

from typing import Any

import pytest

from evaltui.core.errors import AgentError
from evaltui.core.response import Message
from tests.agents.requests import agent, request
from tests.agents.servers import always, answer, serving

PATHS = ["message.content", "content", "response"]
ANSWERS: list[dict[str, Any]] = [
    {"message": {"content": "yes"}, "content": "no"},
    {"content": "yes", "response": "no"},
    {"message": "no", "response": "yes"},
]


@pytest.mark.parametrize("value", ANSWERS)
async def test_the_first_that_is_there_counts(value: dict[str, Any]) -> None:
    async with serving(always(answer(value))) as server:
        asked = agent(server.url, response={"text": PATHS, "tool_calls": False})
        assert (await asked.respond(request())).text == "yes"
        await asked.close()


async def test_where_none_is_there_the_first_is_named() -> None:
    async with serving(always(answer({"other": 1}))) as server:
        asked = agent(server.url, response={"text": PATHS, "tool_calls": False})
        with pytest.raises(AgentError, match=r"message\.content"):
            await asked.respond(request())
        await asked.close()


async def test_the_conversation_is_sent_with_its_last_message() -> None:
    history = (Message("user", "Hi"), Message("assistant", "Hello"))
    async with serving(always(answer())) as server:
        asked = agent(server.url, request={"messages": "$messages"})
        await asked.respond(request("Weather?", history=history))
        await asked.close()
        (sent,) = server.asked
    assert [one["content"] for one in sent.json["messages"]] == ["Hi", "Hello", "Weather?"]
    assert [one["role"] for one in sent.json["messages"]] == ["user", "assistant", "user"]
