"""What agents and models have in common: what they are like, and what they can be asked."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from evaltui.core.json_value import JsonObject
from evaltui.core.response import AgentResponse
from evaltui.core.tool import ToolRegistry


class AgentTraits(Struct, frozen=True, gc=False):
    """What an agent, or a model, is like.

    One whose traits are unknown counts as one that reads the registry, is sampled and costs money.
    """

    reads_registry: bool = True
    """Whether it is given the tool definitions that evaltui reads: a recorded answer belongs to
    them then. Whether a change of them can matter to another agent nobody knows."""
    is_deterministic: bool = False
    """Whether the same request is always answered in the same way."""
    is_free: bool = False
    """Whether running it costs nothing, so that possibly affected cases rerun at once."""
    may_tell_costs: bool = False
    """Whether its answers can say what they cost: what they say counts, though it is free."""
    max_repairs: int = 0
    """How often it may try again after an attempt that did not pass."""
    settings: str = ""
    """A setting that its results cannot be read without, in words and without secrets."""
    sees_expectations: bool = False
    """Whether `AgentRequest.expected` is filled in for it; nobody else sees what a case expects."""
    may_read_registry: bool = True
    """Whether a change of the tools can matter to it at all, wherever it has them from."""
    executes_tools: bool = False
    """Whether the calls of a case without stubs are executed by the servers of the registry."""
    is_taken_free: bool = False
    """Whether it is free since nobody said otherwise: it is on this machine."""
    is_said_free: bool = False
    """Whether its profile says so, and states no price: it is, until an answer tells a cost."""
    states_price: bool = False
    """Whether its profile states a price: an answer that tells its tokens tells its cost."""

    @property
    def is_counted(self) -> bool:
        """Whether what it is asked is counted: it costs money, or its answers may say so."""
        return not self.is_free or self.may_tell_costs


class Asked:
    """What agents and models have in common."""

    name: str
    """How results name it: `embedded/1`, an endpoint URL, a profile's name."""
    fingerprint: str
    """Changes when the same request could be answered differently (12 hex digits)."""
    former_fingerprint: str = ""
    """What `fingerprint` was while options counted that shape no answer: results and recordings of
    then are its own. Empty where it is the same."""
    content: str = ""
    """Of what stands in its files, where `fingerprint` does not say it (12 hex digits)."""
    former_content: str = ""
    """What `content` was while some of its files were not known to be: whether results of then are
    its own nobody knows. Empty where it is the same."""
    knows_files: bool = True
    """Whether `files` are all that it is made of; else any file of the project may belong to it."""
    variables: str = ""
    """Of what variables stand for where that decides who is asked (12 hex digits); empty: none
    does, or it is unknown."""
    awaited: frozenset[Path] = frozenset()
    """Absolute paths that are none of `files` and would be if they were there, and of folders in
    which such may appear."""
    traits: AgentTraits = AgentTraits()

    @property
    def parameters(self) -> JsonObject:
        """What shapes an answer besides the request; recordings are found by it."""
        own: JsonObject = {"agent": type(self).__name__, "fingerprint": self.fingerprint}
        return {**own, "files": self.content} if self.files and self.content else own

    @property
    def former_parameters(self) -> JsonObject | None:
        """By which recordings are found that were made while all options counted; `None`: by
        `parameters`."""
        if not self.former_fingerprint:
            return None
        return {**self.parameters, "fingerprint": self.former_fingerprint}

    @property
    def files(self) -> frozenset[Path]:
        """Files of the project it is made of, absolute: when one changes it is another agent."""
        return frozenset()

    def reach(self, message: str, registry: ToolRegistry) -> frozenset[str] | None:  # noqa: ARG002
        """Names of the tools that can shape its answer to a message; `None`: it can't tell."""
        return None

    def considered(self, response: AgentResponse) -> tuple[str, ...] | None:  # noqa: ARG002
        """Names of the tools it weighed for an answer, best first: no other one shaped it.

        `None`: it can't tell.
        """
        return None

    def would_consider(
        self,
        message: str,  # noqa: ARG002
        registry: ToolRegistry,  # noqa: ARG002
        considered: Sequence[str],  # noqa: ARG002
        tools: frozenset[str],
    ) -> frozenset[str]:
        """Which of `tools` it would weigh for a message now.

        Those that it `considered` are as they were, and so are all others.
        """
        return tools

    def read_prints(
        self,
        message: str,  # noqa: ARG002
        registry: ToolRegistry,  # noqa: ARG002
        tools: Collection[str],  # noqa: ARG002
    ) -> Mapping[str, str]:
        """8 hex digits of all that it reads of each tool for a message, by name.

        Where they are equal for two definitions, its answer is the same with either, as far as it
        shows. A tool of which it can't tell is left out.
        """
        return {}

    def hide(self, text: str) -> str:
        """`text` with every secret that it was given replaced."""
        return text

    async def close(self) -> None:
        """Give up connections and processes. By default nothing is open."""
