"""What may be assumed of an agent, and what wrappers pass on."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.asked import AgentTraits
from evaltui.core.case import CaseKey
from evaltui.core.errors import NoMoreError
from evaltui.core.expected import Expected
from evaltui.core.json_value import JsonObject
from evaltui.core.model import Model, ModelReply, ModelRequest
from evaltui.core.response import AgentResponse, Message
from evaltui.core.tool import ToolRegistry
from evaltui.core.wrappers import AgentWrapper, ModelWrapper

KEY = CaseKey("evals/a.golden.json", "gs-1")
TOLD = Expected(output="yes")
REQUEST = AgentRequest(KEY, "hello", ToolRegistry(), stubs={"look": 1}, expected=TOLD)
MODEL_REQUEST = ModelRequest(KEY, (), ToolRegistry())
TRAITS = AgentTraits(False, True, True, True, 3, "sees p ≥ 0.40")


class _Peculiar:
    """Answers each question otherwise than an agent does by default."""

    name, fingerprint, content, traits = "peculiar", "0" * 12, "1" * 12, TRAITS
    former_fingerprint, former_content, variables = "2" * 12, "3" * 12, "4" * 12
    knows_files = False
    awaited = frozenset({Path("/prompts")})
    closed = 0

    @property
    def parameters(self) -> JsonObject:
        return {"model": "m"}

    @property
    def files(self) -> frozenset[Path]:
        return frozenset({Path("/prompt.txt")})

    def reach(self, message: str, registry: ToolRegistry) -> frozenset[str] | None:
        return frozenset({message, *(tool.name for tool in registry)})

    def considered(self, response: AgentResponse) -> tuple[str, ...] | None:
        return (response.text,)

    def would_consider(
        self,
        message: str,
        registry: ToolRegistry,
        considered: Sequence[str],
        tools: frozenset[str],
    ) -> frozenset[str]:
        return frozenset({message, *(tool.name for tool in registry), *considered}) - tools

    def read_prints(
        self, message: str, registry: ToolRegistry, tools: Collection[str]
    ) -> Mapping[str, str]:
        return dict.fromkeys(tools, f"{message} {len(registry)}")

    def hide(self, text: str) -> str:
        return text.replace("secret", "***")

    async def close(self) -> None:
        self.closed += 1


class PeculiarAgent(_Peculiar, Agent):
    def loaded_files(self) -> frozenset[Path]:
        return frozenset({Path("/plugin.py")})

    def check_files(self) -> None:
        raise NoMoreError("`plugin.py` was saved", "Run again.", "agent-edited")

    def disclosed(self, request: AgentRequest) -> JsonObject:
        return {"output": request.expected.output}

    async def respond(self, request: AgentRequest) -> AgentResponse:
        return AgentResponse(request.message)


class PeculiarModel(_Peculiar, Model):
    async def complete(self, request: ModelRequest) -> ModelReply:
        return ModelReply(request.key.case)

    async def most_usd(self, request: ModelRequest) -> float | None:  # noqa: ARG002
        return 0.5


def test_an_agent_of_unknown_traits_reads_the_registry_is_sampled_and_costs_money() -> None:
    assert Agent.traits == Model.traits == AgentTraits()
    unknown = AgentTraits()
    assert unknown.reads_registry
    assert not (unknown.is_deterministic or unknown.is_free or unknown.may_tell_costs)
    assert (unknown.max_repairs, unknown.settings) == (0, "")


def test_an_agent_is_told_the_stubs_and_nothing_else() -> None:
    assert Agent().disclosed(REQUEST) == {"stubs": {"look": 1}}
    assert Agent().disclosed(AgentRequest(KEY, "hello", ToolRegistry(), expected=TOLD)) == {}


def test_an_agent_that_says_nothing_is_made_of_no_files_and_can_be_reached_by_any_tool() -> None:
    agent = Agent()
    assert agent.files == agent.loaded_files() == frozenset()
    assert agent.reach("hello", ToolRegistry()) is None
    assert agent.considered(AgentResponse("", (), 0.0)) is None
    assert agent.read_prints("hello", ToolRegistry(), ("one",)) == {}
    assert agent.hide("a secret") == "a secret"


@pytest.mark.parametrize("kind", ["agent", "model"])
async def test_a_wrapper_passes_on_all_that_can_be_asked(kind: str) -> None:
    inner = PeculiarAgent() if kind == "agent" else PeculiarModel()
    wrapper: AgentWrapper | ModelWrapper
    wrapper = AgentWrapper(inner) if isinstance(inner, PeculiarAgent) else ModelWrapper(inner)
    asked = {
        "name",
        "fingerprint",
        "content",
        "traits",
        "parameters",
        "files",
        "former_fingerprint",
        "former_content",
        "knows_files",
        "variables",
        "awaited",
        "former_parameters",
    }
    for name in asked:
        assert getattr(wrapper, name) == getattr(inner, name), name
    assert wrapper.reach("hello", ToolRegistry()) == frozenset({"hello"})
    assert wrapper.considered(AgentResponse("one", (), 0.0)) == ("one",)
    left = wrapper.would_consider("hello", ToolRegistry(), ("one", "two"), frozenset({"two"}))
    assert left == {"hello", "one"}
    assert wrapper.read_prints("hello", ToolRegistry(), ("one",)) == {"one": "hello 0"}
    assert wrapper.hide("a secret") == "a ***"
    asked |= {"reach", "considered", "would_consider", "read_prints", "hide", "close"}
    await wrapper.close()
    assert inner.closed == 1
    if isinstance(wrapper, AgentWrapper):
        assert wrapper.loaded_files() == {Path("/plugin.py")}
        assert wrapper.disclosed(REQUEST) == {"output": "yes"}
        assert (await wrapper.respond(REQUEST)).text == "hello"
        with pytest.raises(NoMoreError):
            wrapper.check_files()
        asked |= {"loaded_files", "disclosed", "respond", "check_files"}
    else:
        assert (await wrapper.complete(MODEL_REQUEST)).text == "gs-1"
        assert await wrapper.most_usd(MODEL_REQUEST) == 0.5
        asked |= {"complete", "most_usd"}
    base = Agent if kind == "agent" else Model
    public = {name for name in dir(base) if not name.startswith("_")}
    assert public | set(base.__mro__[1].__annotations__) == asked, (
        "a new question: is it passed on?"
    )


def test_a_conversation_ends_with_what_is_to_be_answered() -> None:
    history = (Message("user", "hi"), Message("assistant", "Hello!"))
    asked = replace(REQUEST, history=history)
    assert asked.messages == (*history, Message("user", "hello"))
    said = Message("user", "look", name="Ann")
    assert replace(asked, said=said).messages == (*history, said)


def test_what_is_not_free_is_counted_and_what_is_where_its_answers_may_tell_costs() -> None:
    assert AgentTraits().is_counted
    assert not AgentTraits(is_free=True).is_counted
    assert AgentTraits(is_free=True, may_tell_costs=True).is_counted


def test_recordings_are_found_by_the_agent_its_fingerprint_and_what_its_files_hold() -> None:
    class Made(Agent):
        fingerprint, content, former_fingerprint = "1", "2", "0"
        files = frozenset({Path("/prompt.txt")})

    class Bare(Made):
        files = frozenset()
        former_fingerprint = ""

    assert Made().parameters == {"agent": "Made", "fingerprint": "1", "files": "2"}
    assert Made().former_parameters == {"agent": "Made", "fingerprint": "0", "files": "2"}
    assert Bare().parameters == {"agent": "Bare", "fingerprint": "1"}
    assert Bare().former_parameters is None


async def test_what_cannot_be_told_may_be_any_tool_and_any_price() -> None:
    tools = frozenset({"one"})
    assert Agent().would_consider("hello", ToolRegistry(), (), tools) == tools
    assert await Model().most_usd(MODEL_REQUEST) is None
