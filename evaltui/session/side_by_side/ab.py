"""Two states side by side: the tools of a commit against those of now, or two agents.

Nothing of it is kept: results of another state are none of this one's.
"""

import asyncio
from collections.abc import Collection
from random import randrange

from msgspec.structs import replace

from evaltui.core.ab_reach import AbReach
from evaltui.core.ab_report import AbReport
from evaltui.core.case import CaseKey
from evaltui.core.errors import UserError
from evaltui.core.proof import undecided
from evaltui.kinds import settled
from evaltui.project import Project
from evaltui.session.agent_queue import AgentQueue
from evaltui.session.agent_queues import AgentQueues
from evaltui.session.judges import Judges
from evaltui.session.money.estimate import Estimate
from evaltui.session.money.spending import Spending
from evaltui.session.project_state import ProjectState
from evaltui.session.side_by_side.ab_plan import AbPlan, AbSide, that_are_certain, that_can_differ
from evaltui.session.side_by_side.interleaved import Interleaved
from evaltui.session.who_runs import WhoRuns

HOW_WITHOUT_COMMITS = (
    "Compare two agents: name the profile of the other one, such as that of the endpoint that has "
    "the other version."
)
USUAL_TRIALS = 5
"""A side, of a case that may come to another verdict the next time."""


