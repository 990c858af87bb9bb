"""How many cases of a report passed, failed …: each once, by the same rule as on the board."""

from collections.abc import Iterable

from msgspec import Struct

from evaltui.core.result import CaseResult, CaseStatus
from evaltui.reporters.muted_failures import Mutes


class Tally(Struct, frozen=True):
    muted: int = 0
    """Whatever their result."""
    errors: int = 0
    failed: int = 0
    nothing_asserted: int = 0
    passed: int = 0

    @property
    def judged(self) -> int:
        return self.passed + self.failed + self.errors


def tally(results: Iterable[CaseResult], mutes: Mutes) -> Tally:
    """The first of these that fits: muted, error, failed, nothing asserted, passed."""
    counts = dict.fromkeys(Tally.__struct_fields__, 0)
    for result in results:
        if mutes.covers(result.key):
            counts["muted"] += 1
        elif result.is_nothing_asserted:
            counts["nothing_asserted"] += 1
        else:
            counts[_FIELDS[result.status]] += 1
    return Tally(**counts)


_FIELDS = {
    CaseStatus.ERROR: "errors",
    CaseStatus.FAILED: "failed",
    CaseStatus.PASSED: "passed",
    CaseStatus.SKIPPED: "nothing_asserted",
}
