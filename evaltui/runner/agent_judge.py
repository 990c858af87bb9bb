"""An agent, most often a model, that is asked to judge: with a time limit, and again after faults
that pass."""

import asyncio
from collections.abc import Callable

from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.errors import AgentError
from evaltui.core.judge import JudgeReply, JudgeRequest
from evaltui.core.tool import ToolRegistry
from evaltui.runner.retries import RetryPolicy

_USUAL_RETRIES = RetryPolicy()
_NO_TOOLS = ToolRegistry()


class AgentJudge:
    """Each question is a message of its own, without tools and without a conversation."""

    def __init__(
        self, agent: Agent, timeout_s: float, retries: RetryPolicy = _USUAL_RETRIES
    ) -> None:
        self.agent = agent
        self.name = agent.name
        self._timeout_s = timeout_s
        self._retries = retries

    async def ask(self, request: JudgeRequest) -> JudgeReply:
        """Raises AgentError, also when the time limit passed; waiting for our limits is no time."""
        retries = 0
        while True:
            try:
                return await self._ask(request, retries)
            except AgentError as error:
                delay_s = self._retries.delay_s(error, retries)
                if delay_s is None:
                    raise
            retries += 1
            await asyncio.sleep(delay_s)

    async def _ask(self, request: JudgeRequest, retries: int) -> JudgeReply:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._timeout_s or None) as limit:
                asked = AgentRequest(
                    key=request.key,
                    message=request.prompt,
                    registry=_NO_TOOLS,
                    max_turns=1,
                    timeout_s=self._timeout_s,
                    trial=request.vote,
                    retries=retries,
                    on_wait=_holding(limit, loop.time),
                )
                response = await self.agent.respond(asked)
        except TimeoutError:
            what = f"no complete answer within {self._timeout_s:g} s. Raise `timeout_ms`"
            raise AgentError(what, category="timeout") from None
        usage = response.usage
        return JudgeReply(response.text, None if usage is None else usage.cost_usd)


def _holding(limit: asyncio.Timeout, now: Callable[[], float]) -> Callable[[bool], None]:
    """Stops the limit while a request waits for money or for its turn."""
    left: list[float] = []

    def on_wait(is_waiting: bool) -> None:
        due = limit.when()
        if is_waiting and due is not None:
            left.append(due - now())
            limit.reschedule(None)
        elif not is_waiting and left:
            limit.reschedule(now() + left.pop())

    return on_wait
