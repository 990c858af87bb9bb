"""A job for a child: a context, and the evaluators that are to judge it."""

import asyncio
from collections import deque
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from msgspec import Struct, field

from evaltui.core.verdict import Verdict
from evaltui.evaluators.kit.evaltui import EvaluatorDefinition
from evaltui.evaluators.result_reading import error_verdict


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

    def arrange(self, awaited: Collection[str]) -> None:
        """Put those that wait first; `awaited`: their types."""
        self.together.clear()
        waiting = [one.id for one in self.checks if one.definition.type in awaited]
        if len(waiting) > 1:
            self.put_together(waiting)

    def take_out(self, check: OpenCheck) -> "ChildJob":
        """A job of this one alone; it is none of this job's any more."""
        self.checks.remove(check)
        return ChildJob(self.raw, self.context, deque([check]))

    def put_together(self, ids: Iterable[int]) -> None:
        """These judge at the same time; they come before all others."""
        self.together.update(ids)
        first = [one for one in self.checks if one.id in self.together]
        others = [one for one in self.checks if one.id not in self.together]
        self.checks.clear()
        self.checks.extend((*first, *others))


def fail(jobs: Iterable[ChildJob], why: str) -> None:
    """None of their checks could be made."""
    for job in jobs:
        for check in job.checks:
            check.answer(error_verdict(check.definition, why))