class Ab:
    """Plans such a comparison, tells what it may cost, and makes it."""

    def __init__(
        self,
        state: ProjectState,
        queues: AgentQueues,
        spending: Spending,
        judges: Judges,
        who: WhoRuns,
    ) -> None:
        self._state = state
        self._queues = queues
        self._spending = spending
        self._judges = judges
        self._who = who
        self._run: Interleaved | None = None

    @property
    def is_on(self) -> bool:
        """Whether a comparison is being made."""
        return self._run is not None

    @property
    def progress(self) -> tuple[int, int] | None:
        """How many calls of a comparison that is being made are over, and of how many at most."""
        return None if self._run is None else self._run.progress

    def others(self, agent: str) -> tuple[str, ...]:
        """The profiles under test beside that of `agent`."""
        own = self._queue(agent)
        queues = self._queues.by_name.values()
        return tuple(one.configured.profile.name for one in queues if one is not own)

    def why_no_commit(self, agent: str) -> str:
        """Why an agent is not to be asked about a commit, without a full stop; empty: it is."""
        queue = self._queue(agent)
        if queue is None or queue.agent.traits.reads_registry:
            return ""
        return (
            f"`{queue.configured.profile.name}` is not given the definitions that evaltui reads: "
            "those of a commit change nothing that it is asked"
        )

    def cancel(self) -> None:
        """Ask nothing more; what was answered is reported."""
        if self._run is not None:
            self._run.stopped = "it was cancelled"

    async def plan(
        self,
        against: str,
        agent: str = "",
        keys: Collection[CaseKey] | None = None,
        *,
        trials: int | None = None,
        seed: int | None = None,
    ) -> AbPlan:
        """What comparing `against`, a commit or an agent in force, with now would ask.

        `agent`: that of now, the first one without. Raises UserError for what is neither, and where
        nobody agreed to what would be run and sent, or no tool can be read.
        """
        if self._who.refusal:
            raise UserError(f"Nothing was run: {self._who.refusal}.")
        now = self._queue(agent) or next(iter(self._queues.by_name.values()), None)
        if now is None:
            raise UserError("There is no agent to ask.", "Correct its profile first.")
        project, as_now = self._state.project, tuple[str, ...]()
        other = self._queue(against)
        if other is now:
            raise UserError(f"`{against}` would be compared with itself.", "Name another one.")
        asked = [one for one in (now, other) if one is not None]
        if lacks := next((one.configured.lacks for one in asked if one.configured.lacks), ""):
            raise UserError(f"Nothing was run: {lacks}.")
        unread = self._unread(project, *asked)
        if other is not None:
            before = AbSide(against, other, project)
            mine = AbSide(now.configured.profile.name, now, project)
        else:
            before, as_now = await self._at_commit(against, now)
            mine = AbSide("now", now, project)
        has_judge = self._judges.panel(now.agent.name) is not None
        chosen = [
            case.key
            for suite in project.suites
            for case in suite.cases
            if (keys is None or case.key in keys)
            and case.asks_agent
            and settled(case, has_judge=has_judge) is None
        ]
        mutes = self._state.mutes.reasons
        counted = [key for key in chosen if str(key) not in mutes]
        found = await asyncio.to_thread(that_can_differ, before, mine, counted)
        order, muted = randrange(2**32) if seed is None else seed, len(chosen) - len(counted)
        certain = that_are_certain(before, mine, found)
        each = 1 if len(certain) == len(found) else trials or USUAL_TRIALS
        return AbPlan(before, mine, found, len(chosen), each, order, as_now, muted, unread, certain)

    def estimate(self, plan: AbPlan, *, confirms: bool = False) -> Estimate:
        """What it would take, from what the cases took last time; with `confirms` at most: as if
        all cases were undecided to the end."""
        asked = [(side.queue.agent, side.queue.board) for side in (plan.before, plan.now)]
        trials = self.most_trials(plan, confirms=confirms)
        found = self._spending.estimator.estimate(asked, plan.keys, trials, once=plan.certain)
        seconds = None if found.seconds is None else 2 * found.seconds
        return replace(found, seconds=seconds, cases=plan.calls_of(trials))

    def most_trials(self, plan: AbPlan, *, confirms: bool) -> int:
        """How often a case is asked at most, a side."""
        if not (confirms and plan.varying):
            return plan.trials
        return max(plan.trials, self._state.config.regressions.max_trials)

    def reach(self, plan: AbPlan, *, confirms: bool = False) -> AbReach:
        """What it can prove at best."""
        limits = self._state.config.regressions
        trials = self.most_trials(plan, confirms=confirms)
        confirmed = self.most_trials(plan, confirms=True)
        return AbReach(len(plan.varying), trials, limits.alpha, confirmed)

    async def run(
        self,
        plan: AbPlan,
        *,
        confirms: bool = False,
    ) -> AbReport:
        """Ask both sides and wait for the result; somebody agreed to the cost.

        With `confirms` undecided cases are tried again, until none is left that up to `max_trials`
        a side could prove to be worse; one that was not answered is not asked again.
        """
        if self._run is not None:
            raise UserError("Two states are being compared already.", "Wait for the report.")
        most = plan.calls_of(self.most_trials(plan, confirms=confirms))
        run = Interleaved(plan, self._state, self._spending, self._judges, most)
        self._run = run
        try:
            await run.prepare()
            return await self._report(run, plan, confirms=confirms)
        finally:
            self._run = None

    async def _report(self, run: Interleaved, plan: AbPlan, *, confirms: bool) -> AbReport:
        for number in range(plan.trials):
            await run.ask(plan.varying if number else plan.keys, number)
        planned = dict(run.pairs)
        if confirms and plan.varying:
            await self._confirm(run, plan)
        return replace(self._so_far(run, plan), planned=planned)

    async def _confirm(self, run: Interleaved, plan: AbPlan) -> None:
        number, gave_up = plan.trials, set[CaseKey]()
        while not run.stopped:
            report = self._so_far(run, plan)
            worse = undecided(report.proofs, report.moved(is_up=False))
            key = next((one for one in worse if one not in gave_up), None)
            if key is None:
                return
            errors = run.pairs[key].errors
            await run.ask((key,), number)
            number += 1
            if run.pairs[key].errors > errors:
                gave_up.add(key)

    def _so_far(self, run: Interleaved, plan: AbPlan) -> AbReport:
        limits = self._state.config.regressions
        return AbReport(
            plan.before.name,
            plan.now.name,
            (plan.before.queue.agent.name, plan.now.queue.agent.name),
            plan.cases,
            dict(run.pairs),
            plan.seed,
            limits.alpha,
            limits.max_trials,
            plan.certain,
            plan.calls,
            run.calls,
            run.cost_usd,
            run.stopped,
            plan.as_now,
            plan.muted,
            plan.unread,
        )

    def _unread(self, project: Project, *asked: AgentQueue) -> tuple[str, ...]:
        if not any(queue.agent.traits.reads_registry for queue in asked):
            return ()
        from evaltui.project.commits.tools_at import refuse_none_read, unread_now

        refuse_none_read(project)
        return tuple(map(str, unread_now(project)))

    def _queue(self, name: str) -> AgentQueue | None:
        """Of the agent in force that goes by that name."""
        for queue in self._queues.by_name.values():
            if name and name in (queue.agent.name, queue.configured.profile.name):
                return queue
        return None

    async def _at_commit(self, reference: str, queue: AgentQueue) -> tuple[AbSide, tuple[str, ...]]:
        if reference in self._state.config.profiles:
            raise UserError(
                f"`{reference}` is an agent of the settings that is not under test here.",
                f"Name it in `agent` beside the others, or run `evaltui ab {reference}`; "
                "`refs/heads/…` names a branch.",
            )
        if why := self.why_no_commit(queue.agent.name):
            raise UserError(f"{why}.", HOW_WITHOUT_COMMITS)
        from evaltui.project.commits.tools_at import tools_at

        then = await asyncio.to_thread(tools_at, self._state.project, reference, self._state.git)
        return AbSide(f"{reference} ({then.commit[:7]})", queue, then.project), then.as_now
