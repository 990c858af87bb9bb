"""What the judges of traces share: a check that looks at what happened, not at an answer."""

from collections.abc import Awaitable, Iterable
from math import inf
from typing import ClassVar

from evaltui.core.case import TraceCase
from evaltui.core.check import CheckContext
from evaltui.core.errors import UserError
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.expectations.pattern_process import PatternTimeout
from evaltui.traces.reading import trace_body

EMPTY: JsonObject = {}
NO_OUTPUT = "the agent gave no final output"


def limit_of(config: JsonObject, name: str, default: float) -> float:
    """A number of the settings that is no less than 0, else the default.

    Raises UserError for anything else: a limit that does not hold would pass falsely.
    """
    value = config.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < inf:
        raise UserError(f"`{name}` is no number of at least 0.", "Correct the judge's settings.")
    return value


def texts_of(config: JsonObject, name: str, default: tuple[str, ...]) -> tuple[str, ...]:
    """A list of texts of the settings, else the default. Raises UserError for anything else."""
    value = config.get(name)
    if value is None:
        return default
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
        raise UserError(f"`{name}` is no list of texts.", "Correct the judge's settings.")
    return tuple(str(one) for one in value)


class Judge:
    """A check of one name; `hard` is the kind of judge, whatever it finds.

    Reasons are always the same words for the same kind of failure, since failures are counted by
    them; what differs stands in the evidence.
    """

    name: str
    hard: ClassVar[bool] = True
    of_loop: ClassVar[bool] = False
    """Whether it judges what a repair loop did, which is known when that has ended."""

    def __init__(self, config: JsonObject) -> None:
        self.config = config

    @classmethod
    def demands(cls, case: TraceCase) -> Iterable[Json]:  # noqa: ARG003
        """What the case itself has it check, each demand apart; none where settings say it all."""
        return ()

    def run(self, context: CheckContext) -> Verdict | Awaitable[Verdict]:
        return self.judge(trace_body(context.case))

    def judge(self, case: TraceCase) -> Verdict | Awaitable[Verdict]:
        raise NotImplementedError

    def passed(self, reason: str, evidence: JsonObject = EMPTY, score: float = 1.0) -> Verdict:
        return self._verdict(VerdictStatus.PASSED, reason, score, evidence)

    def failed(
        self,
        reason: str,
        evidence: JsonObject = EMPTY,
        score: float = 0.0,
        category: str = "assertion",
    ) -> Verdict:
        return self._verdict(VerdictStatus.FAILED, reason, score, evidence, category)

    async def in_time(self, judging: Awaitable[Verdict]) -> Verdict:
        """What it comes to, also where a pattern of the settings takes too long."""
        try:
            return await judging
        except PatternTimeout:
            return self.failed("a pattern did not finish", category="timeout")

    def skipped(self, reason: str) -> Verdict:
        return self._verdict(VerdictStatus.SKIPPED, reason, 1.0, EMPTY)

    def _verdict(
        self,
        status: VerdictStatus,
        reason: str,
        score: float,
        evidence: JsonObject,
        category: str = "",
    ) -> Verdict:
        return Verdict(
            self.name,
            status,
            reason,
            value=score,
            evidence=evidence,
            hard=self.hard,
            category=category,
        )
