"""One case on the board: what is known of it now."""

from enum import StrEnum

from msgspec import Struct, field

from evaltui.core.baseline import BaselineCase
from evaltui.core.case import Case, CaseKey
from evaltui.core.comparison import Effect, effect_of
from evaltui.core.proof import Proof, fails_as_often, is_flaky, may_be_worse
from evaltui.core.response import ToolCall
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.staleness import Degree, DueCase
from evaltui.core.suite import Suite
from evaltui.store.row_status import (
    FAILING_STATUSES,
    RANK,
    Attention,
    RowMark,
    RowStatus,
    counts_as,
    marks_of,
    standing_of,
)

STRIP_LENGTH = 10
"""Verdicts of the last runs that are kept of a case."""


class Phase(StrEnum):
    """What is being done with a case at this moment; its last result stays visible meanwhile."""

    IDLE = "idle"
    QUEUED = "queued"
    RUNNING = "running"


class Compared(Struct, frozen=True):
    """What a run made of a case: a result held against the one before it."""

    before: CaseResult | None = None
    verdict_before: CaseStatus | None = None
    """The last verdict until then, for where `before` is an error."""
    effect: Effect | None = None
    """`None` when the case did not run."""
    came_to: CaseResult | None = None
    """What is held against `before`: the run's own result, whatever the case came to since."""


