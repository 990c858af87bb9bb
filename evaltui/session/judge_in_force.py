"""The judge model in force, created from the current settings."""

from typing import TYPE_CHECKING

from evaltui.core.agent import Agent
from evaltui.core.agent_name import JUDGE
from evaltui.core.config import JudgeConfig
from evaltui.core.errors import MissingSecretError, UserError
from evaltui.core.key_path import KeyPath
from evaltui.project import JUDGE_TABLE, trusted_agent, unmade_error
from evaltui.session.project_state import ProjectState

if TYPE_CHECKING:
    from evaltui.agents.recordings.recorder import Recorder


class JudgeInForce:
    """The judge of the settings; another is made when they change."""

    def __init__(self, state: ProjectState) -> None:
        self._state = state
        self.agent: Agent | None = None
        """`None` while nobody can judge."""
        self.player: Agent | None = None
        """Who plays users, where that is another one."""
        self.recorder: Recorder | None = None
        self._made_of: tuple[JudgeConfig, str, str] | None = None
        self._former: list[Agent] = []
        """Runs under way may ask them still."""

    @property
    def is_free(self) -> bool:
        """Whether judging and playing users cost nothing: nobody does it, whoever does is free, or
        all is replayed."""
        return self._is_replayed or all(one.traits.is_free for one in self._agents)

    @property
    def is_said_free(self) -> bool:
        """As of `AgentTraits`."""
        agents = self._agents
        return bool(agents) and all(one.traits.is_said_free for one in agents)

    @property
    def may_tell_costs(self) -> bool:
        """Whether its answers may say what they cost, also where it is free."""
        return not self._is_replayed and any(one.traits.may_tell_costs for one in self._agents)

    @property
    def _agents(self) -> list[Agent]:
        return [one for one in (self.agent, self.player) if one is not None]

    @property
    def _is_replayed(self) -> bool:
        return self.recorder is not None and self.recorder.mode == "replay"

    def update(
        self, recorder: "Recorder | None", *, is_strict: bool, may_lack_secrets: bool
    ) -> dict[KeyPath, UserError]:
        """Make the judge of the settings; what is in the way of it, by its table. With `is_strict`
        that raises UserError. While it cannot be made the one before stays in force, and there is
        none while its secrets are missing or nobody agreed to what it would send."""
        self.recorder = recorder
        config = self._state.config
        judge = None if self._state.untrusted else config.judge
        wanted = None if judge is None else (judge, config.recordings, config.recording_dir)
        if wanted == self._made_of and (self.agent is not None or judge is None):
            return {}
        may_lack = may_lack_secrets or recorder is not None
        made, unmade = list[Agent](), dict[KeyPath, UserError]()
        try:
            for one in () if judge is None else judge.profiles:
                made.append(trusted_agent(config, one, may_lack_secrets=may_lack, by=JUDGE))
        except UserError as error:
            if is_strict:
                raise unmade_error(config, JUDGE_TABLE, error) from None
            unmade = {JUDGE_TABLE: error}
            self._former += made
            made = []
            if not isinstance(error, MissingSecretError):
                return unmade  # nothing runs until it is corrected
        self._former += self._agents
        self.agent, self.player = (*made, None, None)[:2]
        self._made_of = wanted
        return unmade

    async def close(self) -> None:
        for agent in (*self._former, *self._agents):
            await agent.close()
