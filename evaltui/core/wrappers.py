"""Agents and models with something around them."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.asked import Asked
from evaltui.core.json_value import JsonObject
from evaltui.core.model import Model, ModelReply, ModelRequest
from evaltui.core.response import AgentResponse
from evaltui.core.tool import ToolRegistry


class Wrapper(Asked):
    """What is around an agent or a model passes this on."""

    def __init__(self, inner: Asked) -> None:
        self._inner = inner
        self.name = inner.name
        self.fingerprint = inner.fingerprint
        self.former_fingerprint = inner.former_fingerprint
        self.content = inner.content
        self.former_content = inner.former_content
        self.knows_files = inner.knows_files
        self.variables = inner.variables
        self.awaited = inner.awaited
        self.traits = inner.traits

    @property
    def parameters(self) -> JsonObject:
        return self._inner.parameters

    @property
    def former_parameters(self) -> JsonObject | None:
        return self._inner.former_parameters

    @property
    def files(self) -> frozenset[Path]:
        return self._inner.files

    def reach(self, message: str, registry: ToolRegistry) -> frozenset[str] | None:
        return self._inner.reach(message, registry)

    def considered(self, response: AgentResponse) -> tuple[str, ...] | None:
        return self._inner.considered(response)

    def would_consider(
        self,
        message: str,
        registry: ToolRegistry,
        considered: Sequence[str],
        tools: frozenset[str],
    ) -> frozenset[str]:
        return self._inner.would_consider(message, registry, considered, tools)

    def read_prints(
        self, message: str, registry: ToolRegistry, tools: Collection[str]
    ) -> Mapping[str, str]:
        return self._inner.read_prints(message, registry, tools)

    def hide(self, text: str) -> str:
        return self._inner.hide(text)

    async def close(self) -> None:
        await self._inner.close()


class AgentWrapper(Wrapper, Agent):
    """Another agent with something around it: what it does not change, it passes on."""

    def __init__(self, agent: Agent) -> None:
        super().__init__(agent)
        self.agent = agent

    def loaded_files(self) -> frozenset[Path]:
        return self.agent.loaded_files()

    def check_files(self) -> None:
        self.agent.check_files()

    def disclosed(self, request: AgentRequest) -> JsonObject:
        return self.agent.disclosed(request)

    async def respond(self, request: AgentRequest) -> AgentResponse:
        return await self.agent.respond(request)


class ModelWrapper(Wrapper, Model):
    """Another model with something around it: what it does not change, it passes on."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.model = model

    async def complete(self, request: ModelRequest) -> ModelReply:
        return await self.model.complete(request)

    async def most_usd(self, request: ModelRequest) -> float | None:
        return await self.model.most_usd(request)
