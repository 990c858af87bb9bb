"""One child that judges: what it was given, in its order, and what it says to it."""

import asyncio
import json
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, field

from evaltui.child.lines import Ended, LineChild, LineTooLong
from evaltui.core.told_number import milliseconds
from evaltui.core.verdict import Verdict
from evaltui.evaluators.kit.evaltui import EvaluatorDefinition
from evaltui.evaluators.plugin_entry import PluginEntry
from evaltui.evaluators.result_reading import error_verdict, verdict_of
from evaltui.net.secret_mask import SecretMask

LOAD_S = 20.0
"""Seconds that a child may take to load one entry."""
GRACE_S = 0.3
OWN_LIMIT_S = 1.0
"""Seconds that a child gets to tell by itself which of several that wait took too long."""


class OpenCheck(Struct, frozen=True, eq=False):
    """One evaluator that is to judge one context."""

    id: int
    definition: EvaluatorDefinition
    config: Mapping[str, Any]
    future: asyncio.Future[Verdict]

    def answer(self, verdict: Verdict) -> None:
        if not self.future.done():
            self.future.set_result(verdict)


class ChildJob(Struct, frozen=True, eq=False):
    """One context, and the evaluators that judge it: first those that wait, all at the same time,
    then one after the other."""

    raw: Mapping[str, Any]
    """The context; held so that no other one can take its place in memory."""
    context: bytes
    """In JSON."""
    checks: deque[OpenCheck]
    together: set[int] = field(default_factory=set)
    """Ids of those that judge at the same time."""
    is_apart: bool = False
    """Whether they broke a child, so that none may judge beside another: it is told then whose
    fault it was."""

    def arrange(self, awaited: Collection[str]) -> None:
        """Put those that wait first, unless they are to judge apart; `awaited`: their types."""
        self.together.clear()
        waiting = [one.id for one in self.checks if one.definition.type in awaited]
        if len(waiting) > 1 and not self.is_apart:
            self.put_together(waiting)

    def put_together(self, ids: Iterable[int]) -> None:
        """These judge at the same time; they come before all others."""
        self.together.update(ids)
        first = [one for one in self.checks if one.id in self.together]
        others = [one for one in self.checks if one.id not in self.together]
        self.checks.clear()
        self.checks.extend((*first, *others))


class EvaluatorChild:
    """Works through its jobs in their order: whoever is first is the one that runs, alone or with
    others that wait."""

    def __init__(
        self,
        entry: PluginEntry,
        source: bytes,
        mask: SecretMask,
        on_print: Callable[[str], None],
    ) -> None:
        self._entry, self._source, self._mask = entry, source, mask
        self._on_print = on_print
        self._child: LineChild | None = None
        self._jobs: deque[ChildJob] = deque()
        self._since = 0.0
        """When the first one of them began, as far as that can be told."""
        self._worked_s = 0.0
        """What answers took since `worked_s` was asked last."""
        self._asked_at = 0.0
        self._late: OpenCheck | None = None
        self._awaited: frozenset[str] = frozenset()
        """Types of its evaluators that wait for something while others may judge."""
        self.is_ending = False

    @property
    def open_jobs(self) -> int:
        return len(self._jobs)

    async def start(self) -> str:
        """Start it and have it load; why it cannot, empty when it can."""
        try:
            self._child = child = await LineChild.start(self._entry.argv, cwd=self._entry.root)
        except (OSError, ValueError) as error:
            return f"`{self._entry.argv[0]}` cannot be started: {error}"
        try:
            child.say(first_line(self._entry, self._source))
            async with asyncio.timeout(LOAD_S):
                said = json.loads(self._mask.hide_body(await child.line()))
            if isinstance(said, Mapping) and "evaluators" in said:
                self._awaited = _awaited_types(said["evaluators"])
                return ""
            why = said.get("why") if isinstance(said, Mapping) else "it says no `evaluators`"
        except TimeoutError:
            why = f"it was not loaded within {LOAD_S:g} s"
        except Ended:
            why = await self._epitaph()
        except asyncio.CancelledError:
            await child.end()
            raise
        except Exception:
            why = "it wrote something else than a line of JSON to stdout"
        await child.end()
        return f"`{self._entry.text}` could not be loaded: {why}"

    def take_over(self, child: LineChild | None, said: Mapping[str, Any]) -> bool:
        """Go on with one that has loaded its entry and said so; whether it is there."""
        if child is None:
            return False
        self._child = child
        self._awaited = _awaited_types(said.get("evaluators"))
        return True

    def send(self, jobs: Sequence[ChildJob]) -> None:
        assert self._child is not None
        if not self._jobs:
            self._since = asyncio.get_running_loop().time()
        for job in jobs:
            job.arrange(self._awaited)
        self._jobs += jobs
        is_command = self._entry.is_command
        lines = (line for job in jobs for line in _lines(job, is_command=is_command))
        self._child.say(b"\n".join(lines))

    async def serve(self, on_room: Callable[[], None]) -> None:
        """Take answers until it ends; the evaluator that it ended in has its verdict by then."""
        assert self._child is not None
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
        if self._child is not None and self._child.child is not None:
            self._child.child.end_input()

    def kill(self) -> None:
        if self._child is not None:
            self._child.kill()

    async def end(self) -> None:
        if self._child is not None:
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
        if (printed := said.get("printed")) and self._child is not None:
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
        assert self._child is not None
        ending, said = await self._child.epitaph()
        said = self._mask.hide(said[-300:])
        return f"the process {ending}{f': {said}' if said else ''}"


