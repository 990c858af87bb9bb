"""Has the evaluators of one entry judge in children: what breaks one costs its own verdict."""

import asyncio
import dataclasses
import functools
import os
from collections import deque
from collections.abc import Mapping
from typing import Any

from evaltui.core.verdict import Verdict
from evaltui.evaluators.child_job import ChildJob, OpenCheck, fail
from evaltui.evaluators.child_lines import json_bytes, unreadable
from evaltui.evaluators.child_starter import ChildStarter
from evaltui.evaluators.evaluator_child import EvaluatorChild
from evaltui.evaluators.handshake import Described
from evaltui.evaluators.judges_elsewhere import JudgesElsewhere
from evaltui.evaluators.kit.evaltui import EvaluatorDefinition
from evaltui.evaluators.raised_checks import RaisedChecks

CHILDREN = min(4, os.cpu_count() or 1)
"""Processes of one entry at most."""
DEPTH = 16
"""Contexts that a child is given ahead, so that it never waits for us."""
_LOOK_S = 0.1


class EvaluatorHost:
    """Belongs to the event loop that asks it first; asked in another one it begins anew."""

    def __init__(self, starter: ChildStarter) -> None:
        self._starter, self._entry = starter, starter.entry
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_retired = self._is_closed = False
        self._reset()

    def evaluator(self, definition: EvaluatorDefinition) -> EvaluatorDefinition:
        """The definition with a function that has it judge here."""
        ask = functools.partial(self._ask, definition)
        return dataclasses.replace(definition, evaluate=JudgesElsewhere(ask))

    def warm_up(self, described: Described | None = None) -> None:
        """Have a child before anybody asks; on the event loop that will. `described`: by one that
        stays, whose end is ours from now on; else one is started."""
        self._belong_here()
        is_wanted = not (self._is_retired or self._is_closed or self._entry.is_one_shot)
        if is_wanted and not self._children and not self._starting:
            self._starting += 1
            self._spawn(self._have_child(described))
        elif described is not None and described.child is not None:
            described.child.kill()

    async def begin_anew(self, since: float) -> None:
        """Ask children no more that were loaded before, on the clock of the loop; while files are
        being saved those go on until it is read what they are now."""
        self._raised.begin_anew()
        old = [one for one in self._children if one.loaded_since < since and not one.is_ending]
        if not old or self._loop is not asyncio.get_running_loop() or self._is_closed:
            return
        if not await asyncio.to_thread(self._starter.is_as_loaded):
            return
        for child in old:
            child.is_ending = True
            if not child.open_jobs:
                self._spawn(child.end())
        if not (self._is_retired or self._starting):
            self._starting += 1
            self._spawn(self._have_child())

    def retire(self) -> None:
        """End the children once nothing is open any more; from any thread."""
        self._is_retired = True
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._close_if_idle)

    async def close(self) -> None:
        """End the children now; what is open gets no verdict."""
        self._is_closed = True  # a reading that is still under way must start nothing
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(child.end() for child in self._children))
        self._reset()

    def _reset(self) -> None:
        self._gathered: dict[int, ChildJob] = {}
        """What is asked in this turn of the loop, by context: it goes to a child together."""
        self._waiting: deque[ChildJob] = deque()
        self._children: set[EvaluatorChild] = set()
        self._starting = 0
        self._next_id = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._looked_at = 0.0
        self._is_behind = False
        """Whether all children judged most of the time lately, so that one more would help."""
        self._suspects: set[str] = set()
        """Types of evaluators that are asked by themselves, since one broke a child or may have."""
        self._by_itself = asyncio.Semaphore(CHILDREN)
        self._raised = RaisedChecks()

    def _ask(
        self, definition: EvaluatorDefinition, raw: Mapping[str, Any], config: Mapping[str, Any]
    ) -> asyncio.Future[Verdict]:
        loop = self._belong_here()
        self._next_id += 1
        future: asyncio.Future[Verdict] = loop.create_future()
        check = OpenCheck(self._next_id, definition, config, future)
        if self._entry.is_one_shot:
            self._spawn(self._judge_once(check, raw))
            return future
        job = self._gathered.get(id(raw))
        if job is None:
            if not self._gathered:
                loop.call_soon(self._flush)
            job = self._gathered[id(raw)] = ChildJob(raw, json_bytes(raw), deque())
        job.checks.append(check)
        return future

    def _belong_here(self) -> asyncio.AbstractEventLoop:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop = loop
            self._is_closed = False
            self._reset()
        return loop

    def _flush(self) -> None:
        self._waiting.extend(self._gathered.values())
        self._gathered = {}
        self._feed()

    def _feed(self) -> None:
        """Give waiting jobs to children with room, the least busy first.

        One more is started where none is, or where those that are cannot keep up with us: beside
        one that has little to do it would only take the processor from us.
        """
        depth = 1 if self._entry.is_command else DEPTH
        children = self._common_children()
        for child in sorted(children, key=lambda one: one.open_jobs):
            # Refilled by halves: one write then carries many.
            room = depth - child.open_jobs if child.open_jobs <= depth // 2 else 0
            if some := self._take(room):
                child.send(some)
        is_needed = self._is_behind and len(self._waiting) > DEPTH if children else self._waiting
        if self._is_closed:
            return
        if is_needed and not self._starting and len(children) < CHILDREN:
            self._starting += 1
            self._spawn(self._have_child())
        if self._children and self._timer is None:
            self._look_later()

    def _common_children(self) -> list[EvaluatorChild]:
        return [one for one in self._children if not (one.is_ending or one.is_of_one_type)]

    def _take(self, most: int) -> list[ChildJob]:
        """Of what waits, without those that are asked by themselves."""
        jobs: list[ChildJob] = []
        while self._waiting and len(jobs) < most:
            job = self._waiting.popleft()
            if self._suspects:
                for check in [one for one in job.checks if one.definition.type in self._suspects]:
                    self._spawn(self._ask_by_itself(job.take_out(check)))
            self._raised.send_own(job)
            if job.checks:
                jobs.append(job)
        return jobs

    async def _have_child(self, described: Described | None = None) -> None:
        """One that takes what waits: a new one, or the one that has loaded the entry."""
        try:
            child, why = await self._start(described)
        finally:
            self._starting -= 1
        if child is not None:
            self._feed()
            await self._serve(child)
        elif not self._common_children():
            jobs, self._waiting = [*self._waiting], deque()
            fail(jobs, why)

    def _on_doubt(self, job: ChildJob) -> None:
        """Its check was open when a child broke in which others had judged."""
        self._suspects.add(job.checks[0].definition.type)
        self._spawn(self._ask_by_itself(job, is_open=True))

    async def _ask_by_itself(self, job: ChildJob, *, is_open: bool = False) -> None:
        """One check in a child of its own: what breaks there is its own fault.

        All others of its type wait for that, since one that breaks each time is to do so once a
        question. `is_open`: it is not known yet whether this one breaks.
        """
        type_ = job.checks[0].definition.type
        async with self._by_itself:
            if not is_open and type_ not in self._suspects:
                self._waiting.append(job)
                self._feed()
                return
            child, why = await self._start()
            if child is None:
                fail([job], why)
                return
            child.is_ending = True
            child.send([job])
            self._feed()
            await self._serve(child, type_)

    def _on_raised(self, job: ChildJob, verdict: Verdict) -> None:
        """Its check raised where others judged."""
        if self._raised.take(job, verdict):
            self._spawn(self._ask_alone(job, verdict))

    async def _ask_alone(self, job: ChildJob, verdict: Verdict) -> None:
        check, raised = job.checks[0], self._raised
        child, _ = await self._start()
        type_ = check.definition.type
        check.future.add_done_callback(lambda answer: raised.settle(type_, answer, child))
        if child is None:
            check.answer(verdict)
            return
        child.is_of_one_type = True
        child.send([job])
        await self._serve(child)

    async def _start(self, described: Described | None = None) -> tuple[EvaluatorChild | None, str]:
        """The child, else why there is none."""
        child, why = await self._starter.start(self._on_doubt, self._on_raised, described)
        if child is not None:
            self._children.add(child)
        return child, why

    async def _serve(self, child: EvaluatorChild, suspect: str = "") -> None:
        """Take its answers until it ends. `suspect`: the type that it is to clear."""
        try:
            if not await child.serve(self._feed):
                self._suspects.discard(suspect)
        except Exception as error:
            fail(child.take_left_over(), unreadable(error))
        finally:
            child.is_ending = True
            await child.end()  # broken off here it is still known, and `close` ends it
            self._children.discard(child)
            self._raised.forget(child)
        self._waiting.extendleft(reversed(child.take_left_over()))
        self._feed()
        self._close_if_idle()

    async def _judge_once(self, check: OpenCheck, raw: Mapping[str, Any]) -> None:
        async with self._by_itself:
            check.answer(await self._starter.judge_once(check, raw))

    def _look_later(self) -> None:
        assert self._loop is not None
        at = self._loop.time() + _LOOK_S
        self._timer = self._loop.call_at(at, self._look, at)
        self._looked_at = at - _LOOK_S

    def _look(self, planned: float) -> None:
        """End children whose evaluator takes longer than it may."""
        self._timer = None
        assert self._loop is not None
        now = self._loop.time()
        for child in self._children:
            child.look(now, now - planned)  # what kept us from hearing is no silence of the child
        most = (now - self._looked_at) / 2
        worked = [child.worked_s(now) for child in self._common_children()]
        self._is_behind = min(worked, default=0.0) > most
        if any(child.open_jobs for child in self._children):
            self._feed()
        self._close_if_idle()

    def _close_if_idle(self) -> None:
        is_busy = self._waiting or self._gathered or self._starting or self._raised.is_busy
        if self._is_retired and not is_busy:
            for child in self._children:
                if not child.open_jobs:
                    child.say_no_more()

    def _spawn(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
