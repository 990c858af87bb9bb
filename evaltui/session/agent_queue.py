"""The line of one agent: its stale cases, its wishes, and the run in progress."""

import asyncio
from collections.abc import Callable

from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.case import CaseKey
from evaltui.core.config import AgentProfile
from evaltui.core.errors import Problem
from evaltui.core.events import CasesStale, Event, ProblemFound, RunEnd, RunFinished
from evaltui.core.staleness import Degree, StaleCase
from evaltui.project import Project
from evaltui.session.affected import stale_cases
from evaltui.session.run import Run, RunRequest
from evaltui.store.board import Board


class AgentQueue:
    """Runs the wishes of one agent, one after the other."""

    def __init__(
        self,
        agent: Agent,
        board: Board,
        emit: Callable[[Event], None],
        new_run: Callable[["AgentQueue", RunRequest], Run],
        project: Callable[[], Project],
        made_of: object = None,
    ) -> None:
        self.agent = agent
        self.made_of = made_of
        """The settings that made the agent, to see whether they changed."""
        self.tool_changes: tuple[str, ...] = ()
        """In words, what the last change of the registry was."""
        self.board = board
        self.stale: tuple[StaleCase, ...] = ()
        self.run: Run | None = None
        self._emit = emit
        self._new_run = new_run
        self._project = project
        self._wishes: list[RunRequest] = []
        self._task: asyncio.Task[None] | None = None
        self._superseded: tuple[Run, frozenset[CaseKey]] | None = None
        """A run that was told to stop, and what it had not finished then."""

    @property
    def profile(self) -> AgentProfile | None:
        """The profile among the settings that made the agent."""
        first = self.made_of[0] if isinstance(self.made_of, tuple) and self.made_of else None
        return first if isinstance(first, AgentProfile) else None

    def due(self) -> dict[CaseKey, None]:
        """Cases that a change made due: possibly affected ones only when running is free."""
        return {
            case.key: None
            for case in self.stale
            if self.agent.traits.is_free or case.degree is Degree.AFFECTED
        }

    def reason(self) -> str:
        """Why cases are due, in words: the most frequent reason, and how many others there are."""
        counts: dict[str, int] = {}
        for case in self.stale:
            for reason in case.reasons:
                counts[reason] = counts.get(reason, 0) + 1
        if not counts:
            return "asked for"
        first = max(counts, key=lambda reason: counts[reason])
        return first if len(counts) == 1 else f"{first} and {len(counts) - 1} more"

    async def mark_stale(self, trigger: tuple[str, ...] = ()) -> None:
        """Compare every result with the project as it is now, and tell."""
        project = self._project()
        rows = self.board.rows
        run, waiting = self.run, self._waiting()
        only = None
        if run is not None and run.project is project:
            # What it runs gets, or has, results of just these inputs.
            keys = (case.key for suite in project.suites for case in suite.cases)
            only = frozenset(key for key in keys if key not in run.wish.keys)
        stale = await asyncio.to_thread(stale_cases, project, rows, self.agent, only)
        arrived = waiting - self._waiting()
        if self.run is not None and self.run is not run:
            arrived |= self.run.wish.keys.keys() - self.run.pending
        if arrived:
            # Results came in behind the comparison's back: they must not be asked for again.
            late = stale_cases(project, rows, self.agent, arrived)
            stale = (*(case for case in stale if case.key not in arrived), *late)
        self.stale = tuple(map(self._named, stale))
        total = sum(len(suite.cases) for suite in project.suites)
        self._emit(CasesStale(self.agent.name, self.stale, total, trigger))

    def _named(self, case: StaleCase) -> StaleCase:
        """Inputs only tell that some other tool changed; the last reading told which one."""
        if case.degree is Degree.POSSIBLY and self.tool_changes:
            return replace(case, reasons=self.tool_changes)
        return case

    def _waiting(self) -> frozenset[CaseKey]:
        return frozenset(self.run.pending) if self.run is not None else frozenset()

    def enqueue(self, wish: RunRequest) -> None:
        """Run the wish after those before it."""
        if not wish.keys:
            return
        self._wishes.append(wish)
        self._wake()

    def follow(self, trigger: tuple[str, ...]) -> None:
        """React to a change: supersede a run that it touches, otherwise queue what is due."""
        due = self.due()
        if self.run is None:
            self.enqueue(RunRequest(due, self.reason(), trigger))
            return
        if finished := due.keys() - self.run.pending.keys():
            # Some may have got their results since the comparison: not to be asked for again.
            late = stale_cases(self._project(), self.board.rows, self.agent, finished)
            still = {case.key for case in late}
            due = {key: None for key in due if key not in finished or key in still}
        if self.run.is_touched_by(self._project()) or due.keys() - self.run.pending.keys():
            rest = dict.fromkeys(self.run.pending)
            wish = RunRequest(rest | due, self.reason(), trigger, self.run.wish.trials)
            self._wishes.insert(0, wish)
            self._superseded = (self.run, frozenset(rest))
            self.run.stop(RunEnd.SUPERSEDED)

    def cancel(self) -> None:
        """Stop the run and forget the queue; unfinished cases stay stale."""
        self._wishes.clear()
        if self.run is not None:
            self.run.stop(RunEnd.CANCELLED)

    def _without_late(self, wish: RunRequest) -> RunRequest:
        """The wish without cases that finished after all while their run was being stopped."""
        if self._superseded is None:
            return wish
        (run, left), self._superseded = self._superseded, None
        if late := left - run.pending.keys():
            stale = stale_cases(self._project(), self.board.rows, self.agent, late)
            due = {case.key for case in stale}
            wish.keys = {key: None for key in wish.keys if key not in late or key in due}
        return wish

    async def execute(self, wish: RunRequest) -> RunFinished:
        """Run one wish now and wait for its end."""
        self.run = self._new_run(self, wish)
        try:
            return await self.run.execute()
        finally:
            self.run = None

    async def close(self) -> None:
        self.cancel()
        if self._task is not None:
            await asyncio.wait({self._task})
        await self.agent.close()

    def _wake(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work(), name=f"line of {self.agent.name}")

    async def _work(self) -> None:
        while self._wishes:
            try:
                await self.execute(self._without_late(self._wishes.pop(0)))
                await self.mark_stale()
            except Exception as error:
                self._emit(ProblemFound(_broken_run(error)))


def _broken_run(error: Exception) -> Problem:
    return Problem(
        file="",
        what=f"The run broke off: {type(error).__name__}: {error}",
        hint="What finished is kept; press r to run the rest again.",
        code="run-broken",
    )
