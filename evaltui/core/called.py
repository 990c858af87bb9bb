"""Which calls the attempts at a case made, by what they came to."""

import re
from collections.abc import Sequence

from evaltui.core.fingerprint import fingerprint
from evaltui.core.json_value import Json
from evaltui.core.response import ToolCall
from evaltui.core.result import JUDGED, CaseResult, CaseStatus

_SIGNED = re.compile(r"([+-])([0-9a-f]+)")
_SIGNS = {CaseStatus.PASSED: "+", CaseStatus.FAILED: "-"}
_SIGNED_BY = tuple(_SIGNS.values())


def have_other_calls(
    before: CaseResult, now: CaseResult, verdict: CaseStatus | None = None
) -> bool:
    """Whether a call, its order or a parameter differs; False where one is not known.

    Of several attempts those count that came to this verdict, or all of them: as long as one of
    them called the same on both sides, nothing differs.
    """
    if before.response is not None and now.response is not None and _are_single(before, now):
        return _what_counts(before.response.tool_calls) != _what_counts(now.response.tool_calls)
    then, since = _prints_of(before, verdict), _prints_of(now, verdict)
    return bool(then and since) and then.isdisjoint(since)


def calls_fingerprint(result: CaseResult) -> str:
    """12 hex digits of the calls and their parameters; of several attempts those of each that
    differ, `+` before what passed and `-` before what failed. Empty where they are not known."""
    if tried := result.tried:
        made = {(_SIGNS[one.status], one.calls) for one in tried if one.status in JUDGED}
        if several := sorted(sign + calls for sign, calls in made if calls):
            return "".join(several)
    return shown_calls_fingerprint(result)


def shown_calls_fingerprint(result: CaseResult) -> str:
    """Of the attempt that a result shows; of one that was read without its response as there."""
    if result.response is None:
        return result.calls
    return fingerprint(_what_counts(result.response.tool_calls))


def _are_single(*results: CaseResult) -> bool:
    return all(result.trials == 1 and not result.tried for result in results)


def _prints_of(result: CaseResult, verdict: CaseStatus | None) -> set[str]:
    """Of the attempts that came to this verdict; none where they are not known."""
    made = calls_fingerprint(result)
    if made.startswith(_SIGNED_BY) and (signed := _SIGNED.findall(made)):
        return {calls for sign, calls in signed if verdict is None or sign == _SIGNS.get(verdict)}
    is_of_it = verdict is None or result.status is verdict
    return {made} if made and is_of_it else set()


def _what_counts(calls: Sequence[ToolCall]) -> list[Json]:
    return [[call.name, call.params] for call in calls]
