"""Stands for an agent that nobody agreed to: its results can be read, it answers nothing."""

from evaltui.core.agent import Agent, AgentRequest
from evaltui.core.config import AgentProfile
from evaltui.core.errors import AgentError
from evaltui.core.permit import HOW_TO_TRUST
from evaltui.core.response import AgentResponse


class UntrustedAgent(Agent):
    """Made of a profile of which nothing was started, filled in or read."""

    fingerprint = ""
    """Unknown: nothing of it was read, so nobody can say that it changed."""

    def __init__(self, profile: AgentProfile) -> None:
        self.name = _name(profile)

    async def respond(self, request: AgentRequest) -> AgentResponse:  # noqa: ARG002
        """Raises AgentError."""
        raise AgentError(f"nobody agreed to this agent: {HOW_TO_TRUST}", category="not_trusted")


def _name(profile: AgentProfile) -> str:
    """As the agent itself is called, by which its results are found."""
    model = profile.options.get("model")
    is_model = profile.type in ("openai", "anthropic") and profile.name == profile.type
    return f"{profile.type}/{model}" if is_model else profile.name
