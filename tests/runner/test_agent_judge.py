"""An agent that is asked to judge: what it is sent, when again, how long it may take."""

import asyncio
from collections.abc import Callable

import pytest

from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.case import CaseKey
from evaltui.core.errors import AgentError
from evaltui.core.judge import JudgeReply, JudgeRequest
from evaltui.core.response import AgentResponse, Usage
from evaltui.runner.agent_judge import AgentJudge
from evaltui.runner.retries import RetryPolicy

KEY = CaseKey("evals/a.rubric.json", "rb-a-001")
AT_ONCE = RetryPolicy(max_retries=2, first_delay_s=0.0)


class Asked(Agent):
    """Remembers what it was sent and answers by a function, which may raise."""

    name = "asked"

    def __init__(self, answer: Callable[[int], AgentResponse]) -> None:
        self.requests: list[AgentRequest] = []
        self._answer = answer

    async def respond(self, request: AgentRequest) -> AgentResponse:
        self.requests.append(request)
        return self._answer(len(self.requests))


def failing(times: int, *, retryable: bool) -> Callable[[int], AgentResponse]:
    def answer(number: int) -> AgentResponse:
        if number <= times:
            raise AgentError("too busy", retryable=retryable)
        return AgentResponse("yes")

    return answer


async def test_it_is_sent_the_question_alone_and_says_what_the_answer_cost() -> None:
    agent = Asked(lambda _: AgentResponse("yes", usage=Usage(1, 2, 0.25)))
    reply = await AgentJudge(agent, 1.0).ask(JudgeRequest(KEY, "Is it?", 2))
    assert reply == JudgeReply("yes", 0.25)
    (request,) = agent.requests
    assert (request.key, request.message, request.trial) == (KEY, "Is it?", 2)
    assert (request.history, request.stubs, tuple(request.registry)) == ((), None, ())


async def test_it_is_asked_again_after_a_fault_that_passes() -> None:
    agent = Asked(failing(2, retryable=True))
    assert (await AgentJudge(agent, 1.0, AT_ONCE).ask(JudgeRequest(KEY, "q"))).text == "yes"
    assert [request.retries for request in agent.requests] == [0, 1, 2]


@pytest.mark.parametrize(("times", "retryable", "asked"), [(3, True, 3), (1, False, 1)])
async def test_it_is_given_up_in_the_end(times: int, retryable: bool, asked: int) -> None:
    agent = Asked(failing(times, retryable=retryable))
    with pytest.raises(AgentError, match="too busy"):
        await AgentJudge(agent, 1.0, AT_ONCE).ask(JudgeRequest(KEY, "q"))
    assert len(agent.requests) == asked


class Slow(Agent):
    """Waits for our limits for longer than the time limit, then for ever if it `hangs`."""

    name = "slow"

    def __init__(self, *, hangs: bool) -> None:
        self.hangs = hangs

    async def respond(self, request: AgentRequest) -> AgentResponse:
        assert request.on_wait is not None
        request.on_wait(True)
        await asyncio.sleep(0.05)
        request.on_wait(False)
        if self.hangs:
            await asyncio.Event().wait()
        return AgentResponse("yes")


async def test_waiting_for_our_own_limits_is_no_time_of_the_judge() -> None:
    assert (await AgentJudge(Slow(hangs=False), 0.02).ask(JudgeRequest(KEY, "q"))).text == "yes"


async def test_a_judge_that_hangs_is_a_fault_with_the_limit_in_it() -> None:
    with pytest.raises(AgentError, match=r"no complete answer within 0\.02 s"):
        await AgentJudge(Slow(hangs=True), 0.02).ask(JudgeRequest(KEY, "q"))
