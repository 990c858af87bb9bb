"""What judging a response came to."""

from collections.abc import Mapping

from msgspec import Struct, field

from evaltui.core.result import CaseStatus
from evaltui.core.verdict import Verdict


class Outcome(Struct, frozen=True, gc=False):
    """How one response was judged: the sum of its verdicts."""

    status: CaseStatus
    reason: str
    """Never empty; of the first verdict that gates when there is one."""
    category: str = ""
    """As in `Verdict.category`; empty when it did not fail."""
    score: float | None = None
    """The lowest value of an assertion, 0 to 1; `None` when none has one."""
    metrics: Mapping[str, int | float] = field(default_factory=dict)
    """By check."""
    assertions_run: int = 0
    assertions_skipped: int = 0
    skipped_tokens: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()

    @property
    def success(self) -> bool:
        return self.status is CaseStatus.PASSED
