"""The router as a model: it chooses tools on a user's message and puts results into words.

What it routes with is loaded with the first message: agents are made to find out whether they can
be, too.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.agents.tool_loop import ToolLoop
from evaltui.core.agent import Agent
from evaltui.core.agent_name import EMBEDDED, embedded_name
from evaltui.core.asked import AgentTraits
from evaltui.core.config import CALL_AT
from evaltui.core.json_value import Json
from evaltui.core.model import Model, ModelReply, ModelRequest
from evaltui.core.response import AgentResponse, Message, ToolCall
from evaltui.core.tool import ToolRegistry, short_hash

if TYPE_CHECKING:
    from evaltui.agents.embedded.index import RegistryIndex
    from evaltui.agents.embedded.reach import Reach

VERSION = "2"
"""Raised with every change that may decide a message differently."""


class EmbeddedModel(Model):
    """A deterministic keyword-retrieval program; not a language model. Free and offline.

    Its name is `embedded/2`, with the profile's name behind it when it has one.
    """

    def __init__(self, call_at: float = CALL_AT, profile: str = EMBEDDED) -> None:
        self._call_at = call_at
        self.name = embedded_name(VERSION, profile)
        self.fingerprint = short_hash(f"embedded/{VERSION} callAt={call_at!r}")
        is_round = round(call_at, 2) == call_at
        self.traits = AgentTraits(
            is_deterministic=True,
            is_free=True,
            may_tell_costs=True,
            settings=f"calls a tool from p ≥ {call_at:{'.2f' if is_round else 'g'}}",
        )
        self._prepared: tuple[tuple[ToolRegistry, Reach], ...] = ()
        """The last two registries: a save is compared with what was before it."""

    @property
    def call_at(self) -> float:
        """The probability from which on a tool is called."""
        return self._call_at

    def index(self, registry: ToolRegistry) -> "RegistryIndex":
        """The index of `registry`; only definitions that changed since the last one are read."""
        return self._reach_in(registry).index

    def reach(self, message: str, registry: ToolRegistry) -> frozenset[str]:
        """Tools with a word in common with the message: no other one can move the decision."""
        return self._reach_in(registry).of(message)

    def considered(self, response: AgentResponse) -> tuple[str, ...] | None:
        """Those that the explanation shows."""
        shown = response.explanation.get("tools")
        if not isinstance(shown, Sequence):
            return None
        return tuple(str(one["name"]) for one in shown if isinstance(one, Mapping))

    def would_consider(
        self,
        message: str,
        registry: ToolRegistry,
        considered: Sequence[str],
        tools: frozenset[str],
    ) -> frozenset[str]:
        from evaltui.agents.embedded.route import entering

        near = tools & self.reach(message, registry)
        return entering(self.index(registry), message, considered, near) if near else near

    def read_prints(
        self, message: str, registry: ToolRegistry, tools: Collection[str]
    ) -> Mapping[str, str]:
        reach = self._reach_in(registry)
        found = {name: reach.read_print(name, message) for name in tools}
        return {name: text for name, text in found.items() if text}

    def _reach_in(self, registry: ToolRegistry) -> "Reach":
        for known, reach in self._prepared:
            if known is registry:
                return reach
        from evaltui.agents.embedded.index import build_index
        from evaltui.agents.embedded.reach import Reach

        before = self._prepared[0][1] if self._prepared else None
        reach = Reach(build_index(registry, before.index if before else None), before)
        self._prepared = ((registry, reach), *self._prepared[:1])
        return reach

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Route the last user message; once its calls have results, answer from those."""
        from evaltui.agents.embedded.answer import answer
        from evaltui.agents.embedded.explanation import as_json
        from evaltui.agents.embedded.route import route

        message, done = _last_exchange(request.messages)
        if done:
            reply = ModelReply(text=answer(done))
        else:
            decision = route(self.index(request.registry), message, self._call_at)
            calls = tuple(
                ToolCall(call.tool, call.params, id=f"call_{request.turn}_{i}")
                for i, call in enumerate(decision.calls)
            )
            reply = ModelReply(
                text=answer(calls),
                tool_calls=calls,
                notes=(*decision.warnings, *decision.notes),
                explanation=as_json(decision),
            )
        if request.on_text:
            request.on_text(reply.text)
        return reply


def make(name: str, options: Mapping[str, Json], *, root: Path) -> Agent:  # noqa: ARG001
    """The embedded agent. Raises UserError for a wrong option.

    Its version stands in its name whatever the profile is called: results of another version, or
    of a real model, must never be taken for its own.
    """
    own = CALL_AT
    if options:
        from evaltui.agents.profiles.embedded import EmbeddedProfile
        from evaltui.agents.profiles.reading import read_profile

        written = read_profile(EmbeddedProfile, "embedded", options).call_at
        own = CALL_AT if written is None else written
    return ToolLoop(EmbeddedModel(own, name or EMBEDDED))


def _last_exchange(messages: Sequence[Message]) -> tuple[str, tuple[ToolCall, ...]]:
    """The last user message and the calls made for it so far."""
    calls: list[ToolCall] = []
    for message in reversed(messages):
        if message.role == "user":
            return message.content, tuple(calls)
        calls[:0] = message.tool_calls
    return "", tuple(calls)
