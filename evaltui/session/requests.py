"""Requests to the queues by hand: run cases, judge them again, stop; and what is due."""

import asyncio
from collections.abc import Collection

from evaltui.core.case import CaseKey
from evaltui.core.errors import UserError
from evaltui.core.staleness import Degree
from evaltui.session.agent_queues import AgentQueues
from evaltui.session.money.estimate import Estimate
from evaltui.session.money.spending import Spending
from evaltui.session.project_state import ProjectState
from evaltui.session.running.run_request import RunRequest
from evaltui.session.who_runs import WhoRuns


class Requests:
    """Nobody waits for what comes of them: that arrives as events. `agents`: all for `None`."""

    def __init__(
        self, state: ProjectState, queues: AgentQueues, spending: Spending, who: WhoRuns
    ) -> None:
        self._state = state
        self._queues = queues
        self._spending = spending
        self._who = who

    def rerun(
        self,
        keys: Collection[CaseKey],
        *,
        agents: Collection[str] | None = None,
        trials: int | None = None,
        reason: str = "by hand",
        is_while_due: bool = False,
        confirms: bool = False,
        is_repeat: bool = False,
        is_by_outcome: bool = False,
    ) -> None:
        """Queue the cases; a run in progress goes on and these follow.

        With `confirms` what is undecided then is tried again: somebody agreed to that too. With
        `is_repeat` they are asked to know better how often they pass. With `is_by_outcome`, as then
        too, somebody chose them by what they came to.

        With `is_while_due` a case whose result comes to be trusted meanwhile is left out. Raises
        UserError while another process runs here, and where none of the agents can be asked.
        """
        self._refuse_beside()
        trials = trials or self._state.config.trials
        for queue in self._queues.to_ask(agents):
            wanted = dict.fromkeys(keys)  # who asks by hand has agreed to the cost
            queue.enqueue(
                RunRequest(
                    wanted,
                    reason,
                    trials=trials,
                    is_by_news=True,
                    confirms="agreed" if confirms else "not",
                    is_repeat=is_repeat,
                    by_outcome=frozenset(wanted if is_by_outcome or is_repeat else ()),
                    while_due=frozenset(wanted if is_while_due else ()),
                    asked_at=asyncio.get_running_loop().time(),
                )
            )

    def rejudge(self, keys: Collection[CaseKey], *, agents: Collection[str] | None = None) -> None:
        """Judge kept answers again by the checks of now, without asking the agent.

        Cases that would be answered otherwise now are left as they are. Raises UserError while
        another process runs here.
        """
        self._refuse_beside()
        for queue in self._queues.chosen(agents):
            queue.rejudge(keys, asked_at=asyncio.get_running_loop().time())

    def cancel(self, agents: Collection[str] | None = None) -> None:
        """Stop every run and forget what was queued; unfinished cases stay due."""
        for queue in self._queues.chosen(agents):
            queue.cancel()

    def has_due(self, agent: str) -> bool:
        """Whether `due_keys` holds any, at no cost: the keys in the footer ask in each frame."""
        return bool(self._queues.by_name[agent].due)

    def has_to_judge(self, agent: str) -> bool:
        """Whether `due_keys` holds any whose kept answer has only to be judged again, for which
        nobody asks the agent."""
        return self._queues.by_name[agent].due.has_to_judge

    def due_keys(
        self,
        agent: str,
        *,
        possibly: bool = True,
        to_judge: bool = True,
        never_run: bool = True,
    ) -> tuple[CaseKey, ...]:
        """What cannot be trusted of this agent's results now.

        Without what is only `possibly` affected, what has only `to_judge` its kept answer, and what
        was `never_run`.
        """
        passed_over = {
            Degree.POSSIBLY: not possibly,
            Degree.TO_JUDGE: not to_judge,
            Degree.NEVER_RUN: not never_run,
        }
        return tuple(
            case.key
            for case in self._queues.by_name[agent].due.cases
            if not passed_over.get(case.degree, False)
        )

    def estimate(
        self,
        keys: Collection[CaseKey],
        agents: Collection[str] | None = None,
        trials: int | None = None,
    ) -> Estimate:
        """What running the cases would take, from what they took last time."""
        asked = [(queue.agent, queue.board) for queue in self._queues.chosen(agents)]
        return self._spending.estimator.estimate(asked, keys, trials)

    def to_run(self, keys: Collection[CaseKey], agent: str) -> tuple[CaseKey, ...]:
        """Those that a run of the cases counts: without a rubric that nobody can judge."""
        return self._spending.estimator.to_run(self._queues.by_name[agent].board, keys)

    def judging_estimate(self, keys: Collection[CaseKey], agent: str) -> Estimate:
        """What judging kept answers again would take; free, but for what a judge scores."""
        asked = [(queue.agent, queue.board) for queue in self._queues.chosen((agent,))]
        return self._spending.estimator.estimate(asked, keys, 1, is_rejudging=True)

    def _refuse_beside(self) -> None:
        if self._who.refusal:
            raise UserError(f"Nothing was run: {self._who.refusal}.")
