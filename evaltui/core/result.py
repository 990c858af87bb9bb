"""The results of cases, in the contract's terms."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from evaltui.core.case import CaseKey
from evaltui.core.inputs import Inputs
from evaltui.core.response import AgentResponse
from evaltui.core.statistics.trials import Planned, Trials
from evaltui.core.verdict import Verdict

LATE = "timeout"
"""Category of a result for which the time limit passed first."""


class CaseStatus(StrEnum):
    """`passed` in the contract's file is true only for PASSED (contract B1)."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"


FAILING = frozenset({CaseStatus.FAILED, CaseStatus.ERROR})
"""What asks for attention: the answer was not right, or there was none to judge."""


def status_that_counts(status: CaseStatus, assertions_run: int) -> CaseStatus:
    """A pass of nothing is none: whoever holds results against each other, counts or shows them
    takes it for a case that was skipped. In files it passes (contract A42)."""
    if status is CaseStatus.PASSED and not assertions_run:
        return CaseStatus.SKIPPED
    return status


def judged_trials(status: CaseStatus, passes: int, trials: int) -> Trials:
    """How many attempts passed and failed, from what is kept of them in numbers: none where all of
    them ended in errors, or were skipped."""
    if not passes and status not in (CaseStatus.PASSED, CaseStatus.FAILED):
        return Trials()
    if trials > 1:
        return Trials(passes, trials - passes)
    # Of a single one an earlier version kept no passes.
    return Trials(1, 0) if passes or status is CaseStatus.PASSED else Trials(0, 1)


class TrialResult(Struct, frozen=True, gc=False):
    """What came of one of several attempts at a case."""

    trial: int
    """0-based."""
    status: CaseStatus
    duration_ms: float = 0.0
    error: str = ""
    was_counted: bool = False
    """As of a `CaseResult`."""
    is_late: bool = False
    """The time limit passed first."""
    calls: str = ""
    """Fingerprint of its calls; empty where they are not known."""


class PinnedAs(Struct, frozen=True, gc=False):
    """What the copy of a result that was pinned says of the pin."""

    at: float = 0.0
    """Seconds since the epoch."""
    fresh: Trials = Trials()
    """Made for the pin, whatever they came to: nobody chose them by how they looked."""
    earlier: tuple[CaseKey, ...] = ()
    """What the case was called before it was renamed, the last name first."""


