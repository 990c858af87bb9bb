"""Agents and models whose every request is metered before it is sent: its cost and the rate.

Every request of theirs goes through here, whichever turn, attempt or retry it belongs to; answers
that are replayed from a recording do not.
"""

import asyncio
from collections.abc import Callable, Coroutine
from time import perf_counter
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from evaltui.agents.tool_loop import ToolLoop
from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.errors import AgentError
from evaltui.core.joint_payer import JointPayer
from evaltui.core.model import Model, ModelReply, ModelRequest
from evaltui.core.on_wait import OnWait, waiting_for_us
from evaltui.core.payer import Payer
from evaltui.core.rate_window import RateWindow
from evaltui.core.response import AgentResponse
from evaltui.core.wrappers import AgentWrapper, ModelWrapper

T = TypeVar("T", AgentResponse, ModelReply)


class Meter(Struct, frozen=True):
    """What the requests of one agent, judge or persona are counted by."""

    payer: Payer | JointPayer | None = None
    """`None`: what it answers is free."""
    rate: RateWindow = field(default_factory=RateWindow)

    @property
    def is_on(self) -> bool:
        return self.payer is not None or self.rate.per_minute is not None

    async def ask(
        self,
        send: Callable[[], Coroutine[Any, Any, T]],
        worst_usd: float | None,
        on_wait: OnWait | None,
    ) -> T:
        """Send one request when it may be sent, and count what it cost.

        Raises BudgetSpentError when nothing may be sent any more.
        """
        began = perf_counter()
        payer, loop = self.payer, asyncio.get_running_loop()
        reservation = None if payer is None else payer.try_reserve(worst_usd)
        is_late = (payer is not None and reservation is None) or self.rate.wait_s(loop.time()) > 0
        if is_late:
            try:
                with waiting_for_us(on_wait):
                    if payer is not None and reservation is None:
                        reservation = await payer.reserve(worst_usd)
                    await self._wait_for_rate()
            except BaseException:
                if reservation is not None:
                    reservation.release()
                raise
        self.rate.count(loop.time())
        waited_ms = (perf_counter() - began) * 1000 if is_late else 0.0
        try:
            answer = await send()
        except AgentError as error:
            if reservation is not None:
                (reservation.release if error.is_unpaid else reservation.lose)()
            raise
        except BaseException:
            if reservation is not None:
                reservation.lose()
            raise
        if reservation is not None:
            reservation.settle(answer.usage.cost_usd if answer.usage is not None else None)
        return replace(answer, queued_ms=answer.queued_ms + waited_ms) if is_late else answer

    async def _wait_for_rate(self) -> None:
        loop = asyncio.get_running_loop()
        # Nothing but time makes room in the window.
        while (wait_s := self.rate.wait_s(loop.time())) > 0:  # noqa: ASYNC110
            await asyncio.sleep(wait_s)


def metered(agent: Agent, meter: Meter) -> Agent:
    """The same agent, its requests counted: models turn by turn, all others as a whole."""
    if isinstance(agent, ToolLoop):
        return agent.with_model(MeteredModel(agent.model, meter))
    return MeteredAgent(agent, meter)


class MeteredModel(ModelWrapper):
    """A model each of whose turns is counted."""

    def __init__(self, model: Model, meter: Meter) -> None:
        super().__init__(model)
        self._meter = meter

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Raises AgentError, and BudgetSpentError when nothing may be sent any more."""
        if not self._meter.is_on:
            return await self.model.complete(request)
        worst_usd = None
        if self._meter.payer is not None and self._meter.payer.is_limited:
            worst_usd = await self.model.most_usd(request)
        return await self._meter.ask(
            lambda: self.model.complete(request), worst_usd, request.on_wait
        )


class MeteredAgent(AgentWrapper):
    """An agent each of whose answers is counted."""

    def __init__(self, agent: Agent, meter: Meter) -> None:
        super().__init__(agent)
        self._meter = meter

    async def respond(self, request: AgentRequest) -> AgentResponse:
        """Raises AgentError, and BudgetSpentError when nothing may be sent any more."""
        if not self._meter.is_on:
            return await self.agent.respond(request)
        return await self._meter.ask(lambda: self.agent.respond(request), None, request.on_wait)