async def end_by_itself(child: LineChild) -> None:
    """Close its input, which ends those of ours; kill one that goes on."""
    if child.child is not None:
        child.child.end_input()
        await asyncio.wait({child.child.exited}, timeout=GRACE_S)
    await child.end()


def first_line(entry: PluginEntry, source: bytes) -> bytes:
    """What a child is told first: what to load, or to say what it has."""
    said: dict[str, str] = {"op": "describe"}
    if not entry.is_command and entry.path is None:
        said["module"] = entry.source.name
    elif entry.path is not None and not entry.is_javascript:
        said |= {"path": str(entry.path), "source": source.decode("latin-1")}
    return msgspec.json.encode(said)


def verdict_by(said: Mapping[str, Any], check: OpenCheck, *, is_command: bool) -> Verdict:
    """The verdict of one answer; of a command the result itself stands in the line."""
    took, ms = said.get("ms"), 0.0
    if isinstance(took, int | float) and not isinstance(took, bool):
        if (told := milliseconds(took)) is None:
            return error_verdict(check.definition, "`ms` is no number of milliseconds")
        ms = told
    if error := said.get("error"):
        fault = said.get("fault")
        evidence = {"error": str(fault)} if fault else {}
        return error_verdict(check.definition, str(error)[:2000], ms, evidence)
    return verdict_of(check.definition, said if is_command else said.get("value"), ms)


def command_question(check: OpenCheck, raw: Mapping[str, Any]) -> dict[str, Any]:
    """The contract of commands: one evaluator, one context with its settings in it."""
    context = {**raw, "config": check.config}
    return {"op": "evaluate", "id": check.id, "type": check.definition.type, "context": context}


def _lines(job: ChildJob, *, is_command: bool) -> list[bytes]:
    if is_command:
        return [json_bytes(command_question(check, job.raw)) for check in job.checks]
    checks = [[one.id, one.definition.type, one.config] for one in job.checks]
    told = b'{"context":%b,"checks":%b' % (job.context, json_bytes(checks))
    if job.together:
        # Each keeps its own limit there: where only one waits too long, all others are judged.
        limits = [one.definition.timeout for one in job.checks if one.id in job.together]
        told += b',"limits":%b' % json_bytes(limits)
    if job.is_apart:
        told += b',"apart":true'
    return [told + b"}"]


def _awaited_types(evaluators: object) -> frozenset[str]:
    found = evaluators if isinstance(evaluators, list) else []
    waits = (one for one in found if isinstance(one, dict) and one.get("isAwaited") is True)
    return frozenset(str(one.get("type")) for one in waits)


def json_bytes(value: Any) -> bytes:
    """As far as it can be said in JSON; else its text stands for what cannot."""
    try:
        return msgspec.json.encode(value)
    except (UnicodeEncodeError, TypeError):
        return json.dumps(value, default=str).encode()


def quoted(data: bytes, mask: SecretMask) -> str:
    """The start of what was written instead of an answer; no secret shows in it."""
    # Hidden before it is cut: half a secret is one too.
    return mask.hide(data.decode("utf-8", "replace")).strip()[:200] or "nothing"
