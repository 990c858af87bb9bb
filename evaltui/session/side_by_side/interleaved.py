"""Both sides of a comparison asked in one run and in random order.

An endpoint that drifts meanwhile drifts for both.
"""

import asyncio
from collections import deque
from collections.abc import Collection
from random import Random

from msgspec.structs import replace

from evaltui.core.ab_report import AbPair
from evaltui.core.case import CaseKey
from evaltui.core.clusters import cluster_of
from evaltui.core.events import CallCompared, CaseFinished, Event, ProblemFound
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.run_id import new_run_id
from evaltui.core.statistics.trials import Trials
from evaltui.project import trusted_snapshot
from evaltui.runner.job import Job
from evaltui.runner.run import run_cases
from evaltui.runner.run_problems import trials_left
from evaltui.session.judges import Judges
from evaltui.session.money.spending import Spending
from evaltui.session.project_state import ProjectState
from evaltui.session.running.jobs import cases_of, jobs_of
from evaltui.session.side_by_side.ab_plan import AbPlan


class Interleaved:
    """A comparison on its way."""

    def __init__(
        self,
        plan: AbPlan,
        state: ProjectState,
        spending: Spending,
        judges: Judges,
        most: int,
    ) -> None:
        """`most`: how many calls it makes at most."""
        self._plan, self._most = plan, most
        self._state = state
        self._spending = spending
        self._judges = judges
        self._random = Random(plan.seed)
        self._run_id = new_run_id()
        self._sides = (plan.before, plan.now)
        self._jobs: list[dict[CaseKey, Job]] = []
        known = cases_of(plan.now.project, plan.keys)
        self.pairs = {case.key: AbPair(cluster=cluster_of(case, suite)) for case, suite in known}
        self.calls = 0
        self._budgets = [
            spending.budgets.budget(name)
            for name in dict.fromkeys(side.queue.agent.name for side in self._sides)
        ]
        self._spent_before_usd = self._spent_usd
        self._is_cost_reported = False
        self.stopped = ""

    @property
    def cost_usd(self) -> float | None:
        """What was paid, also for attempts that were broken off; `None` where nobody told."""
        paid = self._spent_usd - self._spent_before_usd
        return paid if paid or self._is_cost_reported else None

    @property
    def _spent_usd(self) -> float:
        return sum(budget.spent_usd for budget in self._budgets)

    @property
    def progress(self) -> tuple[int, int]:
        """How many calls are over, and of how many at most."""
        return self.calls, self._most

    async def prepare(self) -> None:
        """Read what every request goes out with."""
        plan, config = self._plan, self._state.config
        snapshot = await trusted_snapshot(config)
        for side in self._sides:
            agent = side.queue.agent
            panel = self._judges.panel(agent.name)
            jobs = jobs_of(
                side.project, agent, config, plan.keys, trials=1, snapshot=snapshot, panel=panel
            )
            self._jobs.append({job.case.key: job for job in jobs})

    async def ask(self, keys: Collection[CaseKey], number: int) -> None:
        """Each case once on each side, in random order, as attempt `number`."""
        todo = [(side, key) for key in keys for side in (0, 1)]
        self._random.shuffle(todo)
        waiting, config = deque(todo), self._state.config

        async def work() -> None:
            while waiting and not self.stopped:
                side, key = waiting.popleft()
                await self._ask(side, replace(self._jobs[side][key], first_trial=number))

        async with asyncio.TaskGroup() as workers:
            for _ in range(min(len(todo), max(1, config.concurrency))):
                workers.create_task(work())

    async def _ask(self, side: int, job: Job) -> None:
        agent, config = self._sides[side].queue.agent, self._state.config
        heard: list[Event] = []
        await run_cases(
            (job,),
            agent,
            heard.append,
            run_id=self._run_id,
            timeout_s=config.timeout_ms / 1000,
            rate=self._spending.budgets.rate(agent.name),
            clock=self._state.events.clock,
            left_words=trials_left,
        )
        for event in heard:
            if isinstance(event, CaseFinished):
                self._note(event.result, is_now=side == 1)
                self._state.events.emit(CallCompared(event.result))
            elif isinstance(event, ProblemFound):
                self.stopped = str(event.problem)
        self._spending.budgets.tell(is_late=True)

    def _note(self, result: CaseResult, *, is_now: bool) -> None:
        self.calls += 1
        self._is_cost_reported |= result.cost_usd is not None
        pair = self.pairs[result.key]
        status = result.shown_status
        if status is CaseStatus.PASSED:
            pair = pair.after(Trials(1, 0), is_now=is_now)
        elif status is CaseStatus.FAILED:
            pair = pair.after(Trials(0, 1), is_now=is_now)
            pair = replace(pair, reason=result.error) if is_now else pair
        elif status is CaseStatus.ERROR:
            pair = pair.without_answer(result.error, is_now=is_now)
        else:
            pair = replace(pair, reason=pair.reason or result.error or "nothing asserted")
        self.pairs[result.key] = pair
