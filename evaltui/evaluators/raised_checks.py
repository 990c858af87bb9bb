"""Checks that raised in a process in which others judged: what those left behind may be why."""

import asyncio

from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.evaluators.child_job import ChildJob
from evaltui.evaluators.evaluator_child import EvaluatorChild


class RaisedChecks:
    """Says which of them is asked once more, alone in a fresh process: the first of each type.

    If it raises there too, its type is believed from then on: a thousand that raise cost one start.
    If not, its type keeps that process for itself, so that a thousand more cost no start either.
    """

    def __init__(self) -> None:
        self._held: dict[str, list[tuple[ChildJob, Verdict]]] = {}
        """What raised while the first of its type is asked alone."""
        self._believed: set[str] = set()
        self._own: dict[str, EvaluatorChild] = {}

    @property
    def is_busy(self) -> bool:
        return bool(self._held)

    def begin_anew(self) -> None:
        """Believe nobody: the files are loaded again."""
        self._believed.clear()

    def send_own(self, job: ChildJob) -> None:
        """Give its checks to the processes that their types have for themselves."""
        for check in [*job.checks] if self._own else ():
            own = self._own.get(check.definition.type)
            if own is not None and not own.is_ending:
                own.send([job.take_out(check)])

    def take(self, job: ChildJob, verdict: Verdict) -> bool:
        """Of one check; `verdict`: that it raised. Whether it is to be asked alone now: all others
        are answered, wait for that, or go to the process of their type."""
        (check,) = job.checks
        type_ = check.definition.type
        self.send_own(job)
        if not job.checks:
            return False
        if type_ in self._believed:
            check.answer(verdict)
            return False
        is_first = type_ not in self._held
        if is_first:
            self._held[type_] = []
        else:
            self._held[type_].append((job, verdict))
        return is_first

    def settle(
        self, type_: str, answer: asyncio.Future[Verdict], child: EvaluatorChild | None
    ) -> None:
        """The one that was asked alone has its answer, by `child`, if one could be started."""
        held = self._held.pop(type_, [])
        was_given_up = answer.cancelled()
        is_own_fault = was_given_up or answer.result().status is VerdictStatus.ERROR
        if child is not None and not is_own_fault:
            self._own[type_] = child
            if held:
                child.send([job for job, _ in held])
            return
        if not was_given_up:
            self._believed.add(type_)
        for job, verdict in held:
            job.checks[0].answer(verdict)
        if child is not None:
            child.say_no_more()

    def forget(self, child: EvaluatorChild) -> None:
        """It has ended."""
        self._own = {type_: one for type_, one in self._own.items() if one is not child}
