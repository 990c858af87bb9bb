"""The loop that makes an agent of a model: turns, stubs, real execution, sums."""

import asyncio
import json
from pathlib import Path
from unittest.mock import AsyncMock

import pytest
from msgspec.structs import replace

from evaltui.agents.tool_loop import ToolExecutor, ToolLoop
from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.asked import AgentTraits
from evaltui.core.case import CaseKey
from evaltui.core.errors import AgentError
from evaltui.core.json_value import JsonObject
from evaltui.core.model import Model, ModelReply, ModelRequest
from evaltui.core.response import Execution, Message, ToolCall, Usage
from evaltui.core.tool import ToolRegistry

REQUEST = AgentRequest(CaseKey("s", "c"), "What is it like?", ToolRegistry())
CALL = ToolCall("get_weather", {"city": "Paris"}, id="1")
OTHER = ToolCall("get_tide", {}, id="2")


class Script(Model):
    """A model that says what it was told to, in order, and remembers what it was asked."""

    name = "script"
    fingerprint = "0123456789ab"

    def __init__(self, *replies: ModelReply) -> None:
        self.replies = replies
        self.asked: list[ModelRequest] = []
        self.closed = False

    async def complete(self, request: ModelRequest) -> ModelReply:
        self.asked.append(request)
        reply = self.replies[min(request.turn, len(self.replies) - 1)]
        if request.on_text and reply.text:
            request.on_text(reply.text)
        return reply

    async def close(self) -> None:
        self.closed = True


def calls(*made: ToolCall, text: str = "") -> ModelReply:
    return ModelReply(text, made)


async def test_without_stubs_one_turn_routes() -> None:
    model = Script(calls(CALL, OTHER, text="looking"), ModelReply("never asked"))
    response = await ToolLoop(model).respond(REQUEST)
    assert response.execution is Execution.ROUTING
    assert response.tool_calls == (CALL, OTHER)
    assert (response.text, response.turns, len(model.asked)) == ("looking", 1, 1)
    assert response.notes == ()


async def test_stubs_are_fed_back_until_the_answer() -> None:
    model = Script(calls(CALL, OTHER), ModelReply("18 degrees"))
    stubs: JsonObject = {"get_weather": {"temperature": 18}, "get_tide": "high"}
    response = await ToolLoop(model).respond(replace(REQUEST, stubs=stubs))
    assert response.execution is Execution.STUBS
    assert (response.text, response.turns) == ("18 degrees", 2)
    assert [call.success for call in response.tool_calls] == [True, True]
    fed = [message for message in model.asked[1].messages if message.role == "tool"]
    assert [(m.tool_call_id, m.name, m.content) for m in fed] == [
        ("1", "get_weather", '{"temperature": 18}'),
        ("2", "get_tide", "high"),
    ]
    assert [m.role for m in response.messages] == ["user", "assistant", "tool", "tool", "assistant"]


async def test_a_missing_stub_is_fed_back_as_an_error_and_the_loop_goes_on() -> None:
    model = Script(calls(OTHER), ModelReply("sorry"))
    response = await ToolLoop(model).respond(replace(REQUEST, stubs={}))
    assert json.loads(model.asked[1].messages[-1].content) == {"error": 'no stub for "get_tide"'}
    assert response.tool_calls[0].success is False
    assert response.text == "sorry"


@pytest.mark.parametrize(("limit", "turns"), [(1, 1), (3, 3), (0, 1)])
async def test_max_turns_counts_model_calls(limit: int, turns: int) -> None:
    model = Script(calls(CALL))
    request = replace(REQUEST, stubs={"get_weather": 1}, max_turns=limit)
    response = await ToolLoop(model).respond(request)
    assert (len(model.asked), response.turns, len(response.tool_calls)) == (turns, turns, turns)
    assert response.text == ""
    assert f"maxTurns ({turns})" in response.notes[0]


async def test_at_the_limit_the_last_text_is_the_answer() -> None:
    model = Script(calls(CALL, text="first"), calls(CALL, text="second"), calls(CALL))
    request = replace(REQUEST, stubs={"get_weather": 1}, max_turns=3)
    assert (await ToolLoop(model).respond(request)).text == "second"


async def test_a_final_empty_text_is_the_answer() -> None:
    model = Script(calls(CALL, text="let me look"), ModelReply(""))
    request = replace(REQUEST, stubs={"get_weather": 1})
    assert (await ToolLoop(model).respond(request)).text == ""


