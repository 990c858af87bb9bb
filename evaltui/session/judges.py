"""Who judges with a model: made of the settings, asked on account of the agent that is judged."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from evaltui.core.agent import Agent
from evaltui.core.agent_name import JUDGE
from evaltui.core.case import CaseKey
from evaltui.core.config import JudgeConfig
from evaltui.core.errors import UserError
from evaltui.core.judge import Panel
from evaltui.core.key_path import KeyPath
from evaltui.project import JUDGE_TABLE, trusted_agent, unmade_error
from evaltui.session.jobs import cases_of
from evaltui.session.project_state import ProjectState
from evaltui.session.spending import Spending

if TYPE_CHECKING:
    from evaltui.agents.recordings.recorder import Recorder
    from evaltui.scenarios.calibration import Calibration


class Judges:
    """The judge of the settings in force; another is made when they change."""

    def __init__(self, state: ProjectState, spending: Spending) -> None:
        self._state = state
        self._spending = spending
        self._made_of: tuple[JudgeConfig, str, str] | None = None
        self._agent: Agent | None = None
        self._recorder: Recorder | None = None
        self._former: list[Agent] = []
        """Runs under way may ask them still."""
        self._panels: dict[str, Panel] = {}
        """By agent that is judged."""

    @property
    def is_free(self) -> bool:
        """Whether judging costs nothing: there is no judge, it is free, or all is replayed."""
        if self._agent is None or self._agent.traits.is_free:
            return True
        return self._recorder is not None and self._recorder.mode == "replay"

    def update(
        self, recorder: "Recorder | None", *, is_strict: bool, may_lack_secrets: bool
    ) -> dict[KeyPath, UserError]:
        """Make the judge of the settings; what is in the way of it, by its table. With `is_strict`
        that raises UserError. While nobody agreed to what it would send there is none."""
        self._recorder = recorder
        self._panels.clear()
        try:
            return self._update(is_strict=is_strict, may_lack_secrets=may_lack_secrets)
        finally:
            self._spending.is_judging_free = self.is_free

    def _update(self, *, is_strict: bool, may_lack_secrets: bool) -> dict[KeyPath, UserError]:
        config = self._state.config
        judge = None if self._state.untrusted else config.judge
        wanted = None if judge is None else (judge, config.recordings, config.recording_dir)
        if wanted == self._made_of and (self._agent is not None or judge is None):
            return {}
        if self._agent is not None:
            self._former.append(self._agent)
        self._agent, self._made_of = None, wanted
        if judge is None:
            return {}
        may_lack = may_lack_secrets or self._recorder is not None
        try:
            self._agent = trusted_agent(config, judge.profile, may_lack_secrets=may_lack, by=JUDGE)
        except UserError as error:
            if is_strict:
                raise unmade_error(config, JUDGE_TABLE, error) from None
            return {JUDGE_TABLE: error}
        return {}

    def panel(self, agent: str) -> Panel | None:
        """Who judges the answers of that agent; `None` while nobody can."""
        judge, inner = self._state.config.judge, self._agent
        if judge is None or inner is None:
            return None
        if agent not in self._panels:
            from evaltui.runner.agent_judge import AgentJudge

            asked = AgentJudge(self._counted(inner, agent), self._state.config.timeout_ms / 1000)
            self._panels[agent] = Panel(asked, judge.votes, judge.threshold)
        return self._panels[agent]

    async def calibrate(self, keys: Collection[CaseKey]) -> "Calibration":
        """What the judge makes of the known answers of these cases; a person asked for it.

        Raises UserError without a judge, and where no answer is known.
        """
        from evaltui.scenarios.calibration import calibrate, has_known_answers

        config = self._state.config
        panel = self.panel(config.agents[0].name)
        if panel is None:
            raise UserError("There is no judge.", "Write a table `[judge]` into the settings.")
        cases = [case for case, _ in cases_of(self._state.project, keys) if has_known_answers(case)]
        if not cases:
            raise UserError(
                "No answer with known scores is there to calibrate the judge by.",
                'Write `"calibration": [{"response": "…", "scores": {"DIMENSION": 1}}]` into a '
                "rubric case.",
            )
        return await calibrate(cases, panel, config.concurrency)

    async def close(self) -> None:
        for agent in (*self._former, *([self._agent] if self._agent is not None else [])):
            await agent.close()

    def _counted(self, judge: Agent, agent: str) -> Agent:
        """With its requests counted in the budget of the agent whose answers it judges."""
        from evaltui.agents.metered import metered

        counted = metered(judge, self._spending.judge_meter(judge, agent))
        if self._recorder is None:
            return counted
        from evaltui.agents.recordings.recorded_agents import recorded

        return recorded(counted, self._recorder)