class CaseResult(Struct, frozen=True, gc=False):
    """The result of one attempt at one case. `error` is empty for a passed case."""

    key: CaseKey
    run_id: str
    agent: str
    status: CaseStatus
    description: str = ""
    duration_ms: float = 0.0
    """The agent's own time; the elapsed time when it failed or timed out (contract A44). 0.0 also
    where a trace tells none."""
    assertions_run: int = 0
    assertions_skipped: int = 0
    skipped_tokens: tuple[str, ...] = ()
    error: str = ""
    category: str = ""
    score: float | None = None
    metrics: Mapping[str, int | float] = field(default_factory=dict)
    verdicts: tuple[Verdict, ...] = ()
    response: AgentResponse | None = None
    calls: str = ""
    """Fingerprint of its calls, where it was read without its response; see `calls_fingerprint`."""
    in_short: str = ""
    """What differs in its calls, in a few words, where it was read without its response."""
    typical_ms: float = 0.0
    """What the case takes as a rule, this time among it; 0.0 where the history did not say."""
    known_cost_usd: float | None = None
    """What its answer cost, where it was read without its response."""
    known_overlaps: tuple[str, ...] = ()
    """As `overlaps`, where it was read without its response."""
    inputs: Inputs = field(default_factory=Inputs)
    queued_ms: float = 0.0
    finished_at: float = 0.0
    """Seconds since the epoch."""
    carried_from: str = ""
    """Run id it was carried over from, when this run did not rerun it (contract B2)."""
    trial: int = 0
    trials: int = 1
    """Attempts that passed or failed; all of them where each erred, and `erred` says so. Asked for
    were as many as there are `attempts`. Ask `trials_judged` how many were judged."""
    passes: int = 0
    """Those of `trials` that passed."""
    erred: int = 0
    """Of several attempts those that nobody could judge: besides `trials`, or all of these."""
    attempts: tuple[TrialResult, ...] = ()
    """Every attempt in order when the case was repeated; empty for a single one."""
    planned: Planned | None = None
    """Of its attempts, or of those before it with the same inputs because of which it was tried
    again; `None`: all were planned. Ask `as_planned`."""
    was_counted: bool = False
    """What came of it counts as evidence already, if ever: a recording answered, or it is an
    attempt of the run that this one goes on with. Of several attempts each tells."""
    was_judged_again: bool = False
    """Nobody was asked: the answer is an earlier one's. How it counts, the history tells, which
    knows how that did. Of several attempts none is such a one."""
    asserted: Mapping[str, tuple[str, ...]] | None = None
    """By check a print of each of its demands, of a result that was pinned; `None`: unknown."""
    pinned: PinnedAs | None = None
    """Of a copy that was pinned."""

    @property
    def tried(self) -> tuple[TrialResult, ...]:
        """`attempts`, where each is a trial; none of one that was repaired: the last one counts."""
        if not self.attempts:  # of nearly every case, and asked ten times for each
            return ()
        return () if self._was_repaired else self.attempts

    @property
    def _was_repaired(self) -> bool:
        """Of several trials `trials` are those that were judged, and one that failed outweighs
        errors."""
        judged = sum(attempt.status in JUDGED for attempt in self.attempts)
        has_failed = any(attempt.status is CaseStatus.FAILED for attempt in self.attempts)
        is_odd = judged > 1 or (has_failed and self.status is CaseStatus.ERROR)
        return self.trials == 1 and is_odd

    @property
    def trials_judged(self) -> Trials:
        """How many attempts passed and failed; errors, skipped cases and passes of nothing are
        evidence of nothing."""
        if self.is_nothing_asserted:
            return Trials()
        if tried := self.tried:
            statuses = [attempt.status for attempt in tried]
            return Trials(statuses.count(CaseStatus.PASSED), statuses.count(CaseStatus.FAILED))
        return judged_trials(self.status, self.passes, self.trials)

    @property
    def trials_made(self) -> Trials:
        """Those of `trials_judged` that are new: a recording that is read again and again says the
        same each time."""
        if self.is_nothing_asserted or not (tried := self.tried):
            return Trials() if self.was_counted else self.trials_judged
        made = [attempt.status for attempt in tried if not attempt.was_counted]
        return Trials(made.count(CaseStatus.PASSED), made.count(CaseStatus.FAILED))

    @property
    def as_planned(self) -> Planned:
        """What counts of it where a whole run is told of."""
        return self.planned or Planned(self.trials_judged, self.erred)

    @property
    def unjudged(self) -> str:
        """Why the last of its attempts could not be judged that ended in an error beside others
        that were judged; empty where there is none."""
        errors = [one.error for one in self.tried if one.status is CaseStatus.ERROR]
        is_beside = any(one.status in JUDGED for one in self.tried)
        return errors[-1] if self.erred and errors and is_beside else ""

    @property
    def is_late(self) -> bool:
        """Whether the time limit passed first, at the attempt that it shows. A check that took too
        long has the same category, of an answer that came."""
        return self.category == LATE and not self.assertions_run

    @property
    def made_late(self) -> int:
        """How many failures of `trials_made` the time limit made: of another they say nothing."""
        if not (tried := self.tried):
            return self.trials_made.failures if self.is_late else 0
        return sum(one.is_late and not one.was_counted for one in tried)

    @property
    def usual(self) -> CaseStatus:
        """Its verdict; of several attempts, of which all must pass, that of most of them."""
        return usual_verdict(self.status, self.passes / max(1, self.trials))

    @property
    def overlaps(self) -> tuple[str, ...]:
        """Which tools compete for which words, as the agent said of its answer; of an error
        nothing."""
        if self.status is CaseStatus.ERROR:
            return ()
        if self.response is None:
            return self.known_overlaps
        told = self.response.explanation.get("warnings")
        return tuple(map(str, told)) if isinstance(told, (list, tuple)) else ()

    @property
    def cost_usd(self) -> float | None:
        """What its answer cost, and judging that; `None` where that is not known."""
        if self.response is None:
            return self.known_cost_usd
        asked, judged = self.response.usage, self.judging_usd
        answer_usd = asked.cost_usd if asked else None
        return answer_usd if judged is None else (answer_usd or 0.0) + judged

    @property
    def judging_usd(self) -> float | None:
        """What the model that judges was paid for verdicts and for the user's lines it played;
        `None` where nothing was paid."""
        turns = self.response.conversation if self.response is not None else ()
        if not turns:  # asked of every case several times
            paid = [one.cost_usd for one in self.verdicts if one.cost_usd is not None]
            return sum(paid) if paid else None
        costs = [verdict.cost_usd for turn in turns for verdict in turn.verdicts]
        costs += [turn.played_usd for turn in turns]
        paid = [usd for usd in costs if usd is not None]
        return sum(paid) if paid else None

    @property
    def shown_status(self) -> CaseStatus:
        """See `status_that_counts`."""
        if self.assertions_run:  # of nearly every case, and asked ten times for each
            return self.status
        return status_that_counts(self.status, self.assertions_run)

    @property
    def has_run(self) -> bool:
        """Whether somebody was asked or something judged; not of a rubric case without a judge."""
        return self.status is not CaseStatus.SKIPPED

    @property
    def unchecked(self) -> str:
        """Which texts were held against nothing for want of their value; empty where none."""
        if not self.skipped_tokens:
            return ""
        texts = ", ".join(dict.fromkeys(self.skipped_tokens))
        return f"not checked, without a value: {texts}" if texts else ""

    @property
    def is_nothing_asserted(self) -> bool:
        """Whether nothing was held against the answer, so that no verdict says anything."""
        if self.assertions_run:  # as above
            return self.status is CaseStatus.SKIPPED
        return self.shown_status is CaseStatus.SKIPPED

    @property
    def is_light(self) -> bool:
        """Whether it came without verdicts and response, or has none."""
        return self.response is None and not self.verdicts

    @property
    def lacks_verdicts(self) -> bool:
        """Whether what was held against its answer is told elsewhere, as of one read without it."""
        return self.is_light and bool(self.assertions_run or self.assertions_skipped)


JUDGED = frozenset({CaseStatus.PASSED, CaseStatus.FAILED})


def usual_verdict(status: CaseStatus, pass_rate: float) -> CaseStatus:
    """The verdict of most attempts, where one that failed fails all of them."""
    has_mostly_passed = status is CaseStatus.FAILED and pass_rate > 0.5
    return CaseStatus.PASSED if has_mostly_passed else status