async def test_an_executor_makes_calls_real_and_concurrent() -> None:
    started: list[str] = []
    both = asyncio.Event()

    async def execute(call: ToolCall) -> ToolCall:
        started.append(call.name)
        if len(started) == 2:
            both.set()
        await both.wait()
        return replace(call, success=call is CALL, error="" if call is CALL else "no tide")

    model = Script(calls(CALL, OTHER), ModelReply("done"))
    response = await ToolLoop(model, executor=execute).respond(REQUEST)
    assert response.execution is Execution.REAL
    assert [(c.name, c.success) for c in response.tool_calls] == [
        ("get_weather", True),
        ("get_tide", False),
    ]
    assert json.loads(model.asked[1].messages[-1].content) == {"error": "no tide"}


async def test_stubs_win_over_an_executor() -> None:
    async def execute(_: ToolCall) -> ToolCall:
        raise AssertionError

    model = Script(calls(CALL), ModelReply("done"))
    request = replace(REQUEST, stubs={"get_weather": 1})
    response = await ToolLoop(model, executor=execute).respond(request)
    assert response.execution is Execution.STUBS


async def test_everything_is_summed() -> None:
    first = ModelReply("", (CALL,), Usage(10, 5, 0.25), 30.0, 100.0, 7.0, 1, ("a",), {"x": 1})
    second = ModelReply("done", (), Usage(20, 6, 0.5), 40.0, 200.0, 8.0, 2, ("a", "b"), {"y": 2})
    request = replace(REQUEST, stubs={"get_weather": 1})
    response = await ToolLoop(Script(first, second)).respond(request)
    assert response.usage == Usage(30, 11, 0.75)
    assert 300 <= response.duration_ms < 310
    assert (response.first_token_ms, response.queued_ms, response.retries) == (30.0, 15.0, 3)
    assert response.notes == ("a", "b")
    assert response.explanation == {"x": 1, "y": 2}


async def test_a_cost_that_is_unknown_once_stays_unknown() -> None:
    first = ModelReply("", (CALL,), Usage(1, 1, 0.25))
    second = ModelReply("done", (), Usage(1, 1))
    request = replace(REQUEST, stubs={"get_weather": 1})
    response = await ToolLoop(Script(first, second)).respond(request)
    assert response.usage == Usage(2, 2, None)


async def test_tokens_that_one_reply_does_not_tell_are_unknown_of_all() -> None:
    replies = ModelReply("", (CALL,), Usage(1, 1, 0.25)), ModelReply("done")
    request = replace(REQUEST, stubs={"get_weather": 1})
    response = await ToolLoop(Script(*replies)).respond(request)
    assert response.usage is None


async def test_a_conversation_goes_on_from_its_history() -> None:
    history = (Message("user", "Hello"), Message("assistant", "Hi"))
    model = Script(ModelReply("fine"))
    response = await ToolLoop(model).respond(replace(REQUEST, history=history))
    assert model.asked[0].messages == (*history, Message("user", REQUEST.message))
    assert response.messages[:2] == history


async def test_text_and_calls_are_told_as_they_come() -> None:
    texts: list[str] = []
    told: list[ToolCall] = []
    model = Script(calls(CALL, text="one "), ModelReply("two"))
    request = replace(
        REQUEST, stubs={"get_weather": 1}, on_text=texts.append, on_tool_call=told.append
    )
    await ToolLoop(model).respond(request)
    assert texts == ["one ", "two"]
    assert [(call.name, call.result) for call in told] == [("get_weather", 1)]


async def test_faults_of_the_model_pass_through() -> None:
    class Broken(Script):
        async def complete(self, request: ModelRequest) -> ModelReply:
            raise AgentError(f"no answer to turn {request.turn}")

    with pytest.raises(AgentError, match="no answer"):
        await ToolLoop(Broken()).respond(REQUEST)


@pytest.mark.parametrize("executor", [None, AsyncMock()])
def test_all_that_is_known_of_the_model_is_known_of_the_agent(
    executor: ToolExecutor | None,
) -> None:
    model = Script()
    model.former_fingerprint, model.content, model.former_content = "former", "now", "then"
    model.knows_files, model.variables, model.awaited = False, "told", frozenset({Path("/a")})
    agent = ToolLoop(model, executor=executor)
    for name in ("content", "former_content", "knows_files", "variables", "awaited", "files"):
        assert getattr(agent, name) == getattr(model, name)
    for name in ("fingerprint", "former_fingerprint"):  # one that executes answers otherwise
        assert (getattr(agent, name) == getattr(model, name)) is (executor is None)


async def test_it_is_an_agent_and_closes_its_model() -> None:
    model = Script(ModelReply("x"))
    agent: Agent = ToolLoop(model)
    assert (agent.name, agent.fingerprint, agent.traits) == (
        "script",
        "0123456789ab",
        AgentTraits(),
    )
    assert ToolLoop(model, name="mine").name == "mine"
    await agent.close()
    assert model.closed
