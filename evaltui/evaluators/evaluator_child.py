"""One child process that judges: its jobs, in order, and its answers."""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evaltui.child.lines import Ended, LineChild, LineTooLong
from evaltui.core.verdict import Verdict
from evaltui.evaluators.child_job import ChildJob, OpenCheck
from evaltui.evaluators.child_lines import (
    command_line,
    job_line,
    last_words,
    quoted,
    read_line,
    verdict_by,
)
from evaltui.evaluators.command_answers import CommandAnswers, SurplusLineError
from evaltui.evaluators.handshake import end_by_itself
from evaltui.evaluators.plugin_entry import PluginEntry
from evaltui.evaluators.result_reading import error_verdict
from evaltui.net.secret_mask import SecretMask

OWN_LIMIT_S = 1.0
"""Seconds that a child gets to tell by itself which of several that wait took too long."""
NO_ID = "it answered without the `id` of the question, and then did not describe itself"


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
        on_doubt: Callable[[ChildJob], None],
        on_raised: Callable[[ChildJob, Verdict], None],
    ) -> None:
        """`child` has loaded its entry; `awaited`: types of its evaluators that wait for something
        while others may judge; `on_doubt` takes a check that was open when the child broke, and
        `on_raised` one that raised, where that may be the fault of another one."""
        self._entry, self._mask = entry, mask
        self._on_print = on_print
        self._child, self._awaited = child, awaited
        self.loaded_since = 0.0
        """When it began to load its entry, on the clock of the event loop; 0 where nobody knows."""
        self.on_written: Callable[[object], None] = lambda _: None
        """Told of files that it wrote."""
        self._jobs: deque[ChildJob] = deque()
        self._since = 0.0
        """When the first one of them began, as far as that can be told."""
        self._worked_s = 0.0
        """What answers took since `worked_s` was asked last."""
        self._asked_at = 0.0
        self._late: OpenCheck | None = None
        self._on_doubt, self._on_raised = on_doubt, on_raised
        self._judged: set[str] = set()
        """Types that judged here, and may have left something behind."""
        self._answers = CommandAnswers(entry)
        self.is_ending = False
        self.is_of_one_type = False
        """Whether it is kept for checks of one type."""

    @property
    def open_jobs(self) -> int:
        return len(self._jobs)

    def send(self, jobs: Sequence[ChildJob]) -> None:
        is_idle = not self._jobs
        if is_idle:
            self._since = asyncio.get_running_loop().time()
            self._child.forget_said()  # as what was printed while it was loaded
        for job in jobs:
            job.arrange(self._awaited)
        self._jobs += jobs
        if not self._entry.is_command:
            self._child.say(b"\n".join(map(job_line, jobs)))
        elif is_idle:
            self._ask_command()

    def _ask_command(self) -> None:
        """One question at a time: what is said then belongs to no later one."""
        if self._jobs:
            job = self._jobs[0]
            self._child.say(command_line(job.checks[0], job.raw))

    async def serve(self, on_ready: Callable[[], None]) -> bool:
        """Take answers until it ends, or has done the last that it is to do.

        Whether it broke in an evaluator; that has its verdict by then, or is in doubt.
        """
        why = ""
        own: Verdict | None = None
        is_surplus = False
        while not why and (self._jobs or not self.is_ending):
            try:
                is_job_done = self._take(await self._child.line())
            except Ended:
                why = await last_words(self._child, self._mask)
            except SurplusLineError:
                why, is_surplus = "it wrote more than one answer", True
            except SpentError as error:
                why, own = "it has no memory left", error.verdict
            except LineTooLong:
                why = "it wrote more than 32 MiB"
            except Exception as error:
                why = f"it wrote something that is not an answer: {error}"
            else:
                if is_job_done and not self._child.has_line:  # else room for more comes with that
                    on_ready()
        if not self._jobs:
            return False
        return self._break_off(why, None if is_surplus else self._answers.end(), own)

    def _break_off(self, why: str, held: Verdict | None, own: Verdict | None) -> bool:
        """Settle what was open when it broke; `held`: an answer that it had given to that, `own`:
        what it said itself of how that broke it.

        Who judged first in a process broke it. After others, or beside them, it may be their fault.
        """
        job = self._jobs[0]
        check = job.checks[0]
        judging = [one for one in job.checks if one.id in job.together] or [check]
        if check is self._late:
            why = NO_ID if held else f"timed out after {check.definition.timeout:g} s"
        elif held is not None:
            self._settle(check, held)
            return False
        if not self._judged and len(judging) == 1:
            self._settle(check, own or error_verdict(check.definition, why))
            return True
        for one in judging:
            self._on_doubt(job.take_out(one))
        if not job.checks:
            self._jobs.popleft()
        return True

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

    def _take(self, line: bytes) -> bool:
        """Whether a whole job is done.

        Raises SpentError, and what reading a line raises that is no answer: its check is still open
        then.
        """
        try:
            said = read_line(line, self._mask, is_command=self._entry.is_command)
        except (ValueError, RecursionError) as error:
            raise ValueError(quoted(line, self._mask)) from error
        if not isinstance(said, dict) or not self._jobs:
            raise ValueError(quoted(line, self._mask))
        if self._entry.is_command:
            return self._take_of_command(said)
        job = self._jobs[0]
        if isinstance(together := said.get("together"), list):
            job.put_together(one.id for one in job.checks if one.id in together)
            self._since_heard()
            return False
        check, id_ = job.checks[0], said.get("id")
        if check.id in job.together:
            check = next((one for one in job.checks if one.id == id_), check)
        if type(id_) is not int or id_ != check.id:
            raise ValueError(quoted(line, self._mask))
        verdict = verdict_by(said, check, self._entry)
        after_s, is_alone = self._since_heard(), check.id not in job.together
        self._worked_s += (is_alone and verdict.duration_ms / 1000) or after_s
        if printed := said.get("printed"):
            self._on_print(f"{check.definition.type}: {printed}")
        if written := said.get("written"):
            self.on_written(written)
        if said.get("isSpent") is True:
            raise SpentError(verdict)
        if said.get("fault") and self._had_others(check, job):
            self._on_raised(ChildJob(job.raw, job.context, deque([check])), verdict)
            return self._leave(check)
        return self._settle(check, verdict)

    def _had_others(self, check: OpenCheck, job: ChildJob) -> bool:
        """Whether another type judged here before it, or does so beside it."""
        return len(job.together) > 1 or bool(self._judged - {check.definition.type})

    def _take_of_command(self, said: Mapping[str, Any]) -> bool:
        check = self._jobs[0].checks[0]
        verdict, next_line = self._answers.take(said, check)
        if next_line:
            self._child.say(next_line)
        if verdict is None:
            return False
        # Only now: a program that goes on saying things does not get more time by that.
        self._worked_s += self._since_heard()
        is_job_done = self._settle(check, verdict)
        self._ask_command()
        return is_job_done

    def _since_heard(self) -> float:
        """Seconds since we heard of the check before; the next one begins now."""
        before, self._since = self._since, asyncio.get_running_loop().time()
        return self._since - before

    def _settle(self, check: OpenCheck, verdict: Verdict) -> bool:
        """Answer a check of the first job; whether the job is done with it."""
        check.answer(verdict)
        return self._leave(check)

    def _leave(self, check: OpenCheck) -> bool:
        self._judged.add(check.definition.type)
        job = self._jobs[0]
        job.checks.remove(check)
        if not job.checks:
            self._jobs.popleft()
        return not job.checks


class SpentError(Exception):
    """It took all the memory that it may have, and ends."""

    def __init__(self, verdict: Verdict) -> None:
        """`verdict`: of who asked for more, be it that others left nothing."""
        super().__init__()
        self.verdict = verdict
