"""Asks the judge model, on account of the agent that is judged."""

import asyncio
from collections.abc import Collection
from itertools import product
from typing import TYPE_CHECKING

from evaltui.core.agent import Agent
from evaltui.core.case import Case, CaseKey
from evaltui.core.errors import Severity, UserError
from evaltui.core.judge import Judge, Panel
from evaltui.core.key_path import KeyPath
from evaltui.session.judge_in_force import JudgeInForce
from evaltui.session.money.estimate import Estimate, needs_confirmation
from evaltui.session.money.spending import Spending
from evaltui.session.project_state import ProjectState
from evaltui.session.running.jobs import cases_of
from evaltui.store.known_costs import has_voted, vote_usd

if TYPE_CHECKING:
    from evaltui.agents.recordings.recorder import Recorder
    from evaltui.scenarios.calibration import Calibration


class Judges:
    """A panel for each agent, as long as the judge is the same."""

    def __init__(self, state: ProjectState, judge: JudgeInForce, spending: Spending) -> None:
        self._state = state
        self._judge = judge
        self._spending = spending
        self._panels: dict[str, Panel] = {}
        """By agent that is judged."""

    def update(
        self, recorder: "Recorder | None", *, is_strict: bool, may_lack_secrets: bool
    ) -> dict[KeyPath, UserError]:
        """As `JudgeInForce.update`."""
        self._panels.clear()
        return self._judge.update(recorder, is_strict=is_strict, may_lack_secrets=may_lack_secrets)

    def panel(self, agent: str) -> Panel | None:
        """Who judges the answers of that agent; `None` while nobody can."""
        judge, inner = self._state.config.judge, self._judge.agent
        if judge is None or inner is None:
            return None
        if agent not in self._panels:
            from evaltui.runner.agent_judge import AgentJudge

            def asked(one: Agent) -> Judge:
                return AgentJudge(self._counted(one, agent), self._state.config.timeout_ms / 1000)

            player = None if self._judge.player is None else asked(self._judge.player)
            self._panels[agent] = Panel(asked(inner), judge.votes, judge.threshold, player)
        return self._panels[agent]

    async def calibrate(self, keys: Collection[CaseKey]) -> "Calibration":
        """What the judge makes of the known answers of these cases; somebody agreed to the cost.

        Raises UserError without a judge, and where no answer is known.
        """
        from evaltui.scenarios.calibration import calibrate

        panel, cases = self._calibrated(keys)
        return await calibrate(cases, panel, self._state.config.concurrency)

    async def calibration_estimate(self, keys: Collection[CaseKey]) -> Estimate:
        """What that would take, from what the judge's votes did cost. Raises UserError as that."""
        from evaltui.scenarios.calibration import known_scores

        panel, cases = self._calibrated(keys)
        config = self._state.config
        calls = known_scores(cases) * panel.votes
        is_free = self._judge.is_free
        if is_free and not self._judge.may_tell_costs:
            return Estimate(calls, None, None)
        detail, boards = self._state.record.history.detail, self._state.events.store.boards
        asked = product((case.key for case in cases), boards)
        read = [asyncio.to_thread(detail, key, agent) for key, agent in asked]
        results = [one for one in await asyncio.gather(*read) if one is not None]
        each = vote_usd(results, panel.judge.name)
        cost = None if each is None else each * calls
        asks_first = not is_free and needs_confirmation(cost, config)
        is_said, has_answered = self._judge.is_said_free, has_voted(results, panel.judge.name)
        return Estimate(
            calls,
            cost,
            None,
            asks_first=asks_first,
            may_tell_costs=is_free and not is_said and not has_answered,
            is_untold=not is_free and has_answered and cost is None,
        )

    def _calibrated(self, keys: Collection[CaseKey]) -> tuple[Panel, list[Case]]:
        from evaltui.scenarios.calibration import has_known_answers

        panel = self.panel(self._state.config.agents[0].name)
        if panel is None:
            raise UserError("There is no judge.", "Write a table `[judge]` into the settings.")
        cases = [case for case, _ in cases_of(self._state.project, keys) if has_known_answers(case)]
        if not cases:
            problems = self._state.project.problems
            if broken := [one for one in problems if one.severity is Severity.ERROR]:
                what = "There is no answer with known scores in what can be read."
                raise UserError(what, "Correct the mistakes that are named.", broken)
            raise UserError(
                "There is no answer with known scores to calibrate the judge with.",
                'Write `"calibration": [{"response": "…", "scores": {"DIMENSION": 1}}]` into a '
                "rubric case.",
            )
        return panel, cases

    async def close(self) -> None:
        await self._judge.close()

    def _counted(self, judge: Agent, agent: str) -> Agent:
        """With its requests counted in the budget of the agent whose answers it judges."""
        from evaltui.agents.metered import metered

        counted = metered(judge, self._spending.budgets.judge_meter(judge, agent))
        if self._judge.recorder is None:
            return counted
        from evaltui.agents.recordings.recorded_agents import recorded

        return recorded(counted, self._judge.recorder)
