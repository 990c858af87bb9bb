"""An agent in this process: it calls the tool that a message names, as often as a test says."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random

import pytest
from pydantic import Field

from evaltui.agents import AGENTS, AgentType
from evaltui.agents.profiles.options import AgentOptions
from evaltui.agents.profiles.reading import read_profile
from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.asked import AgentTraits
from evaltui.core.json_value import Json
from evaltui.core.permit import Grant
from evaltui.core.response import AgentResponse, Execution, ToolCall, Usage
from tests.projects import case, write_suite, write_tools

Rate = Callable[[str, AgentRequest], float]


class SimulatedProfile(AgentOptions):
    cost_usd: float | None = Field(None, description="of each answer; it is free without")
    reads_registry: bool = Field(True, description="whether it is given the definitions")

    def grants(self, root: Path, by: str) -> Iterator[Grant]:  # noqa: ARG002
        yield from ()


class World:
    """What all simulated agents share: how often they are right, and who was asked what."""

    def __init__(self, seed: int = 7) -> None:
        self.rate: Rate = lambda _name, _request: 1.0
        self.random = Random(seed)
        self.cost_usd: Callable[[float], float | None] = lambda stated: stated
        """What an answer tells of its cost, where one is stated."""
        self.asked: list[tuple[str, AgentRequest]] = []


class Simulated(Agent):
    def __init__(self, name: str, profile: SimulatedProfile, world: World) -> None:
        self.name, self.fingerprint = name, name
        self._world, self._cost_usd = world, profile.cost_usd
        self.traits = AgentTraits(
            reads_registry=profile.reads_registry, is_free=profile.cost_usd is None
        )

    async def respond(self, request: AgentRequest) -> AgentResponse:
        self._world.asked.append((self.name, request))
        is_right = self._world.random.random() < self._world.rate(self.name, request)
        calls = (ToolCall(request.message, {}),) if is_right else ()
        usage = (
            None if self._cost_usd is None else Usage(1, 1, self._world.cost_usd(self._cost_usd))
        )
        return AgentResponse("", calls, execution=Execution.ROUTING, usage=usage)


def simulate(monkeypatch: pytest.MonkeyPatch, seed: int = 7) -> World:
    """Have `type = "simulated"` be known, with a world of its own."""
    world = World(seed)

    def make(name: str, options: Mapping[str, Json], *, root: Path) -> Agent:  # noqa: ARG001
        return Simulated(name, read_profile(SimulatedProfile, "simulated", options), world)

    monkeypatch.setattr(f"{__name__}.make", make, raising=False)
    there = AgentType(f"{__name__}:make", f"{__name__}:SimulatedProfile")
    monkeypatch.setitem(AGENTS, "simulated", there)
    return world


def simulated_project(root: Path, cases: int = 3, settings: str = "") -> Path:
    """A tool and a suite of so many cases; agents `mine` and `other`, the first under test."""
    write_tools(root, [{"name": "find_order", "description": "Finds.", "parameters": {}}])
    asked = [case(f"gs-{n:03}", "find_order", "find_order") for n in range(cases)]
    write_suite(root, "find_order", asked)
    tables = "".join(f'[agents.{name}]\ntype = "simulated"\n' for name in ("mine", "other"))
    (root / "evaltui.toml").write_text(f'agent = "mine"\n{settings}\n{tables}')
    return root