class Row(Struct):
    """Mutable by the board only."""

    key: CaseKey
    case: Case
    suite: Suite
    result: CaseResult | None = None
    phase: Phase = Phase.IDLE
    due: DueCase | None = None
    is_outdated: bool = False
    """Its suite was written for another description of its tool."""
    muted: str = ""
    """Why its failures do not count at present; empty when they do."""
    against: RowMark | None = None
    """How it stands against its baseline: one of the first four marks."""
    proof: Proof | None = None
    """What its trials prove, with an agent that may answer otherwise the next time."""
    before: CaseResult | None = None
    """The result that the last save's is held against."""
    verdict_before: CaseStatus | None = None
    """The last verdict until then, for where `before` is an error."""
    changed: Effect | None = None
    """What the last save made of the case, muted or not; `None` when it did not run."""
    is_rejudged: bool = False
    """Whether that was by its kept answer: nobody was asked."""
    ran_besides: bool = False
    """It ran since the last save, or key, and what it came to is none of its doing."""
    of_save: CaseResult | None = None
    """What the last save's own run came to, where the case ran besides since; else `result`."""
    baseline: BaselineCase | None = None
    usual_ms: float = 0.0
    """What the case took before its last result, as a rule; 0.0 when that is not known."""
    recent: tuple[CaseStatus, ...] = ()
    """Verdicts of the last runs, oldest first, at most `STRIP_LENGTH`."""
    started_at: float = 0.0
    """While it runs: since when, in seconds since the epoch; 0.0 when that is not known."""
    live_text: str = ""
    live_calls: list[ToolCall] = field(default_factory=list)
    place: int = 0
    """Its index in the order of the files."""
    rank: int = RANK[Attention.NOT_RUN]
    """Of its attention, as it was counted last: sorting asks all rows for it."""

    @property
    def status(self) -> RowStatus:
        return counts_as(self.result, is_muted=bool(self.muted))

    @property
    def is_failing(self) -> bool:
        """Whether it failed or had an error, and that counts."""
        return self.status in FAILING_STATUSES

    @property
    def regressed(self) -> bool:
        return self.against is RowMark.REGRESSED

    @property
    def is_proven(self) -> bool:
        """Whether trials prove it to be worse: a single fall of a steady agent needs no proof."""
        return self.regressed and self.proof is not None and self.proof.has_regressed

    @property
    def moved(self) -> bool:
        return self.against is RowMark.MOVED

    @property
    def may_be_worse(self) -> bool:
        """Whether there is something to be decided of it, as far as trials can."""
        if self.result is None or self.muted or self.has_other_inputs:
            return self.moved
        return may_be_worse(self.proof, self.result, has_moved=self.moved)

    @property
    def is_undecided(self) -> bool:
        """Whether it may be worse, and further trials can settle it."""
        return self.proof is not None and self.proof.is_undecided and self.may_be_worse

    @property
    def fell_unedited(self) -> bool:
        """Whether it fell with the inputs that it was pinned with: such trials all count for the
        baseline, so that none can prove that it got worse, as a server behind an address may. One
        that was pinned with some failures has no mark then, and fell all the same."""
        if self.proof is None or self.result is None or not (self.moved or self._slipped):
            return False
        if self.has_other_inputs:
            return False  # it was edited, or is again as it was and did not run since
        return not self.proof.sides.now.count and not self.result.was_counted

    @property
    def fell_unprovably(self) -> bool:
        """Whether it fell and was edited, while no trial of its baseline counts: as of a result
        that was pinned because of how it looked."""
        if self.proof is None or not (self.moved or self._slipped):
            return False
        return bool(self.proof.sides.now.count) and not self.proof.sides.baseline.count

    @property
    def _slipped(self) -> bool:
        """Whether it fails as often as it passes, and passed as a rule when it was pinned."""
        then, now = self.baseline, self.result
        if then is None or now is None or self.against is not None or self.muted:
            return False
        if then.by_other_rules or self.has_other_inputs:
            return False
        return fails_as_often(now) and then.usual is CaseStatus.PASSED

    @property
    def improved(self) -> bool:
        return self.against is RowMark.IMPROVED

    @property
    def moved_up(self) -> bool:
        return self.against is RowMark.MOVED_UP

    @property
    def marks(self) -> tuple[RowMark, ...]:
        """In the order in which they are declared."""
        return marks_of(self.against, self.is_due, self.is_outdated, self.is_flaky)

    @property
    def attention(self) -> Attention:
        return self.standing[1]

    @property
    def standing(self) -> tuple[RowStatus, Attention, tuple[RowMark, ...]]:
        """Status, attention and marks, found out together: each row is asked when it changes."""
        is_due = self.due is not None and self.is_due
        marks = marks_of(self.against, is_due, self.is_outdated, self.is_flaky)
        is_proven = self.proof is not None and self.is_proven
        return standing_of(self.status, marks, self.effect, is_proven)

    @property
    def effect(self) -> Effect | None:
        """What the last save made of the case; of a muted one nothing that counts."""
        return None if self.muted else self.still_changed

    @property
    def still_changed(self) -> Effect | None:
        """What the last save made of the case, muted or not, as long as that is how it stands:
        `None` too where it came to something else since, besides."""
        return None if self.ran_besides else self.changed

    @property
    def is_of_save(self) -> bool:
        """Whether it ran because of the last save, or key; a muted one did too."""
        return self.changed is not None

    @property
    def is_due(self) -> bool:
        """Whether its result is not in force any more. One that never ran is not due."""
        due = self.due
        return self.result is not None and due is not None and due.degree is not _NEVER_RUN

    @property
    def has_other_inputs(self) -> bool:
        """Whether it would run with others than those of its last result. One that is due only
        since it is to be tried more often would not, so that its trials are those of now."""
        return self.due is not None and not self.due.lacks_trials_only

    @property
    def is_comparable(self) -> bool:
        """Whether its pin can be compared with, and its result is not one of nothing asserted."""
        if not self.has_standard:
            return False
        return self.result is None or not self.result.is_nothing_asserted

    @property
    def has_standard(self) -> bool:
        """Whether it is pinned, and its pin says something of now."""
        return self.baseline is not None and self.baseline.is_standard

    @property
    def is_flaky(self) -> bool:
        """Some repeats passed and some did not, in its last result or over all runs with the inputs
        of now."""
        return is_flaky(self.result, self.proof)

    @property
    def compared(self) -> Compared:
        """What the last save made of the case, muted or not: a fact of its run, which stays
        whatever the case came to since, besides."""
        came_to = self.result if self.of_save is None else self.of_save
        return Compared(self.before, self.verdict_before, self.changed, came_to)

    def effect_of(self, result: CaseResult) -> Effect:
        """What a result makes of the case, held against the one before the last save."""
        return effect_of(self.before, result, self.baseline, last_verdict=self.verdict_before)


_NEVER_RUN = Degree.NEVER_RUN
