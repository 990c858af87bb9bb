"""A conversation that breaks goes on where it broke, and only when it is the same attempt."""

import asyncio
from typing import Any

import pytest

from evaltui.agents.tool_loop import ToolLoop
from evaltui.core.errors import AgentError
from evaltui.core.model import Model, ModelReply, ModelRequest
from evaltui.core.response import ToolCall, Usage
from evaltui.core.result import CaseStatus
from evaltui.runner.retries import RetryPolicy
from evaltui.runner.run import run_cases
from tests.agents.model_agents import request
from tests.runner.fakes import Ear, job

STUBS = {"get_weather": "sunny"}


class Breaking(Model):
    """Calls the weather in turns 0 and 1 and answers in turn 2; the given turn fails at first."""

    name, fingerprint = "breaking", "b" * 12

    def __init__(self, turn: int, *, retryable: bool = True, times: int = 1) -> None:
        self.turns: list[int] = []
        self._turn = turn
        self._retryable = retryable
        self._left = times

    async def complete(self, request: ModelRequest) -> ModelReply:
        await asyncio.sleep(0)
        self.turns.append(request.turn)
        if request.turn == self._turn and self._left:
            self._left -= 1
            raise AgentError("down", retryable=self._retryable)
        usage = Usage(10, 1, 0.25)
        if request.turn < 2:
            call = ToolCall("get_weather", {"day": request.turn}, id=f"c{request.turn}")
            return ModelReply("", (call,), usage, duration_ms=5.0)
        return ModelReply(f"{len(request.messages)} messages", usage=usage, duration_ms=5.0)


async def attempt(loop: ToolLoop, retries: int, **more: Any) -> str:
    return (await loop.respond(request(stubs=STUBS, retries=retries, **more))).text


async def test_goes_on_with_the_turn_that_failed() -> None:
    model = Breaking(2)
    loop = ToolLoop(model)
    with pytest.raises(AgentError):
        await attempt(loop, 0)
    response = await loop.respond(request(stubs=STUBS, retries=1))
    assert model.turns == [0, 1, 2, 2]
    assert response.text == "5 messages"
    assert [call.params for call in response.tool_calls] == [{"day": 0}, {"day": 1}]
    assert response.turns == 3
    assert response.usage == Usage(30, 3, 0.75)


async def test_a_new_attempt_starts_anew() -> None:
    model = Breaking(1)
    loop = ToolLoop(model)
    with pytest.raises(AgentError):
        await attempt(loop, 0)
    await attempt(loop, 0)
    await attempt(loop, 1)
    assert model.turns == [0, 1, 0, 1, 2, 0, 1, 2]


async def test_trials_do_not_take_over_from_each_other() -> None:
    model = Breaking(1)
    loop = ToolLoop(model)
    with pytest.raises(AgentError):
        await attempt(loop, 0, trial=0)
    await attempt(loop, 1, trial=1)
    assert model.turns == [0, 1, 0, 1, 2]


async def test_what_is_not_sent_again_is_not_kept() -> None:
    model = Breaking(1, retryable=False)
    loop = ToolLoop(model)
    with pytest.raises(AgentError):
        await attempt(loop, 0)
    await attempt(loop, 1)
    assert model.turns == [0, 1, 0, 1, 2]


async def test_through_the_runner_every_turn_is_paid_once() -> None:
    model = Breaking(1, times=2)
    ear = Ear()
    policy = RetryPolicy(first_delay_s=0.001)
    jobs = [job(1, stubs=STUBS)]
    await run_cases(jobs, ToolLoop(model), ear, run_id="r", retries=policy)
    (result,) = ear.results.values()
    assert result.status is CaseStatus.PASSED
    assert model.turns == [0, 1, 1, 1, 2]
    assert result.response is not None
    assert result.response.retries == 2


async def test_a_conversation_that_begins_anew_gets_no_turn_of_a_later_message() -> None:
    model = Breaking(1)
    loop = ToolLoop(model)
    with pytest.raises(AgentError):
        await attempt(loop, 0, message="the second line")
    model.turns.clear()
    response = await loop.respond(request(stubs=STUBS, retries=1, message="the first line"))
    assert model.turns == [0, 1, 2]
    assert response.messages[0].content == "the first line"
