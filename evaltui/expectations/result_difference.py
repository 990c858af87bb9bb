"""What differs in a result, in a few words: from the expectation, or from the previous result."""

from evaltui.core.case import Case
from evaltui.core.comparison import EXPLAINED_BY_PREVIOUS_CALLS, Effect
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.expectations import ASSERTIONS
from evaltui.expectations.call_diff import DiffTarget, diff_calls
from evaltui.expectations.expected_diff import diff_expected
from evaltui.expectations.in_short import in_short

OTHER_CALLS = "calls differ"
"""Where it is not known in what."""


def difference_of(
    result: CaseResult,
    case: Case,
    before: CaseResult | None,
    effect: Effect | None,
    *,
    multiset: bool,
    arrow: str = "→",
    cut: str = "…",
) -> str:
    """`city "Paris" → "Pariss"`; of a result that `is_explained_by_calls`.

    Of a failure from what is expected to what was called, whatever a save did: its detail and the
    summary say so too. Else from before to now where that is what a save did (`effect`). Empty
    where a failure is about no call, where the calls of the result are not at hand, and where it
    is better by the same calls.
    """
    if result.response is None:
        return ""
    calls = result.response.tool_calls
    if result.status is CaseStatus.FAILED:
        gating = next((verdict for verdict in result.verdicts if verdict.gates), None)
        assertion = ASSERTIONS.get(gating.check) if gating is not None else None
        if assertion is None or not assertion.is_in_diff:
            return ""
        diff = diff_expected(case, calls, result.verdicts, multiset=multiset)
        return in_short(diff, arrow=arrow, cut=cut)
    if effect in EXPLAINED_BY_PREVIOUS_CALLS and before is not None and before.response is not None:
        # Of attempts of which most passed it keeps the calls of one that failed.
        if effect is Effect.CALLS_DIFFER and before.status is not result.status:
            return OTHER_CALLS
        diff = diff_calls(before.response.tool_calls, calls, DiffTarget.PREVIOUS)
        return in_short(diff, arrow=arrow, cut=cut)
    return OTHER_CALLS if effect is Effect.CALLS_DIFFER else ""
