"""An agent under test and the settings it was created from."""

from msgspec import Struct

from evaltui.core.agent import Agent
from evaltui.core.config import AgentProfile


class ConfiguredAgent(Struct, frozen=True):
    """An agent and the settings that made it, those too that shape no answer."""

    agent: Agent
    profile: AgentProfile
    recordings: str
    recording_dir: str
    lacks: str = ""
    """Which secret is missing here to ask it, without a full stop; what is known of it is shown,
    and nothing of it runs."""

    def is_same(self, other: "ConfiguredAgent") -> bool:
        """Whether both were made of the same settings, variables and files."""
        return (
            self.profile == other.profile
            and self.lacks == other.lacks
            and (self.recordings, self.recording_dir) == (other.recordings, other.recording_dir)
            and self.agent.fingerprint == other.agent.fingerprint
            and self.agent.content == other.agent.content
            and self.agent.variables == other.agent.variables
        )
