"""The profile of the embedded agent."""

from collections.abc import Iterator
from pathlib import Path

from pydantic import Field

from evaltui.agents.profiles.options import AgentOptions
from evaltui.core.permit import Grant
from evaltui.settings.written import Probability


class EmbeddedProfile(AgentOptions):
    call_at: Probability | None = Field(
        None, description="lowest probability at which a tool is called"
    )

    def grants(self, root: Path, by: str) -> Iterator[Grant]:  # noqa: ARG002
        yield from ()
