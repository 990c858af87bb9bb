"""One child that judges: what it was given, in its order, and what it says to it."""

import asyncio
import json
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from evaltui.child.lines import Ended, LineChild, LineTooLong
from evaltui.core.verdict import Verdict
from evaltui.evaluators.child_job import ChildJob, OpenCheck
from evaltui.evaluators.child_lines import job_lines, quoted, verdict_by
from evaltui.evaluators.handshake import end_by_itself
from evaltui.evaluators.plugin_entry import PluginEntry
from evaltui.evaluators.result_reading import error_verdict
from evaltui.net.secret_mask import SecretMask

OWN_LIMIT_S = 1.0
"""Seconds that a child gets to tell by itself which of several that wait took too long."""


class EvaluatorChild:
    """Works through its jobs in their order: whoever is first is the one that runs, alone or with
    others that wait."""

    def __init__(
        self,
        entry: PluginEntry,
        mask: SecretMask,
        on_print: Callable[[str], None],
        child: LineChild,
        awaited: frozenset[str],
    ) -> None:
        """`child` has loaded its entry; `awaited`: types of its evaluators that wait for something
        while others may judge."""
        self._entry, self._mask = entry, mask
        self._on_print = on_print
        self._child, self._awaited = child, awaited
        self._jobs: deque[ChildJob] = deque()
        self._since = 0.0
        """When the first one of them began, as far as that can be told."""
        self._worked_s = 0.0
        """What answers took since `worked_s` was asked last."""
        self._asked_at = 0.0
        self._late: OpenCheck | None = None
        self.is_ending = False

    @property
    def open_jobs(self) -> int:
        return len(self._jobs)

    def send(self, jobs: Sequence[ChildJob]) -> None:
        if not self._jobs:
            self._since = asyncio.get_running_loop().time()
        for job in jobs:
            job.arrange(self._awaited)
        self._jobs += jobs
        is_command = self._entry.is_command
        lines = (line for job in jobs for line in job_lines(job, is_command=is_command))
        self._child.say(b"\n".join(lines))

    async def serve(self, on_room: Callable[[], None]) -> None:
        """Take answers until it ends; the evaluator that it ended in has its verdict by then."""
        loop = asyncio.get_running_loop()
        why = ""
        while not why:
            try:
                line = await self._child.line()
                before, self._since = self._since, loop.time()
                is_job_done = self._take(line, self._since - before)
            except Ended:
                why = await self._epitaph()
            except LineTooLong:
                why = "it wrote more than 32 MiB"
            except Exception as error:
                why = f"it wrote something that is no answer: {error}"
            else:
                if is_job_done:
                    on_room()
        if self._jobs:
            job = self._jobs[0]
            check = job.checks[0]
            if check.id in job.together:
                self._jobs[0] = ChildJob(job.raw, job.context, job.checks, is_apart=True)
                return
            if check is self._late:
                why = f"timed out after {check.definition.timeout:g} s"
            self._settle(check, error_verdict(check.definition, why))

    def look(self, now: float, late_s: float) -> None:
        """End it when its evaluator takes longer than it may. `late_s`: how long we heard
        nothing for a reason of our own."""
        if not self._jobs or self._late is not None:
            return
        self._since = min(now, self._since + max(0.0, late_s))
        job = self._jobs[0]
        check = job.checks[0]
        most_s = check.definition.timeout
        if check.id in job.together:
            waiting = (one.definition.timeout for one in job.checks if one.id in job.together)
            most_s = min(waiting) + OWN_LIMIT_S
        if now - self._since > most_s:
            self._late = check
            self.kill()

    def worked_s(self, now: float) -> float:
        """Seconds that it judged since this was asked last."""
        worked, self._worked_s = self._worked_s, 0.0
        if self._jobs:
            worked += now - max(self._since, self._asked_at)
        self._asked_at = now
        return worked

    def take_left_over(self) -> list[ChildJob]:
        """What it was given and did not get to; it has none of that any more."""
        jobs, self._jobs = [*self._jobs], deque()
        return jobs

    def say_no_more(self) -> None:
        """Close its input: it ends once it has nothing to judge."""
        self.is_ending = True
        if self._child.child is not None:
            self._child.child.end_input()

    def kill(self) -> None:
        self._child.kill()

    async def end(self) -> None:
        await end_by_itself(self._child)

    def _take(self, line: bytes, after_s: float) -> bool:
        """Whether a whole job is done; `after_s`: since we heard of the check before.

        Raises what reading a line raises that is no answer: its check is still open then.
        """
        try:
            said: Any = json.loads(self._mask.hide_body(line))
        except (ValueError, RecursionError) as error:
            raise ValueError(quoted(line, self._mask)) from error
        if not isinstance(said, dict) or not self._jobs:
            raise ValueError(quoted(line, self._mask))
        job = self._jobs[0]
        check = job.checks[0]
        if isinstance(together := said.get("together"), list) and not self._entry.is_command:
            job.put_together(one.id for one in job.checks if one.id in together)
            return False
        id_ = said.get("id", check.id)
        if not isinstance(id_, bool) and check.id in job.together:
            check = next((one for one in job.checks if one.id == id_), check)
        if isinstance(id_, bool) or id_ != check.id:
            raise ValueError(quoted(line, self._mask))
        verdict = verdict_by(said, check, is_command=self._entry.is_command)
        is_alone = check.id not in job.together
        self._worked_s += (is_alone and verdict.duration_ms / 1000) or after_s
        if printed := said.get("printed"):
            # It is no reason why a later one may end the process.
            self._child.forget_said(str(printed))
            self._on_print(f"{check.definition.type}: {printed}")
        return self._settle(check, verdict)

    def _settle(self, check: OpenCheck, verdict: Verdict) -> bool:
        """Answer a check of the first job; whether the job is done with it."""
        job = self._jobs[0]
        job.checks.remove(check)
        check.answer(verdict)
        if not job.checks:
            self._jobs.popleft()
        return not job.checks

    async def _epitaph(self) -> str:
        ending, said = await self._child.epitaph()
        said = self._mask.hide(said[-300:])
        return f"the process {ending}{f': {said}' if said else ''}"
