"""The judge model in force, created from the current settings."""

from typing import TYPE_CHECKING

from evaltui.core.agent import Agent
from evaltui.core.agent_name import JUDGE
from evaltui.core.config import JudgeConfig
from evaltui.core.errors import UserError
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
        self.recorder: Recorder | None = None
        self._made_of: tuple[JudgeConfig, str, str] | None = None
        self._former: list[Agent] = []
        """Runs under way may ask them still."""

    @property
    def is_free(self) -> bool:
        """Whether judging costs nothing: there is no judge, it is free, or all is replayed."""
        return self.agent is None or self.agent.traits.is_free or self._is_replayed

    @property
    def is_said_free(self) -> bool:
        """As of `AgentTraits`."""
        return self.agent is not None and self.agent.traits.is_said_free

    @property
    def may_tell_costs(self) -> bool:
        """Whether its answers may say what they cost, also where it is free."""
        asked = None if self._is_replayed else self.agent
        return asked is not None and asked.traits.may_tell_costs

    @property
    def _is_replayed(self) -> bool:
        return self.recorder is not None and self.recorder.mode == "replay"

    def update(
        self, recorder: "Recorder | None", *, is_strict: bool, may_lack_secrets: bool
    ) -> dict[KeyPath, UserError]:
        """Make the judge of the settings; what is in the way of it, by its table. With `is_strict`
        that raises UserError. While nobody agreed to what it would send there is none."""
        self.recorder = recorder
        config = self._state.config
        judge = None if self._state.untrusted else config.judge
        wanted = None if judge is None else (judge, config.recordings, config.recording_dir)
        if wanted == self._made_of and (self.agent is not None or judge is None):
            return {}
        if self.agent is not None:
            self._former.append(self.agent)
        self.agent, self._made_of = None, wanted
        if judge is None:
            return {}
        may_lack = may_lack_secrets or recorder is not None
        try:
            self.agent = trusted_agent(config, judge.profile, may_lack_secrets=may_lack, by=JUDGE)
        except UserError as error:
            if is_strict:
                raise unmade_error(config, JUDGE_TABLE, error) from None
            return {JUDGE_TABLE: error}
        return {}

    async def close(self) -> None:
        for agent in (*self._former, *([self.agent] if self.agent is not None else [])):
            await agent.close()
