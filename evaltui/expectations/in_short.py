"""A comparison of calls in a few words: `city "Paris" → "Pariss"`, `move_event → cancel_event`."""

from evaltui.core.json_value import Json
from evaltui.core.text_diff import mark_difference
from evaltui.expectations.call_diff import CallState, CaseDiff, DiffTarget, is_difference
from evaltui.expectations.javascript import json_stringify
from evaltui.expectations.param_diff import Absent, ParamDiff, ParamState

LONGEST = 24
"""Letters of a value; of half as long ones already, what is alike on both sides is left out."""


def in_short(diff: CaseDiff, *, arrow: str = "→", cut: str = "…") -> str:
    """The first difference, and how many there are besides: `date "…-06" → "…-05" +1`.

    Empty when the calls do not differ.
    """
    said = [*_other_tools(diff, arrow), *_params(diff, arrow, cut)]
    return f"{said[0]} +{len(said) - 1}" if len(said) > 1 else "".join(said)


def _other_tools(diff: CaseDiff, arrow: str) -> list[str]:
    rows = diff.calls
    missing = [row.name for row in rows if row.state is CallState.MISSING]
    more = [row.name for row in rows if row.state in (CallState.UNEXPECTED, CallState.FORBIDDEN)]
    if missing and more:
        return [f"{', '.join(missing)} {arrow} {', '.join(more)}"]
    is_before = diff.target is not DiffTarget.EXPECTED
    if missing:
        is_called = any(row.actual_at is not None for row in rows)
        names = ", ".join(missing)
        if is_called:
            return [f"{names} no longer called" if is_before else f"{names} not called"]
        return [f"{names} {arrow} no call" if is_before else f"no call, {names} wanted"]
    if more:
        names = ", ".join(more)
        if is_before and all(row.expected_at is None for row in rows):
            return [f"no call {arrow} {names}"]
        return [f"{names} called too" if is_before else f"{names} besides"]
    moved = sum(row.state is CallState.REORDERED for row in rows)
    return [f"order of {max(2, moved)} calls"] if moved else []


def _params(diff: CaseDiff, arrow: str, cut: str) -> list[str]:
    is_before = diff.target is not DiffTarget.EXPECTED
    return [
        _one(param, arrow, cut, is_before=is_before)
        for row in diff.calls
        if row.state in (CallState.MATCHED, CallState.REORDERED, CallState.CALLED)
        for param in row.params
        if is_difference(param)
    ]


def _one(param: ParamDiff, arrow: str, cut: str, *, is_before: bool) -> str:
    """`is_before`: held against an earlier answer, not against what is expected."""
    if param.state is ParamState.EXTRA:
        sent = _clipped(_value(param.actual), cut)
        return f"{param.path} {sent} sent too" if is_before else f"{param.path} {sent} besides"
    if param.state is ParamState.MISSING:
        is_known = param.assertion in ("", "equals")
        expected = f" ({_clipped(_value(param.expected), cut)})" if is_known else ""
        return f"{param.path} {'no longer sent' if is_before else 'not sent'}{expected}"
    before, after = _both(param.expected, param.actual, cut)
    return f"{param.path} {before} {arrow} {after}"


def _both(expected: "Json | Absent", actual: "Json | Absent", cut: str) -> tuple[str, str]:
    """Both values; of two texts that begin alike only what follows."""
    before, after = _value(expected), _value(actual)
    is_text = isinstance(expected, str) and isinstance(actual, str)
    if is_text and max(len(before), len(after)) >= LONGEST // 2:
        left, right = mark_difference(before[1:-1], after[1:-1])
        if left and right and not left[0].is_changed and len(left[0].text) > len(cut) + 1:
            # A few letters before the difference, so that the place is recognized.
            skip = max(0, len(left[0].text) - 2)
            before, after = f'"{cut}{before[1 + skip :]}', f'"{cut}{after[1 + skip :]}'
    return _clipped(before, cut), _clipped(after, cut)


def _value(value: "Json | Absent") -> str:
    return "nothing" if isinstance(value, Absent) else json_stringify(value)


def _clipped(text: str, cut: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + cut
